import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../lib/net/public-address.ts';
import { type EgressTarget, isBlockedBy, isWithin, nameOf, type OriginPattern } from './origins.ts';

/** Addresses of a name; rejects when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

export interface EgressRules {
  /** Merchants that opted out, and whatever else nobody may visit. Wins over everything. */
  readonly blocked: readonly OriginPattern[];
  /** When given, nothing else is reached. */
  readonly allowed?: readonly OriginPattern[];
  /** Origins of our own network that may be reached all the same, exactly as written. */
  readonly allowedPrivate: readonly OriginPattern[];
  readonly resolve: ResolveName;
  readonly resolveTimeoutMs: number;
}

const refusals = [
  'not-readable',
  'credentials-in-address',
  'scheme',
  'port',
  'blocked',
  'not-allowed',
  'private-name',
  'private-address',
  'not-found',
  'bytes-used-up',
  'connections-used-up',
  'closed',
] as const;
export type EgressRefusal = (typeof refusals)[number];

/**
 * Where to connect, or why not. The addresses are those that were checked: nothing is resolved
 * again.
 */
export type EgressVerdict =
  | { readonly allowed: true; readonly addresses: readonly string[] }
  | { readonly allowed: false; readonly reason: EgressRefusal };

const usualPorts = [80, 443];
const addressesMax = 4;
/**
 * Names that only mean something inside a network: single words, and the endings that are reserved
 * for it.
 */
const privateEndings = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'onion',
];

/**
 * The target of a request in absolute form, e.g. `GET http://shop.example/cart`. Every spelling
 * ends in one name.
 */
export function readAbsoluteTarget(
  text: string,
): { readonly target: EgressTarget; readonly url: URL } | EgressRefusal {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'not-readable';
  if (url.protocol !== 'http:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials-in-address';
  const host = nameOf(url);
  return host === ''
    ? 'not-readable'
    : { target: { host, port: Number(url.port || 80), scheme: 'http' }, url };
}

/** The target of `CONNECT host:port`. */
export function readTunnelTarget(authority: string): EgressTarget | EgressRefusal {
  if (authority.includes('@')) return 'credentials-in-address';
  const port = /^[^/?#\\\s]+:(\d{1,5})$/.exec(authority)?.[1];
  if (port === undefined || !URL.canParse(`https://${authority}`)) return 'not-readable';
  const host = nameOf(new URL(`https://${authority}`));
  return host === '' || Number(port) < 1 || Number(port) > 65_535
    ? 'not-readable'
    : { host, port: Number(port), scheme: 'tunnel' };
}

/** Decides about a target, resolving its name once. */
export async function decideEgress(
  target: EgressTarget,
  rules: EgressRules,
): Promise<EgressVerdict> {
  const refuse = (reason: EgressRefusal) => ({ allowed: false, reason }) as const;
  if (rules.blocked.some((pattern) => isBlockedBy(target, pattern))) return refuse('blocked');
  const isAllowedPrivate = rules.allowedPrivate.some(
    (pattern) => pattern.kind === 'origin' && isWithin(target, pattern),
  );
  if (!isAllowedPrivate) {
    if (!usualPorts.includes(target.port)) return refuse('port');
    if (rules.allowed && !rules.allowed.some((pattern) => isWithin(target, pattern)))
      return refuse('not-allowed');
    if (isIP(target.host) === 0 && isPrivateName(target.host)) return refuse('private-name');
  }
  const addresses = await addressesOf(target.host, rules);
  if (addresses.length === 0) return refuse('not-found');
  if (!isAllowedPrivate && !addresses.every(isPublicAddress)) return refuse('private-address');
  return { allowed: true, addresses: addresses.slice(0, addressesMax) };
}

function isPrivateName(host: string): boolean {
  return !host.includes('.') || privateEndings.some((ending) => host.endsWith(`.${ending}`));
}

async function addressesOf(host: string, rules: EgressRules): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), rules.resolveTimeoutMs);
  });
  const answer = await Promise.race([rules.resolve(host).catch(() => []), late]).finally(() =>
    clearTimeout(timer),
  );
  // An answer that is no address at all is as good as none, and must not be resolved a second time
  // while connecting.
  return answer.every((address) => isIP(address) !== 0) ? answer : [];
}

/** The system's name servers. */
export async function resolveWithSystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}
