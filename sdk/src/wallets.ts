import { approvePending } from './approve.ts';
import type { Answer, Body, CallOptions, Query } from './call-types.ts';
import type { createCalls } from './calls.ts';
import { createChecks } from './checks.ts';
import { OperationFailedError } from './errors.ts';
import type { Asked } from './evm/asked.ts';
import type { Review, SignatureParams } from './evm/review.ts';
import type { PurserOptions } from './send.ts';
import type { PurserSigner } from './signers/signer.ts';
import { type WaitOptions, waitUntil } from './wait.ts';

export type Wallet = Answer<'getWallet'>;
export type Transaction = Answer<'getTransaction'>;
export type Signature = Answer<'getSignature'>;
export type DelegatedSigner = Answer<'getSigner'>;

export interface ApproveOptions extends CallOptions {
  /**
   * Who approves; with an `api-key` signer nobody needs to. Any that can approve an entry is asked,
   * quorum members too.
   */
  readonly signers?: readonly PurserSigner[];
  /**
   * Sees what is about to be approved, before any signer is asked. Throw to refuse. `review` is
   * what this client reads out of what is hashed (calls, amounts, recipients); the object is what
   * the service says about it.
   */
  readonly review?: (object: Transaction | Signature, review: Review) => void | Promise<void>;
}

export interface ActOptions extends ApproveOptions, WaitOptions {}

type Calls = ReturnType<typeof createCalls>;

/** What the caller asked for: it is compared with what comes back to be signed. */
interface Asking extends ActOptions {
  readonly asked?: Asked;
  readonly askedSignature?: SignatureParams;
}

/**
 * What is done with a wallet to its end: create, approve, wait. What is signed is checked on the
 * way (`checks.ts`).
 */
export function createWalletActs(calls: Calls, options: PurserOptions) {
  const checks = createChecks(calls, options);

  async function finishTransaction(
    locator: string,
    created: Transaction,
    act: Asking,
  ): Promise<Transaction> {
    const approved = await approveAsTransaction(locator, created, act);
    return isEnded(approved) ? ended(approved) : waitForTransaction(locator, created.id, act);
  }

  async function finishSignature(
    locator: string,
    created: Signature,
    act: Asking,
  ): Promise<Signature> {
    const approved = await approveAsSignature(locator, created, act);
    return isEnded(approved) ? ended(approved) : waitForSignature(locator, created.id, act);
  }

  function approveAsTransaction(
    locator: string,
    transaction: Transaction,
    { signers = [], review, asked, ...call }: Asking,
  ) {
    return approvePending(transaction, {
      signers,
      review,
      read: (object, locators) =>
        checks.readTransaction(locator, object, {
          signers: locators,
          asked,
          isReviewed: review !== undefined,
        }),
      post: (approvals) =>
        calls.submitTransactionApprovals(locator, transaction.id, { approvals }, callOf(call)),
    });
  }

  function approveAsSignature(
    locator: string,
    signature: Signature,
    { signers = [], review, asked, askedSignature, ...call }: Asking,
  ) {
    return approvePending(signature, {
      signers,
      review,
      read: (object, locators) =>
        checks.readSignature(locator, object, {
          signers: locators,
          asked,
          askedSignature,
          isReviewed: review !== undefined,
        }),
      post: (approvals) =>
        calls.submitSignatureApprovals(locator, signature.id, { approvals }, callOf(call)),
    });
  }

  /**
   * Approves with those of `signers` whose turn it is; gives the transaction back, unchanged when
   * it is nobody's.
   * @throws ApprovalRefusedError when what is to be signed is not what is shown
   */
  const approveTransaction = (
    locator: string,
    transaction: Transaction,
    act: ApproveOptions = {},
  ): Promise<Transaction> => approveAsTransaction(locator, transaction, act);

  /** As `approveTransaction`. */
  const approveSignature = (
    locator: string,
    signature: Signature,
    act: ApproveOptions = {},
  ): Promise<Signature> => approveAsSignature(locator, signature, act);

  /** Waits for `success`. @throws OperationFailedError, WaitTimeoutError */
  async function waitForTransaction(
    locator: string,
    transactionId: string,
    wait: WaitOptions = {},
  ): Promise<Transaction> {
    return ended(
      await waitUntil(
        () => calls.getTransaction(locator, transactionId, signalOf(wait)),
        isEnded,
        wait,
      ),
    );
  }

  /** Waits for `success`. @throws OperationFailedError, WaitTimeoutError */
  async function waitForSignature(
    locator: string,
    signatureId: string,
    wait: WaitOptions = {},
  ): Promise<Signature> {
    return ended(
      await waitUntil(
        () => calls.getSignature(locator, signatureId, signalOf(wait)),
        isEnded,
        wait,
      ),
    );
  }

  return {
    createWallet: checks.createWallet,
    createMyWallet: checks.createMyWallet,
    approveTransaction,
    approveSignature,
    waitForTransaction,
    waitForSignature,

    /** Sends tokens: creates the transfer, approves it, and waits until the chain has it. */
    async transfer(
      locator: string,
      tokenLocator: string,
      body: Body<'createTransfer'>,
      act: ActOptions = {},
    ): Promise<Transaction> {
      const asked: Asked = { kind: 'transfer', tokenLocator, body };
      return finishTransaction(
        locator,
        await calls.createTransfer(locator, tokenLocator, body, callOf(act)),
        { ...act, asked },
      );
    },

    /** Creates a transaction, approves it, and waits until the chain has it. */
    async transact(
      locator: string,
      params: Body<'createTransaction'>['params'],
      act: ActOptions = {},
    ): Promise<Transaction> {
      const asked: Asked = { kind: 'calls', params };
      return finishTransaction(
        locator,
        await calls.createTransaction(locator, { params }, callOf(act)),
        { ...act, asked },
      );
    },

    /** Signs a message or typed data as the wallet; the signature is `outputSignature`. */
    async sign(
      locator: string,
      body: Body<'createSignature'>,
      act: ActOptions = {},
    ): Promise<Signature> {
      return finishSignature(locator, await calls.createSignature(locator, body, callOf(act)), {
        ...act,
        askedSignature: body.params,
      });
    },

    /** Adds a delegated signer and waits until its chain enforces it. */
    async addSigner(
      locator: string,
      body: Body<'addSigner'>,
      act: ActOptions = {},
    ): Promise<DelegatedSigner> {
      const created = await calls.createSigner(locator, body, callOf(act));
      const entry = Object.values(created.chains ?? {}).find(({ status }) => status !== 'success');
      const asking: Asking = {
        ...act,
        asked: { kind: 'add-signer', body: body as Extract<Asked, { kind: 'add-signer' }>['body'] },
      };
      const { transaction } = created;
      if (transaction && transaction.status !== 'success')
        await finishTransaction(
          locator,
          await calls.getTransaction(locator, transaction.id, signalOf(act)),
          asking,
        );
      if (entry?.id !== undefined) {
        if ('onChain' in entry)
          await finishTransaction(
            locator,
            await calls.getTransaction(locator, entry.id, signalOf(act)),
            asking,
          );
        else
          await finishSignature(
            locator,
            await calls.getSignature(locator, entry.id, signalOf(act)),
            asking,
          );
      }
      return calls.getSigner(locator, created.locator, signalOf(act));
    },

    /** Removes a delegated signer and waits until its chain refuses it. */
    async removeSigner(
      locator: string,
      signer: string,
      query: Query<'removeSigner'>,
      act: ActOptions = {},
    ): Promise<Transaction> {
      const asked: Asked = { kind: 'remove-signer', signer, chain: query.chain };
      return finishTransaction(
        locator,
        await calls.deleteSigner(locator, signer, query, callOf(act)),
        { ...act, asked },
      );
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
  throw new OperationFailedError(
    `${error?.reason ?? 'failed'}: ${error?.message ?? 'no reason was given'}`,
    { status: 0, body: object },
  );
}

function signalOf({ signal }: { readonly signal?: AbortSignal }): CallOptions {
  return signal === undefined ? {} : { signal };
}

function callOf({ signal, idempotencyKey }: CallOptions): CallOptions {
  return {
    ...(signal ? { signal } : {}),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
