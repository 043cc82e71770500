import type { Environment } from '../context.ts';
import { Secret } from '../lib/sealing/secret.ts';
import type { ProcessKind } from './load-config.ts';
import type { SettingReader } from './read-setting.ts';
import type { SettingName } from './settings.ts';

/** What the settings of chain families say in the same words. */

/** How the names of its settings begin. */
type Family = 'SOLANA' | 'STELLAR' | 'SUI' | 'APTOS';

export interface FamilyInput {
  readonly environment: Environment;
  readonly process: ProcessKind;
}

/** The node of a family, and that of somebody else who says the same. */
export function readNodes(
  reader: SettingReader,
  family: Exclude<Family, 'APTOS'>,
): { readonly rpcUrl: string | undefined; readonly secondRpcUrl: string | undefined } {
  const rpcUrl = readUrl(reader, `${family}_RPC_URL`);
  const secondRpcUrl = readUrl(reader, `${family}_RPC_SECOND_URL`);
  if (
    secondRpcUrl !== undefined &&
    new URL(secondRpcUrl).host === new URL(rpcUrl ?? 'http://none').host
  )
    reader.problems.push(
      `${family}_RPC_SECOND_URL is the node of ${family}_RPC_URL: name one of somebody else.`,
    );
  return { rpcUrl, secondRpcUrl };
}

export function readUrl(reader: SettingReader, name: SettingName): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  reader.problems.push(`${name} is an http or https address.`);
  return undefined;
}

/** In US dollars: what one node may say alone. */
export function readDepositAloneMax(
  reader: SettingReader,
  family: Exclude<Family, 'APTOS'>,
  environment: Environment,
): string | undefined {
  const name = `${family}_DEPOSIT_ALONE_MAX_USD` as const;
  const text = reader.text(name) ?? (environment === 'production' ? '1000' : undefined);
  if (text !== undefined && !/^\d{1,12}(\.\d{1,2})?$/.test(text))
    reader.problems.push(`${name} is a number of US dollars, e.g. 1000.`);
  return text;
}

/** Where a watcher begins. */
export function readStart(
  reader: SettingReader,
  name: SettingName,
  { what, digits = 18 }: { readonly what: string; readonly digits?: number },
): bigint | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (new RegExp(`^\\d{1,${digits}}$`).test(text)) return BigInt(text);
  reader.problems.push(`${name} is the number of a ${what}.`);
  return undefined;
}

export interface KeyForm {
  /** How people call one, e.g. `secret key`. */
  readonly noun: string;
  /** What each account needs; `its own <noun>` when absent. */
  readonly own?: string;
  /** Of one key in the setting. */
  readonly pattern?: RegExp;
  /** Undefined: it is not a key. */
  readonly read: (text: string) => Uint8Array | undefined;
  /** What a key looks like, for messages. */
  readonly form: string;
  readonly feePayersMax: number;
}

/** The keys of accounts that pay fees, and of the one that holds test tokens. */
export function readKeys(
  reader: SettingReader,
  family: Family,
  {
    noun,
    own = `its own ${noun}`,
    pattern = /[^\s,]+/g,
    read,
    form,
    feePayersMax,
    isNeeded,
  }: KeyForm & { readonly isNeeded: boolean },
): {
  readonly feePayerKeys: readonly Secret<Uint8Array>[];
  readonly treasuryKey: Secret<Uint8Array> | undefined;
} {
  const [payers, treasury] = [`${family}_FEE_PAYER_KEYS`, `${family}_TREASURY_KEY`] as const;
  const keysOf = (name: SettingName) => {
    const keys = ((reader.secret(name) ?? '').match(pattern) ?? []).map(read);
    if (keys.includes(undefined)) reader.problems.push(`${name}: ${form}.`);
    return keys.flatMap((key) => (key === undefined ? [] : [new Secret(key)]));
  };
  const feePayerKeys = keysOf(payers);
  const treasuryKeys = keysOf(treasury);
  if (feePayerKeys.length === 0 && isNeeded)
    reader.problems.push(
      `${payers} is not set: the worker needs at least one account that pays the fees.`,
    );
  if (feePayerKeys.length > feePayersMax)
    reader.problems.push(`${payers} names more than ${feePayersMax} accounts.`);
  if (treasuryKeys.length > 1) reader.problems.push(`${treasury} is one ${noun}.`);
  const all = [...feePayerKeys, ...treasuryKeys].map((key) =>
    Buffer.from(key.reveal()).toString('hex'),
  );
  if (new Set(all).size < all.length)
    reader.problems.push(`${payers} and ${treasury} name an account twice: each needs ${own}.`);
  return { feePayerKeys, treasuryKey: treasuryKeys[0] };
}

export interface WordForm {
  readonly name: SettingName;
  readonly isValid: (text: string) => boolean;
  /** What it is, for messages: `a Solana address: 32 bytes as base58`. */
  readonly what: string;
}

export function readWord(
  reader: SettingReader,
  { name, isValid, what }: WordForm,
): string | undefined {
  const text = reader.text(name);
  if (text !== undefined && !isValid(text)) reader.problems.push(`${name} is ${what}.`);
  return text;
}

/** As {@link readWord}, of the test token, which production has not. */
export function readTestWord(
  reader: SettingReader,
  environment: Environment,
  form: WordForm,
): string | undefined {
  if (environment === 'production' && reader.text(form.name) !== undefined)
    reader.problems.push(
      `${form.name} is for development and staging: production has no test token.`,
    );
  return readWord(reader, form);
}
