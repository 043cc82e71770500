import { type Address, createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import {
  createWallet,
  execute,
  findDelegate,
  findWallet,
  type Registration,
  raiseEpoch,
  removeDelegate,
  setDelegate,
  transferSol,
  type WalletAddresses,
} from './instructions.ts';
import * as model from './model.ts';
import { type Key, keyOf, programAddress, sol, World } from './testing/world.ts';

const operations = 10_000;
const keys = ['one', 'two', 'three', 'four'].map((name) => keyOf(name));
const delegates = ['delegate one', 'delegate two'].map((name) => keyOf(name));
const friends = ['friend one', 'friend two'].map((name) => keyOf(name).address);

/** Numbers that follow from a seed: a failure can be repeated. */
function createDice(seed: number) {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return { below, pick: <Item>(items: readonly Item[]): Item => items[below(items.length)]!, often: () => below(8) > 0 };
}
type Dice = ReturnType<typeof createDice>;

interface Pair {
  readonly wallet: WalletAddresses;
  /** Of each delegate. */
  readonly accounts: ReadonlyMap<string, Address>;
  readonly rules: model.ModelWallet;
}

async function createPair(world: World, index: number): Promise<Pair> {
  const members = keys.slice(0, 1 + (index % 3));
  const threshold = 1 + (index % members.length);
  const setup = { salt: new Uint8Array(32).fill(index), threshold, members: members.map(({ address }) => address) };
  const wallet = await findWallet(programAddress, setup);
  world.fund(wallet.vault, 1_000_000n * sol);
  expect(world.send([createWallet(wallet, setup, world.payer.address)])).toBe('none');
  const accounts = new Map<string, Address>();
  for (const { address } of delegates) accounts.set(address, await findDelegate(wallet, address));
  return { wallet, accounts, rules: { threshold, members: setup.members, epoch: 0, balance: 1_000_000n * sol, delegates: new Map() } };
}

function signersOf(dice: Dice, rules: model.ModelWallet): Key[] {
  if (dice.often()) return keys.filter(({ address }) => rules.members.includes(address)).slice(0, rules.threshold);
  return [...keys, ...delegates].filter(() => dice.below(3) === 0);
}

function registrationOf(dice: Dice, world: World, key: Key): Registration {
  const scopes = Array.from({ length: dice.below(3) }, () => ({
    mint: dice.often() ? undefined : friends[0],
    limit: dice.often() ? BigInt(1 + dice.below(9)) * sol : undefined,
    interval: BigInt(dice.pick([0, 1, 10, 30])),
    recipients: friends.filter(() => dice.below(3) === 0),
  }));
  return { key: key.address, expiresAt: dice.often() ? 0n : BigInt(world.time + dice.below(100)), scopes };
}

/** Does one thing to both. @returns what the program said and what the rules say */
function operate(world: World, dice: Dice, { wallet, accounts, rules }: Pair): [string, string] {
  const signers = signersOf(dice, rules);
  const names = signers.map(({ address }) => address);
  const epoch = dice.often() ? rules.epoch : dice.below(4);
  const delegate = dice.pick(delegates);
  const generation = dice.often() ? (rules.delegates.get(delegate.address)?.generation ?? 0) : dice.below(4);
  const signed = { epoch, signers: names, generation };
  const account = accounts.get(delegate.address)!;
  const call = { ...signed, account, payer: world.payer.address };
  const amount = dice.often() ? BigInt(1 + dice.below(3)) * sol : 0n;
  const kind = dice.below(40);
  if (kind < 2) {
    const inner = getTransferSolInstruction({ source: createNoopSigner(wallet.vault), destination: friends[0]!, amount });
    return [world.send([execute(wallet, inner, call)], signers), model.pay(rules, amount, signed)];
  }
  if (kind < 5) {
    const registration = registrationOf(dice, world, delegate);
    return [world.send([setDelegate(wallet, registration, call)], signers), model.register(rules, registration, signed)];
  }
  if (kind === 5)
    return [world.send([removeDelegate(wallet, delegate.address, call)], signers), model.remove(rules, delegate.address, signed)];
  if (kind === 6 && dice.below(4) === 0) return [world.send([raiseEpoch(wallet, call)], signers), model.raiseEpoch(rules, signed)];
  const recipient = dice.pick(friends);
  const wish = { delegate: delegate.address, account, epoch, generation, scope: dice.below(8) === 0 ? 1 : 0, amount };
  return [
    world.send([transferSol(wallet, recipient, wish)], [delegate]),
    model.transfer(rules, { ...wish, recipient, at: BigInt(world.time) }),
  ];
}

describe('the Solana wallet program and its rules', () => {
  it(`answer ${operations} random operations alike, and every balance is what the rules say`, async () => {
    const world = new World();
    const dice = createDice(16);
    const pairs = await Promise.all(Array.from({ length: 3 }, (_, index) => createPair(world, index)));
    for (const friend of friends) world.fund(friend, sol);
    const seen = new Map<string, number>();
    for (let count = 0; count < operations; count++) {
      if (dice.below(6) === 0) world.setTime(world.time + dice.pick([1, 1, 2, 3, 9, 30]));
      const pair = dice.pick(pairs);
      const [answer, rule] = operate(world, dice, pair);
      expect([count, answer]).toEqual([count, rule]);
      expect(world.balanceOf(pair.wallet.vault)).toBe(pair.rules.balance);
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    // Dice that never throw a rule would show nothing about it.
    const rules = [
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
    ];
    for (const rule of rules) expect([rule, (seen.get(rule) ?? 0) > 20]).toEqual([rule, true]);
  });
});
