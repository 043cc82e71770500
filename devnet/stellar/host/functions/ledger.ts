import { Asset, xdr } from '@stellar/stellar-sdk/base';
import { contractAddress, readInstance } from '../deploy.ts';
import { fault } from '../fault.ts';
import { codeKey, dataKey, instanceKey } from '../storage.ts';
import { variant } from '../values/contexts.ts';
import { type Call, define, type HostTable } from './define.ts';
import { find, lookUp, withEntry, withoutEntry } from './maps.ts';

type Durability = 'temporary' | 'persistent';

const keyOf = ({ frame }: Call, key: xdr.ScVal, durability: Durability) =>
  dataKey(frame.contract, key, durability);
const missing = (key: xdr.ScVal) =>
  fault('storage', 'MissingValue', `nothing is stored under ${JSON.stringify(key.toJson())}`);

function read(call: Call, key: xdr.ScVal, type: Durability | 'instance'): xdr.ScVal | undefined {
  if (type === 'instance') return lookUp(call.frame.instance, key);
  const stored = call.machine.storage.get(keyOf(call, key, type));
  return stored?.entry.data.type === 'contractData'
    ? stored.entry.data.contractData.val
    : undefined;
}

function write(call: Call, key: xdr.ScVal, val: xdr.ScVal, type: Durability | 'instance'): void {
  const { machine, frame } = call;
  if (type === 'instance') return frame.setInstance(withEntry(frame.instance, key, val));
  machine.storage.put(
    keyOf(call, key, type),
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: frame.contract,
        key,
        durability: xdr.ContractDataDurability[type],
        val,
      }),
    ),
  );
}

function remove(call: Call, key: xdr.ScVal, type: Durability | 'instance'): void {
  const { machine, frame } = call;
  if (type !== 'instance') return machine.storage.delete(keyOf(call, key, type));
  const rest = withoutEntry(frame.instance, key);
  if (rest) frame.setInstance(rest);
}

/** Keys of a contract's instance and, where it has some, of its code. */
function keysOf(
  { machine }: Call,
  contract: xdr.ScAddress,
): { readonly instance: xdr.LedgerKey; readonly code?: xdr.LedgerKey } {
  const { executable } = readInstance(machine.storage, contract);
  const code =
    executable.type === 'contractExecutableWasm' ? codeKey(executable.wasmHash.value) : undefined;
  return { instance: instanceKey(contract), code };
}

interface Extension {
  readonly contract: xdr.ScAddress;
  readonly scope: 'both' | 'instance' | 'code';
  readonly extend: (key: xdr.LedgerKey) => void;
}

function extendContract(call: Call, { contract, scope, extend }: Extension): void {
  const { instance, code } = keysOf(call, contract);
  if (scope !== 'instance' && code) extend(code);
  if (scope !== 'code') extend(instance);
}

const scopes = ['both', 'instance', 'code'] as const;

/** The instance's storage lives and dies with the instance. */
const dataOrInstance = (call: Call, key: xdr.ScVal, type: Durability | 'instance') =>
  type === 'instance' ? instanceKey(call.frame.contract) : keyOf(call, key, type);

function assetPreimage(bytes: Uint8Array): xdr.ContractIdPreimage {
  try {
    const asset = xdr.Asset.fromXdr(bytes);
    Asset.fromOperation(asset);
    return xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset);
  } catch {
    throw fault('value', 'InvalidInput', 'no asset');
  }
}

function addressPreimage(deployer: xdr.ScValAddress, salt: Uint8Array): xdr.ContractIdPreimage {
  if (salt.length !== 32) throw fault('value', 'UnexpectedSize', 'a salt has 32 bytes');
  return xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address: deployer.address, salt }),
  );
}

interface Creation {
  readonly deployer: xdr.ScValAddress;
  readonly wasmHash: Uint8Array;
  readonly salt: Uint8Array;
  readonly args: readonly xdr.ScVal[];
}

function create({ machine }: Call, { deployer, wasmHash, salt, args }: Creation): xdr.ScVal {
  if (wasmHash.length !== 32)
    throw fault('value', 'UnexpectedSize', 'the hash of code has 32 bytes');
  const contract = machine.create({
    deployer,
    args: new xdr.CreateContractArgsV2({
      contractIdPreimage: addressPreimage(deployer, salt),
      executable: xdr.ContractExecutable.contractExecutableWasm(wasmHash),
      constructorArgs: [...args],
    }),
  });
  return xdr.ScVal.scvAddress(contract);
}

const executableOf = (wasmHash: Uint8Array) => variant('Wasm', xdr.ScVal.scvBytes(wasmHash));

export const ledgerFunctions: HostTable = [
  define('l._', ['Val', 'Val', 'StorageType'], 'Void', write),
  define('l.0', ['Val', 'StorageType'], 'Bool', (call, key, type) =>
    type === 'instance'
      ? find(call.frame.instance, key).isThere
      : read(call, key, type) !== undefined,
  ),
  define('l.1', ['Val', 'StorageType'], 'Val', (call, key, type) => {
    const value = read(call, key, type);
    if (!value) throw missing(key);
    return value;
  }),
  define('l.2', ['Val', 'StorageType'], 'Void', remove),
  define(
    'l.3',
    ['AddressObject', 'BytesObject', 'BytesObject'],
    'Val',
    (call, deployer, wasmHash, salt) => create(call, { deployer, wasmHash, salt, args: [] }),
  ),
  define('l.4', ['BytesObject'], 'Val', ({ machine }, asset) => {
    const args = new xdr.CreateContractArgsV2({
      contractIdPreimage: assetPreimage(asset),
      executable: xdr.ContractExecutable.contractExecutableStellarAsset(),
      constructorArgs: [],
    });
    return xdr.ScVal.scvAddress(machine.create({ args }));
  }),
  define('l.5', ['BytesObject'], 'Bytes', ({ machine }, wasm) => machine.upload(wasm)),
  define('l.6', ['BytesObject'], 'Void', ({ machine, frame }, wasmHash) => {
    const stored = machine.storage.get(codeKey(wasmHash));
    if (!stored) throw fault('storage', 'MissingValue', 'the new code was not uploaded');
    const { executable } = readInstance(machine.storage, frame.contract);
    if (executable.type !== 'contractExecutableWasm')
      throw fault('context', 'InternalError', 'only code replaces code');
    machine.emit(
      'system',
      [
        xdr.ScVal.scvSymbol('executable_update'),
        executableOf(executable.wasmHash.value),
        executableOf(wasmHash),
      ],
      xdr.ScVal.scvVec([]),
    );
    machine.upgrade(frame.contract, xdr.ContractExecutable.contractExecutableWasm(wasmHash));
  }),
  define(
    'l.7',
    ['Val', 'StorageType', 'U32Val', 'U32Val'],
    'Void',
    (call, key, type, threshold, extendTo) =>
      call.machine.storage.extend(dataOrInstance(call, key, type), threshold, extendTo),
  ),
  define('l.8', ['U32Val', 'U32Val'], 'Void', (call, threshold, extendTo) =>
    extendContract(call, {
      contract: call.frame.contract,
      scope: 'both',
      extend: (key) => call.machine.storage.extend(key, threshold, extendTo),
    }),
  ),
  ...(['both', 'instance', 'code'] as const).map((scope, index) =>
    define(
      `l.${'9cd'[index]}`,
      ['AddressObject', 'U32Val', 'U32Val'],
      'Void',
      (call, { address }, threshold, extendTo) =>
        extendContract(call, {
          contract: address,
          scope,
          extend: (key) => call.machine.storage.extend(key, threshold, extendTo),
        }),
    ),
  ),
  define('l.a', ['AddressObject', 'BytesObject'], 'Val', ({ machine }, deployer, salt) =>
    xdr.ScVal.scvAddress(
      contractAddress(machine.options.networkId, addressPreimage(deployer, salt)),
    ),
  ),
  define('l.b', ['BytesObject'], 'Val', ({ machine }, asset) =>
    xdr.ScVal.scvAddress(contractAddress(machine.options.networkId, assetPreimage(asset))),
  ),
  define(
    'l.e',
    ['AddressObject', 'BytesObject', 'BytesObject', 'VecObject'],
    'Val',
    (call, deployer, wasmHash, salt, args) => create(call, { deployer, wasmHash, salt, args }),
  ),
  define(
    'l.f',
    ['Val', 'StorageType', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, key, type, extendTo, min, max) =>
      call.machine.storage.extendBetween(dataOrInstance(call, key, type), extendTo, min, max),
  ),
  define(
    'l.g',
    ['AddressObject', 'Scope', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, { address }, scope, extendTo, min, max) =>
      extendContract(call, {
        contract: address,
        scope: scopes[scope]!,
        extend: (key) => call.machine.storage.extendBetween(key, extendTo, min, max),
      }),
  ),
];
