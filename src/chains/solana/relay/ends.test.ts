import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../lib/clock.ts';
import { release, withhold } from '../../family/late/queue.ts';
import { readRelayStatus } from '../../family/spending/relay-status.ts';
import { solanaFees } from '../config/fees.ts';
import { instructionsOf, messageBytesOfWire, readMessage } from '../operation/message.ts';
import { readBlockhash } from '../operation/node.ts';
import { readOperation } from '../operation/stored.ts';
import { newAddress, openWorld, projectId, type World } from '../testing/world.ts';
import { createNonceLeases } from './nonces/leases.ts';
import { readSolanaQueue, solanaOperations } from './queue/store.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const dayMs = 24 * 60 * 60 * 1000;

describe('an operation ends', () => {
  it('when its time is over before it was sent, and its nonce is free for others', async () => {
    const clock = createManualClock(new Date());
    const relay = await world.start({ clock });
    const wallet = await world.aWallet({ tokens: 10n });
    const prepared = await world.prepareTransfer(wallet, 1n, newAddress());
    clock.advance(2 * dayMs);
    const outcome = await world.outcomeOf(await world.submit(wallet, prepared));
    expect(outcome).toMatchObject({
      status: 'failed',
      onChain: {},
      costMinor: 0n,
      error: { reason: 'failed_to_land_on_chain' },
    });
    const { lease } = readOperation(prepared.operation);
    const { rows } = await world.database.store.query({
      text: 'select 1 from solana_nonces where lease = $1',
      values: [lease],
    });
    expect(rows).toEqual([]);
    await relay.stop();
  });

  it('when its time is over after it was sent: its nonce is advanced, so that its bytes are worth nothing', {
    tags: 'slow',
  }, async () => {
    const clock = createManualClock(new Date());
    let isHolding = false;
    // A busy leader: it hands on what it was given when it has the time.
    const held: (readonly unknown[])[] = [];
    const rpc: typeof world.rpc = {
      ...world.rpc,
      async request(method, params = []) {
        if (!isHolding || method !== 'sendTransaction') return world.rpc.request(method, params);
        held.push(params);
        return '1'.repeat(64);
      },
    };
    const relay = await world.start({
      clock,
      connect: async () => ({ network: world.network, rpc }),
    });
    const [wallet, recipient] = [await world.aWallet({ tokens: 10n }), newAddress()];
    const prepared = await world.prepareTransfer(wallet, 1n, recipient);
    isHolding = true;
    const id = await world.submit(wallet, prepared);
    const sent = async () =>
      (
        await world.database.store.query<{ raw: Buffer | null }>({
          text: 'select raw from solana_operations where operation_id = $1',
          values: [id],
        })
      ).rows[0]?.raw;
    await world.until(async () => (await sent()) != null, 'the signed bytes');
    const raw = (await sent())!;
    clock.advance(2 * dayMs);
    const others = () => held.filter(([wire]) => wire !== raw.toString('base64'));
    await world.until(async () => {
      const seen = await readBlockhash(world.connection);
      await world.until(async () => (await readBlockhash(world.connection)) !== seen, 'a block');
      return others().length > 3;
    }, 'more advances than one');
    isHolding = false;
    for (const params of others())
      await world.rpc.request('sendTransaction', params).catch(() => undefined);
    // The advance costs its owner what it cost.
    const end = {
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain' },
      costMinor: 5_000n,
    };
    expect(await world.outcomeOf(id)).toMatchObject(end);
    // Whoever kept them sends them now.
    await world.rpc.request('sendTransaction', [
      raw.toString('base64'),
      { encoding: 'base64', skipPreflight: true },
    ]);
    expect(await world.tokensOf(recipient)).toBe(0n);
    const message = readMessage(messageBytesOfWire(new Uint8Array(raw)));
    const [nonce] = instructionsOf(message, {})[0]!.accounts;
    // It was made, and advanced once, however often that was sent.
    expect(await world.rpc.request('getSignaturesForAddress', [nonce!.address])).toHaveLength(2);
    await relay.stop();
  });

  it('when the budget of its project is used up, with what to do', async () => {
    const bounds = { projectDayMaxMinor: 1n, ownerDayMaxMinor: 10n ** 9n };
    const relay = await world.start({ bounds });
    const project = '00000000-0000-4000-8000-0000000000b1';
    const wallet = await world.aWallet({ tokens: 10n });
    const submit = async () =>
      world.submit(
        wallet,
        await world.prepareTransfer(wallet, 1n, newAddress()),
        undefined,
        project,
      );
    expect((await world.outcomeOf(await submit())).status).toBe('success');
    const over = await world.outcomeOf(await submit());
    expect(over).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/budget of the project on solana is used up/) },
    });
    await relay.stop();
  });
});

describe('a withheld operation', () => {
  it('is not sent before it is released, and then is the same one', async () => {
    const relay = await world.start();
    const [wallet, recipient] = [await world.aWallet({ tokens: 10n }), newAddress()];
    const prepared = await world.prepareTransfer(wallet, 3n, recipient);
    const { store } = world.database;
    await relay.stop();
    const id = await world.submit(wallet, prepared);
    await store.transaction((tx) => withhold(tx, solanaOperations, [id]));
    const next = await world.start();
    const other = await world.submit(wallet, await world.prepareTransfer(wallet, 1n, newAddress()));
    await world.outcomeOf(other);
    expect(world.outcomes.filter(({ operationId }) => operationId === id)).toEqual([]);
    expect(await world.tokensOf(recipient)).toBe(0n);
    await store.transaction((tx) => release(tx, solanaOperations, [id]));
    expect((await world.outcomeOf(id)).status).toBe('success');
    expect(await world.tokensOf(recipient)).toBe(3n);
    await next.stop();
  });
});

describe('nonces', () => {
  it('are one operation’s each, however many are prepared at once; more are made when they run out, up to the cap', {
    tags: 'slow',
  }, async () => {
    const relay = await world.start({ settings: { ...world.relayDeps().settings, noncesMax: 40 } });
    const leases = createNonceLeases(world.database.store);
    const until = new Date(Date.now() + 60_000);
    const taken = await Promise.allSettled(
      Array.from({ length: 48 }, (_, index) =>
        leases.lease({ chain: 'solana', wallet: `wallet-${index}`, until }),
      ),
    );
    const given = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(new Set(given.map(({ account }) => account)).size).toBe(given.length);
    expect(given.length).toBeGreaterThan(30);
    expect(given.length).toBeLessThanOrEqual(40);
    const refused = taken.find((one) => one.status === 'rejected');
    expect(refused).toMatchObject({
      reason: { code: 'provider-unavailable', message: expect.stringMatching(/durable nonces/) },
    });
    await Promise.all(given.map(({ lease }) => leases.giveBack(lease)));
    await expect(
      leases.lease({ chain: 'solana', wallet: 'wallet-0', until }),
    ).resolves.toBeDefined();
    await relay.stop();
  });

  it('of no wallet are all: one that has its share of unapproved operations is told so', async () => {
    const { store } = world.database;
    await store.query({
      text: `insert into solana_nonces (address, chain, fee_payer, seed, value, status, wallet, lease, lease_until)
        select 'busy-' || n, 'solana', 'nobody', 'nonce-' || n, 'v', 'leased', 'busy', gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 64) n`,
    });
    const asked = createNonceLeases(store).lease({
      chain: 'solana',
      wallet: 'busy',
      until: new Date(Date.now() + 60_000),
    });
    await expect(asked).rejects.toThrow(/64 operations of the wallet busy wait for approvals/);
  });
});

it('what the relay does shows in its status', async () => {
  const [status] = await readRelayStatus(
    world.database.store,
    { ...solanaFees, bounds: solanaFees.bounds.development },
    readSolanaQueue,
  );
  expect(status).toMatchObject({
    chain: 'solana',
    queued: 0,
    inFlight: 0,
    accounts: [{ address: world.feePayers[0]!.address, role: 'fee-payer' }],
  });
  expect(status!.spentHourMinor).toBeGreaterThan(0n);
  const { rows } = await world.database.store.query<{ lamports: string }>({
    text: `select minor as lamports from fee_spent where owner = '' and project_id = $1`,
    values: [projectId],
  });
  expect(BigInt(rows[0]!.lamports)).toBeGreaterThan(0n);
});
