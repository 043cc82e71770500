import { LedgerInvalid } from './errors.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const name = '[a-z0-9][a-z0-9._-]{0,63}';

/**
 * The accounts there are. A new kind of account is one line here and one in docs/guides/ledger.md.
 */
const forms: readonly string[] = [
  `chain:${name}:treasury`,
  `chain:${name}:hot`,
  `order:${uuid}:clearing`,
  `fx:${name}`,
  `fees:${name}`,
  `sales:${name}`,
  `bank:${name}:account`,
  `bank:${name}:in_transit:${name}`,
  `card:${name}:receivable`,
  `card:${name}:disputes`,
  'suspense:unmatched',
  'suspense:returned',
  'suspense:held',
  'suspense:asked',
  'gas:spent',
  `equity:${name}`,
];
const accountPattern = new RegExp(`^(?:${forms.join('|')})$`);
const assetPattern = new RegExp(`^(?:[a-z]{3}|${name}:[A-Za-z0-9][A-Za-z0-9:._-]{0,159})$`);
const uuidPattern = new RegExp(`^${uuid}$`);

/** True when the text is an account of the grammar. */
export function isAccount(text: string): boolean {
  return accountPattern.test(text);
}

/** True for a fiat code in lower case, `<chain>:native` or `<chain>:<token address>`. */
export function isAsset(text: string): boolean {
  return assetPattern.test(text);
}

/** True for a UUID as this service writes it, in lower case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** @throws LedgerInvalid for a text outside the grammar */
export function checkAccount(text: string): void {
  if (!isAccount(text))
    throw new LedgerInvalid(
      `"${text.slice(0, 100)}" is no account of the ledger: see the forms in src/ledger/accounts.ts.`,
    );
}

/** @throws LedgerInvalid */
export function checkAsset(text: string): void {
  if (!isAsset(text))
    throw new LedgerInvalid(
      `"${text.slice(0, 100)}" is no asset: write a fiat code in lower case, <chain>:native or <chain>:<token address>.`,
    );
}
