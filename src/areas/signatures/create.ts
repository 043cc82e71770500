import { factsOf } from '../../chains/families.ts';
import {
  type PreparedOperation,
  requireExtra,
  type SignatureType,
  type Signer,
} from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { type FirstApprovals, makeFirstApprovals } from '../approvals/index.ts';
import {
  actingSignerView,
  resolveActingSigner,
  signerView,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';
import { assemblyGraceMs, isOutage, makeSignature } from './assemble.ts';
import { explainConflict, insertSignature } from './insert-signature.ts';
import { signatureMachine } from './machine.ts';
import {
  insertSignatures,
  type SignatureRecord,
  selectSignature,
  signatureSubject,
} from './store.ts';

export interface CreateSignatureInput {
  readonly wallet: WalletRecord;
  readonly type: SignatureType;
  /** `params` of the body; `signer` in it is a locator. */
  readonly params: JsonObject;
}

/**
 * Asks for a signature of the wallet. An api-key signer and an mpc wallet sign at once; anybody
 * else is asked for an approval.
 * @throws signature-type-not-supported, chain-not-supported, validation-error, transaction-invalid
 *   (not a signer), signer-expired, signer-scope-violation
 */
export async function createSignature(
  ctx: RequestCtx,
  input: CreateSignatureInput,
): Promise<SignatureRecord> {
  const { wallet, type } = input;
  // The process of an earlier call with this idempotency key may have died after its commit: then
  // this is its answer.
  const earlier =
    ctx.idempotency &&
    (await selectSignature(ctx.store, { walletId: wallet.id, id: ctx.idempotency.objectId }));
  if (earlier) return earlier;
  const family = ctx.chains.family(wallet.chainType);
  const { signer: signerLocator, ...params } = input.params;
  const chain = typeof params['chain'] === 'string' ? params['chain'] : undefined;
  const { signer, delegate } = await resolveActingSigner(ctx, wallet, signerLocator, chain);
  const prepared = await requireExtra(family, 'signatures').prepareSignature({
    wallet: toFamilyWallet(wallet),
    type,
    params,
    signer,
    delegate,
    now: ctx.clock.now(),
  });
  const id = newId(ctx);
  const first = await makeFirstApprovals(ctx, {
    family,
    wallet,
    chain: prepared.chain,
    signer,
    message: prepared.message,
    signable: prepared.request,
    row: { table: 'signatures', id },
  });
  const record = makeRecord(ctx, {
    id,
    wallet,
    type,
    isOperation: false,
    chain: prepared.chain,
    params: { ...prepared.params, ...actingSignerView(wallet, signer) },
    signable: prepared.request,
    first,
    validUntil: prepared.validUntil,
  });
  const complete = first.complete ? await completeAtOnce(ctx, wallet, record) : record;
  await insertSignature(ctx, complete);
  return complete;
}

/**
 * Nothing is stored yet, so a mistake is the caller's to see; an outage leaves the request to the
 * worker.
 */
async function completeAtOnce(
  ctx: RequestCtx,
  wallet: WalletRecord,
  record: SignatureRecord,
): Promise<SignatureRecord> {
  try {
    const outputSignature = await makeSignature(ctx, wallet, record);
    return {
      ...record,
      status: move(signatureMachine, record.status, 'assembled'),
      outputSignature,
      completedAt: ctx.clock.now(),
    };
  } catch (error) {
    if (!isOutage(error)) throw error;
    ctx.log.warn(
      { err: error, signatureId: record.id },
      'an approved signature is not assembled yet; a worker tries again',
    );
    return { ...record, assembleAt: new Date(ctx.clock.now().getTime() + assemblyGraceMs) };
  }
}

export interface CreateOperationSignatureInput {
  readonly wallet: WalletRecord;
  /** What the approvals send to the chain; nothing of it is checked again. */
  readonly prepared: PreparedOperation;
  /** The recovery method that approves (a quorum as a whole), spelled as the caller sent it. */
  readonly signer: Signer;
  /** Of the request; the idempotency key's, or a new one, when absent. */
  readonly id?: string;
  /**
   * What the caller stores in the same database transaction, before the request itself; what it
   * throws undoes both. It may run again (40001), so it has no effect outside the database.
   */
  readonly alongside?: (tx: Tx, record: SignatureRecord) => Promise<void>;
}

/**
 * A signature request whose approvals send an operation: the signature flow of a signer's
 * registration. It is `pending` once approved and ends with the operation, see
 * {@link settleSignatures}; `operationId` of its outcome is the request's id.
 * @throws conflict when a call with the same id has stored it meanwhile; what `alongside` throws
 */
export async function createOperationSignature(
  ctx: RequestCtx,
  input: CreateOperationSignatureInput,
): Promise<SignatureRecord> {
  const { wallet, prepared, signer } = input;
  const family = ctx.chains.family(wallet.chainType);
  const { typedData, message, operation, chain, validUntil } = prepared;
  const id = input.id ?? newId(ctx);
  const row = { table: 'signatures', id } as const;
  const first = await makeFirstApprovals(ctx, {
    family,
    wallet,
    chain,
    signer,
    message,
    signable: operation,
    row,
  });
  const record = makeRecord(ctx, {
    id,
    wallet,
    type: typedData === undefined ? 'message' : 'typed-data',
    isOperation: true,
    chain,
    params: {
      ...(typedData === undefined ? { message } : { typedData }),
      chain,
      signer: signerView(signer),
    },
    signable: operation,
    first,
    validUntil,
  });
  await ctx.store.transaction(async (tx) => {
    await input.alongside?.(tx, record);
    await explainConflict(insertSignatures(tx, [record]));
    if (!first.complete) return;
    await family.submitOperations(tx, [
      {
        operationId: record.id,
        subject: signatureSubject,
        projectId: record.projectId,
        wallet: toFamilyWallet(wallet),
        chain,
        operation,
        approvals: first.given,
      },
    ]);
  });
  return record;
}

function newId(ctx: RequestCtx): string {
  return ctx.idempotency?.objectId ?? ctx.ids.uuid();
}

interface RecordInput {
  readonly id: string;
  readonly wallet: WalletRecord;
  readonly type: SignatureType;
  readonly isOperation: boolean;
  readonly chain: string;
  readonly params: JsonObject;
  readonly signable: JsonObject;
  readonly first: FirstApprovals;
  readonly validUntil: Date;
}

function makeRecord(ctx: RequestCtx, input: RecordInput): SignatureRecord {
  const { wallet, first, isOperation, type, chain, params, signable, validUntil } = input;
  return {
    id: input.id,
    projectId: wallet.projectId,
    walletId: wallet.id,
    chainType: wallet.chainType,
    walletType: wallet.type,
    chain,
    type,
    status: move(
      signatureMachine,
      '*',
      first.complete ? 'created-approved' : 'created-for-signers',
    ),
    isOperation,
    params,
    signable,
    approvals: first.approvals,
    given: first.given,
    ...(isOperation && first.complete
      ? { outputSignature: factsOf(wallet.chainType).outputOf(first.given) }
      : {}),
    createdAt: ctx.clock.now(),
    validUntil,
  };
}
