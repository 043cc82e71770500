const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/**
 * A country for people, e.g. `Germany (DE)` for `DE`; what is no code stays as it is, cut to a
 * line.
 */
export function nameCountry(code: string): string {
  const upper = code.trim().toUpperCase();
  const name = /^[A-Z]{2}$/.test(upper) ? names.of(upper) : undefined;
  return name === undefined
    ? `“${code.replaceAll(/\p{C}/gu, ' ').slice(0, 40)}”`
    : `${name} (${upper})`;
}
