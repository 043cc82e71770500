import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mineBlocks, reorganise } from '../../../devnet/index.ts';
import { programArgs } from '../../../test/harness/programs.ts';
import { eventually } from '../../../test/harness/watcher-world.ts';
import { aMemo, type DepositWorld, depositCall, startDepositWorld } from './test-kit.ts';

let world: DepositWorld;
let children: ChildProcess[];
beforeEach(async () => {
  world = await startDepositWorld();
  await world.chain.mint(world.chain.sender, 1_000n);
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await world.close();
});

const final5 = { network: { finality: { kind: 'depth', blocks: 5 } } } as const;
const brief = async () =>
  (await world.deposits()).map(({ amountMinor, status, wasFinal }) => ({
    amountMinor,
    status,
    wasFinal,
  }));
const eventuallyBrief = (expected: unknown) =>
  eventually(brief, (found) => toText(found) === toText(expected));
const toText = (value: unknown) =>
  JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? field.toString() : field,
  );
const pay = (amountMinor: bigint) =>
  world.chain.send(depositCall(world.treasury.address, amountMinor, aMemo()));

describe('the finality of a deposit', () => {
  it('comes with the depth that its network asks for, not before, and is told once', async () => {
    await world.watch(final5);
    await pay(1n);
    await mineBlocks(world.chain.url, 3);
    await world.settled();
    expect(await brief()).toEqual([{ amountMinor: 1n, status: 'seen', wasFinal: false }]);
    await mineBlocks(world.chain.url, 1);
    await world.settled();
    expect(await brief()).toEqual([{ amountMinor: 1n, status: 'final', wasFinal: false }]);
    expect((await world.deposits())[0]!.finalAt).toBeInstanceOf(Date);
    await mineBlocks(world.chain.url, 3);
    await world.settled();
    expect(await world.changes()).toEqual(['seen 1', 'final 1']);
  });

  it('comes with the node’s finalized block, also when no new block is made', async () => {
    let finalized = 0n;
    const { rpc } = world.chain;
    const withTag = {
      ...rpc,
      batch: async (calls: Parameters<typeof rpc.batch>[0]) =>
        rpc.batch(
          calls.map((call) =>
            call.params[0] === 'finalized'
              ? { ...call, params: [`0x${finalized.toString(16)}`, ...call.params.slice(1)] }
              : call,
          ),
        ),
    };
    Object.assign(world.chain, { rpc: withTag });
    await world.watch({ network: { finality: { kind: 'finalized-tag' } } });
    await pay(2n);
    await mineBlocks(world.chain.url, 80);
    await world.settled();
    expect(await brief()).toEqual([{ amountMinor: 2n, status: 'seen', wasFinal: false }]);
    finalized = await world.chain.height();
    await eventuallyBrief([{ amountMinor: 2n, status: 'final', wasFinal: false }]);
    finalized = 0n;
    await mineBlocks(world.chain.url, 1);
    await world.settled();
    expect(await world.changes()).toEqual(['seen 2', 'final 2']);
  });

  it('is not lost when the watcher rests between seeing and finality', async () => {
    const first = await world.watch(final5);
    await pay(3n);
    await world.settled();
    await first.stop();
    await mineBlocks(world.chain.url, 300);
    await world.watch(final5);
    await world.settled();
    expect(await brief()).toEqual([{ amountMinor: 3n, status: 'final', wasFinal: false }]);
    expect(await world.changes()).toEqual(['seen 3', 'final 3']);
  });
});

describe('a reorganisation', () => {
  it('before finality takes a deposit back, and it comes again under its id with what it was given', async () => {
    await world.watch(final5);
    await mineBlocks(world.chain.url, 2);
    const raw = await world.chain.sign(depositCall(world.treasury.address, 4n, aMemo()));
    await world.chain.sendRaw(raw);
    await world.settled();
    const [before] = await world.deposits();
    await reorganise(world.chain.url, 2);
    await eventuallyBrief([{ amountMinor: 4n, status: 'retracted', wasFinal: false }]);
    await world.chain.sendRaw(raw).catch(() => undefined);
    await eventuallyBrief([{ amountMinor: 4n, status: 'seen', wasFinal: false }]);
    await mineBlocks(world.chain.url, 5);
    await world.settled();
    const [after] = await world.deposits();
    expect(after).toMatchObject({
      id: before!.id,
      memo: before!.memo,
      status: 'final',
      wasFinal: false,
      seenAt: before!.seenAt,
    });
    expect(await world.changes()).toEqual(['seen 4', 'retracted 4', 'seen 4', 'final 4']);
  });

  it('that moves a deposit to another block leaves it what it was', async () => {
    await world.watch(final5);
    await mineBlocks(world.chain.url, 3);
    const raw = await world.chain.sign(depositCall(world.treasury.address, 5n, aMemo()));
    await world.chain.sendRaw(raw);
    await world.settled();
    const [before] = await world.deposits();
    await reorganise(world.chain.url, 3, [[raw, 0]]);
    await mineBlocks(world.chain.url, 1);
    await eventually(
      async () => (await world.deposits())[0]!,
      ({ height, status }) => status === 'seen' && height === before!.height - 2n,
    );
    expect(await world.deposits()).toMatchObject([
      { id: before!.id, memo: before!.memo, txId: before!.txId },
    ]);
  });

  it('after finality, against the rule, says that it was final', async () => {
    await world.watch();
    await mineBlocks(world.chain.url, 2);
    const raw = await world.chain.sign(depositCall(world.treasury.address, 6n, aMemo()));
    await world.chain.sendRaw(raw);
    await world.settled();
    expect(await brief()).toEqual([{ amountMinor: 6n, status: 'final', wasFinal: false }]);
    await reorganise(world.chain.url, 2);
    await eventuallyBrief([{ amountMinor: 6n, status: 'retracted', wasFinal: true }]);
    expect((await world.deposits())[0]).not.toHaveProperty('finalAt');
    await world.chain.sendRaw(raw).catch(() => undefined);
    await eventuallyBrief([{ amountMinor: 6n, status: 'final', wasFinal: true }]);
    expect(await world.changes()).toEqual([
      'seen 6',
      'final 6',
      'retracted 6',
      'seen 6',
      'final 6',
    ]);
  });
});

/** Runs a watcher process; resolves when it has written `word`. */
async function spawnWatcher(mode: 'hang' | 'run', word: string): Promise<ChildProcess> {
  const script = programArgs('test/harness/watcher-process.ts');
  const child = spawn(
    process.execPath,
    [...script, world.database.url, world.chain.url, mode, 'deposits'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually(
    async () => output,
    (text) => text.includes(word),
  );
  return child;
}

describe('a watcher', { tags: 'slow' }, () => {
  it('that is killed while it records has recorded and told nothing; the next one does, once', async () => {
    await pay(7n);
    const child = await spawnWatcher('hang', 'recorded');
    expect(await brief()).toEqual([]);
    child.kill('SIGKILL');
    await pay(8n);
    await world.watch();
    await world.settled();
    expect((await brief()).map(({ amountMinor }) => amountMinor)).toEqual([8n, 7n]);
    expect((await world.changes()).toSorted()).toEqual(['final 7', 'final 8', 'seen 7', 'seen 8']);
  });

  it('that reads the same blocks again tells of nothing again', async () => {
    const first = await world.watch();
    await pay(9n);
    await world.settled();
    await first.stop();
    const before = await world.deposits();
    await world.database.store.query({ text: 'update evm_watched_chains set next_height = 1' });
    await world.database.store.query({ text: 'delete from evm_watched_blocks' });
    await world.watch();
    await world.settled();
    expect(await world.deposits()).toEqual(before);
    expect(await world.changes()).toEqual(['seen 9', 'final 9']);
  });

  it('that is one of two records each deposit once', async () => {
    await Promise.all([
      world.watch({ leaseMs: 2_000 }),
      world.watch({ leaseMs: 2_000 }),
      spawnWatcher('run', 'running'),
    ]);
    for (let amountMinor = 1n; amountMinor <= 20n; amountMinor++) await pay(amountMinor);
    await world.settled();
    expect((await brief()).map(({ amountMinor }) => amountMinor)).toEqual(
      Array.from({ length: 20 }, (_, index) => BigInt(20 - index)),
    );
    expect((await world.changes()).length).toBe(40);
  });
});
