import { approvePending } from './approve.ts';
import type { Answer, Body, CallOptions, Query } from './call-types.ts';
import type { createCalls } from './calls.ts';
import { OperationFailedError } from './errors.ts';
import type { PurserSigner } from './signers/signer.ts';
import { type WaitOptions, waitUntil } from './wait.ts';

export type Wallet = Answer<'getWallet'>;
export type Transaction = Answer<'getTransaction'>;
export type Signature = Answer<'getSignature'>;
export type DelegatedSigner = Answer<'getSigner'>;

export interface ApproveOptions extends CallOptions {
  /** Who approves; with an `api-key` signer nobody needs to. Any that can approve an entry is asked, quorum members too. */
  readonly signers?: readonly PurserSigner[];
  /** Sees what is about to be approved, before any signer is asked. Throw to refuse. */
  readonly review?: (object: Transaction | Signature) => void | Promise<void>;
}

export interface ActOptions extends ApproveOptions, WaitOptions {}

type Calls = ReturnType<typeof createCalls>;

/** What is done with a wallet to its end: create, approve, wait. */
export function createWalletActs(calls: Calls) {
  async function finishTransaction(locator: string, created: Transaction, act: ActOptions): Promise<Transaction> {
    const approved = await approveTransaction(locator, created, act);
    return isEnded(approved) ? ended(approved) : waitForTransaction(locator, created.id, act);
  }

  async function finishSignature(locator: string, created: Signature, act: ActOptions): Promise<Signature> {
    const approved = await approveSignature(locator, created, act);
    return isEnded(approved) ? ended(approved) : waitForSignature(locator, created.id, act);
  }

  /** Approves with those of `signers` whose turn it is; gives the transaction back, unchanged when it is nobody's. */
  function approveTransaction(locator: string, transaction: Transaction, { signers = [], review, ...call }: ApproveOptions) {
    return approvePending(transaction, { signers, review }, (approvals) =>
      calls.submitTransactionApprovals(locator, transaction.id, { approvals }, callOf(call)),
    );
  }

  /** As `approveTransaction`. */
  function approveSignature(locator: string, signature: Signature, { signers = [], review, ...call }: ApproveOptions) {
    return approvePending(signature, { signers, review }, (approvals) =>
      calls.submitSignatureApprovals(locator, signature.id, { approvals }, callOf(call)),
    );
  }

  /** Waits for `success`. @throws OperationFailedError, WaitTimeoutError */
  async function waitForTransaction(locator: string, transactionId: string, wait: WaitOptions = {}): Promise<Transaction> {
    return ended(await waitUntil(() => calls.getTransaction(locator, transactionId, signalOf(wait)), isEnded, wait));
  }

  /** Waits for `success`. @throws OperationFailedError, WaitTimeoutError */
  async function waitForSignature(locator: string, signatureId: string, wait: WaitOptions = {}): Promise<Signature> {
    return ended(await waitUntil(() => calls.getSignature(locator, signatureId, signalOf(wait)), isEnded, wait));
  }

  return {
    approveTransaction,
    approveSignature,
    waitForTransaction,
    waitForSignature,

    /** Sends tokens: creates the transfer, approves it, and waits until the chain has it. */
    async transfer(locator: string, tokenLocator: string, body: Body<'createTransfer'>, act: ActOptions = {}): Promise<Transaction> {
      return finishTransaction(locator, await calls.createTransfer(locator, tokenLocator, body, callOf(act)), act);
    },

    /** Creates a transaction, approves it, and waits until the chain has it. */
    async transact(locator: string, params: Body<'createTransaction'>['params'], act: ActOptions = {}): Promise<Transaction> {
      return finishTransaction(locator, await calls.createTransaction(locator, { params }, callOf(act)), act);
    },

    /** Signs a message or typed data as the wallet; the signature is `outputSignature`. */
    async sign(locator: string, body: Body<'createSignature'>, act: ActOptions = {}): Promise<Signature> {
      return finishSignature(locator, await calls.createSignature(locator, body, callOf(act)), act);
    },

    /** Adds a delegated signer and waits until its chain enforces it. */
    async addSigner(locator: string, body: Body<'addSigner'>, act: ActOptions = {}): Promise<DelegatedSigner> {
      const created = await calls.createSigner(locator, body, callOf(act));
      const entry = Object.values(created.chains ?? {}).find(({ status }) => status !== 'success');
      if (entry?.id !== undefined) {
        if ('onChain' in entry) await finishTransaction(locator, await calls.getTransaction(locator, entry.id, signalOf(act)), act);
        else await finishSignature(locator, await calls.getSignature(locator, entry.id, signalOf(act)), act);
      }
      return calls.getSigner(locator, created.locator, signalOf(act));
    },

    /** Removes a delegated signer and waits until its chain refuses it. */
    async removeSigner(locator: string, signer: string, query: Query<'removeSigner'>, act: ActOptions = {}): Promise<Transaction> {
      return finishTransaction(locator, await calls.deleteSigner(locator, signer, query, callOf(act)), act);
    },
  };
}

interface Ending {
  readonly id: string;
  readonly status: string;
  readonly error?: unknown;
}

const isEnded = ({ status }: Ending): boolean => status === 'success' || status === 'failed';

function ended<T extends Ending>(object: T): T {
  if (object.status === 'success') return object;
  const error = object.error as { reason?: string; message?: string } | undefined;
  throw new OperationFailedError(`${error?.reason ?? 'failed'}: ${error?.message ?? 'no reason was given'}`, { status: 0, body: object });
}

function signalOf({ signal }: { readonly signal?: AbortSignal }): CallOptions {
  return signal === undefined ? {} : { signal };
}

function callOf({ signal, idempotencyKey }: CallOptions): CallOptions {
  return { ...(signal ? { signal } : {}), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
}
