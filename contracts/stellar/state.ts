import { Address, scValToNative, xdr } from '@stellar/stellar-sdk/base';
import { type Group, readStoredKey, type Scope, type SignerKey, storedKey } from './setup.ts';

/** What the chain keeps of a wallet, and where. */

export interface WalletState {
  /** What an admin's nonce has to name. */
  readonly epoch: number;
  /** Between `upgrade` and `migrate`. */
  readonly isLocked: boolean;
  /** Registrations and removals of delegates so far: the generation of the last one. */
  readonly changes: number;
  /** Who acts as the admin. */
  readonly groups: readonly Group[];
}

export interface DelegateState {
  /** What a delegate's nonce, and a registration, have to name. */
  readonly generation: number;
  /** Undefined: removed. Of another epoch than the wallet's: ended. */
  readonly active?: {
    readonly epoch: number;
    readonly expiresAt: bigint;
    readonly scopes: readonly Scope[];
    /** One per scope. */
    readonly windows: readonly { readonly spent: bigint; readonly since: bigint }[];
  };
}

export function walletEntryKey(wallet: string): xdr.LedgerKey {
  return dataKey(wallet, xdr.ScVal.scvLedgerKeyContractInstance());
}

export function delegateEntryKey(wallet: string, key: SignerKey): xdr.LedgerKey {
  return dataKey(wallet, xdr.ScVal.scvBytes(storedKey(key)));
}

/** @param instance the value of the entry */
export function readWallet(instance: xdr.ScVal): WalletState {
  if (instance.type !== 'scvContractInstance') throw new TypeError('The entry is no contract.');
  const storage = new Map(
    (instance.instance.storage ?? []).map(({ key, val }) => [
      String(scValToNative(key)),
      scValToNative(val),
    ]),
  );
  const epoch: unknown = storage.get('epoch');
  const locked: unknown = storage.get('locked');
  const changes: unknown = storage.get('counter');
  const groups: unknown = storage.get('groups');
  if (
    typeof epoch !== 'number' ||
    typeof locked !== 'boolean' ||
    typeof changes !== 'number' ||
    !Array.isArray(groups)
  )
    throw new TypeError('The contract is no wallet.');
  return { epoch, isLocked: locked, changes, groups: groups.map(readGroup) };
}

function readGroup([threshold, members]: readonly [number, readonly Uint8Array[]]): Group {
  return { threshold, members: members.map(readStoredKey) };
}

export function readDelegate(value: xdr.ScVal): DelegateState {
  const [generation, epoch, expiresAt, scopes, windows] = scValToNative(value) as [
    number,
    number?,
    bigint?,
    StoredScope[]?,
    StoredWindow[]?,
  ];
  if (
    epoch === undefined ||
    expiresAt === undefined ||
    scopes === undefined ||
    windows === undefined
  )
    return { generation };
  const active = {
    epoch,
    expiresAt,
    scopes: scopes.map(readScope),
    windows: windows.map(([spent, since]) => ({ spent, since })),
  };
  return { generation, active };
}

type StoredWindow = readonly [spent: bigint, since: bigint];
type StoredScope = readonly [
  token: string,
  limit: bigint | null | undefined,
  interval: bigint,
  recipients: readonly string[],
];

function readScope([token, limit, interval, recipients]: StoredScope): Scope {
  return { token, ...(limit != null && { limit }), interval, recipients };
}

/** Where a contract's entry of its own is. */
export function dataKey(wallet: string, key: xdr.ScVal): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: new Address(wallet).toScAddress(),
      key,
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
}
