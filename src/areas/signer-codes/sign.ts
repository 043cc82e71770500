import { timingSafeEqual } from 'node:crypto';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { countHere } from '../../store/remembered.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import { requireShown } from '../approvals/index.ts';
import { type Identity, signerOf, type WalletRecord } from '../wallets/index.ts';
import { type AskedApproval, findAskedApproval } from './asked.ts';
import { hashCode, hashIdentity, proveSession } from './code-hash.ts';
import { isSignedByDevice } from './device.ts';
import { claimLimits, guessLimit, requireCounted } from './limits.ts';
import { locatorOf, notAsked, readIdentity } from './request-code.ts';
import type { SignWithCodeBody } from './schema.ts';
import { type CodeRecord, countTry, openSession, selectCode, useNonce } from './store.ts';

const triesMax = 5;
const sessionMinutes = 10;

export interface SignWithCodeInput extends SignWithCodeBody {
  readonly wallet: WalletRecord;
  /** As in the path. */
  readonly signer: string;
}

export interface CodeSignature {
  readonly signature: string;
  readonly sessionExpiresAt: Date;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Signs the message of a pending approval with the custody key of an e-mail or phone signer, for
 * the device that holds its code. The right code opens a session of ten minutes, in which the
 * device signs without another one.
 * @throws invalid-locator, validation-error, code-not-found, invalid-signature (of the device),
 *   conflict (nonce used before), invalid-code, rate-limited, signer-not-approver
 */
export async function signWithCode(
  ctx: RequestCtx,
  input: SignWithCodeInput,
): Promise<CodeSignature> {
  const { wallet, message } = input;
  const identity = readIdentity(input.signer);
  const signerLocator = locatorOf(identity);
  const identityHash = await hashIdentity(ctx, identity);
  const row = uuidPattern.test(input.codeId)
    ? await selectCode(ctx.store, { id: input.codeId, walletId: wallet.id, identityHash })
    : undefined;
  if (!row) throw new ServiceError('code-not-found');
  // Before anything is used up: who has not the device can neither guess nor spoil the guesses of
  // its owner.
  const request = {
    walletAddress: wallet.address,
    signer: signerLocator,
    codeId: row.id,
    code: input.code,
    nonce: input.nonce,
    message,
  };
  if (!isSignedByDevice(row.deviceKey, request, input.deviceSignature))
    throw new ServiceError('invalid-signature', {
      message:
        'deviceSignature does not verify: sign the lines of this request with the device key that the code was requested for.',
    });
  const sessionExpiresAt = row.sessionProof
    ? await continueSession(ctx, row, input)
    : await useCode(ctx, row, input);
  const asked = await findAskedApproval(ctx, { wallet, signerLocator, message });
  if (!asked) throw notAsked();
  return {
    signature: await signAsked(ctx, { wallet, message, identity }, asked),
    sessionExpiresAt,
  };
}

/**
 * Under the message that the code was typed for, and that the device signed, lies that very
 * operation.
 */
async function signAsked(
  ctx: RequestCtx,
  {
    wallet,
    message,
    identity,
  }: { readonly wallet: WalletRecord; readonly message: string; readonly identity: Identity },
  asked: AskedApproval,
): Promise<string> {
  const { family, signable } = asked;
  requireShown(ctx, { ...asked, wallet, message });
  const { signer, purpose } = await signerOf(ctx, family, identity);
  const bytes = await ctx.providers.custody.sign(ctx.store, {
    keyId: signer.keyId,
    projectId: wallet.projectId,
    purpose,
    walletId: wallet.id,
    bytes: family.custodyDigest(signable),
  });
  const { signature } = family.custodyApproval(signer, bytes);
  if (typeof signature !== 'string') throw new Error('an approval by a custody key is not text');
  return signature;
}

async function continueSession(
  ctx: RequestCtx,
  row: CodeRecord,
  { nonce }: SignWithCodeInput,
): Promise<Date> {
  const now = ctx.clock.now();
  const { sessionExpiresAt, sessionProof } = row;
  if (!sessionExpiresAt || !sessionProof || sessionExpiresAt <= now)
    throw new ServiceError('code-not-found');
  if (!isEqual(await proveSession(ctx, row, sessionExpiresAt), sessionProof)) {
    ctx.log.error(
      { codeId: row.id },
      'a session of a signer code was not opened by this service: the row was changed',
    );
    throw new ServiceError('code-not-found');
  }
  await ctx.store.transaction((tx) => takeNonce(tx, { codeId: row.id, nonce, now }));
  return sessionExpiresAt;
}

/** One try at the code: it is used up and durable before the caller learns anything. */
async function useCode(
  ctx: RequestCtx,
  row: CodeRecord,
  { code, nonce }: SignWithCodeInput,
): Promise<Date> {
  if (code === undefined)
    throw new ServiceError('validation-error', {
      message: 'code: is required until it was right once.',
    });
  const now = ctx.clock.now();
  const tried = await ctx.store.transaction(async (tx) => {
    await takeNonce(tx, { codeId: row.id, nonce, now });
    const taken = await countTry(tx, { id: row.id, now, triesMax });
    if (taken) await claimLimits(tx, [guessLimit(row.identityHash)], now);
    return taken;
  });
  if (!tried) throw new ServiceError('code-not-found');
  requireTryLeft(ctx, tried, now);
  if (!isEqual(await hashCode(ctx, tried, code), tried.codeHash))
    throw wrongCode(triesMax - tried.tries);
  const sessionExpiresAt = new Date(now.getTime() + sessionMinutes * 60_000);
  await openSession(ctx.store, {
    id: row.id,
    proof: await proveSession(ctx, tried, sessionExpiresAt),
    expiresAt: sessionExpiresAt,
  });
  return sessionExpiresAt;
}

/**
 * Who writes the database sets `tries` back, or the whole row; what this process has looked at he
 * does not. @throws internal-error, after an alarm
 */
function requireTryLeft(ctx: RequestCtx, row: CodeRecord, now: Date): void {
  requireCounted(ctx.store, [guessLimit(row.identityHash)], now);
  const tries = countHere(ctx.store, {
    key: `signer-codes:${row.id}`,
    now,
    until: row.expiresAt,
  });
  if (tries > BigInt(triesMax))
    throw rowMacsOf(ctx.store).refuse(
      { table: 'signer_codes', id: row.id },
      `this process alone has looked at more than ${triesMax} guesses: the tries were set back`,
    );
}

function wrongCode(triesLeft: number): ServiceError {
  return new ServiceError('invalid-code', {
    message:
      triesLeft > 0
        ? `The code is wrong: ${triesLeft} tries are left.`
        : 'The code is wrong and used up: request another one.',
    details: { triesLeft },
  });
}

/** @throws conflict */
async function takeNonce(
  tx: Parameters<typeof useNonce>[0],
  input: Parameters<typeof useNonce>[1],
): Promise<void> {
  if (!(await useNonce(tx, input)))
    throw new ServiceError('conflict', {
      message: 'This nonce was used with this code before: sign the request anew with another one.',
    });
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
