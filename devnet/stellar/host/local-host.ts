import { randomBytes } from 'node:crypto';
import { Address, Keypair, xdr } from '@stellar/stellar-sdk/base';
import { accountId, accountKey, newAccount } from '../ledger/accounts.ts';
import { assetContract } from '../token/index.ts';
import { type HostOutcome, type LedgerInfo, networkSettings, runHostFunction } from './host.ts';
import type { AssetContract } from './machine.ts';
import { ledgerKey, type Stored } from './storage.ts';

export interface LocalHostOptions {
  readonly networkPassphrase?: string;
  readonly sequence?: number;
  readonly timestamp?: bigint;
  readonly protocol?: number;
  readonly instructionsMax?: number;
  readonly assetContract?: AssetContract;
}

export interface ContractCall {
  /** `C…` */
  readonly contract: string;
  readonly fn: string;
  readonly args?: readonly xdr.ScVal[];
  /**
   * Account of the transaction; what it has to authorise needs no signature. Default: an account
   * that nobody has.
   */
  readonly source?: string;
  readonly auth?: readonly xdr.SorobanAuthorizationEntry[];
}

export interface ContractCreation {
  /** `G…` or `C…`. Default: the source. */
  readonly deployer?: string;
  readonly wasmHash: Uint8Array;
  readonly salt?: Uint8Array;
  readonly args?: readonly xdr.ScVal[];
  readonly source?: string;
  readonly auth?: readonly xdr.SorobanAuthorizationEntry[];
}

/** The ledger of a host: entries by key, and a time that is moved by whoever has it. */
export interface LocalLedger {
  readonly entries: Map<string, Stored>;
  sequence: number;
  timestamp: bigint;
  /** Ledgers later, five seconds each. */
  advance(ledgers: number): void;
  /** Makes a classic account with money, if there is none. */
  fund(address: string, stroops?: bigint): void;
  entry(key: xdr.LedgerKey): Stored | undefined;
}

export interface LocalHost {
  readonly networkPassphrase: string;
  readonly ledger: LocalLedger;
  /** An account that is the source where none is named. */
  readonly source: string;
  /** @throws HostFault for code that the network refuses. @returns its hash */
  upload(wasm: Uint8Array): Uint8Array;
  /** @throws HostFault what the constructor failed with. @returns `C…` */
  create(creation: ContractCreation): string;
  /** The contract of a classic asset, whose issuer is its administrator. @returns `C…` */
  createAsset(asset: xdr.Asset): string;
  /**
   * Runs it and keeps what it wrote.
   * @throws HostFault what it failed with; nothing is kept then
   */
  invoke(call: ContractCall): HostOutcome & { readonly result: xdr.ScVal };
  /** Runs it and keeps nothing. Without `auth` it says what has to be signed. */
  simulate(call: ContractCall): HostOutcome;
}

/**
 * A host with a ledger in memory: for tests of contracts, without transactions, fees and signatures
 * of envelopes.
 */
export function createLocalHost(options: LocalHostOptions = {}): LocalHost {
  const networkPassphrase = options.networkPassphrase ?? 'Standalone Network ; February 2017';
  const source = Keypair.random().publicKey();
  const ledger = createLedger(options.sequence ?? 1_000, options.timestamp ?? 1_800_000_000n);
  ledger.fund(source);
  const info = (): LedgerInfo => ({
    sequence: ledger.sequence,
    timestamp: ledger.timestamp,
    networkPassphrase,
    protocol: options.protocol ?? 27,
    ttl: networkSettings.ttl,
  });
  const run = (call: xdr.HostFunction, parts: Pick<ContractCall, 'source' | 'auth'>) =>
    runHostFunction({
      ledger: ledger.entries,
      info: info(),
      call,
      source: parts.source ?? source,
      auth: parts.auth,
      instructionsMax: options.instructionsMax,
      assetContract: options.assetContract ?? assetContract,
    });
  const apply = (call: xdr.HostFunction, parts: Pick<ContractCall, 'source' | 'auth'>) => {
    const outcome = run(call, {
      ...parts,
      auth: parts.auth ?? sourceAuth(run(call, { source: parts.source })),
    });
    if (outcome.failure || !outcome.result)
      throw outcome.failure ?? new Error('An invocation without a result');
    for (const { key, after } of outcome.changes)
      if (after) ledger.entries.set(key, after);
      else ledger.entries.delete(key);
    return { ...outcome, result: outcome.result };
  };
  return {
    networkPassphrase,
    ledger,
    source,
    upload(wasm) {
      const { result } = apply(xdr.HostFunction.hostFunctionTypeUploadContractWasm(wasm), {});
      if (result.type !== 'scvBytes') throw new Error('An upload gives a hash');
      return result.bytes.value;
    },
    create({ deployer, wasmHash, salt = randomBytes(32), args = [], ...parts }) {
      const address = new Address(deployer ?? parts.source ?? source).toScAddress();
      const call = xdr.HostFunction.hostFunctionTypeCreateContractV2(
        new xdr.CreateContractArgsV2({
          contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
            new xdr.ContractIdPreimageFromAddress({ address, salt: Uint8Array.from(salt) }),
          ),
          executable: xdr.ContractExecutable.contractExecutableWasm(wasmHash),
          constructorArgs: [...args],
        }),
      );
      return Address.fromScVal(apply(call, parts).result).toString();
    },
    createAsset(asset) {
      const call = xdr.HostFunction.hostFunctionTypeCreateContract(
        new xdr.CreateContractArgs({
          contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset),
          executable: xdr.ContractExecutable.contractExecutableStellarAsset(),
        }),
      );
      return Address.fromScVal(apply(call, {}).result).toString();
    },
    invoke: (call) => apply(invocationOf(call), call),
    simulate: (call) => run(invocationOf(call), call),
  };
}

/** Without entries, what the source account has to allow is allowed, and nothing else. */
function sourceAuth({ auth, failure }: HostOutcome): readonly xdr.SorobanAuthorizationEntry[] {
  if (failure) throw failure;
  return auth.filter(({ credentials }) => credentials.type === 'sorobanCredentialsSourceAccount');
}

function invocationOf({ contract, fn, args = [] }: ContractCall): xdr.HostFunction {
  return xdr.HostFunction.hostFunctionTypeInvokeContract(
    new xdr.InvokeContractArgs({
      contractAddress: new Address(contract).toScAddress(),
      functionName: fn,
      args: [...args],
    }),
  );
}

function createLedger(sequence: number, timestamp: bigint): LocalLedger {
  const entries = new Map<string, Stored>();
  return {
    entries,
    sequence,
    timestamp,
    advance(ledgers) {
      this.sequence += ledgers;
      this.timestamp += BigInt(ledgers) * 5n;
    },
    fund(address, stroops = 10_000_000_000n) {
      const id = accountId(address);
      const key = ledgerKey(accountKey(id));
      if (!entries.has(key))
        entries.set(key, { entry: entryOf(newAccount(id, stroops, this.sequence)) });
    },
    entry: (key) => entries.get(ledgerKey(key)),
  };
}

function entryOf(account: xdr.AccountEntry): xdr.LedgerEntry {
  const data = xdr.LedgerEntryData.account(account);
  return new xdr.LedgerEntry({
    lastModifiedLedgerSeq: Number(account.seqNum >> 32n),
    data,
    ext: xdr.LedgerEntryExt.v0(),
  });
}
