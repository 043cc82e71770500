import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../host/fault.ts';
import type { Machine } from '../host/machine.ts';
import { dataKey } from '../host/storage.ts';
import { fieldOf, record, variant } from '../host/values/contexts.ts';
import { i128, integerOf, symbol } from '../host/values/values.ts';
import type { Frame } from '../host/vm/frame.ts';
import {
  accountFlags,
  amountMax,
  baseReserve,
  changeTrustLine,
  issuerOf,
  type MoveFailure,
  moveClassic,
  newAccount,
  readAccount,
  readTrustLine,
  sameAccount,
  trustLineFlags,
  writeAccount,
  writeTrustLine,
} from '../ledger/accounts.ts';
import { refuse, tokenErrors } from './errors.ts';

export interface Asset {
  readonly machine: Machine;
  readonly frame: Frame;
  readonly asset: xdr.Asset;
}

interface Balance {
  readonly amount: bigint;
  readonly authorized: boolean;
  readonly clawback: boolean;
}

export const adminKey = xdr.ScVal.scvVec([symbol('Admin')]);
const balanceTtl = { threshold: 501_120, extendTo: 518_400 };
const i128Max = 2n ** 127n - 1n;

const balanceKey = (holder: xdr.ScAddress) => variant('Balance', xdr.ScVal.scvAddress(holder));

function issuerFlags({ machine, asset }: Asset): number {
  const issuer = issuerOf(asset);
  return issuer ? (readAccount(machine.storage, issuer)?.flags ?? 0) : 0;
}

function readBalance({ machine, frame }: Asset, holder: xdr.ScAddress): Balance | undefined {
  const data = machine.storage.get(dataKey(frame.contract, balanceKey(holder), 'persistent'))?.entry
    .data;
  if (data?.type !== 'contractData') return undefined;
  const { val } = data.contractData;
  const amount = fieldOf(val, 'amount');
  const authorized = fieldOf(val, 'authorized');
  const clawback = fieldOf(val, 'clawback');
  if (amount.type !== 'scvI128' || authorized.type !== 'scvBool' || clawback.type !== 'scvBool')
    throw unreadable();
  return { amount: integerOf(amount), authorized: authorized.b, clawback: clawback.b };
}

const unreadable = () => fault('storage', 'InternalError', 'a balance that is none');

function writeBalance(
  { machine, frame }: Asset,
  holder: xdr.ScAddress,
  { amount, authorized, clawback }: Balance,
): void {
  const val = record({
    amount: i128(amount),
    authorized: xdr.ScVal.scvBool(authorized),
    clawback: xdr.ScVal.scvBool(clawback),
  });
  const key = dataKey(frame.contract, balanceKey(holder), 'persistent');
  const entry = {
    ext: xdr.ExtensionPoint.v0(),
    contract: frame.contract,
    key: balanceKey(holder),
    val,
  };
  const durability = xdr.ContractDataDurability.persistent;
  machine.storage.put(
    key,
    xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...entry, durability })),
  );
  machine.storage.extend(key, balanceTtl.threshold, balanceTtl.extendTo);
}

export function balanceOf(asset: Asset, holder: xdr.ScAddress): bigint {
  if (holder.type !== 'scAddressTypeAccount') return readBalance(asset, holder)?.amount ?? 0n;
  const { storage } = asset.machine;
  const issuer = issuerOf(asset.asset);
  if (!issuer) {
    const account = readAccount(storage, holder.accountId);
    if (!account) throw refuse(tokenErrors.accountMissing, 'the account does not exist');
    return account.balance;
  }
  if (sameAccount(issuer, holder.accountId)) return amountMax;
  const line = readTrustLine(storage, holder.accountId, asset.asset);
  if (!line)
    throw refuse(tokenErrors.trustLineMissing, 'the account has no trust line for the asset');
  return line.balance;
}

export function isAuthorized(asset: Asset, holder: xdr.ScAddress): boolean {
  if (holder.type !== 'scAddressTypeAccount')
    return (
      readBalance(asset, holder)?.authorized ?? !(issuerFlags(asset) & accountFlags.authRequired)
    );
  const issuer = issuerOf(asset.asset);
  if (!issuer || sameAccount(issuer, holder.accountId)) return true;
  const line = readTrustLine(asset.machine.storage, holder.accountId, asset.asset);
  if (!line)
    throw refuse(tokenErrors.trustLineMissing, 'the account has no trust line for the asset');
  return (line.flags & trustLineFlags.authorized) !== 0;
}

const failures: Record<MoveFailure, readonly [number, string]> = {
  'no account': [tokenErrors.accountMissing, 'the account does not exist'],
  'no trust line': [tokenErrors.trustLineMissing, 'the account has no trust line for the asset'],
  'not authorized': [tokenErrors.deauthorized, 'the issuer has not authorised the trust line'],
  'too little': [tokenErrors.balance, 'the balance is too low'],
  'too much': [tokenErrors.balance, 'the balance would be above its limit'],
};

/** Adds to a balance, or takes from it. @throws HostFault when it may not, or has not enough */
export function move(asset: Asset, holder: xdr.ScAddress, amount: bigint): void {
  if (!isAuthorized(asset, holder))
    throw refuse(tokenErrors.deauthorized, 'the balance is not authorised');
  if (holder.type === 'scAddressTypeAccount') return moveOfAccount(asset, holder.accountId, amount);
  if (holder.type !== 'scAddressTypeContract')
    throw fault('object', 'InternalError', 'this kind of address holds nothing');
  const clawback = (issuerFlags(asset) & accountFlags.clawback) !== 0;
  const before = readBalance(asset, holder) ?? { amount: 0n, authorized: true, clawback };
  const after = before.amount + amount;
  if (after < 0n)
    throw refuse(tokenErrors.balance, `the balance is too low: ${before.amount} of ${-amount}`);
  if (after > i128Max) throw refuse(tokenErrors.overflow, 'the balance would be too large');
  writeBalance(asset, holder, { ...before, amount: after });
}

function moveOfAccount({ machine, asset }: Asset, id: xdr.PublicKey, amount: bigint): void {
  if (amount > amountMax || amount < -amountMax)
    throw refuse(tokenErrors.overflow, 'a classic balance has 64 bits');
  const { storage } = machine;
  const isNew = !issuerOf(asset) && amount > 0n && !readAccount(storage, id);
  if (isNew) {
    if (amount < 2n * baseReserve)
      throw refuse(tokenErrors.reserve, 'a new account needs two reserves');
    writeAccount(storage, newAccount(id, amount, storage.sequence));
    return;
  }
  const failure = moveClassic(storage, id, asset, amount);
  if (failure) throw refuse(...failures[failure]);
}

export function setAuthorized(asset: Asset, holder: xdr.ScAddress, allow: boolean): void {
  const flags = issuerFlags(asset);
  if (!allow && !(flags & accountFlags.authRevocable))
    throw refuse(tokenErrors.notSupported, 'the issuer may not revoke');
  if (holder.type !== 'scAddressTypeAccount') {
    const clawback = (flags & accountFlags.clawback) !== 0;
    writeBalance(asset, holder, {
      ...(readBalance(asset, holder) ?? { amount: 0n, clawback }),
      authorized: allow,
    });
    return;
  }
  const line = readTrustLine(asset.machine.storage, holder.accountId, asset.asset);
  if (!line)
    throw refuse(tokenErrors.trustLineMissing, 'the account has no trust line for the asset');
  const rest = line.flags & ~(trustLineFlags.authorized | trustLineFlags.maintain);
  writeTrustLine(
    asset.machine.storage,
    changeTrustLine(line, { flags: allow ? rest | trustLineFlags.authorized : rest }),
  );
}

interface Allowance {
  readonly from: xdr.ScValAddress;
  readonly spender: xdr.ScValAddress;
  readonly amount: bigint;
}

const allowanceKey = (from: xdr.ScVal, spender: xdr.ScVal) =>
  variant('Allowance', record({ from, spender }));

export function readAllowance(
  { machine, frame }: Asset,
  from: xdr.ScVal,
  spender: xdr.ScVal,
): { readonly amount: bigint; readonly until: number } {
  const data = machine.storage.get(
    dataKey(frame.contract, allowanceKey(from, spender), 'temporary'),
  )?.entry.data;
  if (data?.type !== 'contractData') return { amount: 0n, until: 0 };
  const amount = fieldOf(data.contractData.val, 'amount');
  const until = fieldOf(data.contractData.val, 'live_until_ledger');
  if (amount.type !== 'scvI128' || until.type !== 'scvU32') throw unreadable();
  return until.u32 < machine.storage.sequence
    ? { amount: 0n, until: 0 }
    : { amount: integerOf(amount), until: until.u32 };
}

export function writeAllowance(
  { machine, frame }: Asset,
  { from, spender, amount }: Allowance,
  until: number,
): void {
  const { storage } = machine;
  if (amount > 0n && (until < storage.sequence || until > storage.maxLiveUntil))
    throw refuse(
      tokenErrors.allowance,
      `an allowance ends between ledger ${storage.sequence} and ${storage.maxLiveUntil}`,
    );
  const key = dataKey(frame.contract, allowanceKey(from, spender), 'temporary');
  const val = record({ amount: i128(amount), live_until_ledger: xdr.ScVal.scvU32(until) });
  const entry = {
    ext: xdr.ExtensionPoint.v0(),
    contract: frame.contract,
    key: allowanceKey(from, spender),
    val,
  };
  const durability = xdr.ContractDataDurability.temporary;
  storage.put(
    key,
    xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...entry, durability })),
  );
  const lasts = until - storage.sequence;
  if (lasts > 0) storage.extend(key, lasts, lasts);
}

export function spendAllowance(asset: Asset, { from, spender, amount }: Allowance): void {
  const { amount: allowed, until } = readAllowance(asset, from, spender);
  if (allowed < amount)
    throw refuse(tokenErrors.allowance, `${allowed} are allowed, not ${amount}`);
  if (amount > 0n) writeAllowance(asset, { from, spender, amount: allowed - amount }, until);
}
