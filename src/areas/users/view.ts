import type { Ctx } from '../../context.ts';
import { normalizeEmail } from '../../lib/people/email.ts';
import type { LegalDocument, User, UserRecord } from './record.ts';

/** The `userId` of answers: the one the project gave, else our own. */
function userIdOf(user: Pick<User, 'id' | 'record'>): string {
  return valueOfKind(user.record, 'userId') ?? user.id;
}

/** A locator of the user that always works: what events and other areas name the user by. */
export function userLocatorOf(user: Pick<User, 'id' | 'record'>): string {
  return `userId:${userIdOf(user)}`;
}

/** False for an acceptance of a policy that has been replaced since. */
export function isValidVersion(ctx: Pick<Ctx, 'config'>, document: LegalDocument): boolean {
  const { privacyPolicySince } = ctx.config.identity;
  return (
    privacyPolicySince === undefined || document.acceptedAt >= privacyPolicySince.toISOString()
  );
}

/** The user object of the interface. */
export function userView(ctx: Pick<Ctx, 'config'>, user: User) {
  const { record } = user;
  const email = emailOf(record);
  const phoneNumber = valueOfKind(record, 'phoneNumber') ?? record.kycData?.phoneNumber;
  return {
    userId: userIdOf(user),
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    userDetails: record.userDetails !== undefined,
    kycData: record.kycData !== undefined,
    dueDiligence: record.dueDiligence !== undefined,
    verificationHistory: record.verificationHistory !== undefined,
    legalDocuments: record.legalDocuments.map((document) => ({
      ...document,
      isValidVersion: isValidVersion(ctx, document),
    })),
  };
}

/** The linked address, spelled as the project sent it where that is the same one. */
function emailOf(record: UserRecord): string | undefined {
  const linked = valueOfKind(record, 'email');
  const told = record.kycData?.email;
  return linked === undefined || (told !== undefined && normalizeEmail(told) === linked)
    ? told
    : linked;
}

function valueOfKind(record: UserRecord, kind: string): string | undefined {
  return record.locators.find((locator) => locator.startsWith(`${kind}:`))?.slice(kind.length + 1);
}
