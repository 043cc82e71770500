import { p256Instruction, type WalletError, walletErrors } from '../index.ts';
import { type ModelAnswer, type ModelOperation, nameOf, runTransaction } from '../model.ts';
import { accountOf, type Game, openGame } from './actors.ts';
import { makeOperation, type Operation } from './operations.ts';
import { approve } from './p256-keys.ts';
import { tokensAt } from './tokens.ts';
import { programAddress, type Ran } from './world.ts';

/** Gives the program and the rules of model.ts the same random transactions. */

const batchMax = 3;
/** All money is counted after so many transactions, what they are about after each. */
const countEvery = 200;

/** @returns how often each answer was given, and each thing was done @throws Error when the two differ */
export function compare(operations: number, seed: number): ReadonlyMap<string, number> {
  const game = openGame(seed);
  const seen = new Map<string, number>();
  const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  let transactions = 0;
  for (let count = 0; count < operations; ) {
    const { dice, world } = game;
    if (dice.below(6) === 0) world.setTime(world.time + dice.pick([1, 1, 2, 3, 9, 30]));
    const batch = makeBatch(game);
    const where = `Operation ${count} of seed ${seed}, of ${batch.length} in a transaction`;
    const rule = runTransaction(game.rules, ruleOf(game, batch));
    const program = run(game, batch);
    if (program.answer !== rule.answer || program.failed !== rule.failed)
      throw new Error(`${where}: the program says ${say(program)}, the rules say ${say(rule)}`);
    const touched = batch.flatMap(({ rule: { ...one } }) =>
      'payment' in one ? [one.payment] : [],
    );
    checkMoney(
      game,
      where,
      touched.flatMap(({ from, to }) => [nameOf(from), nameOf(to)]),
    );
    if (++transactions % countEvery === 0) checkMoney(game, where, [...game.rules.money.keys()]);
    see(rule.answer);
    if (rule.answer === 'none') for (const done of doneOf(game, batch)) see(done);
    count += batch.length;
  }
  checkMoney(game, `At the end of seed ${seed}`, [...game.rules.money.keys()]);
  return seen;
}

/** Half of the transactions have one operation; others mostly of one wallet. */
function makeBatch(game: Game): Operation[] {
  const { dice, pairs } = game;
  const length = Math.max(1, dice.below(2 + batchMax) - 1);
  dice.odds = length === 1 ? 8 : 24;
  const pair = dice.pick(pairs);
  // What one of them is made for is what those before it leave.
  const rules = { ...game.rules, wallets: new Map(game.rules.wallets) };
  const batch: Operation[] = [];
  while (batch.length < length) {
    const one = makeOperation(game, rules, dice.often() ? pair : dice.pick(pairs));
    runTransaction({ ...rules, money: new Map(rules.money) }, ruleOf(game, [one]));
    batch.push(one);
  }
  return batch;
}

function ruleOf({ world }: Game, batch: readonly Operation[]) {
  const signing = batch.flatMap(({ instruction }) => instruction.accounts ?? []);
  return {
    at: BigInt(world.time),
    signers: new Set<string>(signing.filter(({ role }) => role >= 2).map(({ address }) => address)),
    approvals: new Set(
      batch.flatMap(({ actors }) =>
        actors.filter(({ key }) => !('address' in key)).map(({ name }) => name),
      ),
    ),
    operations: batch.map(({ rule }) => rule),
  };
}

interface Answer {
  readonly answer: ModelAnswer | string;
  readonly failed?: number;
}

function run({ world, dice }: Game, batch: readonly Operation[]): Answer {
  const keys = new Set(batch.flatMap(({ actors }) => actors.map(({ key }) => key)));
  const signing = [...keys].flatMap((key) => ('address' in key ? [key] : []));
  const approving = [...keys].flatMap((key) => ('address' in key ? [] : [key]));
  const isFirst = approving.length > 0 && dice.below(2) === 0;
  const instructions = batch.map(({ instruction }) => instruction);
  if (approving.length > 0) instructions.splice(isFirst ? 0 : batch.length, 0, p256Instruction());
  const ran = world.run(instructions, signing, (hash) =>
    approving.map((key) => approve(key, hash)),
  );
  return answerOf(ran, isFirst ? 1 : 0);
}

/** @param before how many instructions are none of the batch */
function answerOf({ answer, failure }: Ran, before: number): Answer {
  if (!failure) return { answer };
  const isOwn = failure.program === programAddress && walletErrors.includes(answer as WalletError);
  return {
    answer: isOwn ? answer : 'refused elsewhere',
    failed: failure.instruction - before,
  };
}

const say = ({ answer, failed }: Answer) =>
  failed === undefined ? `"${answer}"` : `"${answer}" of number ${failed}`;

function checkMoney({ world, rules }: Game, where: string, names: readonly string[]): void {
  for (const name of new Set(names)) {
    const [owner, mint] = name.split(' ') as [string, string];
    const address = accountOf({ owner, ...(mint !== 'SOL' && { mint }) });
    const amount = mint === 'SOL' ? world.balanceOf(address) : tokensAt(world, address);
    if (amount !== rules.money.get(name))
      throw new Error(`${where}: ${name} is ${amount}, not ${rules.money.get(name)}`);
  }
}

/** What went through, in words that `done` lists. */
function doneOf({ rules }: Game, batch: readonly Operation[]): string[] {
  const moneyOf = (rule: ModelOperation) =>
    'payment' in rule ? [rules.mints.get(rule.payment.mint ?? '') ?? 'SOL'] : [];
  const of = batch.flatMap(({ rule }) => moneyOf(rule));
  const isMixed = of.includes('SOL') && new Set(of).size > 1;
  return [
    ...batch.map(({ rule }) => [rule.kind, ...moneyOf(rule)].join(' of ')),
    ...(batch.length > 1 ? [`${batch.length} in a transaction`] : []),
    ...(isMixed ? ['SOL and tokens in a transaction'] : []),
  ];
}

const kindsOfMoney = ['SOL', 'Token', 'Token-2022'];

/** What has to be seen often, or the dice show nothing about it: answers, and what went through. */
export const expected: readonly string[] = [
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
  'bad accounts',
  'bad token account',
  'forbidden call',
  'past its deadline',
  'number used',
  'refused elsewhere',
  ...['pay', 'pay by delegate', 'transfer'].flatMap((kind) =>
    kindsOfMoney.map((money) => `${kind} of ${money}`),
  ),
  'register',
  'remove',
  'write planned',
  'raise epoch',
  '2 in a transaction',
  '3 in a transaction',
  'SOL and tokens in a transaction',
];
