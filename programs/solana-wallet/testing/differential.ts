import { type Address, createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  createWallet,
  execute,
  executeByDelegate,
  findDelegate,
  findWallet,
  p256Instruction,
  raiseEpoch,
  removeDelegate,
  type Setup,
  type SignerKey,
  setDelegate,
  transferSol,
  type WalletAddresses,
  type WalletError,
  writePlanned,
} from '../index.ts';
import * as model from '../model.ts';
import { approve, type P256TestKey, p256KeyOf } from './p256-keys.ts';
import { type Key, keyOf, memberOf, programAddress, sol, World } from './world.ts';

/** Gives the program and the rules of model.ts the same random operations. */

/** A name for the rules, a key for the program. */
interface Actor {
  readonly name: string;
  readonly member: SignerKey;
  readonly key: Key | P256TestKey;
}

function ed25519(name: string): Actor {
  const key = keyOf(name);
  return { name: key.address, member: memberOf(key), key };
}

function p256(kind: P256TestKey['kind'], name: string): Actor {
  const key = p256KeyOf(kind, name);
  return { name: `p256 ${name}`, member: key, key };
}

const people = ['one', 'two', 'three', 'four'].map(ed25519);
const passkeys = ['five', 'six'].map((name) => p256('passkey', name));
const delegates = [
  ed25519('delegate one'),
  p256('device', 'delegate two'),
  p256('passkey', 'delegate three'),
];
const everybody = [...people, ...passkeys, ...delegates];
const friends = ['friend one', 'friend two'].map((name) => keyOf(name).address);
const wealth = 100_000_000n * sol;

/** Members of each group by number, and its threshold. */
const groupsOf: readonly (readonly [threshold: number, actors: readonly Actor[]])[][] = [
  [[1, people.slice(0, 1)]],
  [[2, people.slice(0, 3)]],
  [
    [1, passkeys.slice(0, 1)],
    [2, people.slice(1, 4)],
  ],
  [[2, [...passkeys, people[0]!]]],
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
  readonly wallet: WalletAddresses;
  readonly setup: Setup;
  readonly rules: model.ModelWallet;
  readonly accounts: ReadonlyMap<string, Address>;
  nextNumber: bigint;
}

function createPair(world: World, dice: Dice, index: number): Pair {
  const groups = groupsOf[index % groupsOf.length]!;
  const planned =
    index % 2 === 1
      ? delegates.slice(0, 2).map((actor) => ({ actor, registration: registrationOf(dice, world) }))
      : [];
  const setup: Setup = {
    salt: new Uint8Array(32).fill(index),
    groups: groups.map(([threshold, actors]) => ({
      threshold,
      members: actors.map(({ member }) => member),
    })),
    delegates: planned.map(({ actor, registration }) => ({ key: actor.member, ...registration })),
  };
  const wallet = findWallet(programAddress, setup);
  world.fund(wallet.vault, wealth);
  const made = world.send([createWallet(wallet, setup, world.payer.address)]);
  if (made !== 'none') throw new Error(`A wallet was not made: ${made}`);
  const rules: model.ModelWallet = {
    groups: groups.map(([threshold, actors]) => ({
      threshold,
      members: actors.map(({ name }) => name),
    })),
    planned: new Map(planned.map(({ actor, registration }) => [actor.name, registration])),
    epoch: 0,
    balance: wealth,
    numbers: model.noNumbers(),
    delegates: new Map(),
  };
  return {
    wallet,
    setup,
    rules,
    accounts: new Map(delegates.map(({ name, member }) => [name, findDelegate(wallet, member)])),
    nextNumber: 1n,
  };
}

function registrationOf(dice: Dice, world: World): model.ModelRegistration {
  const scopes = Array.from({ length: dice.below(3) }, () => ({
    mint: dice.often() ? undefined : friends[0],
    limit: dice.often() ? BigInt(1 + dice.below(9)) * sol : undefined,
    interval: BigInt(dice.pick([0, 1, 10, 30])),
    recipients: friends.filter(() => dice.below(3) === 0),
  }));
  return { expiresAt: dice.often() ? 0n : BigInt(world.time + dice.below(100)), scopes };
}

/** Mostly as many as it takes, of one group. */
function signersOf(dice: Dice, index: number): readonly Actor[] {
  const [threshold, actors] = dice.pick(groupsOf[index % groupsOf.length]!);
  return dice.often() ? actors.slice(0, threshold) : everybody.filter(() => dice.below(3) === 0);
}

/** Mostly a new one; else one that was used, or will be, or is long gone. */
function numberOf(dice: Dice, pair: Pair): bigint {
  const number = pair.nextNumber;
  if (!dice.often()) return BigInt(1 + dice.below(Number(number) + 2));
  pair.nextNumber += dice.below(200) === 0 ? 300n : BigInt(1 + dice.below(2));
  return number;
}

interface Made {
  readonly answer: string;
  readonly rule: WalletError;
}

/** Does one thing to both. */
function operate(world: World, dice: Dice, pair: Pair, index: number): Made {
  const { wallet, rules, accounts, setup } = pair;
  const kind = dice.below(44);
  const delegate = dice.pick(delegates);
  const isAdmin = kind < 9;
  const actors = isAdmin
    ? signersOf(dice, index)
    : dice.often()
      ? [delegate]
      : [dice.pick(everybody)];
  const isP256 = actors.some(({ member }) => member.kind !== 'ed25519');
  const number = isP256 === dice.often() ? numberOf(dice, pair) : undefined;
  const deadline =
    (number !== undefined) === dice.often()
      ? BigInt(world.time + (dice.often() ? 5 : -1))
      : undefined;
  const epoch = dice.often() ? rules.epoch : dice.below(4);
  const generation = dice.often()
    ? (rules.delegates.get(delegate.name)?.generation ?? 0)
    : dice.below(4);
  const amount = dice.often() ? BigInt(1 + dice.below(3)) * sol : 0n;
  const keys = actors.flatMap(({ key }) => ('address' in key ? [key] : []));
  const approving = actors.flatMap(({ key }) => ('address' in key ? [] : [key]));
  const head = { epoch, deadline, number };
  const account = accounts.get(delegate.name)!;
  const call = {
    ...head,
    generation,
    account,
    payer: world.payer.address,
    signers: keys.map(({ address }) => address),
  };
  const signed = {
    ...head,
    generation,
    at: BigInt(world.time),
    signers: actors.map(({ name }) => name),
  };
  const send = (instruction: ReturnType<typeof execute>) => {
    const instructions = approving.length === 0 ? [instruction] : [instruction, p256Instruction()];
    const named = new Set(
      (instruction.accounts ?? []).filter(({ role }) => role >= 2).map(({ address }) => address),
    );
    return world.send(
      instructions,
      keys.filter(({ address }) => named.has(address)),
      (hash) => approving.map((key) => approve(key, hash)),
    );
  };
  const inner = getTransferSolInstruction({
    source: createNoopSigner(wallet.vault),
    destination: friends[0]!,
    amount,
  });
  if (kind < 4)
    return { answer: send(execute(wallet, inner, call)), rule: model.pay(rules, amount, signed) };
  if (kind < 7) {
    const registration = registrationOf(dice, world);
    const instruction = setDelegate(wallet, { key: delegate.member, ...registration }, call);
    return {
      answer: send(instruction),
      rule: model.register(rules, delegate.name, registration, signed),
    };
  }
  if (kind === 7)
    return {
      answer: send(removeDelegate(wallet, delegate.member, call)),
      rule: model.remove(rules, delegate.name, signed),
    };
  if (kind === 8) {
    if (dice.below(4) > 0) return operate(world, dice, pair, index);
    return { answer: send(raiseEpoch(wallet, call)), rule: model.raiseEpoch(rules, signed) };
  }
  if (kind === 9) {
    const registration = setup.delegates.find(({ key }) => key === delegate.member) ?? {
      key: delegate.member,
      expiresAt: 7n,
      scopes: [],
    };
    return {
      answer: send(writePlanned(wallet, registration, call)),
      rule: model.writePlanned(rules, delegate.name),
    };
  }
  const acting = { ...head, generation, account, delegate: delegate.member };
  const signature = { ...signed, delegate: delegate.name, amount };
  // Who is not the delegate cannot sign for it: its key is named and does not sign.
  const isUnsigned = delegate.member.kind === 'ed25519' && !actors.includes(delegate);
  const prepared = (instruction: ReturnType<typeof execute>) =>
    send(isUnsigned ? withoutSigner(instruction, delegate.name) : instruction);
  if (kind < 16)
    return {
      answer: prepared(executeByDelegate(wallet, inner, acting)),
      rule: model.payByDelegate(rules, signature),
    };
  const recipient = dice.pick(friends);
  const scope = dice.below(8) === 0 ? 1 : 0;
  return {
    answer: prepared(transferSol(wallet, recipient, { ...acting, scope, amount })),
    rule: model.transfer(rules, { ...signature, scope, recipient }),
  };
}

function withoutSigner(
  instruction: ReturnType<typeof execute>,
  address: string,
): ReturnType<typeof execute> {
  return {
    ...instruction,
    accounts: instruction.accounts!.map((one) =>
      one.address === address ? { ...one, role: 0 } : one,
    ),
  };
}

/** @returns how often each answer was given @throws Error when the two differ */
export function compare(operations: number, seed: number): ReadonlyMap<string, number> {
  const world = new World();
  const dice = createDice(seed);
  const pairs = groupsOf.map((_, index) => createPair(world, dice, index));
  for (const friend of friends) world.fund(friend, sol);
  const seen = new Map<string, number>();
  for (let count = 0; count < operations; count++) {
    if (dice.below(6) === 0) world.setTime(world.time + dice.pick([1, 1, 2, 3, 9, 30]));
    const index = dice.below(pairs.length);
    const { wallet, rules } = pairs[index]!;
    const { answer, rule } = operate(world, dice, pairs[index]!, index);
    if (answer !== rule)
      throw new Error(
        `Operation ${count} of seed ${seed}: the program says "${answer}", the rules say "${rule}"`,
      );
    const balance = world.balanceOf(wallet.vault);
    if (balance !== rules.balance)
      throw new Error(
        `Operation ${count} of seed ${seed}: the wallet has ${balance}, not ${rules.balance}`,
      );
    seen.set(answer, (seen.get(answer) ?? 0) + 1);
  }
  return seen;
}

/** All that the program says to operations of known wallets. */
export const answers: readonly WalletError[] = [
  'none',
  'not enough signers',
  'wrong epoch',
  'wrong generation',
  'unknown delegate',
  'expired',
  'out of scope',
  'wrong recipient',
  'limit exceeded',
  'bad instruction',
  'past its deadline',
  'number used',
];
