import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseSignerLocator } from '../../lib/locator/locator.ts';
import { MessagingError } from '../../providers/messaging/index.ts';
import { requireShown } from '../approvals/index.ts';
import { requireProject } from '../projects/index.ts';
import { type Identity, readEmail, readPhone, type WalletRecord } from '../wallets/index.ts';
import { findAskedApproval } from './asked.ts';
import { hashCode, hashIdentity } from './code-hash.ts';
import { readDeviceKey } from './device.ts';
import { claimLimits, type Limit, requireCounted, returnLimits, sendingLimits } from './limits.ts';
import { deleteCode, replaceCode } from './store.ts';

const codeMinutes = 10;
const codeCount = 1_000_000n;
const codeDigits = 6;

export interface RequestCodeInput {
  readonly wallet: WalletRecord;
  /** As in the path. */
  readonly signer: string;
  readonly devicePublicKey: { readonly x: string; readonly y: string };
  /** Of the pending approval. */
  readonly message: string;
}

export interface SentCode {
  readonly codeId: string;
  /** Masked. */
  readonly sentTo: string;
  readonly expiresAt: Date;
}

/**
 * Sends a one-time code to an e-mail or phone signer that is asked for an approval now, and binds
 * it to a device key. An earlier code or session of the same signer and device ends.
 * @throws validation-error, invalid-locator, signer-not-approver, rate-limited,
 * code-not-deliverable, provider-unavailable
 */
export async function requestCode(ctx: RequestCtx, input: RequestCodeInput): Promise<SentCode> {
  const { wallet, message } = input;
  const identity = readIdentity(input.signer);
  const deviceKey = readDeviceKey(input.devicePublicKey);
  // Strangers and signers with nothing to approve get the same answer: who signs for a wallet is
  // not told here.
  const asked = await findAskedApproval(ctx, {
    wallet,
    signerLocator: locatorOf(identity),
    message,
  });
  if (!asked) throw notAsked();
  requireShown(ctx, { ...asked, wallet, message });
  const what = asked.family.describeSigned(asked.signable);
  const identityHash = await hashIdentity(ctx, identity);
  const limits = sendingLimits(ctx, {
    projectId: wallet.projectId,
    walletId: wallet.id,
    identityHash,
  });
  const now = ctx.clock.now();
  const code = (ctx.ids.bytes(8).readBigUInt64BE() % codeCount)
    .toString()
    .padStart(codeDigits, '0');
  const row = {
    id: ctx.ids.randomUuid(),
    projectId: wallet.projectId,
    walletId: wallet.id,
    identityHash,
    deviceKey,
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000),
  };
  const codeHash = await hashCode(ctx, row, code);
  await ctx.store.transaction(async (tx) => {
    await claimLimits(tx, limits, now);
    await replaceCode(tx, { ...row, codeHash, createdAt: now });
  });
  requireCounted(ctx.store, limits, now);
  await deliver(ctx, { identity, code, what, codeId: row.id, limits, projectId: wallet.projectId });
  return { codeId: row.id, sentTo: maskIdentity(identity), expiresAt: row.expiresAt };
}

/** @throws invalid-locator; validation-error for a signer of another type */
export function readIdentity(locatorText: string): Identity {
  const locator = parseSignerLocator(locatorText);
  if (locator.type === 'email') return readEmail(locator.email);
  if (locator.type === 'phone') return readPhone(locator.phone);
  throw new ServiceError('validation-error', {
    message: `Codes are for email and phone signers; this one is of type ${locator.type} and signs with its own key.`,
  });
}

export function locatorOf({ type, value }: Identity): string {
  return `${type}:${value}`;
}

export function notAsked(): ServiceError {
  return new ServiceError('signer-not-approver', {
    message:
      'No pending approval of this wallet asks this signer to sign this message: read the transaction or signature again.',
  });
}

/**
 * Sends the code, or undoes it: a code that nobody has would only stand in the way of the next one.
 */
async function deliver(
  ctx: RequestCtx,
  input: {
    identity: Identity;
    code: string;
    what: string;
    codeId: string;
    limits: readonly Limit[];
    projectId: string;
  },
): Promise<void> {
  const { identity, code, what, codeId, limits } = input;
  const { messaging } = ctx.providers;
  try {
    const { name: project } = await requireProject(ctx, input.projectId);
    const send = identity.type === 'email' ? messaging.sendEmail : messaging.sendSms;
    const outcome = await send({
      to: identity.value,
      message: {
        kind: 'signer-code',
        values: { code, minutes: String(codeMinutes), project, what },
      },
      idempotencyKey: codeId,
    });
    if (outcome.status === 'sent') return;
    ctx.log.warn(
      { codeId, reason: outcome.reason, detail: outcome.detail },
      'a signer code was refused by the company that sends it',
    );
    throw new ServiceError('code-not-deliverable', {
      message: `The code cannot be sent to this ${identity.type === 'email' ? 'e-mail address' : 'phone number'}: it was refused for good.`,
    });
  } catch (error) {
    // What may have arrived counts, or somebody could be sent messages without end.
    const counts = error instanceof MessagingError && error.maybeSent;
    await deleteCode(ctx.store, codeId);
    if (!counts) await returnLimits(ctx.store, limits);
    throw error instanceof MessagingError ? notSent(ctx, codeId, error) : error;
  }
}

function notSent(ctx: RequestCtx, codeId: string, error: MessagingError): ServiceError {
  ctx.log.error({ err: error, codeId }, 'a signer code could not be sent');
  const { retryAfterSeconds } = error;
  return new ServiceError('provider-unavailable', {
    message: error.maybeSent
      ? 'It is not known whether the code was sent, so it does not count: request another one.'
      : 'The code could not be sent: request another one later.',
    ...(retryAfterSeconds === undefined
      ? {}
      : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    cause: error,
  });
}

/**
 * Enough to be recognised by its owner: the first letter and the domain, or the last three digits.
 */
function maskIdentity({ type, value }: Identity): string {
  if (type === 'phone')
    return `${value.slice(0, 2)}${'*'.repeat(value.length - 5)}${value.slice(-3)}`;
  const at = value.lastIndexOf('@');
  return `${[...value][0]}***${value.slice(at)}`;
}
