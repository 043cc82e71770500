import validator from 'validator';
import { ServiceError } from '../../lib/errors.ts';
import {
  cardBrand,
  isClabe,
  isColombianDocument,
  isRoutingNumber,
  isSepaIban,
  isUsAccountNumber,
} from './bank-numbers.ts';
import type { CreateBody } from './schema.ts';
import type { BankAccountDetails, CheckedAccount } from './types.ts';

const suffixLengthMax = 4;

/**
 * Checks the numbers of a create body and splits what is shown from what is not. Messages name
 * fields, never values.
 * @param now decides whether a card has expired
 * @throws validation-error
 */
export function checkAccount(body: CreateBody, now: Date): CheckedAccount {
  switch (body.type) {
    case 'bank-account-us':
      return checkUs(body);
    case 'bank-account-mx-clabe':
      return checkClabe(body);
    case 'bank-account-co':
      return checkColombian(body);
    case 'bank-account-sepa-iban':
      return checkSepa(body);
    case 'card':
      return checkCard(body, now);
  }
}

type BodyOf<Type extends CreateBody['type']> = Extract<CreateBody, { type: Type }>;

function checkUs({ type, bankAccount }: BodyOf<'bank-account-us'>): CheckedAccount {
  const routingNumber = bankAccount.routingNumber;
  const accountNumber = compact(bankAccount.accountNumber);
  if (!isRoutingNumber(routingNumber))
    throw refuse(
      'bankAccount.routingNumber',
      'is no ABA routing number: it has 9 digits, the last of which checks the others',
    );
  requireNotZero(accountNumber);
  if (!isUsAccountNumber(accountNumber))
    throw refuse('bankAccount.accountNumber', 'has 4 to 17 digits');
  const place = checkPlace(bankAccount, { currency: 'usd', country: 'US' });
  const { accountType } = bankAccount;
  return {
    type,
    identity: [routingNumber, accountNumber],
    secrets: { type, routingNumber, accountNumber, accountType },
    details: bankDetails(
      accountNumber,
      { ...shown(bankAccount), ...place, routingNumber, accountType },
      'Bank',
    ),
  };
}

function checkClabe({ type, bankAccount }: BodyOf<'bank-account-mx-clabe'>): CheckedAccount {
  const clabe = compact(bankAccount.clabe);
  if (!isClabe(clabe))
    throw refuse(
      'bankAccount.clabe',
      'is no CLABE: it has 18 digits, the last of which checks the others',
    );
  const place = checkPlace(bankAccount, { currency: 'mxn', country: 'MX' });
  return {
    type,
    identity: [clabe],
    secrets: { type, clabe },
    details: bankDetails(
      clabe,
      { ...shown(bankAccount), ...place, bankCode: clabe.slice(0, 3) },
      'CLABE',
    ),
  };
}

function checkColombian({ type, bankAccount }: BodyOf<'bank-account-co'>): CheckedAccount {
  const accountNumber = compact(bankAccount.accountNumber);
  const nationalDocument = bankAccount.nationalDocument.replaceAll(/[. ]/g, '').toUpperCase();
  const { bankCode, accountType } = bankAccount;
  if (!/^\d{3,4}$/.test(bankCode)) throw refuse('bankAccount.bankCode', 'has 3 or 4 digits');
  requireNotZero(accountNumber);
  if (!/^\d{5,20}$/.test(accountNumber))
    throw refuse('bankAccount.accountNumber', 'has 5 to 20 digits');
  if (!isColombianDocument(nationalDocument))
    throw refuse(
      'bankAccount.nationalDocument',
      'has 5 to 15 letters and digits; the digit behind a hyphen is the check digit of a tax number',
    );
  const place = checkPlace(bankAccount, { currency: 'cop', country: 'CO' });
  return {
    type,
    identity: [bankCode, accountNumber],
    secrets: { type, bankCode, accountNumber, accountType, nationalDocument },
    details: bankDetails(
      accountNumber,
      { ...shown(bankAccount), ...place, bankCode, accountType },
      'Bank',
    ),
  };
}

function checkSepa({ type, bankAccount }: BodyOf<'bank-account-sepa-iban'>): CheckedAccount {
  const iban = compact(bankAccount.iban).toUpperCase();
  const bic = bankAccount.bic?.toUpperCase();
  if (!isSepaIban(iban))
    throw refuse(
      'bankAccount.iban',
      'is no IBAN of a SEPA country: the third and fourth characters check the others',
    );
  if (bic !== undefined && !validator.isBIC(bic))
    throw refuse('bankAccount.bic', 'is no BIC: it has 8 or 11 characters');
  if (
    bic !== undefined &&
    bic.slice(4, 6) !== iban.slice(0, 2) &&
    !shareBank(bic.slice(4, 6), iban.slice(0, 2))
  )
    throw refuse('bankAccount.bic', 'is of another country than the IBAN');
  const place = checkPlace(bankAccount, { currency: 'eur', country: iban.slice(0, 2) });
  return {
    type,
    identity: [iban],
    secrets: { type, iban, ...(bic === undefined ? {} : { bic }) },
    details: bankDetails(
      iban,
      { ...shown(bankAccount), ...place, ...(bic === undefined ? {} : { bic }) },
      'IBAN',
    ),
  };
}

/**
 * Crown dependencies and French, Italian and Swiss neighbours bank with the larger country's codes.
 */
function shareBank(bicCountry: string, ibanCountry: string): boolean {
  const groups = ['GB GG JE IM', 'FR MC', 'IT SM VA', 'CH LI'].map((group) => group.split(' '));
  return groups.some((group) => group.includes(bicCountry) && group.includes(ibanCountry));
}

function checkCard({ type, card }: BodyOf<'card'>, now: Date): CheckedAccount {
  const number = compact(card.number);
  const brand = cardBrand(number);
  if (!brand) throw refuse('card.number', 'is no card number: its last digit checks the others');
  if (card.cvc.length !== brand.cvcLength)
    throw refuse('card.cvc', `has ${brand.cvcLength} digits on such a card`);
  const { expirationMonth, expirationYear, billing } = card;
  if (isExpired({ expirationMonth, expirationYear }, now))
    throw refuse(
      'card.expirationYear',
      'and `card.expirationMonth` have passed: the card has expired',
    );
  const last4 = suffixOf(number);
  return {
    type,
    identity: [number],
    secrets: { type, number },
    details: {
      displayName: displayName(brandNames[brand.name] ?? brand.name, last4),
      card: {
        brand: brand.name,
        last4,
        expiration: {
          month: String(expirationMonth).padStart(2, '0'),
          year: String(expirationYear),
        },
        billing,
        // Which kind a card is, and whose country it is of, is known to its issuer; no table of
        // issuers is at hand here.
        fundingType: 'unknown',
        bin: number.slice(0, 6),
        country: billing.address.country,
      },
    },
  };
}

const brandNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** A card is good until the end of its month, wherever that is on earth: UTC and half a day. */
function isExpired(
  card: { readonly expirationMonth: number; readonly expirationYear: number },
  now: Date,
): boolean {
  return now.getTime() > Date.UTC(card.expirationYear, card.expirationMonth, 1, 12);
}

/** The last 4; of a short number no more than half, else it would be shown whole. */
export function suffixOf(number: string): string {
  return number.slice(-Math.min(suffixLengthMax, Math.floor(number.length / 2)));
}

/** `Example Bank ••6259`. */
function displayName(name: string, last4: string): string {
  return `${name} ••${last4}`;
}

type BankBody = Exclude<CreateBody, { type: 'card' }>['bankAccount'];

/** What was sent and is shown as it is. */
function shown({ bankName, bankAddress, entityType, billing }: BankBody) {
  return {
    ...(bankName === undefined ? {} : { bankName }),
    ...(bankAddress === undefined ? {} : { bankAddress }),
    entityType,
    billing,
  };
}

function bankDetails(
  number: string,
  account: Omit<BankAccountDetails, 'accountSuffix'>,
  nameless: string,
): CheckedAccount['details'] {
  const accountSuffix = suffixOf(number);
  return {
    displayName: displayName(account.bankName ?? nameless, accountSuffix),
    bankAccount: { accountSuffix, ...account },
  };
}

/** Currency and country follow from the scheme; when sent they have to agree with it. */
function checkPlace(
  sent: { readonly currency?: string; readonly country?: string },
  wanted: { readonly currency: string; readonly country: string },
): { currency: string; country: string } {
  if (sent.currency !== undefined && sent.currency !== wanted.currency)
    throw refuse('bankAccount.currency', `is "${wanted.currency}" for this type`);
  if (sent.country !== undefined && sent.country !== wanted.country)
    throw refuse('bankAccount.country', `is "${wanted.country}" for this account`);
  return wanted;
}

function requireNotZero(accountNumber: string): void {
  if (/^0+$/.test(accountNumber))
    throw refuse('bankAccount.accountNumber', 'has zeros only: no account has that number');
}

/** Numbers are written in groups, with spaces or hyphens between. */
function compact(text: string): string {
  return text.replaceAll(/[ -]/g, '');
}

function refuse(field: string, problem: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `The request is not valid. body.${field} ${problem}.`,
  });
}
