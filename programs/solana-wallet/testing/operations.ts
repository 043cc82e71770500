import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getTransferCheckedInstruction, getTransferInstruction } from '@solana-program/token';
import {
  execute,
  executeByDelegate,
  raiseEpoch,
  removeDelegate,
  setDelegate,
  transferSol,
  transferToken,
  writePlanned,
} from '../index.ts';
import { type ModelOperation, type ModelWorld, type Payment, walletProgram } from '../model.ts';
import {
  type Actor,
  accountOf,
  delegates,
  everybody,
  type Game,
  mints,
  moneyOf,
  otherProgram,
  type Pair,
  programNames,
  programOf,
  registrationOf,
} from './actors.ts';
import { decimals } from './tokens.ts';
import { sol } from './world.ts';

/** One random thing that a wallet is asked to do, for the program and for the rules. */
export interface Operation {
  readonly instruction: Instruction;
  readonly rule: ModelOperation;
  /** Who approves. */
  readonly actors: readonly Actor[];
}

const hugeAmount = 2n ** 63n;

/**
 * Mostly something that the rules allow.
 * @param rules as they are when it is its turn
 */
export function makeOperation(game: Game, rules: ModelWorld, pair: Pair): Operation {
  const kind = game.dice.below(44);
  if (kind < 6) return makePayment(game, rules, pair);
  if (kind < 10) return makeChange(game, rules, pair, kind);
  if (kind === 10) return makePlanned(game, rules, pair);
  return makeAct(game, rules, pair, kind < 20);
}

/** Accounts of the wallet, now and then one of another wallet's, and the program of somebody else. */
function placesOf({ dice, pairs }: Game, pair: Pair) {
  const one = () => (dice.seldom() ? dice.pick(pairs) : pair);
  const [state, vault, account] = [one(), one(), one()];
  const isOtherProgram = dice.seldom();
  return {
    state,
    vault,
    account,
    isOtherProgram,
    wallet: {
      ...state.wallet,
      vault: vault.wallet.vault,
      ...(isOtherProgram && { program: otherProgram }),
    },
  };
}
type Places = ReturnType<typeof placesOf>;

const ed25519Of = (actors: readonly Actor[]) =>
  actors.flatMap(({ key }) => ('address' in key ? [key.address] : []));

function headOf(
  { dice, world }: Game,
  rules: ModelWorld,
  { state, isOtherProgram }: Places,
  actors: readonly Actor[],
) {
  const isP256 = actors.some(({ member }) => member.kind !== 'ed25519');
  const number = isP256 === dice.often() ? numberOf(dice, state) : undefined;
  const deadline =
    (number !== undefined) === dice.often()
      ? BigInt(world.time + (dice.often() ? 5 : -1))
      : undefined;
  const { epoch } = rules.wallets.get(state.wallet.vault)!;
  const head = { epoch: dice.often() ? epoch : dice.below(4), deadline, number };
  return {
    head,
    call: { ...head, signers: ed25519Of(actors) },
    rule: { ...head, wallet: state.wallet.vault, isOtherProgram, named: ed25519Of(actors) },
  };
}

/** Mostly a new one; else one that was used, or will be, or is long gone. */
function numberOf(dice: Game['dice'], pair: Pair): bigint {
  const number = pair.nextNumber;
  if (!dice.often()) return BigInt(1 + dice.below(Number(number) + 2));
  pair.nextNumber += dice.below(200) === 0 ? 300n : BigInt(1 + dice.below(2));
  return number;
}

/** Mostly as many as it takes, of one group. */
function membersOf(dice: Game['dice'], { groups }: Pair): readonly Actor[] {
  const [threshold, actors] = dice.pick(groups);
  return dice.often() ? actors.slice(0, threshold) : everybody.filter(() => dice.below(3) === 0);
}

function amountOf(dice: Game['dice']): bigint {
  if (dice.seldom()) return hugeAmount;
  return dice.often() ? BigInt(1 + dice.below(3)) * sol : 0n;
}

/** Money of the vault's, and who calls what to move it. */
function paymentOf(
  { dice, pairs }: Game,
  { vault }: Places,
  mint: Address | undefined,
  owner: Address,
): Payment {
  const other = () => (dice.seldom() ? dice.pick(mints).mint : mint);
  const program = mints.find((one) => one.mint === mint)?.program;
  const holder = () => (dice.seldom() ? dice.pick(pairs) : vault).wallet.vault;
  return {
    vault: vault.wallet.vault,
    from: mint ? { owner: holder(), mint: other() } : { owner: vault.wallet.vault },
    to: { owner, ...(mint && { mint: other() }) },
    amount: amountOf(dice),
    mint: mint && other(),
    program: dice.often() ? program : dice.pick([walletProgram, walletProgram, ...programNames]),
  };
}

/** What the vault is to sign. */
function innerOf(dice: Game['dice'], payment: Payment): Instruction {
  const { vault, from, to, amount, mint, program } = payment;
  const [source, destination] = [accountOf(from), accountOf(to)];
  const authority = createNoopSigner(vault as Address);
  if (mint === undefined) {
    const inner = getTransferSolInstruction({ source: authority, destination, amount });
    return program === undefined ? inner : { ...inner, programAddress: programOf(program) };
  }
  const config = { programAddress: programOf(program!) };
  // Without a mint of its own a transfer is of the source's.
  if (mint === from.mint && dice.below(2) === 0)
    return getTransferInstruction({ source, destination, authority, amount }, config);
  return getTransferCheckedInstruction(
    { source, mint: mint as Address, destination, authority, amount, decimals },
    config,
  );
}

function makePayment(game: Game, rules: ModelWorld, pair: Pair): Operation {
  const { dice, owners } = game;
  const places = placesOf(game, pair);
  const actors = membersOf(dice, pair);
  const { call, rule } = headOf(game, rules, places, actors);
  const payment = paymentOf(game, places, moneyOf(dice), dice.pick(owners));
  return {
    actors,
    instruction: execute(places.wallet, innerOf(dice, payment), call),
    rule: { ...rule, kind: 'pay', payment },
  };
}

function makeChange(game: Game, rules: ModelWorld, pair: Pair, kind: number): Operation {
  const { dice, world, owners } = game;
  const places = placesOf(game, pair);
  const actors = membersOf(dice, pair);
  const { call, rule } = headOf(game, rules, places, actors);
  const delegate = dice.pick(delegates);
  if (kind === 6 && dice.below(2) === 0)
    return {
      actors,
      instruction: raiseEpoch(places.wallet, call),
      rule: { ...rule, kind: 'raise epoch' },
    };
  const generation = generationOf(dice, rules, places, delegate);
  const changing = {
    ...call,
    generation,
    account: places.account.accounts.get(delegate.name)!,
    payer: world.payer.address,
  };
  const changed = { ...rule, ...ofDelegate(places, delegate), generation };
  if (kind === 6)
    return {
      actors,
      instruction: removeDelegate(places.wallet, delegate.member, changing),
      rule: { ...changed, kind: 'remove' },
    };
  const registration = registrationOf(dice, world.time, owners);
  return {
    actors,
    instruction: setDelegate(places.wallet, { key: delegate.member, ...registration }, changing),
    rule: { ...changed, kind: 'register', registration },
  };
}

function ofDelegate({ account }: Places, { name }: Actor) {
  return { of: { wallet: account.wallet.vault as string, delegate: name } };
}

function generationOf(dice: Game['dice'], rules: ModelWorld, { state }: Places, { name }: Actor) {
  const known = rules.wallets.get(state.wallet.vault)!.delegates.get(name);
  return dice.often() ? (known?.generation ?? 0) : dice.below(4);
}

function makePlanned(game: Game, rules: ModelWorld, pair: Pair): Operation {
  const places = placesOf(game, pair);
  const { rule } = headOf(game, rules, places, []);
  const delegate = game.dice.pick(delegates);
  const registration = places.state.setup.delegates.find(({ key }) => key === delegate.member) ?? {
    key: delegate.member,
    expiresAt: 7n,
    scopes: [],
  };
  return {
    actors: [],
    instruction: writePlanned(places.wallet, registration, {
      account: places.account.accounts.get(delegate.name)!,
      payer: game.world.payer.address,
    }),
    rule: { ...rule, ...ofDelegate(places, delegate), kind: 'write planned', generation: 0 },
  };
}

/** Mostly by one that is registered, within a scope of its. */
function makeAct(game: Game, rules: ModelWorld, pair: Pair, isFree: boolean): Operation {
  const { dice, owners } = game;
  const places = placesOf(game, pair);
  const known = rules.wallets.get(pair.wallet.vault)!;
  const scopesOf = ({ name }: Actor) => {
    const active = known.delegates.get(name)?.active;
    return active?.epoch === known.epoch ? active.registration.scopes : undefined;
  };
  const registered = delegates.filter((one) => {
    const scopes = scopesOf(one);
    return isFree ? scopes?.length === 0 : scopes !== undefined;
  });
  const delegate = dice.pick(dice.often() && registered.length > 0 ? registered : delegates);
  const owner = dice.seldom() ? dice.pick(delegates) : delegate;
  const actors = dice.often() ? [delegate] : [dice.pick(everybody)];
  const { head, rule } = headOf(game, rules, places, actors);
  const generation = generationOf(dice, rules, places, owner);
  const acting = {
    ...head,
    generation,
    account: places.account.accounts.get(owner.name)!,
    delegate: delegate.member,
  };
  const isNamed = delegate.member.kind === 'ed25519';
  const changed = {
    ...rule,
    ...ofDelegate(places, owner),
    generation,
    named: isNamed ? [delegate.name] : [],
    showsApprovals: !isNamed,
  };
  // Who is not the delegate cannot sign for it: its key is named and does not sign.
  const prepared = (instruction: Instruction) =>
    isNamed && !actors.includes(delegate)
      ? withRole(instruction, delegate.name, AccountRole.READONLY)
      : instruction;
  if (isFree) {
    const payment = paymentOf(game, places, moneyOf(dice), dice.pick(owners));
    const instruction = executeByDelegate(places.wallet, innerOf(dice, payment), acting);
    return {
      actors,
      instruction: prepared(instruction),
      rule: { ...changed, kind: 'pay by delegate', payment },
    };
  }
  const { scope, payment } = chooseScope(game, places, scopesOf(delegate) ?? []);
  return {
    actors,
    instruction: prepared(transferOf(places, payment, { ...acting, scope })),
    rule: { ...changed, kind: 'transfer', scope, payment },
  };
}

/** Mostly money that the scope is of, for somebody who is listed in it. */
function chooseScope(
  game: Game,
  places: Places,
  scopes: NonNullable<ReturnType<typeof registrationOf>['scopes']>,
): { readonly scope: number; readonly payment: Payment } {
  const { dice } = game;
  const scope = dice.below(dice.often() ? Math.max(1, scopes.length) : 4);
  const { recipients = [], mint } = scopes[scope] ?? {};
  const payment = paymentOf(
    game,
    places,
    scopes[scope] && dice.often() ? mint : moneyOf(dice),
    dice.pick(recipients.length > 0 && dice.often() ? recipients : game.owners),
  );
  return { scope, payment };
}

function transferOf(
  { wallet }: Places,
  { from, to, mint, program, amount }: Payment,
  call: Omit<Parameters<typeof transferToken>[2], 'amount'>,
): Instruction {
  if (mint !== undefined)
    return transferToken(
      wallet,
      {
        program: programOf(program!),
        mint: mint as Address,
        source: accountOf(from),
        destination: accountOf(to),
      },
      { ...call, amount },
    );
  const instruction = transferSol(wallet, accountOf(to), { ...call, amount });
  if (program === undefined) return instruction;
  const accounts = instruction.accounts!.with(5, {
    address: programOf(program),
    role: AccountRole.READONLY,
  });
  return { ...instruction, accounts };
}

function withRole(instruction: Instruction, address: string, role: AccountRole): Instruction {
  return {
    ...instruction,
    accounts: instruction.accounts!.map((one) =>
      one.address === address ? { ...one, role } : one,
    ),
  };
}
