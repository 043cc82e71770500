import { z } from 'zod';

/**
 * What a shop publishes at `/.well-known/acp.json` (Agentic Commerce Protocol, RFC “Discovery”). It
 * needs no key and names no ways of paying: those are said with each checkout.
 */

/**
 * The versions whose messages are known here, newest first: the two have the same ones for what is
 * used.
 */
export const acpVersions = ['2026-04-17', '2026-01-30'] as const;
export type AcpVersion = (typeof acpVersions)[number];

export interface AcpOffer {
  readonly version: AcpVersion;
  readonly endpoint: string;
}

const discovery = z.looseObject({
  protocol: z.looseObject({
    name: z.literal('acp'),
    version: z.string(),
    supported_versions: z.array(z.string()).max(50),
  }),
  api_base_url: z.string(),
  transports: z.array(z.string()),
  capabilities: z.looseObject({ services: z.array(z.string()) }),
});

/**
 * @param isAllowed whether the key of this shop may be sent to an address
 * @returns undefined where the shop has no checkout that is spoken here over REST
 */
export function readDiscovery(
  body: unknown,
  isAllowed: (endpoint: string) => boolean,
): AcpOffer | undefined {
  const parsed = discovery.safeParse(body);
  if (!parsed.success) return undefined;
  const { protocol, api_base_url: address, transports, capabilities } = parsed.data;
  const version = acpVersions.find(
    (one) => one === protocol.version || protocol.supported_versions.includes(one),
  );
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain =
    url !== undefined &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (
    version === undefined ||
    !isPlain ||
    !transports.includes('rest') ||
    !capabilities.services.includes('checkout')
  )
    return undefined;
  const endpoint = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return isAllowed(endpoint) ? { version, endpoint } : undefined;
}
