import {
  AccountRole,
  type Address,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit';
import type { WalletAddresses } from './addresses.ts';
import {
  encodeRegistration,
  encodeSetup,
  type Registration,
  type Setup,
  type SignerKey,
  storedKey,
  u32,
  u64,
} from './setup.ts';

/** The program's instructions. wallet.c says what each does. */

const system = '11111111111111111111111111111111' as Address;
export const instructionsSysvar = 'Sysvar1nstructions1111111111111111111111111' as Address;
const kinds = {
  create: 0,
  execute: 1,
  setDelegate: 2,
  removeDelegate: 3,
  transfer: 4,
  raiseEpoch: 5,
  writePlanned: 6,
  executeByDelegate: 7,
} as const;

export const walletErrors = [
  'none',
  'bad instruction',
  'bad accounts',
  'not at the top level of a transaction',
  'bad set-up',
  'no error has this number',
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
  'past its deadline',
  'number used',
] as const;
export type WalletError = (typeof walletErrors)[number];

export function createWallet(wallet: WalletAddresses, setup: Setup, payer: Address): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [writableSigner(payer), writable(wallet.state), readonly(system)],
    data: new Uint8Array([kinds.create, ...encodeSetup(setup)]),
  };
}

/** What every authorised instruction begins with. */
interface Head {
  readonly epoch: number;
  /** Seconds since 1970, the last that counts; absent: none. P-256 keys have one always. */
  readonly deadline?: bigint;
  /** Where P-256 keys approve, a number that no other instruction of theirs has: above 0. */
  readonly number?: bigint;
}

interface AdminCall extends Head {
  /** Members that sign the transaction. */
  readonly signers: readonly Address[];
}

/** Has the wallet sign an instruction that names it as a signer. */
export function execute(wallet: WalletAddresses, inner: Instruction, call: AdminCall): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [stateOf(wallet, call), ...innerAccounts(wallet, inner), ...approving(call)],
    data: new Uint8Array([kinds.execute, ...head(call), ...innerData(inner)]),
  };
}

interface DelegateCall extends AdminCall {
  /** As `findDelegate` says. */
  readonly account: Address;
  /** The delegate's present generation; 0: none yet. */
  readonly generation: number;
  readonly payer: Address;
}

export function setDelegate(
  wallet: WalletAddresses,
  registration: Registration,
  call: DelegateCall,
): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [stateOf(wallet, call), ...delegateAccounts(call), ...approving(call)],
    data: new Uint8Array([
      kinds.setDelegate,
      ...head(call),
      ...u32(call.generation),
      ...encodeRegistration(registration),
    ]),
  };
}

export function removeDelegate(
  wallet: WalletAddresses,
  key: SignerKey,
  call: DelegateCall,
): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [stateOf(wallet, call), ...delegateAccounts(call), ...approving(call)],
    data: new Uint8Array([
      kinds.removeDelegate,
      ...head(call),
      ...u32(call.generation),
      ...storedKey(key),
    ]),
  };
}

/** Registers a delegate of the set-up: nobody approves it. */
export function writePlanned(
  wallet: WalletAddresses,
  registration: Registration,
  call: Pick<DelegateCall, 'account' | 'payer'>,
): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [readonly(wallet.state), ...delegateAccounts(call)],
    data: new Uint8Array([kinds.writePlanned, ...encodeRegistration(registration)]),
  };
}

export function raiseEpoch(wallet: WalletAddresses, call: AdminCall): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [writable(wallet.state), ...approving(call)],
    data: new Uint8Array([kinds.raiseEpoch, ...head(call)]),
  };
}

interface ActingDelegate extends Head {
  readonly delegate: SignerKey;
  /** As `findDelegate` says. */
  readonly account: Address;
  readonly generation: number;
}

/** Has the wallet sign any instruction, by a delegate without scopes. */
export function executeByDelegate(
  wallet: WalletAddresses,
  inner: Instruction,
  call: ActingDelegate,
): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [...actingAccounts(wallet, call), ...innerAccounts(wallet, inner)],
    data: new Uint8Array([
      kinds.executeByDelegate,
      ...head(call),
      ...u32(call.generation),
      ...innerData(inner),
    ]),
  };
}

interface TransferCall extends ActingDelegate {
  readonly scope: number;
  readonly amount: bigint;
}

/** A delegate's transfer of SOL. */
export function transferSol(
  wallet: WalletAddresses,
  recipient: Address,
  call: TransferCall,
): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [
      ...actingAccounts(wallet, call),
      writable(wallet.vault),
      writable(recipient),
      readonly(system),
    ],
    data: encodeTransfer(call),
  };
}

export interface TokenAccounts {
  readonly program: Address;
  readonly mint: Address;
  readonly source: Address;
  readonly destination: Address;
}

/** A delegate's transfer of a token. */
export function transferToken(
  wallet: WalletAddresses,
  tokens: TokenAccounts,
  call: TransferCall,
): Instruction {
  return {
    programAddress: wallet.program,
    accounts: [
      ...actingAccounts(wallet, call),
      readonly(wallet.vault),
      writable(tokens.source),
      readonly(tokens.mint),
      writable(tokens.destination),
      readonly(tokens.program),
    ],
    data: encodeTransfer(call),
  };
}

function encodeTransfer(call: TransferCall): Uint8Array {
  return new Uint8Array([
    kinds.transfer,
    ...head(call),
    ...u32(call.generation),
    call.scope,
    ...u64(call.amount),
  ]);
}

function head({ epoch, deadline = 0n, number = 0n }: Head): number[] {
  return [...u32(epoch), ...u64(deadline), ...u64(number)];
}

/** Numbers of the admin are kept in the state. */
function stateOf({ state }: WalletAddresses, { number }: Head) {
  return number === undefined ? readonly(state) : writable(state);
}

function approving({ signers, number }: AdminCall) {
  return [...signers.map(signer), ...(number === undefined ? [] : [readonly(instructionsSysvar)])];
}

function innerAccounts({ vault }: WalletAddresses, { programAddress, accounts = [] }: Instruction) {
  // Of the wallet's address no signature is wanted outside: the program gives it.
  const outer = accounts.map(({ address, role }) => ({
    address,
    role: address === vault ? withoutSignature(role) : role,
  }));
  return [readonly(vault), readonly(programAddress), ...outer];
}

function innerData({ accounts = [], data = new Uint8Array() }: Instruction): number[] {
  return [
    accounts.length,
    ...accounts.map(({ role }) => (isWritableRole(role) ? 1 : 0) | (isSignerRole(role) ? 2 : 0)),
    ...data,
  ];
}

function actingAccounts(wallet: WalletAddresses, { account, delegate }: ActingDelegate) {
  return [
    readonly(wallet.state),
    writable(account),
    delegate.kind === 'ed25519' ? signer(delegate.address) : readonly(instructionsSysvar),
  ];
}

function delegateAccounts({ account, payer }: Pick<DelegateCall, 'account' | 'payer'>) {
  return [writable(account), writableSigner(payer), readonly(system)];
}

const readonly = (address: Address) => ({ address, role: AccountRole.READONLY });
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
const signer = (address: Address) => ({ address, role: AccountRole.READONLY_SIGNER });
const writableSigner = (address: Address) => ({ address, role: AccountRole.WRITABLE_SIGNER });

function withoutSignature(role: AccountRole): AccountRole {
  return isWritableRole(role) ? AccountRole.WRITABLE : AccountRole.READONLY;
}
