import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  anAccount,
  balanceOf,
  executeOk,
  farFuture,
  sign,
  type TestWallet,
  transferCall,
} from '../../../../contracts/test/chain.ts';
import { relayStatus } from './index.ts';
import { type RelayTestChain, startRelayTestChain } from './testing/chain.ts';
import { readOutcomes } from './testing/relay.ts';
import { anItem, aWorld, countExecutions, someWallets, type World } from './testing/world.ts';

let chain: RelayTestChain;
let world: World;
let wallets: TestWallet[];
beforeAll(async () => {
  chain = await startRelayTestChain();
  wallets = await someWallets(chain, 3);
});
afterAll(() => chain.stop());
afterEach(() => world.close());

const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('relay', () => {
  it('executes operations of many wallets in few transactions, deploys wallets, and tells each outcome once', async () => {
    world = await aWorld(chain);
    const all = [...wallets, ...(await someWallets(chain, 2, false))];
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => anItem(world, all[index % all.length]!)),
      ),
    );
    await world.start();
    const outcomes = await world.settled();
    const executions = await countExecutions(chain, world.items);
    for (const item of world.items) {
      const outcome = outcomes.get(item.operationId)!;
      expect(outcome).toMatchObject({
        status: 'success',
        onChain: {
          explorerLink: `https://sepolia.basescan.org/tx/${String(outcome.onChain.txId)}`,
        },
      });
      expect(executions.get(item.operationHash)).toEqual([outcome.onChain.txId]);
    }
    expect(await balanceOf(chain, world.recipient)).toBe(30n);
    expect((await readOutcomes(world.database.store)).length).toBe(30);
    expect(
      new Set([...outcomes.values()].map((outcome) => outcome.onChain.txId)).size,
    ).toBeLessThanOrEqual(3);
  });

  it('splits the cost of a batch between its operations without a rest', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 7 }, (_, index) => anItem(world, wallets[index % 3]!)),
      ),
    );
    await world.start();
    const outcomes = [...(await world.settled()).values()];
    const [txId] = new Set(outcomes.map((outcome) => String(outcome.onChain.txId)));
    const receipt = (await chain.call('eth_getTransactionReceipt', [txId])) as {
      gasUsed: string;
      effectiveGasPrice: string;
    };
    const actual = outcomes.map(
      (outcome) => (outcome.fees as { actual: { gasUsed: string; wei: string } }).actual,
    );
    expect(actual.reduce((sum, share) => sum + BigInt(share.gasUsed), 0n)).toBe(
      BigInt(receipt.gasUsed),
    );
    expect(actual.reduce((sum, share) => sum + BigInt(share.wei), 0n)).toBe(
      BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
    );
  });

  it('tells a failing operation with its revert reason and sends the others', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    const [good, poor, forged, expired] = [
      await anItem(world, wallets[0]!),
      await anItem(world, wallets[1]!, {
        calls: [transferCall(chain.token, world.recipient, 10n ** 15n)],
      }),
      await anItem(world, wallets[2]!),
      await anItem(world, wallets[0]!, { validUntil: nowSeconds() - 120 }),
    ];
    const wrong = {
      ...forged!,
      signature: await sign(chain, wallets[2]!, forged!.op, { by: [anAccount('a stranger')] }),
    };
    await world.enqueue([poor!, good!, wrong, expired!]);
    await world.start();
    const outcomes = await world.settled();
    expect(outcomes.get(good!.operationId)!.status).toBe('success');
    expect(outcomes.get(poor!.operationId)).toMatchObject({
      status: 'failed',
      error: {
        reason: 'execution_reverted',
        message: expect.stringMatching(/ERC20InsufficientBalance/),
        revertData: expect.stringMatching(/^0xe450d38c/),
        revert: { type: 'contract_call' },
      },
    });
    expect(outcomes.get(wrong.operationId)).toMatchObject({
      status: 'failed',
      error: {
        reason: 'execution_reverted',
        revert: {
          type: 'wallet_authorization',
          reason: expect.stringMatching(/^GS026 \(a signature/),
        },
      },
    });
    expect(outcomes.get(expired!.operationId)).toMatchObject({
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain', message: expect.stringMatching(/expired/) },
    });
    const { rows } = await world.database.store.query({
      text: 'select operation_id from evm_operations where send_id is not null',
    });
    expect(rows).toEqual([{ operation_id: good!.operationId }]);
  });

  it('fails an operation that no transaction can carry, and waits for one that is not valid yet', async () => {
    world = await aWorld(chain);
    const huge = await anItem(world, wallets[0]!, { gasLimit: 30_000_000n });
    const early = await anItem(world, wallets[1]!, { validAfter: nowSeconds() + 3 });
    await world.enqueue([huge, early]);
    await world.start();
    const outcomes = await world.settled();
    expect(outcomes.get(huge.operationId)).toMatchObject({
      status: 'failed',
      error: { reason: 'build_failed' },
    });
    expect(outcomes.get(early.operationId)!.status).toBe('success');
  });

  it('tells nobody of operations whose rows somebody takes away before their end is written', async () => {
    world = await aWorld(chain);
    const { store } = world.database;
    const huge = await anItem(world, wallets[0]!, { gasLimit: 30_000_000n });
    const over = { ...(await anItem(world, wallets[1]!)), validUntil: new Date(0) };
    await world.enqueue([huge, over]);
    // He is as fast as a trigger.
    for (const text of [
      `update evm_operations set status = 'held', run_at = 'infinity' where valid_until < now()`,
      'create table taken (operation_id uuid)',
      `create function take() returns trigger language plpgsql as $$ begin if new.status <> 'settled' then return new; end if; insert into taken values (new.operation_id); return null; end $$`,
      'create trigger take before update on evm_operations for each row execute function take()',
    ])
      await store.query({ text });
    await world.start();
    const taken = () => store.query({ text: 'select distinct operation_id from taken' });
    await expect.poll(async () => (await taken()).rowCount, { timeout: 20_000 }).toBe(2);
    expect(await readOutcomes(store)).toEqual([]);
  });

  it('carries calldata for which nodes ask more gas than it takes to run, alone and beside others', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    const bulky = (byteCount: number) => ({
      calls: [{ to: world.recipient, value: 0n, data: `0x${'ff'.repeat(byteCount)}` as const }],
      callGas: 300_000n,
      gasLimit: 900_000n,
    });
    const alone = await anItem(world, wallets[0]!, bulky(96 * 1024));
    await world.enqueue([alone]);
    await world.start();
    await world.settled();
    await world.enqueue([
      await anItem(world, wallets[0]!, bulky(64 * 1024)),
      await anItem(world, wallets[1]!, bulky(39_000)),
      ...(await Promise.all(Array.from({ length: 8 }, () => anItem(world, wallets[2]!)))),
    ]);
    const outcomes = [...(await world.settled()).values()];
    expect(outcomes.map((outcome) => outcome.status)).toEqual(outcomes.map(() => 'success'));
    expect(await balanceOf(chain, world.recipient)).toBe(8n);
    expect(new Set(outcomes.map((outcome) => outcome.onChain.txId)).size).toBe(2);
  });

  it('takes an operation once, however often it is enqueued', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    const item = await anItem(world, wallets[0]!);
    await world.enqueue([item]);
    await world.enqueue([item, await anItem(world, wallets[1]!)]);
    await world.start();
    await world.settled();
    await world.enqueue([item, await anItem(world, wallets[2]!)]);
    await world.settled();
    expect(await balanceOf(chain, world.recipient)).toBe(3n);
    expect((await readOutcomes(world.database.store)).length).toBe(3);
  });

  it('serves a small project in the first batch although another has queued hundreds before it', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    const small = '00000000-0000-4000-8000-0000000000aa';
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 150 }, (_, index) => anItem(world, wallets[index % 3]!)),
      ),
    );
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          anItem(world, wallets[index % 3]!, { projectId: small }),
        ),
      ),
    );
    await world.start({ relay: { batchSizeMax: 20, inFlightMax: 1 } });
    await world.settled();
    const { rows } = await world.database.store.query<{ nonce: string }>({
      text: 'select distinct s.nonce from evm_operations o join evm_sends s on s.id = o.send_id where o.project_id = $1',
      values: [small],
    });
    expect(rows).toEqual([{ nonce: '0' }]);
  });

  it('an outcome that an area fails on does not hold up those of other transactions', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    const items = await Promise.all(
      Array.from({ length: 6 }, (_, index) => anItem(world, wallets[index % 3]!)),
    );
    const poisonId = items[0]!.operationId;
    await world.enqueue(items);
    const relay = await world.start({ poisonId, relay: { batchSizeMax: 2 } });
    await expect
      .poll(async () => (await readOutcomes(world.database.store)).length, { timeout: 20_000 })
      .toBe(4);
    await relay.stop();
    await world.start();
    expect((await world.settled()).get(poisonId)!.status).toBe('success');
    expect((await readOutcomes(world.database.store)).length).toBe(6);
  });

  it('ends what expired while no executor could pay', { tags: 'slow' }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const item = await anItem(world, wallets[0]!, { validUntil: nowSeconds() + 2 });
    await world.enqueue([item]);
    await world.start();
    expect((await world.settled()).get(item.operationId)).toMatchObject({
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain', message: expect.stringMatching(/expired/) },
    });
  });

  it('tells what somebody else has sent as done, though its time was over before it was tried', async () => {
    world = await aWorld(chain);
    const items = [await anItem(world, wallets[0]!), await anItem(world, wallets[1]!)];
    const [user, treasury] = items.map((item) => ({ ...item!, validUntil: new Date(0) }));
    for (const [index, { op }] of items.entries()) await executeOk(chain, wallets[index]!, op);
    // What leaves a treasury counts once its block is final.
    await chain.call('anvil_mine', ['0x60']);
    await world.enqueue([{ ...treasury!, subject: 'treasury-transfer' }]);
    await world.start();
    await world.settled();
    await world.enqueue([user!]);
    for (const outcome of (await world.settled()).values())
      expect(outcome).toMatchObject({ status: 'success' });
  });

  it('shows queue, executors and balances', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    await world.enqueue([
      await anItem(world, wallets[0]!, { validAfter: farFuture - 1, validUntil: farFuture }),
    ]);
    expect((await relayStatus(world.database.store)).queues).toMatchObject([
      { chain: 'base-sepolia', queued: 1, inFlight: 0 },
    ]);
    await world.start({ workerName: 'the-worker' });
    await expect
      .poll(async () => (await relayStatus(world.database.store)).accounts[0]?.balanceWei, {
        timeout: 30_000,
      })
      .toBe(10n ** 20n);
    expect((await relayStatus(world.database.store)).accounts).toMatchObject([
      { address: world.executors[0], role: 'executor', alarm: null, leasedBy: 'the-worker' },
    ]);
  });
});
