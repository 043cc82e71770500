import type { JsonObject } from '../../../lib/json/json.ts';
import type { CommerceAnswer, CommerceExit } from '../exit.ts';
import type { CheckoutPlace, CommerceProtocol, CommerceShop } from '../types.ts';
import { findInCatalog } from './catalog.ts';
import { readCheckout, writeCheckout, writePayment } from './checkout.ts';
import { readProfile, type UcpProfile, type UcpVersion, ucpVersions } from './profile.ts';

const name = 'UCP';
/** Most shops have no profile: a purchase does not wait long for one. */
const profileTimeoutMs = 5_000;

/**
 * The Universal Commerce Protocol over REST (https://ucp.dev): a shop says at `/.well-known/ucp`
 * what it speaks. Schemas of the versions in {@link ucpVersions} are known here and not fetched;
 * extensions that we do not declare are not used.
 * @param profileUrl where our own profile is published, which every request names
 */
export function createUcp(exit: CommerceExit, profileUrl: string): CommerceProtocol {
  const headers = { 'ucp-agent': `profile="${profileUrl.replace(/["\\]/g, encodeURIComponent)}"` };
  const get = (url: string, timeoutMs?: number) =>
    exit.send({ method: 'GET', url, headers, ...(timeoutMs && { timeoutMs }) });

  async function discover(origin: string): Promise<CommerceShop | undefined> {
    let read = readAnswer(await get(`${origin}/.well-known/ucp`, profileTimeoutMs), origin);
    if (read !== undefined && 'elsewhere' in read)
      read = readAnswer(await get(read.elsewhere, profileTimeoutMs), origin);
    return read === undefined || 'elsewhere' in read ? undefined : shopOf(read);
  }

  function shopOf({ version, endpoint, delivers, looksUp, handlers }: UcpProfile): CommerceShop {
    const write = (method: 'POST' | 'PUT', path: string, body: JsonObject, key: string) =>
      exit.send({
        method,
        url: `${endpoint}${path}`,
        headers: { ...headers, 'idempotency-key': key },
        body,
      });
    const checkouts = (id: string) => `/checkout-sessions/${encodeURIComponent(id)}`;
    const read = ({ status, body }: CommerceAnswer) => readCheckout(status, body);
    return {
      place: { protocol: name, version, endpoint },
      delivers,
      handlers,
      async findItems(product) {
        const ask = (path: string, body: JsonObject) =>
          exit.send({ method: 'POST', url: `${endpoint}${path}`, headers, body });
        const exact = looksUp ? await findInCatalog(ask, product) : undefined;
        return exact === undefined
          ? product.ids.map((id) => ({ id, exact: false }))
          : [{ id: exact, exact: true }];
      },
      create: async (wish, key) =>
        read(await write('POST', '/checkout-sessions', writeCheckout(version, wish), key)),
      update: async (id, lines, wish, key) =>
        read(await write('PUT', checkouts(id), writeCheckout(version, wish, { id, lines }), key)),
      read: async (id) => read(await get(`${endpoint}${checkouts(id)}`)),
      complete: async (id, payment, key) =>
        read(await write('POST', `${checkouts(id)}/complete`, writePayment(version, payment), key)),
      cancel: async (id, key) => read(await write('POST', `${checkouts(id)}/cancel`, {}, key)),
    };
  }

  return {
    name,
    discover,
    reopen({ version, endpoint }: CheckoutPlace) {
      const known =
        ucpVersions.find((one) => one === version) ?? (ucpVersions[0] satisfies UcpVersion);
      return shopOf({ version: known, endpoint, delivers: true, looksUp: false, handlers: [] });
    },
  };
}

function readAnswer(
  { status, body }: CommerceAnswer,
  origin: string,
): ReturnType<typeof readProfile> {
  return status === 200 ? readProfile(body, origin) : undefined;
}
