import { setTimeout as delay } from 'node:timers/promises';
import { concatHex, type Hex, numberToHex, parseTransaction } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addresses } from '../../../../contracts/index.ts';
import { balanceOf, readReceipt } from '../../../../contracts/test/chain.ts';
import { delegatedCode } from '../wallet/delegation.ts';
import { type RelayTestChain, startRelayTestChain } from './testing/chain.ts';
import {
  aFirstItem,
  anItem,
  aWorld,
  delegationOf,
  someAccounts,
  someWallets,
  type TestAccount,
  type World,
} from './testing/world.ts';

// EIP-7702: the relay takes along what makes an account run our code, while it does not.

let chain: RelayTestChain;
let world: World;
beforeAll(async () => {
  chain = await startRelayTestChain();
});
afterAll(() => chain.stop());
afterEach(async () => {
  await chain.call('evm_setAutomine', [true]);
  await world.close();
});

const codeOf = (account: TestAccount) => chain.client.getCode({ address: account.address });
/** Everything that was signed, oldest first. */
async function attempts() {
  const { rows } = await world.database.store.query<{ raw: Buffer }>({
    text: 'select raw from evm_attempts order by created_at',
  });
  return rows.map(({ raw }) => parseTransaction(`0x${raw.toString('hex')}`));
}
const authorizationsOf = (tx: Awaited<ReturnType<typeof attempts>>[number]) =>
  tx.type === 'eip7702' ? tx.authorizationList : [];
/** Somebody else brings the delegation, of whatever contract. */
async function delegate(
  account: TestAccount,
  nonce = 0,
  contract: Hex = addresses.delegatedAccount,
) {
  const authorization = await account.key.signAuthorization({
    contractAddress: contract,
    chainId: chain.chainId,
    nonce,
  });
  const hash = await chain.client.sendTransaction({
    account: chain.accounts[0]!,
    to: account.address,
    authorizationList: [authorization],
  });
  await readReceipt(chain, hash);
}

describe('delegations of accounts', () => {
  it('travel with their first operations, one for each account, beside operations of smart wallets', async () => {
    world = await aWorld(chain);
    const [accounts, [wallet]] = [await someAccounts(chain, 3), await someWallets(chain, 1)];
    const items = [...accounts, ...accounts].map((account) => aFirstItem(world, account));
    await world.enqueue([...(await Promise.all(items)), await anItem(world, wallet!)]);
    await world.start();
    const outcomes = [...(await world.settled()).values()];
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'success'));
    expect(await Promise.all(accounts.map(codeOf))).toEqual(accounts.map(() => delegatedCode));
    expect(await balanceOf(chain, world.recipient)).toBe(7n);
    const [first] = await attempts();
    expect(authorizationsOf(first!)).toHaveLength(3);
    // Nobody pays for the same delegation again: what comes later is an ordinary transaction.
    await world.enqueue([await aFirstItem(world, accounts[0]!)]);
    await world.settled();
    expect((await attempts()).at(-1)).toMatchObject({ type: 'eip1559' });
  });

  it('that somebody else has brought first stay away', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    const [account] = await someAccounts(chain, 1);
    const item = await aFirstItem(world, account!);
    await delegate(account!);
    await world.enqueue([item]);
    await world.start();
    expect((await world.settled()).get(item.operationId)!.status).toBe('success');
    expect((await attempts()).map(({ type }) => type)).toEqual(['eip1559']);
  });

  it('take the place of one to other code', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    const [account] = await someAccounts(chain, 1);
    await delegate(account!, 0, addresses.multicall3);
    expect(await codeOf(account!)).toBe(
      concatHex(['0xef0100', addresses.multicall3]).toLowerCase(),
    );
    const delegation = await delegationOf(account!, { chainId: chain.chainId, nonce: 1 });
    const item = { ...(await anItem(world, account!)), delegation };
    await world.enqueue([item]);
    await world.start();
    expect((await world.settled()).get(item.operationId)!.status).toBe('success');
    expect(await codeOf(account!)).toBe(delegatedCode);
  });

  it('that would do nothing are not sent: of another count, another chain, another key; the operation fails with the reason', async () => {
    world = await aWorld(chain);
    const [late, foreign, forged, stranger] = await someAccounts(chain, 4);
    const { chainId } = chain;
    const delegations = [
      [late!, await delegationOf(late!, { chainId, nonce: 5 })],
      [foreign!, { ...(await delegationOf(foreign!, { chainId: 1 })), chainId }],
      [foreign!, { ...(await delegationOf(foreign!, { chainId: 0 })), chainId }],
      [forged!, await delegationOf(stranger!, { chainId })],
      [forged!, await delegationOf(forged!, { chainId, contract: addresses.multicall3 })],
      [forged!, { chainId, nonce: 0n, signature: `0x${'00'.repeat(65)}` as const }],
    ] as const;
    const items = await Promise.all(
      delegations.map(async ([account, delegation]) => ({
        ...(await anItem(world, account)),
        delegation,
      })),
    );
    await world.enqueue(items);
    await world.start();
    const outcomes = await world.settled();
    for (const { operationId } of items)
      expect(outcomes.get(operationId)).toMatchObject({
        status: 'failed',
        error: { revert: { type: 'wallet_deployment' } },
      });
    expect(await attempts()).toEqual([]);
  });

  it('stay in a transaction whose fee is raised', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    const [account] = await someAccounts(chain, 1);
    const item = await aFirstItem(world, account!);
    await chain.call('evm_setAutomine', [false]);
    await world.start({ relay: { bumpAfterMs: 500 } });
    await world.enqueue([item]);
    await expect.poll(async () => (await attempts()).length, { timeout: 20_000 }).toBe(1);
    // 100 gwei is far above what was paid at first.
    for (let blocks = 0; blocks < 400 && (await attempts()).length < 2; blocks++) {
      await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(100_000_000_000)]);
      await chain.call('anvil_mine', ['0x1']);
      await delay(100);
    }
    await chain.call('evm_setAutomine', [true]);
    await chain.call('anvil_mine', ['0x1']);
    expect((await world.settled()).get(item.operationId)!.status).toBe('success');
    const signed = await attempts();
    expect(signed.length).toBeGreaterThan(1);
    expect(signed.map((tx) => authorizationsOf(tx).length)).toEqual(signed.map(() => 1));
  });
});
