import { hexOfBytes } from '../bytes.ts';
import type { ReviewedCall } from '../evm/calls.ts';
import { wholeUnits } from '../evm/chains.ts';
import { type FamilyChain, tokenAt } from '../family/tokens.ts';
import type { Instruction } from './message.ts';
import { type AccountCreation, readU64, systemProgram, tokenPrograms } from './programs.ts';
import type { Registration } from './wallet.ts';

/** What an instruction that the wallet signs does. */

/** Transfers between accounts that somebody's addresses say. */
export interface PlainTransfer {
  readonly source: string;
  readonly destination: string;
  readonly authority: string;
  /** Absent: SOL, or a token that the instruction does not name. */
  readonly mint?: string;
  readonly tokenProgram?: string;
  readonly amountMinor: bigint;
  /** The network holds the transfer to them. */
  readonly decimals?: number;
}

export function readTransfer({ program, accounts, data }: Instruction): PlainTransfer | undefined {
  const [first, second, third, fourth] = accounts.map(({ address }) => address);
  if (program === systemProgram) {
    const isTransfer =
      data.length === 12 &&
      data[0] === 2 &&
      data[1] === 0 &&
      data[2] === 0 &&
      data[3] === 0 &&
      accounts.length === 2;
    return isTransfer
      ? { source: first!, destination: second!, authority: first!, amountMinor: readU64(data, 4) }
      : undefined;
  }
  if (!tokenPrograms.includes(program)) return undefined;
  if (data[0] === 3 && data.length === 9 && accounts.length === 3)
    return {
      source: first!,
      destination: second!,
      authority: third!,
      tokenProgram: program,
      amountMinor: readU64(data, 1),
    };
  if (data[0] !== 12 || data.length !== 10 || accounts.length !== 4) return undefined;
  return {
    source: first!,
    mint: second!,
    destination: third!,
    authority: fourth!,
    tokenProgram: program,
    amountMinor: readU64(data, 1),
    decimals: data[9]!,
  };
}

export interface CallContext {
  readonly chain: FamilyChain;
  readonly wallet: string;
  /** Token accounts whose owners are known, because their addresses follow from them. */
  readonly owners: ReadonlyMap<string, AccountCreation>;
}

/**
 * Reads one; what is not exactly one of the known ones stays a `call`.
 * @param isBare its decimals say nothing
 */
export function reviewInstruction(
  instruction: Instruction,
  context: CallContext,
  isBare = false,
): ReviewedCall {
  return (
    reviewTransfer(instruction, context, isBare) ??
    reviewApproval(instruction, context) ??
    rawCall(instruction)
  );
}

function reviewTransfer(
  instruction: Instruction,
  { chain, wallet, owners }: CallContext,
  isBare: boolean,
): ReviewedCall | undefined {
  const read = readTransfer(instruction);
  if (read?.authority !== wallet) return undefined;
  const { tokenProgram, destination, amountMinor, decimals } = read;
  if (tokenProgram === undefined)
    return { kind: 'transfer', ...amountOf(chain, undefined, amountMinor), recipient: destination };
  const owner = owners.get(destination);
  const mint = read.mint ?? owner?.mint;
  if (mint === undefined || (owner && (owner.mint !== mint || owner.tokenProgram !== tokenProgram)))
    return undefined;
  return {
    kind: 'transfer',
    ...amountOf(chain, mint, amountMinor, isBare ? undefined : decimals),
    recipient: owner?.owner ?? destination,
    ...(owner ? {} : { isTokenAccount: true }),
  };
}

/** Lets somebody take tokens (`Approve`, `ApproveChecked`). */
function reviewApproval(
  { program, accounts, data }: Instruction,
  { chain, wallet }: CallContext,
): ReviewedCall | undefined {
  const [, mint, spender, owner] = accounts.map(({ address }) => address);
  if (
    !tokenPrograms.includes(program) ||
    data[0] !== 13 ||
    data.length !== 10 ||
    accounts.length !== 4 ||
    owner !== wallet
  )
    return undefined;
  return {
    kind: 'approve',
    ...amountOf(chain, mint, readU64(data, 1), data[9]),
    spender: spender!,
  };
}

function rawCall({ program, accounts, data }: Instruction): ReviewedCall {
  return {
    kind: 'call',
    to: program,
    valueWei: '0',
    data: hexOfBytes(data),
    inputs: accounts.map(({ address }) => address),
  };
}

function amountOf(
  chain: FamilyChain,
  mint: string | undefined,
  amountMinor: bigint,
  said?: number,
) {
  const known = tokenAt(chain, mint);
  const decimals = known.decimals ?? said;
  const token = { ...known, ...(decimals === undefined ? {} : { decimals }) };
  return {
    token,
    amountMinor: amountMinor.toString(),
    ...(decimals === undefined ? {} : { amount: wholeUnits(amountMinor, decimals) }),
  };
}

export function reviewRegistration(
  { signerId, until, scopes }: Registration,
  chain: FamilyChain,
): ReviewedCall {
  return {
    kind: 'add-signer',
    signerId,
    ...(until === undefined ? {} : { expiresAt: new Date(Number(until) * 1000) }),
    scopes: scopes.map(({ mint, limit, interval, recipients }) => {
      const { token, amountMinor, amount } = amountOf(chain, mint, limit ?? 0n);
      return {
        token,
        ...(limit === undefined
          ? {}
          : { limitMinor: amountMinor, ...(amount === undefined ? {} : { limit: amount }) }),
        ...(interval === 0n ? {} : { intervalSeconds: Number(interval) }),
        ...(recipients.length === 0 ? {} : { recipients }),
      };
    }),
  };
}
