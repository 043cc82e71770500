import type { Registration, Scope, WalletError } from './index.ts';

/**
 * The rules of the wallet program, written once more from their description and not from the
 * program: no bytes, no accounts. A test gives both the same transactions and compares answers and
 * balances. Keys, wallets and mints are names here.
 */

export interface ModelWorld {
  readonly wallets: Map<string, ModelWallet>;
  /** By `nameOf`. */
  readonly money: Map<string, bigint>;
  /** Which token program each mint is of. */
  readonly mints: ReadonlyMap<string, string>;
}

/** Some of one kind of money. */
export interface Holding {
  readonly owner: string;
  /** Absent: SOL. */
  readonly mint?: string;
}

export interface ModelGroup {
  readonly threshold: number;
  readonly members: readonly string[];
}

export interface ModelWallet {
  readonly groups: readonly ModelGroup[];
  /** Whose registrations the set-up has, by name. */
  readonly planned: ReadonlyMap<string, ModelRegistration>;
  readonly epoch: number;
  readonly numbers: Numbers;
  readonly delegates: ReadonlyMap<string, ModelDelegate>;
}

export type ModelRegistration = Omit<Registration, 'key'>;

export interface ModelDelegate {
  readonly generation: number;
  readonly numbers: Numbers;
  /** Undefined: removed. */
  readonly active?: {
    readonly epoch: number;
    readonly registration: ModelRegistration;
    readonly windows: readonly Window[];
  };
}

/** Numbers that P-256 approvals have used, those that are forgotten left out. */
export interface Numbers {
  readonly used: ReadonlySet<bigint>;
  readonly highest: bigint;
}

export const noNumbers: Numbers = { used: new Set(), highest: 0n };

/** What was spent under a limit, and since when. */
interface Window {
  readonly spent: bigint;
  readonly since: bigint;
}

export interface ModelTransaction {
  readonly at: bigint;
  /** Ed25519 keys that sign it. */
  readonly signers: ReadonlySet<string>;
  /** P-256 keys that approve all of it. */
  readonly approvals: ReadonlySet<string>;
  readonly operations: readonly ModelOperation[];
}

interface Head {
  /** Whose rules are asked. */
  readonly wallet: string;
  readonly isOtherProgram: boolean;
  readonly epoch: number;
  readonly deadline?: bigint;
  /** Present: P-256 keys are looked at. */
  readonly number?: bigint;
  /** Ed25519 keys that are named in it. */
  readonly named: readonly string[];
}

/** Which registration is looked at: that of a delegate with a wallet. */
interface Changed extends Head {
  readonly of: { readonly wallet: string; readonly delegate: string };
  readonly generation: number;
}

interface Acting extends Changed {
  /** Whether P-256 approvals can be looked up. */
  readonly showsApprovals: boolean;
}

/** What the wallet is to sign, and which vault for. */
export interface Payment {
  readonly vault: string;
  readonly from: Holding;
  readonly to: Holding;
  readonly amount: bigint;
  /** Of a token: what is said to be its mint, and which program is called. */
  readonly mint?: string;
  readonly program?: string;
}

export type ModelOperation =
  | (Head & { readonly kind: 'pay'; readonly payment: Payment })
  | (Changed & { readonly kind: 'register'; readonly registration: ModelRegistration })
  | (Changed & { readonly kind: 'remove' })
  | (Changed & { readonly kind: 'write planned' })
  | (Head & { readonly kind: 'raise epoch' })
  | (Acting & { readonly kind: 'pay by delegate'; readonly payment: Payment })
  | (Acting & { readonly kind: 'transfer'; readonly scope: number; readonly payment: Payment });

/** The second: what the wallet program asked was refused, by a token program, say. */
export type ModelAnswer = WalletError | 'refused elsewhere';

export interface ModelOutcome {
  readonly answer: ModelAnswer;
  /** Which operation did not get through. */
  readonly failed?: number;
}

export const nameOf = ({ owner, mint = 'SOL' }: Holding) => `${owner} ${mint}`;
/** A name of the wallet program itself, where an operation would have it called. */
export const walletProgram = 'the wallet program';
/** Programs of tokens; nothing else moves one. */
export const tokenPrograms: readonly string[] = ['Token', 'Token-2022'];

const isP256 = (name: string) => name.startsWith('p256');
/**
 * Of numbers it is remembered whether they were used as long as their group of 64 is among the
 * highest eight.
 */
const wordBits = 64n;
const words = 8n;

/** All of a transaction or nothing. */
export function runTransaction(world: ModelWorld, transaction: ModelTransaction): ModelOutcome {
  const wallets = new Map(world.wallets);
  const money = new Map(world.money);
  for (const [failed, operation] of transaction.operations.entries()) {
    const answer = apply({ ...world, wallets, money }, transaction, operation);
    if (answer !== 'none') return { answer, failed };
  }
  for (const [name, wallet] of wallets) world.wallets.set(name, wallet);
  for (const [name, amount] of money) world.money.set(name, amount);
  return { answer: 'none' };
}

function apply(
  world: ModelWorld,
  signed: ModelTransaction,
  operation: ModelOperation,
): ModelAnswer {
  // Wallets belong to the program that made them.
  if (operation.isOtherProgram) return 'refused elsewhere';
  const wallet = world.wallets.get(operation.wallet)!;
  const put = (changed: Partial<ModelWallet>) => {
    world.wallets.set(operation.wallet, { ...world.wallets.get(operation.wallet)!, ...changed });
    return 'none' as const;
  };
  switch (operation.kind) {
    case 'write planned':
      return writePlanned(wallet, operation, put);
    case 'pay by delegate':
    case 'transfer':
      return actAsDelegate(world, signed, operation, put);
    default: {
      const refusal = checkAdmin(wallet, signed, operation);
      if (refusal !== 'none') return refusal;
      put({ numbers: use(wallet.numbers, operation.number) });
      return actAsAdmin(world, operation, put);
    }
  }
}

type Put = (changed: Partial<ModelWallet>) => 'none';

function actAsAdmin(
  world: ModelWorld,
  operation: Extract<ModelOperation, { kind: 'pay' | 'register' | 'remove' | 'raise epoch' }>,
  put: Put,
): ModelAnswer {
  const wallet = world.wallets.get(operation.wallet)!;
  if (operation.kind === 'raise epoch') return put({ epoch: wallet.epoch + 1 });
  if (operation.kind === 'pay') return pay(world, operation.wallet, operation.payment);
  const { of, generation } = operation;
  if (of.wallet !== operation.wallet) return 'bad accounts';
  const before = wallet.delegates.get(of.delegate);
  if ((before?.generation ?? 0) !== generation) return 'wrong generation';
  const registration = operation.kind === 'register' ? operation.registration : undefined;
  return put({ delegates: registered(wallet, of.delegate, registration) });
}

/** Anybody does it. */
function writePlanned(wallet: ModelWallet, { of, wallet: name }: Changed, put: Put): ModelAnswer {
  if (of.wallet !== name) return 'bad accounts';
  if (wallet.delegates.has(of.delegate)) return 'none';
  if (wallet.epoch !== 0) return 'wrong epoch';
  const registration = wallet.planned.get(of.delegate);
  if (!registration) return 'unknown delegate';
  return put({ delegates: registered(wallet, of.delegate, registration) });
}

/** @param registration undefined: it is removed */
function registered(
  wallet: ModelWallet,
  key: string,
  registration: ModelRegistration | undefined,
): ModelWallet['delegates'] {
  const before = wallet.delegates.get(key);
  const windows = registration?.scopes.map(() => ({ spent: 0n, since: 0n })) ?? [];
  return new Map(wallet.delegates).set(key, {
    generation: (before?.generation ?? 0) + 1,
    numbers: before?.numbers ?? noNumbers,
    ...(registration && { active: { epoch: wallet.epoch, registration, windows } }),
  });
}

function actAsDelegate(
  world: ModelWorld,
  signed: ModelTransaction,
  operation: Extract<ModelOperation, { kind: 'pay by delegate' | 'transfer' }>,
  put: Put,
): ModelAnswer {
  const wallet = world.wallets.get(operation.wallet)!;
  const refusal = checkDelegate(wallet, signed, operation);
  if (refusal !== 'none') return refusal;
  const { delegate: name } = operation.of;
  const delegate = wallet.delegates.get(name)!;
  const active = delegate.active!;
  const { scopes } = active.registration;
  const isScoped = scopes.length > 0;
  let { windows } = active;
  const { payment } = operation;
  if (operation.kind === 'transfer') {
    const mistake = checkTransfer(world, operation.wallet, payment);
    if (mistake !== 'none') return mistake;
    if (isScoped) {
      const scope = scopes[operation.scope];
      const violation = checkScope(scope, payment);
      if (violation !== 'none') return violation;
      const window = spend(scope!, windows[operation.scope]!, payment.amount, signed.at);
      if (!window) return 'limit exceeded';
      windows = windows.with(operation.scope, window);
    }
  } else if (isScoped) return 'out of scope';
  const numbers = isP256(name) ? use(delegate.numbers, operation.number) : delegate.numbers;
  const used = { ...delegate, numbers, active: { ...active, windows } };
  put({ delegates: new Map(wallet.delegates).set(name, used) });
  return pay(world, operation.wallet, payment);
}

function checkDelegate(
  wallet: ModelWallet,
  signed: ModelTransaction,
  operation: Acting,
): ModelAnswer {
  const { of, number, named } = operation;
  const delegate = wallet.delegates.get(of.delegate);
  if (of.wallet !== operation.wallet || delegate?.active?.epoch !== wallet.epoch)
    return 'unknown delegate';
  const refusal = checkTime(wallet, signed, operation);
  if (refusal !== 'none') return refusal;
  if (operation.generation !== delegate.generation) return 'wrong generation';
  const hasApproved = isP256(of.delegate)
    ? number !== undefined && operation.showsApprovals && signed.approvals.has(of.delegate)
    : named.includes(of.delegate) && signed.signers.has(of.delegate);
  if (!hasApproved) return 'not enough signers';
  const { expiresAt } = delegate.active.registration;
  if (expiresAt !== 0n && signed.at >= expiresAt) return 'expired';
  return isP256(of.delegate) ? checkNumber(delegate.numbers, number!) : 'none';
}

/** Whether it is a transfer at all, and of what the wallet has. */
function checkTransfer(
  { mints }: ModelWorld,
  wallet: string,
  { vault, amount, mint, program, from, to }: Payment,
): ModelAnswer {
  if (vault !== wallet) return 'bad accounts';
  if (amount === 0n) return 'bad instruction';
  if (mint === undefined) return program === undefined ? 'none' : 'bad accounts';
  const isOne =
    [mint, from.mint!, to.mint!].every((one) => isToken(program, mints.get(one))) &&
    from.mint === mint &&
    from.owner === wallet;
  return isOne ? 'none' : 'bad token account';
}

function checkScope(scope: Scope | undefined, { mint, to }: Payment): ModelAnswer {
  if (!scope || scope.mint !== mint) return 'out of scope';
  const isListed =
    scope.recipients.length === 0 || scope.recipients.some((one) => one === to.owner);
  return isListed ? 'none' : 'wrong recipient';
}

/** @returns undefined when the limit does not allow it */
function spend(
  { limit, interval }: Scope,
  window: Window,
  amount: bigint,
  at: bigint,
): Window | undefined {
  if (limit === undefined) return window;
  const isOver = interval > 0n && at - window.since >= interval;
  const spent = isOver ? 0n : window.spent;
  if (spent + amount > limit) return undefined;
  return { since: spent === 0n ? at : window.since, spent: spent + amount };
}

const isToken = (program: string | undefined, of: string | undefined) =>
  program === of && tokenPrograms.includes(program!);

/** What the wallet has signed: by its own vault, and not this program. */
function pay({ money, mints }: ModelWorld, wallet: string, payment: Payment): ModelAnswer {
  const { vault, from, to, amount, mint, program } = payment;
  if (program === walletProgram) return 'forbidden call';
  if (vault !== wallet) return 'bad accounts';
  const has = money.get(nameOf(from)) ?? 0n;
  const isPossible =
    from.owner === wallet &&
    from.mint === mint &&
    to.mint === mint &&
    (mint === undefined ? program === undefined : isToken(program, mints.get(mint))) &&
    amount <= has;
  if (!isPossible) return 'refused elsewhere';
  money.set(nameOf(from), has - amount);
  money.set(nameOf(to), (money.get(nameOf(to)) ?? 0n) + amount);
  return 'none';
}

function checkTime(
  wallet: ModelWallet,
  { at }: ModelTransaction,
  { epoch, deadline, number }: Head,
): ModelAnswer {
  if (epoch !== wallet.epoch) return 'wrong epoch';
  if (number !== undefined && deadline === undefined) return 'bad instruction';
  return deadline !== undefined && at > deadline ? 'past its deadline' : 'none';
}

function checkAdmin(wallet: ModelWallet, signed: ModelTransaction, operation: Head): ModelAnswer {
  const refusal = checkTime(wallet, signed, operation);
  if (refusal !== 'none') return refusal;
  const { number, named } = operation;
  const hasP256 = wallet.groups.some(({ members }) => members.some(isP256));
  if (number !== undefined && !hasP256) return 'bad instruction';
  const counts = (member: string) =>
    isP256(member)
      ? number !== undefined && signed.approvals.has(member)
      : named.includes(member) && signed.signers.has(member);
  const isEnough = wallet.groups.some(
    ({ threshold, members }) => members.filter(counts).length >= threshold,
  );
  if (!isEnough) return 'not enough signers';
  return number === undefined ? 'none' : checkNumber(wallet.numbers, number);
}

function isForgotten(highest: bigint, number: bigint): boolean {
  return highest / wordBits - number / wordBits >= words;
}

function checkNumber({ used, highest }: Numbers, number: bigint): ModelAnswer {
  return used.has(number) || isForgotten(highest, number) ? 'number used' : 'none';
}

function use(numbers: Numbers, number: bigint | undefined): Numbers {
  if (number === undefined) return numbers;
  const highest = number > numbers.highest ? number : numbers.highest;
  const kept = [...numbers.used].filter((one) => !isForgotten(highest, one));
  return { highest, used: new Set([...kept, number]) };
}
