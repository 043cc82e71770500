import { createHash } from 'node:crypto';
import {
  AccountRole,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit';

/** The program's addresses and instructions. wallet.c says what each does. */

export interface Setup {
  readonly salt: Uint8Array;
  readonly threshold: number;
  /** Keys of the admin: 1 to 10. */
  readonly members: readonly Address[];
}

export interface Scope {
  /** Absent: SOL. */
  readonly mint?: Address;
  /** In the smallest unit; absent: none. */
  readonly limit?: bigint;
  /** Seconds after which a limit begins anew; 0: never. */
  readonly interval: bigint;
  /** Empty: anybody. */
  readonly recipients: readonly Address[];
}

export interface Registration {
  readonly key: Address;
  /** Seconds since 1970; 0: none. */
  readonly expiresAt: bigint;
  /** Empty: transfers of any token, without limits. */
  readonly scopes: readonly Scope[];
}

export interface WalletAddresses {
  readonly program: Address;
  readonly id: Uint8Array;
  readonly state: Address;
  /** The wallet's address. */
  readonly vault: Address;
}

const encoder = getAddressEncoder();
const system = '11111111111111111111111111111111' as Address;
const keyKind = 0;
const noLimit = 0xffff_ffff_ffff_ffffn;
const kinds = { create: 0, execute: 1, setDelegate: 2, removeDelegate: 3, transfer: 4, raiseEpoch: 5 } as const;

export const walletErrors = [
  'none',
  'bad instruction',
  'bad accounts',
  'not at the top level of a transaction',
  'bad set-up',
  'there already',
  'wrong epoch',
  'not enough signers',
  'wrong generation',
  'unknown delegate',
  'expired',
  'out of scope',
  'wrong recipient',
  'limit exceeded',
  'bad token account',
  'forbidden call',
] as const;
export type WalletError = (typeof walletErrors)[number];

export function encodeSetup({ salt, threshold, members }: Setup): Uint8Array {
  return new Uint8Array([...salt, threshold, members.length, ...members.flatMap((key) => [keyKind, ...encoder.encode(key), 0])]);
}

/** Known before anything exists. */
export async function findWallet(program: Address, setup: Setup): Promise<WalletAddresses> {
  const id = new Uint8Array(createHash('sha256').update(encodeSetup(setup)).digest());
  const [state] = await getProgramDerivedAddress({ programAddress: program, seeds: ['state', id] });
  const [vault] = await getProgramDerivedAddress({ programAddress: program, seeds: ['vault', id] });
  return { program, id, state, vault };
}

/** Where a delegate's registration is kept: always the same for one wallet and key. */
export async function findDelegate({ program, id }: WalletAddresses, key: Address): Promise<Address> {
  const [address] = await getProgramDerivedAddress({ programAddress: program, seeds: ['delegate', id, encoder.encode(key)] });
  return address;
}

export function createWallet(wallet: WalletAddresses, setup: Setup, payer: Address): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [writableSigner(payer), writable(wallet.state), readonly(system)],
    data: new Uint8Array([kinds.create, ...encodeSetup(setup)]),
  };
}

interface AdminCall {
  readonly epoch: number;
  /** Members that sign the transaction. */
  readonly signers: readonly Address[];
}

/** Has the wallet sign an instruction that names it as a signer. */
export function execute(wallet: WalletAddresses, inner: Instruction, { epoch, signers }: AdminCall): Instruction {
  const accounts = inner.accounts ?? [];
  const flags = accounts.map(({ role }) => (isWritableRole(role) ? 1 : 0) | (isSignerRole(role) ? 2 : 0));
  // Of the wallet's address no signature is wanted outside: the program gives it.
  const outer = accounts.map(({ address, role }) => ({ address, role: address === wallet.vault ? withoutSignature(role) : role }));
  return {
    programAddress: wallet.program,
    accounts: [readonly(wallet.state), readonly(wallet.vault), readonly(inner.programAddress), ...outer, ...signers.map(signer)],
    data: new Uint8Array([kinds.execute, ...u32(epoch), accounts.length, ...flags, ...(inner.data ?? [])]),
  };
}

interface DelegateCall extends AdminCall {
  /** As `findDelegate` says. */
  readonly account: Address;
  /** The delegate's present generation; 0: none yet. */
  readonly generation: number;
  readonly payer: Address;
}

export function setDelegate(wallet: WalletAddresses, registration: Registration, call: DelegateCall): Instruction {
  const { key, expiresAt, scopes } = registration;
  const head = [...u32(call.epoch), ...u32(call.generation), keyKind, ...encoder.encode(key), ...u64(expiresAt), scopes.length];
  return {
    programAddress: wallet.program,
    accounts: delegateAccounts(wallet, call),
    data: new Uint8Array([kinds.setDelegate, ...head, ...scopes.flatMap(encodeScope)]),
  };
}

export function removeDelegate(wallet: WalletAddresses, key: Address, call: DelegateCall): Instruction {
  return {
    programAddress: wallet.program,
    accounts: delegateAccounts(wallet, call),
    data: new Uint8Array([kinds.removeDelegate, ...u32(call.epoch), ...u32(call.generation), keyKind, ...encoder.encode(key)]),
  };
}

export function raiseEpoch(wallet: WalletAddresses, { epoch, signers }: AdminCall): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [writable(wallet.state), ...signers.map(signer)],
    data: new Uint8Array([kinds.raiseEpoch, ...u32(epoch)]),
  };
}

interface TransferCall {
  readonly delegate: Address;
  /** As `findDelegate` says. */
  readonly account: Address;
  readonly epoch: number;
  readonly generation: number;
  readonly scope: number;
  readonly amount: bigint;
}

/** A delegate's transfer of SOL. */
export function transferSol(wallet: WalletAddresses, recipient: Address, call: TransferCall): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [...transferAccounts(wallet, call), writable(wallet.vault), writable(recipient), readonly(system)],
    data: encodeTransfer(call),
  };
}

interface TokenAccounts {
  readonly program: Address;
  readonly mint: Address;
  readonly source: Address;
  readonly destination: Address;
}

/** A delegate's transfer of a token. */
export function transferToken(wallet: WalletAddresses, tokens: TokenAccounts, call: TransferCall): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [
      ...transferAccounts(wallet, call),
      readonly(wallet.vault),
      writable(tokens.source),
      readonly(tokens.mint),
      writable(tokens.destination),
      readonly(tokens.program),
    ],
    data: encodeTransfer(call),
  };
}

function encodeTransfer({ epoch, generation, scope, amount }: TransferCall): Uint8Array {
  return new Uint8Array([kinds.transfer, ...u32(epoch), ...u32(generation), scope, ...u64(amount)]);
}

function transferAccounts(wallet: WalletAddresses, { account, delegate }: TransferCall) {
  return [readonly(wallet.state), writable(account), signer(delegate)];
}

function delegateAccounts(wallet: WalletAddresses, { account, payer, signers }: DelegateCall) {
  return [readonly(wallet.state), writable(account), writableSigner(payer), readonly(system), ...signers.map(signer)];
}

function encodeScope({ mint, limit, interval, recipients }: Scope): number[] {
  const keys = recipients.flatMap((key) => [...encoder.encode(key)]);
  return [...encoder.encode(mint ?? system), ...u64(limit ?? noLimit), ...u64(interval), recipients.length, ...keys];
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

const readonly = (address: Address) => ({ address, role: AccountRole.READONLY });
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
const signer = (address: Address) => ({ address, role: AccountRole.READONLY_SIGNER });
const writableSigner = (address: Address) => ({ address, role: AccountRole.WRITABLE_SIGNER });

function withoutSignature(role: AccountRole): AccountRole {
  return isWritableRole(role) ? AccountRole.WRITABLE : AccountRole.READONLY;
}
