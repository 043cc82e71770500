import { Address, hash, xdr } from '@stellar/stellar-sdk/base';
import { describeError, type HostFault } from './fault.ts';
import { type AssetContract, asFault, Machine } from './machine.ts';
import {
  type Change,
  type Footprint,
  isArchived,
  type LedgerView,
  type TtlSettings,
} from './storage.ts';

/** What the ledger is while an invocation runs. */
export interface LedgerInfo {
  readonly sequence: number;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly networkPassphrase: string;
  readonly protocol: number;
  readonly ttl: TtlSettings;
}

export interface HostInput {
  readonly ledger: LedgerView;
  readonly info: LedgerInfo;
  readonly call: xdr.HostFunction;
  /** The account that the transaction is of. */
  readonly source: string;
  /** Absent: what has to be authorised is recorded, and no signature is checked. */
  readonly auth?: readonly xdr.SorobanAuthorizationEntry[];
  readonly mayBeBelowRoot?: boolean;
  /** Absent: it is recorded. */
  readonly footprint?: Footprint & { readonly restores?: readonly string[] };
  readonly instructionsMax?: number;
  readonly assetContract: AssetContract;
}

export interface HostOutcome {
  /** Absent when it failed. */
  readonly result?: xdr.ScVal;
  readonly failure?: HostFault;
  /** None when it failed. */
  readonly changes: readonly Change[];
  readonly footprint: Footprint;
  /** Archived entries that it brings back: a part of the footprint of writes. */
  readonly restored: readonly string[];
  /** What has to be signed, when it was recorded. */
  readonly auth: readonly xdr.SorobanAuthorizationEntry[];
  readonly events: readonly xdr.ContractEvent[];
  readonly diagnostics: readonly string[];
  /** An estimate: each instruction of WebAssembly is one, host functions have a price of ours. */
  readonly instructions: number;
}

export const networkSettings = {
  instructionsMax: 400_000_000,
  ttl: { minTemporary: 17_280, minPersistent: 2_073_600, max: 3_110_400 },
};

/**
 * Runs one host function of a transaction on a ledger that it does not change: the caller applies
 * the changes.
 */
export function runHostFunction(input: HostInput): HostOutcome {
  const { ledger, info, source, auth, mayBeBelowRoot, footprint, assetContract } = input;
  const machine = new Machine({
    ledger,
    sequence: info.sequence,
    ttl: info.ttl,
    footprint,
    timestamp: info.timestamp,
    networkId: hash(Buffer.from(info.networkPassphrase)),
    protocol: info.protocol,
    instructionsMax: input.instructionsMax ?? networkSettings.instructionsMax,
    auth: { source, entries: auth, mayBeBelowRoot },
    assetContract,
  });
  const common = () => ({
    footprint: machine.storage.footprint,
    restored: machine.storage.restored,
    diagnostics: machine.diagnostics,
    instructions: machine.budget.used,
  });
  try {
    const result = run(machine, input.call, source);
    machine.auth.touchAccounts();
    const recorded = auth ? [] : machine.auth.recorded();
    return {
      result,
      changes: machine.storage.changes(),
      auth: recorded,
      events: machine.events,
      ...common(),
    };
  } catch (error) {
    return { failure: asFault(error), changes: [], auth: [], events: [], ...common() };
  }
}

function run(machine: Machine, call: xdr.HostFunction, source: string): xdr.ScVal {
  switch (call.type) {
    case 'hostFunctionTypeInvokeContract': {
      const { contractAddress, functionName, args } = call.invokeContract;
      return machine.call(contractAddress, functionName.toString(), args);
    }
    case 'hostFunctionTypeUploadContractWasm':
      return xdr.ScVal.scvBytes(machine.upload(call.wasm));
    case 'hostFunctionTypeCreateContract': {
      const { contractIdPreimage, executable } = call.createContract;
      return create(
        machine,
        new xdr.CreateContractArgsV2({ contractIdPreimage, executable, constructorArgs: [] }),
      );
    }
    case 'hostFunctionTypeCreateContractV2':
      return create(machine, call.createContractV2);
  }
  throw new Error(
    `The host function ${describeCall(call)} is not served by the local chain, for ${source}`,
  );
}

const describeCall = ({ type }: xdr.HostFunction) => type;

function create(machine: Machine, args: xdr.CreateContractArgsV2): xdr.ScVal {
  const preimage = args.contractIdPreimage;
  const deployer =
    preimage.type === 'contractIdPreimageFromAddress' ? preimage.fromAddress.address : undefined;
  return xdr.ScVal.scvAddress(
    machine.create({ args, deployer: deployer && new xdr.ScValAddress(deployer) }),
  );
}

/** Keys of a footprint whose entries are archived, and not named as to be restored. */
export function archivedKeys({ ledger, footprint, sequence }: ArchivedInput): string[] {
  const { readOnly, readWrite, restores = [] } = footprint;
  return [...readOnly, ...readWrite].filter((key) => {
    const stored = ledger.get(key);
    return (
      stored &&
      !restores.includes(key) &&
      isArchived(xdr.LedgerKey.fromXdr(key, 'base64'), stored, sequence)
    );
  });
}

interface ArchivedInput {
  readonly ledger: LedgerView;
  readonly footprint: NonNullable<HostInput['footprint']>;
  readonly sequence: number;
}

/** What a failed invocation says to people. */
export const describeFailure = (failure: HostFault): string =>
  `HostError: ${describeError(failure.error)}: ${failure.message}`;

export const scAddress = (address: string): xdr.ScAddress => new Address(address).toScAddress();
