/** @module-tag slow */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../../../test/harness/stack.ts';
import { strangersMints, tokenPrograms } from '../../../../../test/interface/solana-mints.ts';
import {
  type FaultProxy,
  startFaultProxy,
} from '../../../../chains/evm/relay/testing/fault-proxy.ts';
import { publicGenesisHashes, solanaNetwork } from '../../../../chains/solana/config/networks.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { expectOperatorFunds } from '../../../deposits/index.ts';
import { aSolanaWallet } from '../../../linked-wallets/test-kit.ts';
import { requireTreasury } from '../../../treasury/index.ts';

// As proof.test.ts, with a wallet on Solana. Only production asks for the proof: the local chain
// says that it is the main one, and has its USDC.

const chain = 'solana';
const usdc = solanaNetwork('production').tokens[0]!.address!;
let node: FaultProxy;
let stack: Stack;

beforeAll(async () => {
  node = await startFaultProxy('http://127.0.0.1:9');
  node.lie = ({ method }, result) =>
    method === 'getGenesisHash' ? publicGenesisHashes.mainnet : result;
  stack = await startStack({
    production: true,
    families: [chain],
    nodeOf(name, url) {
      if (name !== chain) return url;
      node.target = url;
      return node.url;
    },
  });
  await fillTreasury(10_000_000_000n);
}, 120_000);
afterAll(async () => {
  await stack?.close();
  await node?.close();
});

/** What an operator sends to the treasury. */
async function fillTreasury(amountMinor: bigint) {
  const { ctx, api } = stack;
  const mints = strangersMints(() => stack);
  const { address } = await mints.create('Token', 6);
  const { value: account } = await stack.chainCall<{ value: { data: [string] } & object }>(
    chain,
    'getAccountInfo',
    [address, { encoding: 'base64', commitment: 'confirmed' }],
  );
  await stack.chainCall(chain, 'devnet_setAccount', [usdc, { ...account, data: account.data[0] }]);
  const { address: recipient } = await requireTreasury(ctx, {
    projectId: api.projectId,
    chainType: 'solana',
  });
  await expectOperatorFunds(ctx, ctx.store, { chain, recipient, tokenAddress: usdc, amountMinor });
  const mint = { address: usdc as typeof address, program: tokenPrograms.Token };
  await mints.give(recipient, mint, amountMinor);
}

const orders = '/2022-06-09/orders';
const link = (address: string, proof?: string) =>
  stack.call('PUT', `/2025-06-09/users/userId:sol-payer/linked-wallets/${address}`, {
    body: { chain, ...(proof !== undefined && { proof }) },
  });

async function create(walletAddress: string, amount: string) {
  const lineItem = {
    tokenLocator: 'solana:usdc',
    executionParameters: { mode: 'exact-in', amount },
  };
  const answer = await stack.call('POST', orders, {
    body: {
      recipient: { walletAddress },
      payment: { method: 'card', receiptEmail: 'payer@example.com' },
      lineItems: [lineItem],
    },
  });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.order;
}

test('an order above US$1,000 to a linked wallet on Solana waits until the wallet has signed the text of its preparation', async () => {
  const wallet = aSolanaWallet();
  expect((await link(wallet.address)).body.ownership.verified).toBe(false);
  const { orderId, phase, payment } = await create(wallet.address, '1000.01');
  expect([phase, payment.status]).toEqual(['payment', 'requires-recipient-verification']);
  const { message } = payment.preparation;
  const [first, address] = message.split('\n');
  expect(first).toBe('localhost wants you to sign in with your Solana account:');
  expect([address, message]).toEqual([wallet.address, expect.stringMatching(/^URI: /m)]);
  for (const proof of [
    await aSolanaWallet().sign(message),
    await wallet.sign(`${message} `),
    Buffer.from(await wallet.sign(message), 'base64').toString('hex'),
  ]) {
    const refused = await link(wallet.address, proof);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-proof']);
  }
  const read = async () => (await stack.call('GET', `${orders}/${orderId}`)).body;
  expect((await read()).payment).toMatchObject({
    status: payment.status,
    preparation: { message },
  });
  const proved = await link(wallet.address, await wallet.sign(message));
  expect([proved.status, proved.body.ownership]).toEqual([200, { verified: true }]);
  const ready = await eventually('it may be paid', async () => {
    const order = await read();
    return order.payment.status === 'awaiting-payment' && order;
  });
  expect(ready.payment.preparation).toMatchObject({ card: { provider: 'sandbox' } });
  // Once is enough.
  expect((await create(wallet.address, '900')).payment.status).toBe('awaiting-payment');
});
