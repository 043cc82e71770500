import { type Address, lamports, type Transaction } from '@solana/kit';
import {
  Clock,
  FailedTransactionMetadata,
  FeatureSet,
  LiteSVM,
  type TransactionMetadata,
} from 'litesvm';
import type { Account } from './accounts.ts';
import { toBase58 } from './base.ts';
import { type TransactionError, toTransactionError } from './transaction-error.ts';

export interface InnerInstruction {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight: number;
}

export interface Outcome {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: bigint;
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly returnData: { readonly program: string; readonly data: Uint8Array } | null;
}

export interface SimulatedOutcome extends Outcome {
  readonly accounts: ReadonlyMap<string, Account>;
}

export const slotsPerEpoch = 432_000;

/**
 * litesvm: it runs transactions and knows the newest accounts. Lifetimes, repetitions and nonces
 * are checked by whoever calls it. All features are on, as on mainnet, so programs of old file
 * forms are refused.
 */
export class Machine {
  readonly #svm: LiteSVM;
  #checksSignatures = true;

  constructor() {
    const svm = LiteSVM.default()
      .withFeatureSet(FeatureSet.allEnabled())
      .withBuiltins()
      .withLamports(1_000_000_000n)
      .withSysvars();
    // Programs count as deployed at the slot at which they are added.
    svm.setClock(new Clock(0n, 0n, 0n, 1n, 0n));
    this.#svm = svm
      .withDefaultPrograms()
      .withNativeMints()
      .withPrecompiles()
      .withSigverify(true)
      .withBlockhashCheck(false)
      .withTransactionHistory(0n);
  }

  setClock(slot: number, timeMs: number): void {
    const epoch = Math.floor(slot / slotsPerEpoch);
    const unix = BigInt(Math.floor(timeMs / 1000));
    this.#svm.setClock(new Clock(BigInt(slot), unix, BigInt(epoch), BigInt(epoch + 1), unix));
  }

  /** Newest first; what lookup tables are made and used by. */
  setSlotHashes(hashes: readonly { readonly slot: number; readonly hash: string }[]): void {
    this.#svm.setSlotHashes(hashes.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })));
  }

  rentOf(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  read(address: string): Account | null {
    const found = this.#svm.getAccount(address as Address);
    if (!found.exists) return null;
    return {
      lamports: found.lamports,
      owner: found.programAddress,
      data: new Uint8Array(found.data),
      executable: found.executable,
    };
  }

  /** @throws Error when an executable account holds no program that may run */
  write(address: string, account: Account | null): void {
    const { lamports: amount, owner, data, executable } = account ?? nothing;
    this.#svm.setAccount({
      address: address as Address,
      lamports: lamports(amount),
      programAddress: owner as Address,
      data,
      executable,
      space: BigInt(data.length),
    });
  }

  addProgram(address: string, file: Uint8Array): void {
    this.#svm.addProgram(address as Address, file);
  }

  run(transaction: Transaction): Outcome {
    this.#checkSignatures(true);
    const result = this.#svm.sendTransaction(transaction);
    return isFailure(result)
      ? outcomeOf(result.meta(), toTransactionError(result.err()))
      : outcomeOf(result, null);
  }

  simulate(transaction: Transaction, checksSignatures: boolean): SimulatedOutcome {
    this.#checkSignatures(checksSignatures);
    const result = this.#svm.simulateTransaction(transaction);
    if (isFailure(result))
      return { ...outcomeOf(result.meta(), toTransactionError(result.err())), accounts: new Map() };
    const accounts = result
      .postAccounts()
      .map(
        ({ address, lamports: amount, programAddress, data, executable }) =>
          [
            address,
            { lamports: amount, owner: programAddress, data: new Uint8Array(data), executable },
          ] as const,
      );
    return { ...outcomeOf(result.meta(), null), accounts: new Map<string, Account>(accounts) };
  }

  #checkSignatures(wanted: boolean): void {
    if (wanted === this.#checksSignatures) return;
    this.#svm.withSigverify(wanted);
    this.#checksSignatures = wanted;
  }
}

const nothing: Account = {
  lamports: 0n,
  owner: '11111111111111111111111111111111',
  data: new Uint8Array(),
  executable: false,
};

function isFailure(result: object): result is FailedTransactionMetadata {
  return result instanceof FailedTransactionMetadata;
}

function outcomeOf(meta: TransactionMetadata, error: TransactionError | null): Outcome {
  const returned = meta.returnData();
  return {
    error,
    logs: meta.logs(),
    units: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map((list) =>
      list.map((one) => {
        const instruction = one.instruction();
        return {
          programIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: toBase58(instruction.data()),
          stackHeight: one.stackHeight(),
        };
      }),
    ),
    returnData:
      returned.data().length === 0
        ? null
        : { program: toBase58(returned.programId()), data: new Uint8Array(returned.data()) },
  };
}
