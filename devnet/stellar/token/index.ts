import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../host/fault.ts';
import { lookUp, withEntry } from '../host/functions/maps.ts';
import type { AssetContract } from '../host/machine.ts';
import { instanceKey } from '../host/storage.ts';
import { record, variant } from '../host/values/contexts.ts';
import { i128, integerOf, symbol } from '../host/values/values.ts';
import type { Frame } from '../host/vm/frame.ts';
import { assetCode, assetName, issuerOf } from '../ledger/accounts.ts';
import {
  type Asset,
  adminKey,
  balanceOf,
  isAuthorized,
  move,
  readAllowance,
  setAuthorized,
  spendAllowance,
  writeAllowance,
} from './balances.ts';
import { refuse, tokenErrors } from './errors.ts';

type Serve = (asset: Asset, args: readonly xdr.ScVal[]) => xdr.ScVal;

const ttl = { threshold: 103_680, extendTo: 120_960 };
const nothing = xdr.ScVal.scvVoid();
const assetInfoKey = xdr.ScVal.scvVec([symbol('AssetInfo')]);
const assetKey = symbol('METADATA');

/**
 * The contract that the network has for each classic asset (CAP-46-6): its balances are those of
 * accounts and trust lines.
 */
export const assetContract: AssetContract = (machine, frame) => {
  if (frame.fn === 'init_asset') return init(frame);
  const serve = Object.hasOwn(functions, frame.fn)
    ? functions[frame.fn as keyof typeof functions]
    : undefined;
  if (!serve)
    throw fault('wasmVm', 'MissingValue', `the contract of an asset has no function ${frame.fn}`);
  const [count, run] = serve;
  if (frame.args.length !== count)
    throw fault(
      'wasmVm',
      'UnexpectedSize',
      `${frame.fn} takes ${count} values, not ${frame.args.length}`,
    );
  machine.budget.charge(200_000);
  machine.storage.extend(instanceKey(frame.contract), ttl.threshold, ttl.extendTo);
  return run({ machine, frame, asset: readAsset(frame) }, frame.args);
};

function init(frame: Frame): xdr.ScVal {
  const [bytes] = frame.args;
  if (bytes?.type !== 'scvBytes') throw fault('value', 'UnexpectedType', 'an asset is needed');
  const asset = xdr.Asset.fromXdr(bytes.bytes.value);
  const name = assetName(asset);
  const code = assetCode(asset);
  const metadata = record({
    decimal: xdr.ScVal.scvU32(7),
    name: xdr.ScVal.scvString(name),
    symbol: xdr.ScVal.scvString(code === '' ? 'native' : code),
  });
  frame.setInstance(
    withEntry(withEntry(frame.instance, assetKey, metadata), assetInfoKey, infoOf(asset)),
  );
  const issuer = issuerOf(asset);
  if (issuer)
    frame.setInstance(
      withEntry(
        frame.instance,
        adminKey,
        xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeAccount(issuer)),
      ),
    );
  return nothing;
}

function infoOf(asset: xdr.Asset): xdr.ScVal {
  if (asset.type === 'assetTypeNative') return variant('Native');
  const [name, { assetCode: code, issuer }] =
    asset.type === 'assetTypeCreditAlphanum4'
      ? (['AlphaNum4', asset.alphaNum4] as const)
      : (['AlphaNum12', asset.alphaNum12] as const);
  return variant(
    name,
    record({
      asset_code: xdr.ScVal.scvString(code.value),
      issuer: xdr.ScVal.scvBytes(issuer.ed25519.value),
    }),
  );
}

function readAsset({ instance }: Frame): xdr.Asset {
  const info = lookUp(instance, assetInfoKey);
  const [name, fields] = info?.type === 'scvVec' ? (info.vec ?? []) : [];
  if (name?.type !== 'scvSymbol')
    throw fault('storage', 'MissingValue', 'the contract is of no asset');
  if (fields?.type !== 'scvMap') return xdr.Asset.assetTypeNative();
  const [code, issuer] = (fields.map ?? []).map(({ val }) => val);
  if (code?.type !== 'scvString' || issuer?.type !== 'scvBytes')
    throw fault('storage', 'InternalError', 'an asset that is none');
  const parts = {
    assetCode: code.str.bytes,
    issuer: xdr.PublicKey.publicKeyTypeEd25519(issuer.bytes.value),
  };
  return name.sym.toString() === 'AlphaNum4'
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4(parts))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12(parts));
}

const textField =
  (name: 'name' | 'symbol'): Serve =>
  ({ frame }) => {
    const metadata = lookUp(frame.instance, assetKey);
    const fields = metadata?.type === 'scvMap' ? (metadata.map ?? []) : [];
    return lookUp(fields, symbol(name)) ?? xdr.ScVal.scvString('');
  };

function addressArg(value: xdr.ScVal | undefined): xdr.ScValAddress {
  if (value?.type !== 'scvAddress') throw fault('value', 'UnexpectedType', 'an address is needed');
  return value;
}

/** @throws HostFault for less than nothing */
function amountArg(value: xdr.ScVal | undefined): bigint {
  if (value?.type !== 'scvI128') throw fault('value', 'UnexpectedType', 'an i128 is needed');
  const amount = integerOf(value);
  if (amount < 0n) throw refuse(tokenErrors.negativeAmount, 'an amount is not negative');
  return amount;
}

function u32Arg(value: xdr.ScVal | undefined): number {
  if (value?.type !== 'scvU32') throw fault('value', 'UnexpectedType', 'a u32 is needed');
  return value.u32;
}

function adminOf({ frame }: Asset): xdr.ScValAddress {
  const admin = lookUp(frame.instance, adminKey);
  if (admin?.type !== 'scvAddress')
    throw refuse(tokenErrors.notSupported, 'the asset has no administrator');
  return admin;
}

function requireAdmin(asset: Asset): xdr.ScValAddress {
  const admin = adminOf(asset);
  asset.machine.auth.require(admin, asset.frame.args);
  return admin;
}

function isIssuer({ asset }: Asset, { address }: xdr.ScValAddress): boolean {
  const issuer = issuerOf(asset);
  return (
    issuer !== undefined &&
    address.type === 'scAddressTypeAccount' &&
    address.accountId.equals(issuer)
  );
}

function emit(
  { machine, asset }: Asset,
  name: string,
  addresses: readonly xdr.ScVal[],
  data: xdr.ScVal,
): void {
  machine.emit(
    'contract',
    [symbol(name), ...addresses, xdr.ScVal.scvString(assetName(asset))],
    data,
  );
}

/** What comes from an issuer is minted, what goes to it is burnt. */
function emitTransfer(asset: Asset, { from, to, amount, muxedId }: Transfer): void {
  const data =
    muxedId === undefined
      ? i128(amount)
      : record({ amount: i128(amount), to_muxed_id: xdr.ScVal.scvU64(muxedId) });
  if (from.equals(to)) emit(asset, 'transfer', [from, to], data);
  else if (isIssuer(asset, from)) emit(asset, 'mint', [to], data);
  else if (isIssuer(asset, to)) emit(asset, 'burn', [from], i128(amount));
  else emit(asset, 'transfer', [from, to], data);
}

interface Transfer {
  readonly from: xdr.ScValAddress;
  readonly to: xdr.ScValAddress;
  readonly amount: bigint;
  readonly muxedId?: bigint;
}

function transfer(asset: Asset, parts: Transfer): xdr.ScVal {
  move(asset, parts.from.address, -parts.amount);
  move(asset, parts.to.address, parts.amount);
  emitTransfer(asset, parts);
  return nothing;
}

/** A muxed recipient is its account; the number is told in the event. */
function recipient(value: xdr.ScVal | undefined): Pick<Transfer, 'to' | 'muxedId'> {
  const to = addressArg(value);
  if (to.address.type !== 'scAddressTypeMuxedAccount') return { to };
  const { ed25519, id } = to.address.muxedAccount;
  const account = xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(ed25519));
  return { to: new xdr.ScValAddress(account), muxedId: id };
}

function burn(asset: Asset, from: xdr.ScValAddress, amount: bigint): xdr.ScVal {
  move(asset, from.address, -amount);
  emit(asset, 'burn', [from], i128(amount));
  return nothing;
}

function checkBurnable(asset: Asset, from: xdr.ScValAddress): void {
  if (!issuerOf(asset.asset) || isIssuer(asset, from))
    throw refuse(tokenErrors.notSupported, 'neither lumens nor an issuer can burn');
}

const functions = {
  balance: [1, (asset, [who]) => i128(balanceOf(asset, addressArg(who).address))],
  transfer: [
    3,
    (asset, [from, to, amount]) => {
      const sender = addressArg(from);
      const value = amountArg(amount);
      const receiver = recipient(to);
      asset.machine.auth.require(sender, asset.frame.args);
      return transfer(asset, { from: sender, amount: value, ...receiver });
    },
  ],
  transfer_from: [
    4,
    (asset, [spender, from, to, amount]) => {
      const value = amountArg(amount);
      asset.machine.auth.require(addressArg(spender), asset.frame.args);
      spendAllowance(asset, {
        from: addressArg(from),
        spender: addressArg(spender),
        amount: value,
      });
      return transfer(asset, { from: addressArg(from), to: addressArg(to), amount: value });
    },
  ],
  approve: [
    4,
    (asset, [from, spender, amount, until]) => {
      const value = amountArg(amount);
      asset.machine.auth.require(addressArg(from), asset.frame.args);
      writeAllowance(
        asset,
        { from: addressArg(from), spender: addressArg(spender), amount: value },
        u32Arg(until),
      );
      emit(
        asset,
        'approve',
        [addressArg(from), addressArg(spender)],
        xdr.ScVal.scvVec([i128(value), until!]),
      );
      return nothing;
    },
  ],
  allowance: [
    2,
    (asset, [from, spender]) =>
      i128(readAllowance(asset, addressArg(from), addressArg(spender)).amount),
  ],
  burn: [
    2,
    (asset, [from, amount]) => {
      const value = amountArg(amount);
      checkBurnable(asset, addressArg(from));
      asset.machine.auth.require(addressArg(from), asset.frame.args);
      return burn(asset, addressArg(from), value);
    },
  ],
  burn_from: [
    3,
    (asset, [spender, from, amount]) => {
      const value = amountArg(amount);
      checkBurnable(asset, addressArg(from));
      asset.machine.auth.require(addressArg(spender), asset.frame.args);
      spendAllowance(asset, {
        from: addressArg(from),
        spender: addressArg(spender),
        amount: value,
      });
      return burn(asset, addressArg(from), value);
    },
  ],
  mint: [
    2,
    (asset, [to, amount]) => {
      const value = amountArg(amount);
      if (isIssuer(asset, addressArg(to)))
        throw refuse(tokenErrors.notSupported, 'an issuer holds none of its asset');
      requireAdmin(asset);
      move(asset, addressArg(to).address, value);
      emit(asset, 'mint', [to!], i128(value));
      return nothing;
    },
  ],
  authorized: [
    1,
    (asset, [who]) => xdr.ScVal.scvBool(isAuthorized(asset, addressArg(who).address)),
  ],
  set_authorized: [
    2,
    (asset, [who, allow]) => {
      if (allow?.type !== 'scvBool') throw fault('value', 'UnexpectedType', 'a bool is needed');
      requireAdmin(asset);
      setAuthorized(asset, addressArg(who).address, allow.b);
      emit(asset, 'set_authorized', [who!], allow);
      return nothing;
    },
  ],
  set_admin: [
    1,
    (asset, [next]) => {
      const admin = requireAdmin(asset);
      asset.frame.setInstance(withEntry(asset.frame.instance, adminKey, addressArg(next)));
      emit(asset, 'set_admin', [admin], addressArg(next));
      return nothing;
    },
  ],
  admin: [0, (asset) => adminOf(asset)],
  decimals: [0, () => xdr.ScVal.scvU32(7)],
  name: [0, textField('name')],
  symbol: [0, textField('symbol')],
} satisfies Record<string, readonly [number, Serve]>;
