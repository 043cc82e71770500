import { Address, xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { instanceKey } from '../storage.ts';
import { invocationOf, variant } from '../values/contexts.ts';
import { type Call, define, type HostTable } from './define.ts';

function textOf(value: xdr.ScVal): string {
  if (value.type === 'scvString') return value.str.toString();
  if (value.type === 'scvBytes') return Buffer.from(value.bytes.value).toString();
  throw fault('value', 'UnexpectedType', 'an address is written as a string');
}

function parse(value: xdr.ScVal, kinds: readonly string[]): xdr.ScVal {
  let address: Address;
  try {
    address = new Address(textOf(value));
  } catch {
    throw fault('value', 'InvalidInput', 'no address');
  }
  if (!kinds.includes(address.type))
    throw fault('value', 'InvalidInput', `no address of this kind: ${address.type}`);
  return address.toScVal();
}

const write = (address: xdr.ScAddress) =>
  xdr.ScVal.scvString(Address.fromScAddress(address).toString());

function muxed({ address }: xdr.ScValAddress): xdr.MuxedEd25519Account {
  if (address.type !== 'scAddressTypeMuxedAccount')
    throw fault('object', 'UnexpectedType', 'no muxed address');
  return address.muxedAccount;
}

/** Account, contract with code, contract of an asset, or nothing. */
function executableOf({ machine }: Call, address: xdr.ScAddress): xdr.ScVal {
  if (address.type === 'scAddressTypeAccount') {
    const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: address.accountId }));
    return machine.storage.has(key) ? variant('Account') : xdr.ScVal.scvVoid();
  }
  const stored = machine.storage.get(instanceKey(address));
  if (stored?.entry.data.type !== 'contractData') return xdr.ScVal.scvVoid();
  const { val } = stored.entry.data.contractData;
  if (val.type !== 'scvContractInstance') return xdr.ScVal.scvVoid();
  const { executable } = val.instance;
  if (executable.type === 'contractExecutableWasm')
    return variant('Wasm', xdr.ScVal.scvBytes(executable.wasmHash.value));
  return variant('StellarAsset');
}

export const addressFunctions: HostTable = [
  define('a._', ['AddressObject', 'VecObject'], 'Void', ({ machine }, address, args) =>
    machine.auth.require(address, args),
  ),
  define('a.0', ['AddressObject'], 'Void', ({ machine, frame }, address) =>
    machine.auth.require(address, frame.args),
  ),
  define('a.1', ['Val'], 'Val', (_, text) => parse(text, ['account', 'contract'])),
  define('a.2', ['AddressObject'], 'Val', (_, { address }) => write(address)),
  define('a.3', ['VecObject'], 'Void', ({ machine, frame }, entries) => {
    machine.auth.allowAsInvoker(
      frame.id,
      entries.map((entry) => invocationOf(entry, frame.contract)),
    );
  }),
  define('a.4', ['MuxedAddressObject'], 'Val', (_, address) =>
    xdr.ScVal.scvAddress(
      xdr.ScAddress.scAddressTypeAccount(
        xdr.PublicKey.publicKeyTypeEd25519(muxed(address).ed25519),
      ),
    ),
  ),
  define('a.5', ['MuxedAddressObject'], 'Val', (_, address) => xdr.ScVal.scvU64(muxed(address).id)),
  define('a.6', ['AddressObject'], 'Val', (call, { address }) => executableOf(call, address)),
  define('a.7', ['Val'], 'Val', (_, text) => parse(text, ['account', 'contract', 'muxedAccount'])),
  define('a.8', ['Val'], 'Val', (_, value) => {
    if (value.type !== 'scvAddress') throw fault('value', 'UnexpectedType', 'no address');
    return write(value.address);
  }),
  define('a.9', [], 'Vec', ({ machine }) => machine.auth.delegatedSigners),
  define('a.a', ['AddressObject'], 'Void', ({ machine }, address) =>
    machine.auth.delegate(address),
  ),
];
