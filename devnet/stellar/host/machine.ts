import { hash, xdr } from '@stellar/stellar-sdk/base';
import { accountSignatureCheck } from './auth/account-check.ts';
import { Auth, type AuthOptions, idOf } from './auth/auth.ts';
import { type Deployment, deploy, instanceEntry, readInstance } from './deploy.ts';
import { fault, HostFault } from './fault.ts';
import { codeKey, instanceKey, Storage, type StorageOptions } from './storage.ts';
import { contextsOf } from './values/contexts.ts';
import { Budget } from './vm/budget.ts';
import { Frame } from './vm/frame.ts';
import { type ContractModule, runWasm } from './vm/instance.ts';
import { meter } from './vm/wasm.ts';

export interface MachineOptions extends StorageOptions {
  readonly timestamp: bigint;
  readonly networkId: Uint8Array;
  readonly protocol: number;
  readonly instructionsMax: number;
  readonly auth: AuthOptions;
  /** Contracts that are a part of the network. */
  readonly assetContract: AssetContract;
}

/** The contract of a classic asset, which has no code of its own. */
export type AssetContract = (machine: Machine, frame: Frame) => xdr.ScVal;

export interface CallOptions {
  /** Only the network may call names that begin with two underscores. */
  readonly isInternal?: boolean;
  readonly mayReenterSelf?: boolean;
  readonly missingIsNothing?: boolean;
}

const depthMax = 100;
const modulesMax = 200;
const modules = new Map<string, ContractModule>();

/** One invocation of contracts, from its first call to its end. */
export class Machine {
  readonly options: MachineOptions;
  readonly storage: Storage;
  readonly auth: Auth;
  readonly budget: Budget;
  readonly events: xdr.ContractEvent[] = [];
  readonly diagnostics: string[] = [];
  readonly frames: Frame[] = [];

  constructor(options: MachineOptions) {
    this.options = options;
    this.storage = new Storage(options);
    this.budget = new Budget(options.instructionsMax);
    this.auth = new Auth(
      {
        storage: this.storage,
        networkId: options.networkId,
        checkAccount: (address, payload, signature) =>
          accountSignatureCheck(this, { address, payload, signature }),
        checkContract: (address, args, mayReenterSelf) => {
          const result = this.call(address, '__check_auth', args, {
            isInternal: true,
            mayReenterSelf,
          });
          if (result.type !== 'scvVoid')
            throw fault('value', 'UnexpectedType', '__check_auth gave back something');
        },
        contexts: contextsOf,
        touchAccount: (address) => this.#touchAccount(address),
      },
      options.auth,
    );
  }

  get frame(): Frame {
    const frame = this.frames.at(-1);
    if (!frame) throw fault('context', 'InternalError', 'no contract is running');
    return frame;
  }

  /** @throws HostFault what the call ended with; nothing that it wrote is left then */
  call(
    contract: xdr.ScAddress,
    fn: string,
    args: readonly xdr.ScVal[],
    options: CallOptions = {},
  ): xdr.ScVal {
    if (contract.type !== 'scAddressTypeContract')
      throw fault('object', 'UnexpectedType', 'only contracts can be called');
    if (fn.startsWith('__') && !options.isInternal)
      throw fault('context', 'InvalidAction', `${fn} is called by the network alone`);
    const id = idOf(contract);
    this.#checkReentry(id, options);
    const instance = readInstance(this.storage, contract);
    const frame = new Frame({ contract, id, fn, args, instance });
    const { executable } = instance;
    if (executable.type === 'contractExecutableStellarAsset')
      return this.within(frame, () => this.options.assetContract(this, frame));
    if (executable.type !== 'contractExecutableWasm')
      throw fault(
        'context',
        'InternalError',
        'external references are not served by the local chain',
      );
    const module = this.loadModule(executable.wasmHash.value);
    return this.within(frame, () =>
      runWasm(this, frame, module, options.missingIsNothing ?? false),
    );
  }

  #checkReentry(id: string, { mayReenterSelf }: CallOptions): void {
    const distance = this.frames.toReversed().findIndex((frame) => frame.id === id);
    if (distance < 0) return;
    if (!mayReenterSelf || distance > 0)
      throw fault('context', 'InvalidAction', 'a contract that runs cannot be called again');
    this.frame.persist(this.storage);
  }

  /** Runs a call of its own: its entries, events and authorisations stay only when it ends well. */
  within(frame: Frame, run: () => xdr.ScVal): xdr.ScVal {
    if (this.frames.length >= depthMax)
      throw fault('context', 'ExceededLimit', `calls are nested at most ${depthMax} deep`);
    const entries = this.storage.snapshot();
    const events = this.events.length;
    this.frames.push(frame);
    this.auth.push({ kind: 'contract', contract: frame.contract, id: frame.id, fn: frame.fn });
    const restoreAuth = this.auth.snapshot();
    try {
      const result = run();
      if (frame.persist(this.storage)) this.#reloadCaller(frame);
      this.#pop();
      return result;
    } catch (error) {
      this.storage.rollback(entries);
      this.events.length = events;
      restoreAuth();
      this.#pop();
      throw asFault(error);
    }
  }

  #pop(): void {
    this.frames.pop();
    this.auth.pop();
  }

  /** A contract whose `__check_auth` wrote while it ran sees what was written. */
  #reloadCaller({ id, contract }: Frame): void {
    const caller = this.frames.at(-2);
    if (caller?.id === id) caller.reload(readInstance(this.storage, contract));
  }

  loadModule(wasmHash: Uint8Array): ContractModule {
    const stored = this.storage.get(codeKey(wasmHash));
    if (stored?.entry.data.type !== 'contractCode')
      throw fault('storage', 'MissingValue', 'the code of the contract does not exist');
    const { code } = stored.entry.data.contractCode;
    this.budget.charge(10_000 + code.length * 10);
    const name = Buffer.from(wasmHash).toString('hex');
    const known = modules.get(name);
    if (known) return known;
    const module = meter(code);
    if (modules.size >= modulesMax) modules.delete(modules.keys().next().value!);
    modules.set(name, module);
    return module;
  }

  /** @returns the hash of the code, which contracts are made with */
  upload(wasm: Uint8Array): Uint8Array {
    this.budget.charge(100_000 + wasm.length * 100);
    const { protocol } = meter(wasm);
    if (protocol === 0)
      throw fault(
        'wasmVm',
        'InvalidInput',
        'the section contractenvmetav0 is missing: it says which interface the contract is for',
      );
    if (protocol > this.options.protocol)
      throw fault(
        'wasmVm',
        'InvalidInput',
        `the contract is for protocol ${protocol}, the chain has ${this.options.protocol}`,
      );
    const wasmHash = hash(wasm);
    const key = codeKey(wasmHash);
    if (this.storage.has(key)) return wasmHash;
    const entry = new xdr.ContractCodeEntry({
      ext: xdr.ContractCodeEntryExt.v0(),
      hash: wasmHash,
      code: wasm,
    });
    this.storage.put(key, xdr.LedgerEntryData.contractCode(entry));
    return wasmHash;
  }

  /** @returns the address of the new contract */
  create(deployment: Deployment): xdr.ScAddress {
    return deploy(this, deployment);
  }

  /** New code for a contract; what runs of it runs to its end. */
  upgrade(contract: xdr.ScAddress, executable: xdr.ContractExecutable): void {
    const key = instanceKey(contract);
    const { storage } = readInstance(this.storage, contract);
    this.storage.put(
      key,
      instanceEntry(contract, new xdr.ScContractInstance({ executable, storage })),
    );
  }

  emit(type: 'contract' | 'system', topics: readonly xdr.ScVal[], data: xdr.ScVal): void {
    const { contract } = this.frame;
    this.events.push(
      new xdr.ContractEvent({
        ext: xdr.ExtensionPoint.v0(),
        contractId: contract.type === 'scAddressTypeContract' ? contract.contractId : null,
        type: xdr.ContractEventType[type],
        body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics: [...topics], data })),
      }),
    );
  }

  #touchAccount(address: xdr.ScAddress): void {
    if (address.type === 'scAddressTypeAccount') {
      this.storage.get(
        xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: address.accountId })),
      );
      return;
    }
    const stored = this.storage.get(instanceKey(address));
    if (stored?.entry.data.type !== 'contractData') return;
    const { val } = stored.entry.data.contractData;
    if (
      val.type === 'scvContractInstance' &&
      val.instance.executable.type === 'contractExecutableWasm'
    )
      this.storage.get(codeKey(val.instance.executable.wasmHash.value));
  }
}

/**
 * What a contract's end is to its caller. A mistake of ours is an internal error, which nothing
 * recovers from.
 */
export function asFault(error: unknown): HostFault {
  if (error instanceof HostFault) return error;
  if (error instanceof RangeError)
    return fault('wasmVm', 'InvalidAction', `the contract went too deep: ${error.message}`);
  if (error instanceof WebAssembly.RuntimeError)
    return fault('wasmVm', 'InvalidAction', `the contract trapped: ${error.message}`);
  const internal = fault(
    'context',
    'InternalError',
    error instanceof Error ? error.message : String(error),
  );
  internal.cause = error;
  return internal;
}
