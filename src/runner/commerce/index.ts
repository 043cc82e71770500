import type { CommerceConfig } from '../../config/runner/read-commerce.ts';
import type { EgressProxy } from '../egress/index.ts';
import { createAcp } from './acp/index.ts';
import { openCommerceExit, openDirectExit } from './exit.ts';
import { tokenizeCard } from './tokenizer.ts';
import type { Commerce, CommerceProtocol, CommerceShop } from './types.ts';
import { createUcp } from './ucp/index.ts';

/**
 * Shops' own interfaces for agents, for one run. Calls to shops leave by the run's egress proxy;
 * cards go to the operator's tokenizers alone. A protocol is a folder and a line here.
 */
export function openCommerce(
  config: CommerceConfig,
  proxy: Pick<EgressProxy, 'server' | 'username' | 'password'>,
): Commerce {
  const exit = openCommerceExit(proxy);
  const direct = openDirectExit();
  const protocols: readonly CommerceProtocol[] = [
    createUcp(exit, config.profileUrl),
    createAcp(exit, config.acpShops),
  ];
  const tokenizerOf = (name: string) => config.tokenizers.find(({ handler }) => handler === name);
  return {
    async discover(origin): Promise<CommerceShop | undefined> {
      for (const protocol of protocols) {
        const shop = await protocol.discover(origin).catch(() => undefined);
        if (shop !== undefined) return shop;
      }
      return undefined;
    },
    reopen: (place) => protocols.find(({ name }) => name === place.protocol)?.reopen(place),
    payable: (shop, checkout) =>
      [...checkout.handlers, ...shop.handlers].find(
        ({ name, takesCards }) => takesCards && tokenizerOf(name) !== undefined,
      ),
    async tokenize(handler, use, card) {
      const tokenizer = tokenizerOf(handler.name);
      if (tokenizer === undefined)
        throw new TypeError(`No tokenizer is configured for ${handler.name}.`);
      return tokenizeCard(direct, tokenizer, { handler, use, card });
    },
    async close() {
      await Promise.all([exit.close(), direct.close()]);
    },
  };
}
