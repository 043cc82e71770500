/**
 * Why banks refuse or return payouts, and what they ask to be corrected: the codes of the ACH rules
 * and the ISO 20022 codes that instant and European rails use. What a bank says in words is never
 * passed on: it may quote the account.
 */

export type ReasonKind =
  | 'account-closed'
  | 'account-unknown'
  | 'account-invalid'
  | 'account-frozen'
  | 'account-type-unsuitable'
  | 'holder-deceased'
  | 'refused-by-recipient'
  | 'returned-on-request'
  | 'amount-not-allowed'
  | 'bank-unreachable'
  | 'compliance'
  | 'other';

export interface Reason {
  readonly kind: ReasonKind;
  readonly sentence: string;
  /** True when paying to the same account again cannot work. */
  readonly accountUnusable: boolean;
}

const unusable = (kind: ReasonKind, sentence: string): Reason => ({
  kind,
  sentence,
  accountUnusable: true,
});
const passing = (kind: ReasonKind, sentence: string): Reason => ({
  kind,
  sentence,
  accountUnusable: false,
});

const reasons: Readonly<Record<string, Reason>> = {
  R02: unusable('account-closed', 'The account is closed.'),
  R03: unusable('account-unknown', 'There is no such account, or it belongs to somebody else.'),
  R04: unusable('account-invalid', 'The account number is not valid.'),
  R06: passing('returned-on-request', 'The sending bank asked for the money back.'),
  R12: unusable('account-invalid', 'The branch was sold to another bank.'),
  R13: unusable('bank-unreachable', 'The receiving bank does not take part in ACH.'),
  R14: unusable('holder-deceased', 'The account’s representative is deceased or cannot act.'),
  R15: unusable('holder-deceased', 'The account’s holder is deceased.'),
  R16: unusable('account-frozen', 'The account is frozen, or the authorities ordered the return.'),
  R17: unusable(
    'account-invalid',
    'The account details could not be processed, or look fraudulent.',
  ),
  R20: unusable('account-type-unsuitable', 'The account takes no such payments.'),
  R22: passing('account-invalid', 'The recipient’s identification is not valid.'),
  R23: passing('refused-by-recipient', 'The recipient refused the payment.'),
  R24: passing('other', 'The receiving bank took it for a duplicate.'),
  R31: passing('returned-on-request', 'Returned by agreement of the two banks.'),
  AB05: passing('bank-unreachable', 'The receiving bank did not answer in time.'),
  AB08: passing('bank-unreachable', 'The receiving bank was offline.'),
  AC01: unusable('account-unknown', 'There is no such account.'),
  AC03: unusable('account-invalid', 'The account number is not valid.'),
  AC04: unusable('account-closed', 'The account is closed.'),
  AC06: unusable('account-frozen', 'The account is blocked.'),
  AC07: unusable('account-closed', 'The account is closed.'),
  AC14: unusable('account-type-unsuitable', 'The account’s kind takes no such payments.'),
  AG01: unusable('account-type-unsuitable', 'The account takes no such payments.'),
  AG03: unusable('account-type-unsuitable', 'The account takes no such payments.'),
  AM02: passing('amount-not-allowed', 'The amount is above what the receiving bank allows.'),
  AM04: passing('other', 'The sending account’s balance was not sufficient.'),
  AM14: passing('amount-not-allowed', 'The amount is above what the banks agreed on.'),
  BE04: passing('other', 'The recipient’s address is missing or not right.'),
  BE06: unusable('account-unknown', 'The recipient is not known at that bank.'),
  CUST: passing('returned-on-request', 'The sending customer asked for the money back.'),
  MD07: unusable('holder-deceased', 'The account’s holder is deceased.'),
  MS02: passing('refused-by-recipient', 'The recipient refused the payment.'),
  MS03: passing('other', 'The receiving bank refused and gave no reason.'),
  RC01: unusable('account-invalid', 'The bank’s identifier is not valid.'),
  RC04: unusable('account-invalid', 'The bank’s identifier is not valid.'),
  RR04: passing('compliance', 'Refused for regulatory reasons.'),
  TM01: passing('other', 'It reached the bank after its cut-off time.'),
  'account-invalid': unusable('account-invalid', 'The bank does not take the account’s details.'),
  'amount-not-allowed': passing(
    'amount-not-allowed',
    'The amount is outside of what the bank allows.',
  ),
  'bank-unreachable': passing(
    'bank-unreachable',
    'The receiving bank cannot be reached on this rail.',
  ),
  compliance: passing('compliance', 'The bank refused the payout after a review.'),
  canceled: passing('other', 'It was cancelled at the bank before it was sent on.'),
  'insufficient-funds': passing(
    'other',
    'The account that payouts are made from has not enough money.',
  ),
  'limit-object': passing('other', 'Another payout for the same order has left, or may yet.'),
  'limit-payout': passing('amount-not-allowed', 'The amount is above what the vault pays at once.'),
  'limit-project-day': passing(
    'amount-not-allowed',
    'The project has reached what the vault pays for it in a day.',
  ),
  'limit-destination-day': passing(
    'amount-not-allowed',
    'The account has reached what the vault pays to it in a day.',
  ),
  'method-unusable': unusable(
    'account-invalid',
    'The payment method was deleted, or cannot be paid on this rail.',
  ),
  operator: passing('other', 'An operator ended it after asking the bank.'),
};

/** What a code means. An unknown code is a reason too: `other`, never an error. */
export function explainCode(code: string): Reason {
  return Object.hasOwn(reasons, code)
    ? reasons[code]!
    : passing('other', 'The bank gave a reason that is not listed.');
}

/** What a notice of change corrects. */
export type ChangedField = 'accountNumber' | 'routingNumber' | 'accountType';

const changes: Readonly<Record<string, readonly ChangedField[]>> = {
  C01: ['accountNumber'],
  C02: ['routingNumber'],
  C03: ['routingNumber', 'accountNumber'],
  C05: ['accountType'],
  C06: ['accountNumber', 'accountType'],
  C07: ['routingNumber', 'accountNumber', 'accountType'],
};

/** The fields that a change code corrects; none for codes that correct something else. */
export function changedFields(code: string): readonly ChangedField[] {
  return Object.hasOwn(changes, code) ? changes[code]! : [];
}

/**
 * A code as it may be stored and shown. A company's text is let through only in the form of a code:
 * whatever could hold an account number becomes `other`.
 */
export function safeCode(text: string | undefined | null): string {
  return text !== undefined &&
    text !== null &&
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text) &&
    !/\d{4}/.test(text)
    ? text
    : 'other';
}
