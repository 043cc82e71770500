import { parseAbi } from 'viem';
import type { TestApi } from '../harness/http.ts';
import { expectedCalls, wallets } from './expected-calls.ts';

/** Wallets of type mpc on an EVM network, and the test token that they send. */

export const chain = 'base-sepolia';
export const somebody = '0x000000000000000000000000000000000000bEEF';
export const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

/** @param call of a service that may start later */
export function mpcEvmCalls(call: TestApi['call']) {
  const { expectCall } = expectedCalls(call);
  const create = (more: object = {}) =>
    expectCall(201, 'POST', wallets, { body: { chainType: 'evm', type: 'mpc', ...more } });
  return {
    expectCall,
    create,

    /** With ten dollars of the test token. */
    async aFundedWallet(more: object = {}): Promise<string> {
      const { address } = await create(more);
      await expectCall(201, 'POST', `/v1-alpha2/wallets/${address}/balances`, {
        body: { amount: 10, token: 'usdxm', chain },
      });
      return address;
    },

    async tokensOf(address: string): Promise<string> {
      const path = `${wallets}/${address}/balances?tokens=usdxm&chains=${chain}`;
      const headers = { 'x-client-name': 'some-sdk' };
      const [usdxm] = await expectCall(200, 'GET', path, { headers });
      return usdxm.amount;
    },
  };
}
