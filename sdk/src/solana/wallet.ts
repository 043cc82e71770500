import { hexOfBytes } from '../bytes.ts';
import { base58Of, bytesOfBase58 } from './base58.ts';
import type { Account, Instruction, Message } from './message.ts';
import {
  computeBudgetProgram,
  isDerived,
  readU64,
  systemProgram,
  tokenPrograms,
} from './programs.ts';

/**
 * Instructions of the program that holds smart wallets: programs/solana-wallet/wallet.c says what
 * each does.
 */

export interface WalletProgram {
  readonly program: string;
  readonly seed: Uint8Array;
}

/**
 * The program that holds the wallet: the wallet's address was made of it and of `seed`, and of no
 * other.
 * @param seed base58, as the service says it
 */
export function findWalletProgram(
  { instructions }: Message,
  wallet: string,
  seed: unknown,
): WalletProgram | undefined {
  if (typeof seed !== 'string' || seed.length > 44) return undefined;
  const bytes = bytesOfBase58(seed);
  if (bytes.length !== 32) return undefined;
  const common = [systemProgram, computeBudgetProgram, ...tokenPrograms];
  const program = [...new Set(instructions.map((one) => one.program))].find(
    (one) => !common.includes(one) && isDerived(wallet, one, ['vault', bytes]),
  );
  return program === undefined ? undefined : { program, seed: bytes };
}

export interface Registration {
  readonly signerId: string;
  /** Seconds since 1970, the last that counts; absent: none. */
  readonly until?: bigint;
  readonly scopes: readonly {
    /** Absent: SOL. */
    readonly mint?: string;
    readonly limit?: bigint;
    readonly interval: bigint;
    readonly recipients: readonly string[];
  }[];
}

export type WalletAction = { readonly deadline: bigint } & (
  | {
      readonly kind: 'run';
      readonly instruction: Instruction /** The decimals in it are not signed. */;
      readonly isBare: boolean;
    }
  | { readonly kind: 'register'; readonly registration: Registration }
  | { readonly kind: 'remove'; readonly signerId: string }
  | { readonly kind: 'end' }
);

const headBytes = 21;
const authorised: readonly number[] = [1, 2, 3, 4, 5, 7];

/** True for what makes accounts that were set up with the wallet: nobody approves it. */
export function isSetUp({ data }: Instruction): boolean {
  return data[0] === 0 || data[0] === 6;
}

/** True when it is for this wallet, by the account that it begins with. */
export function isOfWallet(
  { program, seed }: WalletProgram,
  { data, accounts }: Instruction,
): boolean {
  const [state] = accounts;
  return (
    authorised.includes(data[0]!) &&
    state !== undefined &&
    isDerived(state.address, program, ['state', seed])
  );
}

/** @throws TypeError */
export function readAction(instruction: Instruction, wallet: string): WalletAction {
  const { data } = instruction;
  if (data.length < headBytes) throw new TypeError('an instruction of the wallet ends too early');
  const deadline = readU64(data, 5);
  switch (data[0]) {
    case 1:
      return {
        kind: 'run',
        deadline,
        isBare: false,
        instruction: innerOf(instruction, { vaultAt: 1, at: headBytes, wallet }),
      };
    case 7:
      return {
        kind: 'run',
        deadline,
        isBare: false,
        instruction: innerOf(instruction, { vaultAt: 3, at: headBytes + 4, wallet }),
      };
    case 2:
      return {
        kind: 'register',
        deadline,
        registration: readRegistration(data.subarray(headBytes + 4)),
      };
    case 3:
      if (data.length !== headBytes + 4 + 34)
        throw new TypeError('an instruction of the wallet has another length');
      return { kind: 'remove', deadline, signerId: keyAt(data, headBytes + 4) };
    case 4:
      return { kind: 'run', deadline, isBare: true, instruction: transferOf(instruction, wallet) };
    case 5:
      if (data.length !== headBytes)
        throw new TypeError('an instruction of the wallet has another length');
      return { kind: 'end', deadline };
    default:
      throw new TypeError('an instruction of the wallet is not known here');
  }
}

/**
 * Who pays for the account of a signer that is registered or removed: whoever stands there and
 * signs, whatever for.
 */
export function payerOf({ data, accounts }: Instruction): string | undefined {
  return data[0] === 2 || data[0] === 3 ? accounts[2]?.address : undefined;
}

/**
 * What the wallet signs; `vaultAt` is where it stands among the accounts, the inner program and its
 * accounts follow.
 */
function innerOf(
  { accounts, data }: Instruction,
  { vaultAt, at, wallet }: { vaultAt: number; at: number; wallet: string },
): Instruction {
  const count = data[at];
  const program = accounts[vaultAt + 1];
  if (accounts[vaultAt]?.address !== wallet || program === undefined || count === undefined)
    throw new TypeError('an instruction is not signed by the wallet');
  if (accounts.length < vaultAt + 2 + count || data.length < at + 1 + count)
    throw new TypeError('an instruction of the wallet ends too early');
  const flags = data.subarray(at + 1, at + 1 + count);
  return {
    program: program.address,
    accounts: accounts.slice(vaultAt + 2, vaultAt + 2 + count).map(({ address }, index) => ({
      address,
      isWritable: (flags[index]! & 1) !== 0,
      isSigner: (flags[index]! & 2) !== 0,
    })),
    data: data.subarray(at + 1 + count),
  };
}

/** A delegate's transfer, as the instruction that it stands for. */
function transferOf({ accounts, data }: Instruction, wallet: string): Instruction {
  const [, , , vault, fourth, fifth, sixth, program] = accounts.map(({ address }) => address);
  if (data.length !== headBytes + 13 || vault !== wallet || fourth === undefined)
    throw new TypeError('a transfer is not of the wallet');
  const amount = data.subarray(headBytes + 5);
  const account = (address: string, isSigner = false): Account => ({
    address,
    isSigner,
    isWritable: true,
  });
  if (accounts.length === 6 && fifth === systemProgram)
    return {
      program: systemProgram,
      accounts: [account(vault, true), account(fourth)],
      data: Uint8Array.of(2, 0, 0, 0, ...amount),
    };
  if (
    accounts.length !== 8 ||
    fifth === undefined ||
    sixth === undefined ||
    !tokenPrograms.includes(program!)
  )
    throw new TypeError('a transfer is not written in the usual way');
  return {
    program: program!,
    accounts: [account(fourth), account(fifth), account(sixth), account(vault, true)],
    data: Uint8Array.of(12, ...amount, 0),
  };
}

const noLimit = 0xffff_ffff_ffff_ffffn;

function readRegistration(data: Uint8Array): Registration {
  let at = 34 + 8;
  const signerId = keyAt(data, 0);
  const take = (length: number) => {
    if (at + length > data.length) throw new TypeError('a registration ends too early');
    at += length;
    return at - length;
  };
  const address = () => base58Of(data.subarray(take(32), at));
  const scopes = Array.from({ length: data[take(1)]! }, () => {
    const mint = address();
    const [limit, interval] = [readU64(data, take(8)), readU64(data, take(8))];
    const recipients = Array.from({ length: data[take(1)]! }, address);
    return {
      ...(mint === systemProgram ? {} : { mint }),
      ...(limit === noLimit ? {} : { limit }),
      interval,
      recipients,
    };
  });
  if (at !== data.length) throw new TypeError('there are bytes behind a registration');
  const end = readU64(data, 34);
  return { signerId, ...(end === 0n ? {} : { until: end - 1n }), scopes };
}

const keyKinds = ['', 'device:', 'passkey:'] as const;

/** How a signer's key is named here: an address, or kind and compressed point. */
function keyAt(data: Uint8Array, at: number): string {
  const kind = keyKinds[data[at]!];
  if (kind === undefined || data.length < at + 34)
    throw new TypeError('a signer has a key of an unknown kind');
  return kind === ''
    ? base58Of(data.subarray(at + 1, at + 33))
    : kind + hexOfBytes(data.subarray(at + 1, at + 34)).slice(2);
}
