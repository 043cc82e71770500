import type { AcpShop } from '../../../config/runner/read-commerce.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { CommerceAnswer, CommerceExit } from '../exit.ts';
import type { CheckoutPlace, CommerceProtocol, CommerceShop } from '../types.ts';
import { CommerceAwayError } from '../types.ts';
import { type AcpOffer, type AcpVersion, acpVersions, readDiscovery } from './discovery.ts';
import { readSession, writeComplete, writeCreate, writeUpdate } from './session.ts';

const name = 'ACP';
/** Most shops have none: a purchase does not wait long for it. */
const discoveryTimeoutMs = 5_000;

/**
 * The Agentic Commerce Protocol over REST (https://agenticcommerce.dev): a shop says at
 * `/.well-known/acp.json` that it speaks it. Each shop issues a key to whoever may call; the key
 * goes to the shop's own origin, or to the address that the operator has named with it.
 */
export function createAcp(exit: CommerceExit, shops: readonly AcpShop[]): CommerceProtocol {
  const keyedFor = (origin: string) => shops.find((one) => one.shop === origin);

  async function discover(origin: string): Promise<CommerceShop | undefined> {
    const keyed = keyedFor(origin);
    const { status, body } = await exit.send({
      method: 'GET',
      url: `${origin}/.well-known/acp.json`,
      timeoutMs: discoveryTimeoutMs,
    });
    const isAllowed = (endpoint: string) => keyed === undefined || mayHaveKey(keyed, endpoint);
    const offer = status === 200 ? readDiscovery(body, isAllowed) : undefined;
    return offer && shopOf(offer, keyed);
  }

  function shopOf({ version, endpoint }: AcpOffer, keyed: AcpShop | undefined): CommerceShop {
    const headers = {
      'api-version': version,
      ...(keyed && { authorization: `Bearer ${keyed.key.reveal()}` }),
    };
    const sessions = (id: string) => `${endpoint}/checkout_sessions/${encodeURIComponent(id)}`;
    const post = (url: string, body: JsonObject, key: string) =>
      exit.send({ method: 'POST', url, headers: { ...headers, 'idempotency-key': key }, body });
    const read = ({ status, body }: CommerceAnswer) => readSession(status, body);
    return {
      place: { protocol: name, version, endpoint },
      ...(keyed === undefined && { unusable: 'This service has no key of that shop for it.' }),
      delivers: true,
      handlers: [],
      findItems: async (product) => product.ids.map((id) => ({ id, exact: false })),
      create: async (wish, key) =>
        read(await post(`${endpoint}/checkout_sessions`, writeCreate(wish), key)),
      update: async (id, _lines, wish, key) =>
        read(await post(sessions(id), writeUpdate(wish), key)),
      read: async (id) => read(await exit.send({ method: 'GET', url: sessions(id), headers })),
      complete: async (id, payment, key) =>
        read(await post(`${sessions(id)}/complete`, writeComplete(payment), key)),
      cancel: async (id, key) => read(await post(`${sessions(id)}/cancel`, {}, key)),
    };
  }

  return {
    name,
    discover,
    reopen({ version, endpoint }: CheckoutPlace) {
      const keyed = shops.find((one) => mayHaveKey(one, endpoint));
      const known: AcpVersion = acpVersions.find((one) => one === version) ?? acpVersions[0];
      if (keyed === undefined) return closedShop({ protocol: name, version, endpoint });
      return shopOf({ version: known, endpoint }, keyed);
    },
  };
}

/** The key was taken away since: what became of the checkout is asked elsewhere. */
function closedShop(place: CheckoutPlace): CommerceShop {
  const away = async () =>
    Promise.reject(new CommerceAwayError('This service has no key of that shop any more.'));
  return {
    place,
    delivers: true,
    handlers: [],
    findItems: async () => [],
    create: away,
    update: away,
    read: away,
    complete: away,
    cancel: away,
  };
}

/** Over TLS, or as openly as the shop's own pages come. */
function mayHaveKey({ shop, endpoint: named }: AcpShop, endpoint: string): boolean {
  const { origin, protocol } = new URL(endpoint);
  return origin === shop || (named !== undefined && endpoint === named && protocol === 'https:');
}
