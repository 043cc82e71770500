import type { Address } from '@solana/kit';
import {
  createWallet,
  findDelegate,
  findWallet,
  type Setup,
  type SignerKey,
  type WalletAddresses,
} from '../index.ts';
import * as model from '../model.ts';
import { type P256TestKey, p256KeyOf } from './p256-keys.ts';
import { accountData, mintData, tokenPrograms, writeToken } from './tokens.ts';
import { type Key, keyOf, memberOf, programAddress, sol, World } from './world.ts';

/** Who and what takes part in the random transactions of differential.ts. */

/** A name for the rules, a key for the program. */
export interface Actor {
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
export const delegates = [
  ed25519('delegate one'),
  p256('device', 'delegate two'),
  p256('passkey', 'delegate three'),
];
export const everybody = [...people, ...passkeys, ...delegates];
const friends = ['friend one', 'friend two'].map((name) => keyOf(name).address);

export type GroupOf = readonly [threshold: number, actors: readonly Actor[]];
/** Members of each wallet's groups by number, and their threshold. */
const groupsOf: readonly (readonly GroupOf[])[] = [
  [[1, people.slice(0, 1)]],
  [[2, people.slice(0, 3)]],
  [
    [1, passkeys.slice(0, 1)],
    [2, people.slice(1, 4)],
  ],
  [[2, [...passkeys, people[0]!]]],
];

/** Another copy of the wallet program: a program of somebody else's. */
const otherName = 'another program';
export const otherProgram = keyOf(otherName).address;
const programs = new Map<string, Address>([
  ...tokenPrograms,
  [model.walletProgram, programAddress],
  [otherName, otherProgram],
]);
export const programNames: readonly string[] = [...programs.keys()];
export const programOf = (name: string): Address => programs.get(name)!;

/** Two of one program, so that a scope can be of the other; and one of a program that is none. */
export const mints: readonly { readonly mint: Address; readonly program: string }[] = [
  ['first', 'Token'],
  ['second', 'Token'],
  ['third', 'Token-2022'],
  ['false', otherName],
].map(([name, program]) => ({ mint: keyOf(`${name} mint`).address, program: program! }));

/** SOL or a token. */
export function moneyOf(dice: Dice): Address | undefined {
  return dice.pick([undefined, ...(dice.seldom() ? mints : mints.slice(0, 3))])?.mint;
}

const wealth = 100_000_000n * sol;

/** Numbers that follow from a seed: a failure can be repeated. */
export class Dice {
  #state: number;
  /** One of so many times something is not as it should be. */
  odds = 8;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * count);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  often(): boolean {
    return this.below(this.odds) > 0;
  }

  seldom(): boolean {
    return this.below(5 * this.odds) === 0;
  }
}

/** A wallet. */
export interface Pair {
  readonly groups: readonly GroupOf[];
  readonly wallet: WalletAddresses;
  readonly setup: Setup;
  readonly accounts: ReadonlyMap<string, Address>;
  nextNumber: bigint;
}

export interface Game {
  readonly world: World;
  readonly dice: Dice;
  readonly rules: model.ModelWorld;
  readonly pairs: readonly Pair[];
  /** Who may be paid, wallets among them. */
  readonly owners: readonly Address[];
}

export function openGame(seed: number): Game {
  const world = new World();
  const dice = new Dice(seed);
  const rules: model.ModelWorld = {
    wallets: new Map(),
    money: new Map(),
    mints: new Map(mints.map(({ mint, program }) => [mint, program])),
  };
  world.addProgram(otherProgram);
  for (const { mint, program } of mints) writeToken(world, mint, programOf(program), mintData());
  const pairs = groupsOf.map((groups, index) => createPair({ world, dice, rules }, groups, index));
  const owners = [...pairs.map(({ wallet }) => wallet.vault), ...friends];
  for (const owner of owners) {
    const holdings: model.Holding[] = [{ owner }, ...mints.map(({ mint }) => ({ owner, mint }))];
    for (const holding of holdings) {
      rules.money.set(model.nameOf(holding), wealth);
      if (holding.mint === undefined) world.fund(owner, wealth);
      else
        writeToken(
          world,
          accountOf(holding),
          programOf(rules.mints.get(holding.mint)!),
          accountData(holding.mint as Address, owner, wealth),
        );
    }
  }
  return { world, dice, rules, pairs, owners };
}

const tokenAccounts = new Map<string, Address>();

/** Where it is held. */
export function accountOf(holding: model.Holding): Address {
  if (holding.mint === undefined) return holding.owner as Address;
  const name = model.nameOf(holding);
  const address = tokenAccounts.get(name) ?? keyOf(name).address;
  tokenAccounts.set(name, address);
  return address;
}

function createPair(
  { world, dice, rules }: Pick<Game, 'world' | 'dice' | 'rules'>,
  groups: readonly GroupOf[],
  index: number,
): Pair {
  const planned =
    index % 2 === 1
      ? delegates
          .slice(0, 2)
          .map((actor) => ({ actor, registration: registrationOf(dice, world.time, friends) }))
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
  const made = world.send([createWallet(wallet, setup, world.payer.address)]);
  if (made !== 'none') throw new Error(`A wallet was not made: ${made}`);
  rules.wallets.set(wallet.vault, {
    groups: groups.map(([threshold, actors]) => ({
      threshold,
      members: actors.map(({ name }) => name),
    })),
    planned: new Map(planned.map(({ actor, registration }) => [actor.name, registration])),
    epoch: 0,
    numbers: model.noNumbers,
    delegates: new Map(),
  });
  return {
    groups,
    wallet,
    setup,
    accounts: new Map(delegates.map(({ name, member }) => [name, findDelegate(wallet, member)])),
    nextNumber: 1n,
  };
}

/** Mostly without an end; scopes of each kind of money, some of them with limits and recipients. */
export function registrationOf(
  dice: Dice,
  time: number,
  owners: readonly Address[],
): model.ModelRegistration {
  const scopes = Array.from({ length: dice.below(4) }, () => ({
    mint: moneyOf(dice),
    limit: dice.below(4) > 0 ? BigInt(1 + dice.below(9)) * sol : undefined,
    interval: BigInt(dice.pick([0, 1, 10, 30])),
    recipients: owners.filter(() => dice.below(4) === 0).slice(0, 4),
  }));
  return { expiresAt: dice.often() ? 0n : BigInt(time + dice.below(100)), scopes };
}
