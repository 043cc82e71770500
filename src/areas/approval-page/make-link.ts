import { isQuorum, type Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Approvals } from '../approvals/index.ts';
import { isSameSigner, type WalletRecord } from '../wallets/index.ts';
import { type ApprovalLink, hashSigner, sealLink } from './link.ts';

export const pagePath = '/approve';
export const linkSecondsDefault = 3_600;
export const linkSecondsMin = 60;
export const linkSecondsMax = 86_400;

interface Asking {
  readonly id: string;
  readonly status: string;
  readonly approvals: Approvals;
  readonly validUntil: Date;
}

export interface MadeLink {
  readonly url: string;
  /** Locator of the signer that it is for. */
  readonly signer: string;
  readonly expiresAt: Date;
}

/**
 * The address of the page on which one signer approves or declines, until the link or the object's
 * approval window ends.
 * @throws validation-error (several are asked, and none was named), signer-not-approver,
 * approvals-complete, approval-window-closed
 */
export function makeLink(
  ctx: RequestCtx,
  input: {
    readonly kind: ApprovalLink['kind'];
    readonly wallet: WalletRecord;
    readonly object: Asking;
    readonly signer?: string | undefined;
    readonly expiresInSeconds?: number | undefined;
  },
): MadeLink {
  const { kind, wallet, object, expiresInSeconds = linkSecondsDefault } = input;
  const now = ctx.clock.now().getTime();
  if (
    object.status === 'failed' ||
    (object.status === 'awaiting-approval' && object.validUntil.getTime() <= now)
  )
    throw new ServiceError('approval-window-closed');
  if (object.status !== 'awaiting-approval') throw new ServiceError('approvals-complete');
  const { locator: signer } = chooseSigner(ctx, wallet, askedOf(object.approvals), input.signer);
  const expiresAt = new Date(Math.min(now + expiresInSeconds * 1_000, object.validUntil.getTime()));
  const { projectId, address: walletAddress } = wallet;
  const link = {
    kind,
    projectId,
    walletAddress,
    objectId: object.id,
    signerHash: hashSigner(signer),
    expiresAt,
  };
  return {
    url: `${ctx.config.api.baseUrl}${pagePath}/${projectId}#${sealLink(ctx.config, link)}`,
    signer,
    expiresAt,
  };
}

/** Who may approve now. */
export const askedOf = ({ pending }: Approvals): readonly Signer[] =>
  pending.flatMap((entry) =>
    'quorumApprovals' in entry
      ? entry.quorumApprovals.pending.map(({ signer }) => signer)
      : [entry.signer],
  );

/**
 * Who was ever asked, as far as the object says: those who have approved, and quorum members of
 * whom enough had.
 */
export const knownSigners = ({ pending, submitted }: Approvals): readonly Signer[] =>
  [...pending, ...submitted].flatMap((entry) => {
    if (!('quorumApprovals' in entry)) return [entry.signer];
    const { quorumApprovals, signer } = entry;
    const members = isQuorum(signer) ? signer.members : [];
    return [...quorumApprovals.pending, ...quorumApprovals.submitted]
      .map((one) => one.signer)
      .concat(members);
  });

function chooseSigner(
  ctx: RequestCtx,
  wallet: WalletRecord,
  asked: readonly Signer[],
  named: string | undefined,
): Signer {
  const fitting =
    named === undefined
      ? asked
      : asked.filter((signer) => isSameSigner(ctx, wallet, signer, named));
  const [only, another] = fitting;
  if (only && !another) return only;
  const locators = asked.map(({ locator }) => locator).join(', ');
  if (only)
    throw new ServiceError('validation-error', {
      message: `signer: several are asked, name one of them: ${locators}.`,
    });
  throw new ServiceError('signer-not-approver', {
    message: `This signer has no pending approval here. Pending: ${locators}.`,
  });
}
