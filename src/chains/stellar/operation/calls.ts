import { Address, nativeToScVal, scValToNative, xdr } from '@stellar/stellar-sdk/base';
import type { ContractCall } from '../../../../contracts/stellar/index.ts';
import { readStellarAddress } from '../strkey.ts';

/** Calls of tokens (SEP-41), which every contract of an asset has. */

export interface PlainTransfer {
  /** The token's contract. */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amountMinor: bigint;
  /** Number of a customer of the recipient (CAP-67), which stands in the recipient's address. */
  readonly muxedId?: bigint;
}

/** Undefined for any other call. */
export function readPlainTransfer({
  contract,
  method,
  args,
}: ContractCall): PlainTransfer | undefined {
  const [from, to, amount] = args;
  if (
    method !== 'transfer' ||
    args.length !== 3 ||
    from?.type !== 'scvAddress' ||
    to?.type !== 'scvAddress'
  )
    return undefined;
  if (amount?.type !== 'scvI128') return undefined;
  const sender = Address.fromScAddress(from.address).toString();
  return {
    token: contract,
    from: sender,
    ...readRecipient(to.address),
    amountMinor: scValToNative(amount) as bigint,
  };
}

/** What somebody may take of another's tokens, or whose are destroyed where it is nobody. */
export interface PlainAllowance {
  readonly token: string;
  readonly from: string;
  readonly spender?: string;
  readonly amountMinor: bigint;
}

/** Of `approve` and `burn`; undefined for any other call. */
export function readPlainAllowance({
  contract: token,
  method,
  args,
}: ContractCall): PlainAllowance | undefined {
  const isBurn = method === 'burn' && args.length === 2;
  if (!isBurn && (method !== 'approve' || args.length !== 4)) return undefined;
  const [from, amount, spender] = [args[0], args[isBurn ? 1 : 2], isBurn ? undefined : args[1]];
  if (
    from?.type !== 'scvAddress' ||
    amount?.type !== 'scvI128' ||
    (!isBurn && spender?.type !== 'scvAddress')
  )
    return undefined;
  const to =
    spender?.type === 'scvAddress'
      ? { spender: Address.fromScAddress(spender.address).toString() }
      : {};
  return {
    token,
    from: Address.fromScAddress(from.address).toString(),
    ...to,
    amountMinor: scValToNative(amount) as bigint,
  };
}

/** An address without the number of a customer of it, and that number. */
export function readRecipient(address: xdr.ScAddress): Pick<PlainTransfer, 'to' | 'muxedId'> {
  if (address.type !== 'scAddressTypeMuxedAccount')
    return { to: Address.fromScAddress(address).toString() };
  const { ed25519, id } = address.muxedAccount;
  const account = xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(ed25519));
  return { to: Address.fromScAddress(account).toString(), muxedId: id };
}

/** The address of an account with a customer's number. @param account G… */
export function muxedAddress(account: string, id: bigint): xdr.ScVal {
  const ed25519 = readStellarAddress(account)!.bytes;
  return xdr.ScVal.scvAddress(
    xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account({ id, ed25519 })),
  );
}

type ArgType = 'address' | 'i128' | 'u32';
const tokenMethods: Readonly<Record<string, Readonly<Record<string, ArgType>>>> = {
  transfer: { from: 'address', to: 'address', amount: 'i128' },
  transfer_from: { spender: 'address', from: 'address', to: 'address', amount: 'i128' },
  approve: { from: 'address', spender: 'address', amount: 'i128', expiration_ledger: 'u32' },
  burn: { from: 'address', amount: 'i128' },
  burn_from: { spender: 'address', from: 'address', amount: 'i128' },
  balance: { id: 'address' },
};

/**
 * Arguments of a method of an asset's contract.
 * @throws TypeError naming what is wrong, as the rest of a sentence
 */
export function tokenArgs(method: string, named: Readonly<Record<string, unknown>>): xdr.ScVal[] {
  const types = Object.hasOwn(tokenMethods, method) ? tokenMethods[method] : undefined;
  if (!types)
    throw new TypeError(`method: contracts of assets have ${Object.keys(tokenMethods).join(', ')}`);
  const unknown = Object.keys(named).find((name) => !Object.hasOwn(types, name));
  if (unknown !== undefined)
    throw new TypeError(
      `args.${unknown.slice(0, 40)}: ${method} has ${Object.keys(types).join(', ')}`,
    );
  return Object.entries(types).map(([name, type]) => toArg(type, named[name], name));
}

function toArg(type: ArgType, value: unknown, name: string): xdr.ScVal {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? value.toString() : value;
  if (typeof text !== 'string') throw new TypeError(`args.${name}: is missing`);
  if (type === 'address') {
    if (!readStellarAddress(text)) throw new TypeError(`args.${name}: is not a Stellar address`);
    return new Address(text).toScVal();
  }
  if (!/^-?\d{1,39}$/.test(text))
    throw new TypeError(`args.${name}: must be a whole number, as decimal text`);
  try {
    return nativeToScVal(BigInt(text), { type });
  } catch {
    throw new TypeError(`args.${name}: does not fit into ${type}`);
  }
}
