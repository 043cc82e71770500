import { hash, xdr } from '@stellar/stellar-sdk/base';
import { fault, HostFault } from './fault.ts';
import type { Machine } from './machine.ts';
import { codeKey, instanceKey, type Storage } from './storage.ts';

export interface Deployment {
  readonly args: xdr.CreateContractArgsV2;
  /** Who has to allow it; absent for the contract of an asset, which anybody may make. */
  readonly deployer?: xdr.ScValAddress;
}

/** Constructors came with this version of the network. */
const constructorsSince = 22;

/** @throws HostFault when there is no such contract */
export function readInstance(storage: Storage, contract: xdr.ScAddress): xdr.ScContractInstance {
  const stored = storage.get(instanceKey(contract));
  if (stored?.entry.data.type !== 'contractData')
    throw fault('storage', 'MissingValue', 'there is no such contract');
  const { val } = stored.entry.data.contractData;
  if (val.type !== 'scvContractInstance')
    throw fault('storage', 'InternalError', 'an instance that is none');
  return val.instance;
}

export function instanceEntry(
  contract: xdr.ScAddress,
  instance: xdr.ScContractInstance,
): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract,
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
      val: xdr.ScVal.scvContractInstance(instance),
    }),
  );
}

/**
 * Address that a contract has, before and after it exists: of who deploys it and a salt, or of an
 * asset.
 */
export function contractAddress(
  networkId: Uint8Array,
  contractIdPreimage: xdr.ContractIdPreimage,
): xdr.ScAddress {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({ networkId, contractIdPreimage }),
  );
  return xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(hash(preimage.toXdr())));
}

export function deploy(machine: Machine, { args, deployer }: Deployment): xdr.ScAddress {
  if (deployer) machine.auth.push({ kind: 'create', args });
  try {
    if (deployer) machine.auth.require(deployer, []);
    return create(machine, args);
  } finally {
    if (deployer) machine.auth.pop();
  }
}

function create(
  machine: Machine,
  { contractIdPreimage, executable, constructorArgs }: xdr.CreateContractArgsV2,
): xdr.ScAddress {
  const isOfAsset = contractIdPreimage.type === 'contractIdPreimageFromAsset';
  if (isOfAsset !== (executable.type === 'contractExecutableStellarAsset'))
    throw fault(
      'value',
      'InvalidInput',
      'the contract of an asset has no code, any other has some',
    );
  const contract = contractAddress(machine.options.networkId, contractIdPreimage);
  const key = instanceKey(contract);
  if (machine.storage.has(key))
    throw fault('storage', 'ExistingValue', 'the contract exists already');
  if (
    executable.type === 'contractExecutableWasm' &&
    !machine.storage.has(codeKey(executable.wasmHash.value))
  )
    throw fault('storage', 'MissingValue', 'the code of the contract was not uploaded');
  if (executable.type === 'contractExecutableExternalRef')
    throw fault(
      'context',
      'InternalError',
      'external references are not served by the local chain',
    );
  machine.storage.put(
    key,
    instanceEntry(contract, new xdr.ScContractInstance({ executable, storage: null })),
  );
  if (contractIdPreimage.type === 'contractIdPreimageFromAsset')
    machine.call(
      contract,
      'init_asset',
      [xdr.ScVal.scvBytes(contractIdPreimage.fromAsset.toXdr())],
      { isInternal: true },
    );
  else if (executable.type === 'contractExecutableWasm')
    construct(machine, { contract, wasmHash: executable.wasmHash.value, args: constructorArgs });
  return contract;
}

interface Construction {
  readonly contract: xdr.ScAddress;
  readonly wasmHash: Uint8Array;
  readonly args: readonly xdr.ScVal[];
}

function construct(machine: Machine, { contract, wasmHash, args }: Construction): void {
  if (machine.loadModule(wasmHash).protocol < constructorsSince) {
    if (args.length > 0)
      throw fault('context', 'InvalidAction', 'the contract is of a time without constructors');
    return;
  }
  let result: xdr.ScVal;
  try {
    result = machine.call(contract, '__constructor', args, {
      isInternal: true,
      missingIsNothing: args.length === 0,
    });
  } catch (error) {
    if (error instanceof HostFault && error.isRecoverable)
      throw fault('context', 'InvalidAction', `the constructor failed: ${error.message}`);
    throw error;
  }
  if (result.type !== 'scvVoid')
    throw fault('value', 'UnexpectedType', 'the constructor gave back something');
}
