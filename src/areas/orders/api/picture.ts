const letterCountMax = 5;

/**
 * A picture of a line item that has none of its own: its symbol on a disc of a colour that follows from it, as an address
 * that carries the picture itself, so that no reader of an order has to ask anybody for it.
 */
export function pictureOf(name: string): string {
  const letters = (name.toUpperCase().match(/[A-Z0-9]/g) ?? []).slice(0, letterCountMax);
  const hue = letters.reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 0);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="hsl(${hue},55%,38%)"/>`,
    '<text x="32" y="38" font-family="sans-serif" font-size="16" text-anchor="middle" fill="#fff">',
    `${letters.join('')}</text></svg>`,
  ].join('');
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
