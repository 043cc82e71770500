import { expect } from 'vitest';
import {
  addSigner,
  bumpEpoch,
  type ContractCall,
  invocationOf,
  migrate,
  removeSigner,
  type Scope,
  transfer,
  upgrade,
} from '../index.ts';
import * as model from '../test/model.ts';
import { ed25519Key, p256Key, type TestKey } from './keys.ts';
import { compileContract, contractAddress, type TestWallet, World, walletWasm } from './world.ts';

/** Gives the contract and the rules of model.ts the same random operations. */

const members = [
  ed25519Key('member one'),
  ed25519Key('member two'),
  p256Key('passkey', 'member three'),
];
const delegates = [
  ed25519Key('delegate one'),
  p256Key('device', 'delegate two'),
  ed25519Key('delegate three'),
];
const friends = ['friend one', 'friend two'].map(contractAddress);
const hostileWasm = await compileContract('hostile');
const start = 1_800_000_000n;

/** What has to be seen of each run. */
export const answers: readonly model.ModelAnswer[] = [
  'done',
  'refused by the host',
  'wrong epoch',
  'not enough signers',
  'unknown delegate',
  'wrong generation',
  'expired',
  'forbidden',
  'out of scope',
  'wrong recipient',
  'limit exceeded',
  'locked',
  'not locked',
];

/** Numbers that follow from a seed: a failure can be repeated. */
function createDice(seed: number) {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return {
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
    often: () => below(8) > 0,
  };
}
type Dice = ReturnType<typeof createDice>;

interface Pair {
  readonly world: World;
  readonly hostile: string;
  readonly code: Uint8Array;
  readonly wallet: TestWallet;
  readonly rules: model.ModelWallet;
}

/** An operation: what is called, and what the rules make of it once it is authorised. */
interface Operation {
  readonly call: ContractCall;
  readonly within: readonly ContractCall[];
  readonly calls: readonly model.ModelCall[];
  readonly apply: () => model.ModelAnswer;
}

/** @returns how often each answer was seen */
export function compare(operations: number, seed: number): Map<string, number> {
  const dice = createDice(seed);
  const seen = new Map<string, number>();
  let pair = createPair(dice);
  for (let index = 0; index < operations; index++) {
    if (index % 400 === 399) {
      check(pair);
      pair = createPair(dice);
    }
    if (dice.below(3) === 0) pair.world.time += BigInt(dice.below(40));
    const [expected, actual] = act(pair, dice);
    expect([seed, index, actual]).toEqual([seed, index, expected]);
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
  }
  check(pair);
  return seen;
}

function createPair(dice: Dice): Pair {
  const world = new World();
  world.time = start;
  const threshold = 1 + dice.below(2);
  const wallet = world.deploy(world.wallet([{ threshold, members }]));
  const names = members.map(({ name }) => name);
  const rules = {
    threshold,
    members: names,
    epoch: 0,
    changes: 0,
    isLocked: false,
    delegates: new Map(),
    received: new Map(),
  };
  return {
    world,
    hostile: world.addContract(hostileWasm),
    code: world.upload(walletWasm),
    wallet,
    rules,
  };
}

function act(pair: Pair, dice: Dice): [model.ModelAnswer, model.ModelAnswer] {
  const { world, wallet, rules } = pair;
  const isAdmin = dice.below(3) === 0;
  const operation =
    isAdmin && dice.below(4) > 0
      ? manage(pair, dice)
      : dice.below(12) === 0
        ? manage(pair, dice)
        : pay(pair, dice);
  const who = dice.pick(delegates);
  const by = isAdmin
    ? someMembers(dice, rules.threshold)
    : [dice.often() ? who : dice.pick(delegates)];
  const current = isAdmin ? rules.epoch : (rules.delegates.get(who.name)?.generation ?? 0);
  const stamp = dice.often() ? current : Math.max(0, current - 1 + 2 * dice.below(2));
  const signature = {
    delegate: isAdmin ? undefined : who.name,
    signers: by.map(({ name }) => name),
    stamp,
    at: world.time,
  };
  const authorised = model.authorise(rules, operation.calls, signature);
  const expected = authorised === 'done' ? operation.apply() : authorised;
  const actual = world.act(wallet, operation.call, {
    by,
    as: isAdmin ? { group: 0 } : { delegate: who.key },
    stamp: isAdmin ? { epoch: stamp } : { generation: stamp },
    within: operation.within.map((call) => invocationOf(call)),
    form: dice.often() ? 'bound' : 'unbound',
  });
  return [expected, actual];
}

function someMembers(dice: Dice, threshold: number): TestKey[] {
  const enough = dice.often() ? threshold : threshold - 1;
  const first = dice.below(members.length);
  return members.map((_, index) => members[(first + index) % members.length]!).slice(0, enough);
}

function manage({ wallet: { address }, rules, code, world }: Pair, dice: Dice): Operation {
  const who = dice.pick(delegates);
  const own = (
    name: Extract<model.ModelCall, { own: unknown }>['own'],
    call: ContractCall,
    apply: Operation['apply'],
  ): Operation => ({
    call,
    within: [],
    calls: [{ own: name }],
    apply,
  });
  // A wallet that is locked is opened soon: little else can be seen of it.
  const kind = rules.isLocked && dice.below(3) === 0 ? 19 : dice.below(20);
  if (kind < 12) {
    const generation = Math.max(
      0,
      (rules.delegates.get(who.name)?.generation ?? 0) - (dice.often() ? 0 : 1),
    );
    const expiresAt = dice.below(3) === 0 ? world.time + BigInt(dice.below(200)) : 0n;
    const scopes =
      dice.below(4) === 0
        ? []
        : Array.from({ length: 1 + dice.below(3) }, () => scopeOf(world, dice));
    const add = addSigner(address, generation, { key: who.key, expiresAt, scopes });
    return own('add_signer', add, () =>
      model.add(rules, who.name, generation, { expiresAt, scopes }),
    );
  }
  if (kind < 16)
    return own('remove_signer', removeSigner(address, who.key), () =>
      model.remove(rules, who.name),
    );
  // Seldom: it takes all delegates.
  if (kind === 16 && dice.below(3) === 0)
    return own('bump_epoch', bumpEpoch(address), () => model.bump(rules));
  if (kind === 17 && dice.below(3) === 0)
    return own('upgrade', upgrade(address, code), () => model.upgrade(rules));
  return own('migrate', migrate(address), () => model.migrate(rules));
}

const scopeOf = ({ token }: World, dice: Dice): Scope => ({
  token: dice.often() ? token : contractAddress('other token'),
  limit: dice.often() ? BigInt(10 + dice.below(50)) : undefined,
  interval: dice.pick([0n, 30n, 100n]),
  recipients: dice.pick([[], [], [friends[0]!], friends]),
});

/** One transfer, or one within another call that a hostile token makes. */
function pay({ world, wallet, hostile, rules }: Pair, dice: Dice): Operation {
  const payment = {
    token: world.token,
    recipient: dice.pick(friends),
    amount: BigInt(dice.often() ? 1 + dice.below(30) : 0),
  };
  const call = transfer(world.token, {
    from: wallet.address,
    to: payment.recipient,
    amount: payment.amount,
  });
  const apply = (): 'done' => {
    model.receive(rules, payment.recipient, payment.amount);
    return 'done';
  };
  if (dice.often()) return { call, within: [], calls: [payment], apply };
  const outer = { token: hostile, recipient: friends[0]!, amount: 1n };
  const calls = [outer, payment];
  world.arm(hostile, call);
  return {
    call: transfer(hostile, { from: wallet.address, to: outer.recipient, amount: outer.amount }),
    within: [call],
    calls,
    apply,
  };
}

/** State and balances are what the rules say. */
function check({ world, wallet, rules }: Pair): void {
  expect(world.epochOf(wallet)).toBe(rules.epoch);
  for (const friend of friends)
    expect(world.balance(friend)).toBe(rules.received.get(friend) ?? 0n);
  for (const { key, name } of delegates) {
    const expected = rules.delegates.get(name);
    const actual = world.delegateOf(wallet, { delegate: key });
    expect(actual?.generation).toBe(expected?.generation);
    expect(actual?.active?.windows).toEqual(expected?.active?.windows);
  }
}
