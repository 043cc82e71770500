import { Resolver } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { Environment } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { isPublicAddress } from '../../../lib/net/public-fetch.ts';

export const urlLengthMax = 2_000;

const resolveTimeoutMs = 2_500;
const resolveTries = 2;

/** Which receivers may be connected to. */
export interface TargetRule {
  readonly allowsHttp: boolean;
  readonly isAllowed: (address: string) => boolean;
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
}

/** Nobody may be connected to there; the text names no address. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError';
}

/** Public machines by https; in development also this machine, and http. */
export function targetRuleOf(environment: Environment): TargetRule {
  if (environment === 'development')
    return {
      allowsHttp: true,
      isAllowed: (address) => isPublicAddress(address) || isLoopback(address),
      resolve: resolveAsSystem,
    };
  return { allowsHttp: false, isAllowed: isPublicAddress, resolve: createPublicResolve() };
}

/**
 * The address of a receiver in its one spelling. Names are not resolved here: what they lead to is
 * checked whenever a connection is opened.
 * @throws webhook-url-not-allowed
 */
export function readTargetUrl(
  text: string,
  rule: Pick<TargetRule, 'allowsHttp' | 'isAllowed'>,
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (message: string) => new ServiceError('webhook-url-not-allowed', { message });
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw refuse('url: must be an https address.');
  if (url.protocol === 'http:' && !rule.allowsHttp)
    throw refuse('url: must be an https address; http is for development only.');
  if (url.username !== '' || url.password !== '')
    throw refuse('url: must not carry credentials. Verify the signature instead.');
  if (url.hash !== '') throw refuse('url: must have no fragment (#…).');
  const hostname = bareHostname(url);
  if (isIP(hostname) !== 0 && !rule.isAllowed(hostname))
    throw refuse('url: does not lead to a machine of the public internet.');
  return url.href;
}

/** Host name of an address, without the brackets of IPv6. */
export function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * For sockets: resolves a name, and answers only when every address it has is allowed. The
 * connection goes to one of those.
 */
export function createCheckedLookup(rule: TargetRule): LookupFunction {
  const check = callbackify((hostname: string) => checkName(rule, hostname));
  return (hostname, options, callback) =>
    check(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    });
}

async function checkName(rule: TargetRule, hostname: string): Promise<readonly string[]> {
  const addresses = await rule.resolve(hostname);
  if (addresses.length === 0 || !addresses.every(rule.isAllowed))
    throw new ForbiddenTargetError('The name does not lead to a machine of the public internet.');
  return addresses;
}

/** Whether an IP address is this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Knows the names of this machine too. */
async function resolveAsSystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

/**
 * Asks name servers itself: the system's look-ups share four threads, which a few dead name servers
 * would block for all.
 */
function createPublicResolve(): TargetRule['resolve'] {
  const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: resolveTries });
  const ask = (kind: 'resolve4' | 'resolve6', hostname: string) =>
    new Promise<string[]>((resolve, reject) => {
      resolver[kind](hostname, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      ask('resolve4', hostname),
      ask('resolve6', hostname),
    ]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []),
      ...(v6.status === 'fulfilled' ? v6.value : []),
    ];
  };
}
