import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { findUser } from './access.ts';
import { changeUser } from './change-user.ts';
import type { LegalDocument, User } from './record.ts';
import { saveRecord } from './save-record.ts';
import type { PutUserBody } from './schema.ts';

const skewMs = 60_000;

/** What other areas do with a user that changed, in the same transaction. */
export type OnUserSaved = (tx: Tx, user: User) => Promise<void>;

/** @throws invalid-locator, not-authorized, user-not-found */
export function getUser(ctx: RequestCtx, locator: string): Promise<User> {
  return findUser(ctx, locator);
}

/**
 * Creates the user or replaces its data: a block that is absent is removed. Locators and accepted
 * documents stay.
 * @throws invalid-locator, not-authorized, validation-error, user-not-found (a client key and
 * another user), conflict
 */
export async function putUser(
  ctx: RequestCtx,
  input: { readonly locator: string; readonly body: PutUserBody; readonly onSaved: OnUserSaved },
): Promise<User> {
  const { locators: others, ...data } = input.body;
  checkTimes(ctx, data);
  const { userDetails, kycData, dueDiligence, verificationHistory } = data;
  return changeUser(ctx, { locator: input.locator, create: true, others }, async (tx, user) => {
    const { locators, legalDocuments } = user.record;
    const blocks = { userDetails, kycData, dueDiligence, verificationHistory };
    const hasData = user.hasData || Object.values(blocks).some((block) => block !== undefined);
    const saved = await saveRecord(ctx, tx, user, {
      record: { locators, legalDocuments, ...blocks },
      hasData,
    });
    await input.onSaved(tx, saved);
    return saved;
  });
}

/**
 * Records that the user accepted a legal document; an unknown user is created. A later acceptance
 * replaces an earlier one.
 * @throws invalid-locator, not-authorized, validation-error, user-not-found (a client key and
 * another user)
 */
export async function acceptLegalDocument(
  ctx: RequestCtx,
  input: {
    readonly locator: string;
    readonly document: LegalDocument;
    readonly onSaved: OnUserSaved;
  },
): Promise<LegalDocument> {
  checkPast(ctx, 'acceptedAt', input.document.acceptedAt);
  const document = {
    ...input.document,
    acceptedAt: new Date(input.document.acceptedAt).toISOString(),
  };
  return changeUser(ctx, { locator: input.locator, create: true }, async (tx, user) => {
    const others = user.record.legalDocuments.filter((one) => one.type !== document.type);
    const saved = await saveRecord(ctx, tx, user, {
      record: { ...user.record, legalDocuments: [...others, document] },
    });
    await input.onSaved(tx, saved);
    return document;
  });
}

function checkTimes(
  ctx: Pick<Ctx, 'clock'>,
  { userDetails, verificationHistory }: PutUserBody,
): void {
  if (userDetails) checkPast(ctx, 'userDetails.dateOfBirth', userDetails.dateOfBirth);
  for (const [name, at] of Object.entries(verificationHistory ?? {}))
    checkPast(ctx, `verificationHistory.${name}`, at);
}

function checkPast(ctx: Pick<Ctx, 'clock'>, field: string, text: string): void {
  if (new Date(text).getTime() > ctx.clock.now().getTime() + skewMs)
    throw new ServiceError('validation-error', {
      message: `The request is not valid. body.${field}: must not be in the future`,
    });
}
