import type { Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import type { Json } from '../../lib/json/json.ts';
import { type Approvals, approvalsView } from '../approvals/index.ts';
import { getSignature, type SignatureRecord, signatureView } from '../signatures/index.ts';
import { readSignerChange } from '../signers/index.ts';
import { getTransaction, type TransactionRecord, transactionView } from '../transactions/index.ts';
import { isSameSigner, selectDelegates, signerView, type WalletRecord } from '../wallets/index.ts';
import type { LinkCall } from './guard.ts';
import { type ApprovalLink, hashSigner } from './link.ts';
import { askedOf, knownSigners } from './make-link.ts';
import { readPageSettings } from './settings.ts';

/** What the link is about, as it stands. */
export type Opened =
  | {
      readonly kind: 'transaction';
      readonly record: TransactionRecord;
      readonly signable: TransactionRecord['operation'];
    }
  | {
      readonly kind: 'signature';
      readonly record: SignatureRecord;
      readonly signable: SignatureRecord['signable'];
    };

/**
 * @throws transaction-not-found, signature-not-found, internal-error for a row that was changed
 * behind the service
 */
export async function openObject(
  ctx: RequestCtx,
  { link, wallet }: Pick<LinkCall, 'link' | 'wallet'>,
): Promise<Opened> {
  const key = { wallet, id: link.objectId };
  if (link.kind === 'signature') {
    const record = await getSignature(ctx, key);
    return { kind: 'signature', record, signable: record.signable };
  }
  const record = await getTransaction(ctx, key);
  return { kind: 'transaction', record, signable: record.operation };
}

/** The signer that the link is for, and whether it is asked now. */
export function signerOfLink(
  approvals: Approvals,
  link: ApprovalLink,
): { readonly signer: Signer | undefined; readonly isAsked: boolean } {
  const isOwn = ({ locator }: Signer) => hashSigner(locator) === link.signerHash;
  const asked = askedOf(approvals).find(isOwn);
  return { signer: asked ?? knownSigners(approvals).find(isOwn), isAsked: asked !== undefined };
}

/**
 * All that the page shows: what is asked, of whom, and what the service says of it. What is hashed,
 * the page reads for itself.
 */
export async function lookAtObject(
  ctx: RequestCtx,
  call: Pick<LinkCall, 'link' | 'wallet'>,
): Promise<unknown> {
  const { link, wallet } = call;
  const opened = await openObject(ctx, call);
  const { record } = opened;
  const { signer, isAsked } = signerOfLink(record.approvals, link);
  const [settings, change, limits] = await Promise.all([
    readPageSettings(ctx, wallet.projectId),
    readSignerChange(ctx, { walletId: wallet.id, id: link.objectId }),
    readLimits(ctx, wallet, opened),
  ]);
  const hasApproved =
    signer !== undefined &&
    submittedOf(record.approvals).some((one) => one.locator === signer.locator);
  return {
    environment: ctx.config.environment,
    now: ctx.clock.now(),
    kind: link.kind,
    expiresAt: link.expiresAt,
    validUntil: record.validUntil,
    wallet: { address: wallet.address, chainType: wallet.chainType, alias: wallet.alias },
    chain: record.chain,
    object: objectView(opened, signer),
    signer: signer && { ...signerView(signer), isAsked, hasApproved },
    says: ctx.chains.family(wallet.chainType).describeSigned(opened.signable),
    change,
    limits,
    page: settings,
  };
}

/**
 * As answers of the interface, without who else is asked: who they are is nobody's business here.
 */
export function objectView(
  { kind, record }: Opened,
  own: Signer | undefined,
): Record<string, Json | undefined> {
  const view = kind === 'transaction' ? transactionView(record) : signatureView(record);
  const isOwn = (signer: Signer) => signer.locator === own?.locator;
  const keep = (entries: Approvals['pending']): Approvals['pending'] =>
    entries.flatMap((entry): Approvals['pending'] => {
      if (!('quorumApprovals' in entry)) return isOwn(entry.signer) ? [entry] : [];
      const { pending, ...counts } = entry.quorumApprovals;
      return [
        {
          ...entry,
          quorumApprovals: {
            ...counts,
            pending: pending.filter((one) => isOwn(one.signer)),
            submitted: [],
          },
        },
      ];
    });
  const { signer, requiredSigners: _, ...params } = view['params'] as Record<string, Json>;
  const { type, locator } = (signer ?? {}) as Record<string, Json>;
  const acting =
    signer === undefined ? {} : { signer: { type: type ?? null, locator: locator ?? null } };
  return {
    ...view,
    params: { ...params, ...acting },
    approvals: approvalsView({ pending: keep(record.approvals.pending), submitted: [] }),
  };
}

const submittedOf = ({ pending, submitted }: Approvals): readonly Signer[] =>
  [...pending, ...submitted].flatMap((entry) => {
    if ('quorumApprovals' in entry)
      return entry.quorumApprovals.submitted.map(({ signer }) => signer);
    return 'signature' in entry ? [entry.signer] : [];
  });

/**
 * Of a delegated signer that acts: what the chain lets it do, as it was asked for. Owners have no
 * limit.
 */
async function readLimits(
  ctx: RequestCtx,
  wallet: WalletRecord,
  { record }: Opened,
): Promise<Json | undefined> {
  const acting = (record.params['signer'] as { readonly locator?: string } | undefined)?.locator;
  if (acting === undefined || !wallet.hasDelegates) return undefined;
  const delegates = await selectDelegates(ctx.store, { walletId: wallet.id });
  const delegate = delegates.find((one) => isSameSigner(ctx, wallet, one.signer, acting));
  if (!delegate) return undefined;
  return delegate.chains.find(({ chain }) => chain === record.chain)?.asked ?? delegate.asked;
}
