import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { PaymentHandler } from '../types.ts';

/**
 * What a shop publishes at `/.well-known/ucp`. Version 2026-01-11 lists capabilities and names one
 * binding per service; later ones have a map of capabilities and a list of bindings (Universal
 * Commerce Protocol, overview, “Profile Structure”).
 */

/** The versions whose messages are known here, newest first. */
export const ucpVersions = ['2026-04-08', '2026-01-23', '2026-01-11'] as const;
export type UcpVersion = (typeof ucpVersions)[number];

export interface UcpProfile {
  readonly version: UcpVersion;
  readonly endpoint: string;
  readonly delivers: boolean;
  readonly looksUp: boolean;
  /** Ways of paying of every checkout. */
  readonly handlers: readonly PaymentHandler[];
}

const checkout = 'dev.ucp.shopping.checkout';
const fulfillment = 'dev.ucp.shopping.fulfillment';
const catalogLookup = 'dev.ucp.shopping.catalog.lookup';
const service = 'dev.ucp.shopping';

const capability = z.looseObject({
  name: z.string().optional(),
  version: z.string(),
  spec: z.string().optional(),
});
const binding = z.looseObject({ transport: z.string(), endpoint: z.string().optional() });
const oldService = z.looseObject({ rest: z.looseObject({ endpoint: z.string() }).optional() });
const profileSchema = z.looseObject({
  ucp: z.looseObject({
    version: z.string(),
    supported_versions: z.record(z.string(), z.string()).optional(),
    services: z.record(z.string(), z.union([z.array(binding), oldService])),
    capabilities: z.union([z.array(capability), z.record(z.string(), z.array(capability))]),
    payment_handlers: z.unknown().optional(),
  }),
  payment: z.looseObject({ handlers: z.unknown().optional() }).optional(),
});
type RawProfile = z.infer<typeof profileSchema>['ucp'];

/**
 * @returns the profile, or the address of one in a version that is known; undefined when there is
 * neither
 */
export function readProfile(
  body: unknown,
  origin: string,
): UcpProfile | { readonly elsewhere: string } | undefined {
  const parsed = profileSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { ucp, payment } = parsed.data;
  const version = ucpVersions.find((one) => one === ucp.version);
  if (version === undefined) return otherVersion(ucp, origin);
  const endpoint = endpointOf(ucp, origin);
  const names = capabilityNames(ucp);
  if (endpoint === undefined || !names.has(checkout)) return undefined;
  return {
    version,
    endpoint,
    delivers: names.has(fulfillment),
    looksUp: names.has(catalogLookup),
    handlers: readHandlers(ucp.payment_handlers ?? payment?.handlers),
  };
}

function otherVersion(
  { supported_versions: supported = {} }: RawProfile,
  origin: string,
): { readonly elsewhere: string } | undefined {
  const address = ucpVersions.map((version) => supported[version]).find((one) => one !== undefined);
  return address !== undefined && isSameOrigin(address, origin)
    ? { elsewhere: address }
    : undefined;
}

const isSameOrigin = (address: string, origin: string) =>
  URL.canParse(address) && new URL(address).origin === origin;

/** Over TLS, or as openly as the shop's own pages come. Nothing behind it but a path. */
function endpointOf({ services }: RawProfile, origin: string): string | undefined {
  const offered = services[service];
  const address = Array.isArray(offered)
    ? offered.find(({ transport }) => transport === 'rest')?.endpoint
    : offered?.rest?.endpoint;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (
    url === undefined ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    return undefined;
  if (url.protocol !== 'https:' && url.origin !== origin) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Those whose specification is where their name says: anybody may write `dev.ucp.…` into a profile.
 */
function capabilityNames({ capabilities }: RawProfile): ReadonlySet<string> {
  const rows = Array.isArray(capabilities)
    ? capabilities.map((one) => [one.name ?? '', one] as const)
    : Object.entries(capabilities).flatMap(([name, versions]) =>
        versions.map((one) => [name, one] as const),
      );
  return new Set(
    rows
      .filter(([, { spec }]) => spec === undefined || spec.startsWith('https://ucp.dev/'))
      .map(([name]) => name),
  );
}

const instrument = z.looseObject({ type: z.string() });
const handlerSchema = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  available_instruments: z.array(instrument).optional(),
  instrument_schemas: z.array(z.string()).optional(),
  config: z.looseObject({}).optional(),
});
const handlers = z.union([z.record(z.string(), z.array(handlerSchema)), z.array(handlerSchema)]);

/** The ways of paying of a checkout; those that cannot be read are none. */
export function readHandlers(raw: unknown): readonly PaymentHandler[] {
  const parsed = handlers.safeParse(raw);
  if (!parsed.success) return [];
  const rows = Array.isArray(parsed.data)
    ? parsed.data.map((one) => ({ name: one.name ?? one.id, ...one }))
    : Object.entries(parsed.data).flatMap(([name, ones]) => ones.map((one) => ({ ...one, name })));
  return rows.map(
    ({ id, name, available_instruments: instruments, instrument_schemas: schemas, config }) => ({
      id,
      name,
      takesCards:
        instruments?.some(({ type }) => type === 'card') ??
        schemas?.some((one) => one.includes('card_payment_instrument')) ??
        true,
      config: (config ?? {}) as JsonObject,
    }),
  );
}
