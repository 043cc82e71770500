import bs58 from 'bs58';
import { readPlainTransfer } from '../operation/instructions.ts';
import { readU64 } from '../operation/layout.ts';
import { isTokenProgram, programs } from '../operation/wrapping/programs.ts';
import type { ChainTransaction, TokenBalanceChange } from '../rpc/schemas.ts';

/**
 * What a transaction moved, from what its accounts had before and after: whatever ran in it, in
 * whatever program. Its instructions, the inner ones too, only say who paid whom. What they do not
 * explain is paired in the order of the accounts; what has no other side was minted or burnt, and
 * its mint stands for that side.
 */
export interface Movement {
  /** Absent: native money. */
  readonly mint?: string;
  readonly decimals?: number;
  readonly sender: string;
  readonly recipient: string;
  readonly amountMinor: bigint;
  /**
   * Place of the instruction that says so among the transfers of the transaction; absent: none
   * does.
   */
  readonly place?: number;
}

/**
 * What every address has more (or less) afterwards, of one token. The fee of the transaction is no
 * movement.
 */
export interface Deltas {
  readonly mint?: string;
  readonly decimals?: number;
  readonly byOwner: Map<string, bigint>;
}

/** Every account of a transaction, those of lookup tables included. */
function accountsOf({ transaction, meta }: ChainTransaction): readonly string[] {
  return [
    ...transaction.message.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ];
}

export function deltasOf(transaction: ChainTransaction): Deltas[] {
  const { meta } = transaction;
  if (meta.err !== null) return [];
  const keys = accountsOf(transaction);
  const native = new Map<string, bigint>();
  for (const [index, key] of keys.entries()) {
    const change =
      (meta.postBalances[index] ?? 0n) -
      (meta.preBalances[index] ?? 0n) +
      (index === 0 ? meta.fee : 0n);
    if (change !== 0n) native.set(key, change);
  }
  const byMint = new Map<string, Map<string, bigint>>();
  const decimals = new Map<string, number>();
  const add = (balances: readonly TokenBalanceChange[] | null | undefined, sign: bigint) => {
    for (const { mint, owner, uiTokenAmount } of balances ?? []) {
      if (owner === null || owner === undefined) continue;
      const owners = byMint.get(mint) ?? new Map<string, bigint>();
      owners.set(owner, (owners.get(owner) ?? 0n) + sign * uiTokenAmount.amount);
      byMint.set(mint, owners);
      decimals.set(mint, uiTokenAmount.decimals);
    }
  };
  add(meta.preTokenBalances, -1n);
  add(meta.postTokenBalances, 1n);
  const tokens = byName(byMint).map(([mint, byOwner]) => ({
    mint,
    decimals: decimals.get(mint)!,
    byOwner: withoutZeros(byOwner),
  }));
  return [{ byOwner: native }, ...tokens].filter(({ byOwner }) => byOwner.size > 0);
}

/** Nodes list balances in orders of their own. */
function byName<Value>(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function withoutZeros(amounts: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map(byName(amounts).filter(([, amount]) => amount !== 0n));
}

/** In an order that depends on the transaction alone, so that places in it are names. */
export function movementsOf(transaction: ChainTransaction, deltas: readonly Deltas[]): Movement[] {
  const hints = hintsOf(transaction);
  return deltas.flatMap(({ mint, decimals, byOwner }) => {
    const left = new Map(byOwner);
    const movements: Movement[] = [];
    const move = (sender: string, recipient: string, amountMinor: bigint, place?: number) => {
      left.set(sender, (left.get(sender) ?? 0n) + amountMinor);
      left.set(recipient, (left.get(recipient) ?? 0n) - amountMinor);
      movements.push({
        ...(mint !== undefined && { mint, decimals: decimals! }),
        sender,
        recipient,
        amountMinor,
        ...(place !== undefined && { place }),
      });
    };
    for (const [place, hint] of hints.entries()) {
      if (hint.mint !== mint) continue;
      const amount = least(
        hint.amountMinor,
        -(left.get(hint.sender) ?? 0n),
        left.get(hint.recipient) ?? 0n,
      );
      if (amount > 0n && hint.sender !== hint.recipient)
        move(hint.sender, hint.recipient, amount, place);
    }
    for (const [sender] of byOwner)
      for (const [recipient] of byOwner) {
        const amount = least(-(left.get(sender) ?? 0n), left.get(recipient) ?? 0n);
        if (amount > 0n) move(sender, recipient, amount);
      }
    const other = mint ?? programs.system;
    for (const [owner] of byOwner) {
      const rest = left.get(owner) ?? 0n;
      if (rest < 0n) move(owner, other, -rest);
      if (rest > 0n) move(other, owner, rest);
    }
    return movements;
  });
}

function least(...amounts: readonly [bigint, ...bigint[]]): bigint {
  return amounts.reduce((smallest, amount) => (amount < smallest ? amount : smallest));
}

/** Transfers as the instructions say them, in the order in which they ran. */
function hintsOf(transaction: ChainTransaction): Movement[] {
  const keys = accountsOf(transaction);
  const { meta } = transaction;
  const tokenAccounts = new Map(
    [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])].map(
      ({ accountIndex, mint, owner }) => [keys[accountIndex], { mint, owner: owner ?? undefined }],
    ),
  );
  return instructionsOf(transaction).flatMap(({ program, accounts, data }): Movement[] => {
    const transfer = readTransfer(program, accounts, data);
    if (!transfer) return [];
    const { source, destination, amountMinor } = transfer;
    if (program === programs.system)
      return [{ sender: source, recipient: destination, amountMinor }];
    const [from, to] = [tokenAccounts.get(source), tokenAccounts.get(destination)];
    if (from?.owner === undefined || to?.owner === undefined) return [];
    return [{ mint: from.mint, sender: from.owner, recipient: to.owner, amountMinor }];
  });
}

/** `TransferCheckedWithFee` of Token-2022 beside the plain ones. */
function readTransfer(program: string, accounts: readonly string[], data: Uint8Array) {
  if (isTokenProgram(program) && data[0] === 26 && data[1] === 1 && data.length >= 19) {
    const [source, , destination] = accounts;
    return source !== undefined && destination !== undefined
      ? { source, destination, amountMinor: readU64(data, 2) }
      : undefined;
  }
  return readPlainTransfer({
    programAddress: program as never,
    accounts: accounts.map((address) => ({ address: address as never, role: 0 })),
    data,
  });
}

interface RanInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** With the inner ones behind each. */
function instructionsOf(transaction: ChainTransaction): RanInstruction[] {
  const keys = accountsOf(transaction);
  const inner = new Map(
    (transaction.meta.innerInstructions ?? []).map(({ index, instructions }) => [
      index,
      instructions,
    ]),
  );
  const all = transaction.transaction.message.instructions.flatMap((one, index) => [
    one,
    ...(inner.get(index) ?? []),
  ]);
  return all.flatMap(({ programIdIndex, accounts, data }) => {
    const program = keys[programIdIndex];
    if (program !== programs.system && (program === undefined || !isTokenProgram(program)))
      return [];
    return [{ program, accounts: accounts.map((index) => keys[index] ?? ''), data: decode(data) }];
  });
}

/** What is on the chain is base58; a node that sends something else says nothing. */
function decode(text: string): Uint8Array {
  return bs58.decodeUnsafe(text) ?? new Uint8Array();
}

const memoPrograms: ReadonlySet<string> = new Set([programs.memo, programs.memoV1]);

/** What top-level instructions of the memo program say, in their order. */
export function memosOf(transaction: ChainTransaction): string[] {
  const keys = accountsOf(transaction);
  return transaction.transaction.message.instructions.flatMap(({ programIdIndex, data }) =>
    memoPrograms.has(keys[programIdIndex] ?? '')
      ? [Buffer.from(decode(data)).toString('utf8')]
      : [],
  );
}

const recentBlockhashes = 'SysvarRecentB1ockHashes11111111111111111111';

/** As {@link livesByNonce}, of a transaction told in brief: what advances a nonce names this. */
export function mayLiveByNonce({ transaction: { message } }: ChainTransaction): boolean {
  return message.accountKeys.includes(recentBlockhashes);
}

/** `AdvanceNonceAccount`, as base58. */
const advanceNonceData = bs58.encode(Uint8Array.of(4, 0, 0, 0));

/** Whether the transaction lives by a durable nonce, as every operation of this service does. */
export function livesByNonce({ transaction: { message } }: ChainTransaction): boolean {
  const first = message.instructions[0];
  return (
    first !== undefined &&
    message.accountKeys[first.programIdIndex] === programs.system &&
    first.data === advanceNonceData
  );
}
