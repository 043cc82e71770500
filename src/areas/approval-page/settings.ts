import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { selectSettings, upsertSettings } from './store.ts';

const logoBytesMax = 64 * 1_024;
const originsMax = 20;
const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'is six hexadecimal digits behind a #, e.g. #0a6b57')
  .transform((text) => text.toLowerCase());

/** A place as browsers compare it; a policy has no word for IPv6 addresses. */
const origin = z
  .string()
  .refine(
    isOrigin,
    'is no origin such as https://shop.example: https, without a path, no wildcard',
  );

/**
 * What a project says of its approval page. The defaults: our name, our colours, in no frame,
 * passkeys of this host.
 */
const settingsSchema = z.strictObject({
  name: z.string().trim().min(1).max(60).optional(),
  logo: z
    .string()
    .max(logoBytesMax)
    .refine(isLogo, 'is https://… or data:image/(png|jpeg|webp|svg+xml);base64,…')
    .optional(),
  /** Of buttons and links, on a light and on a dark page. */
  accent: colour.optional(),
  accentDark: colour.optional(),
  frameOrigins: z.array(origin).max(originsMax).default([]),
  /**
   * Relying party of the passkeys: a domain that the page's host belongs to. The page's host when
   * absent.
   */
  passkeyDomain: z
    .string()
    .regex(/^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'is no domain such as shop.example')
    .optional(),
});
export type PageSettings = z.output<typeof settingsSchema>;

function isOrigin(text: string): boolean {
  // It stands in a header: browsers take hosts with characters in them that end a directive.
  if (!/^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text) || !URL.canParse(text)) return false;
  const { origin: own, protocol, hostname } = new URL(text);
  return (
    own === text &&
    (protocol === 'https:' ||
      (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname)))
  );
}

function isLogo(text: string): boolean {
  if (/^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/.test(text)) return true;
  // Its origin stands in a header: no character that ends a directive.
  return /^https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?\/[^\s"'<>;,\\]*$/.test(text) && URL.canParse(text);
}

/** @throws internal-error when the row was changed behind the service */
export async function readPageSettings(
  ctx: Pick<Ctx, 'store'>,
  projectId: string,
): Promise<PageSettings> {
  return settingsSchema.parse((await selectSettings(ctx.store, projectId)) ?? {});
}

/** Replaces what a project says. @throws validation-error naming what is wrong */
export async function putPageSettings(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  { projectId, settings }: { readonly projectId: string; readonly settings: unknown },
): Promise<PageSettings> {
  const checked = checkSettings(settings);
  await upsertSettings(ctx.store, { projectId, settings: checked, now: ctx.clock.now() });
  return checked;
}

/**
 * Changes what is named and leaves the rest; an empty text takes it away. Origins are one text,
 * with commas between.
 * @param onChanged what is written down in the same transaction @throws validation-error naming
 * what is wrong
 */
export async function changePageSettings(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  {
    projectId,
    change,
  }: { readonly projectId: string; readonly change: Readonly<Record<string, string | undefined>> },
  onChanged: (tx: Tx, before: PageSettings, after: PageSettings) => Promise<void>,
): Promise<PageSettings> {
  const { frameOrigins, ...texts } = change;
  const said = {
    ...texts,
    frameOrigins: frameOrigins?.split(',').flatMap((text) => text.trim() || []),
  };
  const named = Object.entries(said).filter(([, value]) => value !== undefined);
  if (named.length === 0)
    throw new ServiceError('validation-error', {
      message: 'Say what to change: a name, a logo, colours, origins or the domain.',
    });
  return ctx.store.transaction(async (tx) => {
    const before = settingsSchema.parse(
      (await selectSettings(tx, projectId, { lock: true })) ?? {},
    );
    const merged = Object.entries({ ...before, ...Object.fromEntries(named) }).filter(
      ([, value]) => value !== '' && value !== undefined,
    );
    const after = checkSettings(Object.fromEntries(merged));
    await upsertSettings(tx, { projectId, settings: after, now: ctx.clock.now() });
    await onChanged(tx, before, after);
    return after;
  });
}

/** @throws validation-error naming what is wrong */
function checkSettings(settings: unknown): PageSettings {
  const read = settingsSchema.safeParse(settings);
  if (!read.success) {
    const problems = read.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'settings'}: ${message}`,
    );
    throw new ServiceError('validation-error', { message: problems.join('; ') });
  }
  for (const [name, paper] of [
    ['accent', '#ffffff'],
    ['accentDark', '#181e1f'],
  ] as const) {
    const wanted = read.data[name];
    if (wanted !== undefined && contrast(wanted, paper) < contrastMin)
      throw new ServiceError('validation-error', {
        message: `${name}: ${wanted} cannot be read on ${paper} (${contrast(wanted, paper).toFixed(1)}:1, and ${contrastMin}:1 is needed).`,
      });
  }
  return read.data;
}

/** WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5;

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
