/**
 * A place that a list names: one origin (`https://shop.example`), or a domain with everything below
 * it (`*.shop.example`).
 */
export interface OriginPattern {
  readonly kind: 'origin' | 'domain';
  readonly host: string;
  /** Of an origin only. */
  readonly scheme?: 'http' | 'https';
  readonly port?: number;
}

/**
 * Where a request wants to go, as the proxy sees it. A tunnel does not say which scheme is spoken
 * in it.
 */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'tunnel';
}

const defaultPorts = { http: 80, https: 443 } as const;

/**
 * Reads `https://shop.example`, `http://127.0.0.1:4001` or `*.shop.example`; undefined for anything
 * else.
 */
export function readOriginPattern(text: string): OriginPattern | undefined {
  const isDomain = text.startsWith('*.');
  const url = readUrl(isDomain ? `https://${text.slice(2)}` : text);
  if (
    !url ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    return undefined;
  const host = nameOf(url);
  if (host === '') return undefined;
  if (isDomain)
    return url.port === '' && !text.includes('/') ? { kind: 'domain', host } : undefined;
  const scheme = url.protocol === 'http:' ? 'http' : 'https';
  return { kind: 'origin', host, scheme, port: Number(url.port || defaultPorts[scheme]) };
}

/** True when the target is exactly that origin, or below that domain. */
export function isWithin(target: EgressTarget, pattern: OriginPattern): boolean {
  if (pattern.kind === 'domain')
    return target.host === pattern.host || target.host.endsWith(`.${pattern.host}`);
  const schemeFits = target.scheme === 'tunnel' || pattern.scheme === 'http';
  return target.host === pattern.host && target.port === pattern.port && schemeFits;
}

/**
 * As {@link isWithin}, but a merchant that opted out with its usual port did so for http and https
 * alike.
 */
export function isBlockedBy(target: EgressTarget, pattern: OriginPattern): boolean {
  if (pattern.kind === 'domain') return isWithin(target, pattern);
  const isUsual = (port: number | undefined) => port === 80 || port === 443;
  return (
    target.host === pattern.host &&
    (target.port === pattern.port || (isUsual(pattern.port) && isUsual(target.port)))
  );
}

/**
 * Host of a parsed address: no brackets around IPv6, and no dots at the end, of which name servers
 * are asked without the last.
 */
export function nameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
