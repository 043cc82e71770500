import type { PageSettings } from './api.ts';

const ownName = 'Purser';

export const nameOf = ({ name }: PageSettings): string => name ?? ownName;

/**
 * The project's colours, through the object model: the policy of the page lets no style be written
 * into it.
 */
export function applyBrand({ accent, accentDark, ...page }: PageSettings): void {
  document.title = `${nameOf(page)}: approve`;
  const { style } = document.documentElement;
  const [light, dark] = [accent ?? '#0a6b57', accentDark ?? accent ?? '#5fd3b5'];
  if (accent === undefined && accentDark === undefined) return;
  style.setProperty('--accent', `light-dark(${light}, ${dark})`);
  style.setProperty('--on-accent', `light-dark(${inkOn(light)}, ${inkOn(dark)})`);
}

/** Whichever can be read better. */
function inkOn(hex: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#101415' : '#ffffff';
}

/**
 * Tells the page around this one how it stands: only those that the project lets frame it hear of
 * it.
 */
export function tellFrame(
  { frameOrigins }: PageSettings,
  news: { readonly id: string; readonly status: string },
): void {
  if (parent === window) return;
  for (const origin of frameOrigins)
    parent.postMessage({ type: 'purser-approval', ...news }, origin);
}
