import { readFileSync } from 'node:fs';
import { foreignSecrets, holdersOf, mayKnow, type SecretHolder } from './process-secrets.ts';
import {
  type IntegerName,
  type IntegerWithFallback,
  type Setting,
  type SettingName,
  settings,
  type TextWithFallback,
} from './settings.ts';

/** Reads variables and collects what is wrong with them, so that one start shows every problem. */
export interface SettingReader {
  readonly problems: string[];
  text(name: SettingName): string | undefined;
  /**
   * The variable, or the content of the file that `<NAME>_FILE` names; undefined where the process
   * may not know it.
   */
  secret(name: SettingName): string | undefined;
  /** Whether the process may know a secret: only then can it be missing. */
  mayKnow(name: SettingName): boolean;
  textOrFallback(name: TextWithFallback): string;
  /** A whole number within the bounds of the setting; when absent its fallback, or this one. */
  integer(name: IntegerWithFallback): number;
  integer(name: IntegerName, fallback: number): number;
  oneOf<const T extends string>(name: SettingName, words: readonly T[], fallback: T): T;
  /** Every variable of a name that ends in `*`: what stands for the star, and the value. */
  perChain(
    name: SettingName,
  ): { readonly name: string; readonly star: string; readonly value: string }[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const byName: ReadonlyMap<string, Setting> = new Map(
  settings.map((setting) => [setting.name, setting]),
);
const settingNamed = (name: SettingName): Setting => byName.get(name)!;

/**
 * Without a process every secret may be known. What a process may not know and has is a problem.
 */
export function createSettingReader(
  environment: Environment,
  process?: SecretHolder,
): SettingReader {
  const problems: string[] = [];
  // A variable that is set but empty is not set: that is how compose files and shells leave one
  // out.
  const valueOf = (name: string) => environment[name]?.trim() || undefined;

  const text = (name: SettingName) => valueOf(name);
  const isKnowable = (name: SettingName) => process === undefined || mayKnow(process, name);
  if (process !== undefined)
    for (const name of foreignSecrets(process)) {
      const set = [name, `${name}_FILE`].filter((one) => valueOf(one) !== undefined);
      if (set.length > 0)
        problems.push(
          `${set.join(' and ')} belongs to ${holdersOf(name)}: leave it out of the environment of ${process}.`,
        );
    }
  const secret = (name: SettingName) => {
    if (!settingNamed(name).secret) throw new Error(`${name} is not listed as a secret`);
    if (!isKnowable(name)) return undefined;
    const path = valueOf(`${name}_FILE`);
    const value = valueOf(name);
    if (path === undefined) return value;
    if (value !== undefined)
      problems.push(`${name} and ${name}_FILE are both set: keep one of them.`);
    try {
      const content = readFileSync(path, 'utf8').trim();
      if (content === '') problems.push(`${name}_FILE: the file ${path} is empty.`);
      return content || undefined;
    } catch {
      problems.push(`${name}_FILE: the file ${path} cannot be read.`);
      return undefined;
    }
  };

  return {
    problems,
    text,
    secret,
    mayKnow: isKnowable,
    textOrFallback: (name) => valueOf(name) ?? settingNamed(name).fallback!,
    integer(name: IntegerName, given?: number) {
      const { min, max, fallback = given! } = settingNamed(name).integer!;
      const value = valueOf(name);
      if (value === undefined) return fallback;
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      problems.push(`${name} is a whole number from ${min} to ${max}.`);
      return fallback;
    },
    oneOf(name, words, fallback) {
      const value = valueOf(name);
      if (value === undefined) return fallback;
      const word = words.find((one) => one === value);
      if (word === undefined) problems.push(`${name} is one of ${words.join(', ')}.`);
      return word ?? fallback;
    },
    perChain(name) {
      const prefix = name.slice(0, -1);
      return Object.keys(environment)
        .filter((key) => key.startsWith(prefix) && valueOf(key) !== undefined)
        .map((key) => ({ name: key, star: key.slice(prefix.length), value: valueOf(key)! }));
    },
  };
}

/** 32 bytes as hex or base64; undefined for anything else, and for bytes that are all the same. */
export function read32Bytes(text: string): Uint8Array | undefined {
  const isHex = /^(?:0x)?[0-9a-fA-F]{64}$/.test(text);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!isHex && !isBase64) return undefined;
  const bytes = isHex ? Buffer.from(text.replace(/^0x/, ''), 'hex') : Buffer.from(text, 'base64');
  return bytes.length === 32 && new Set(bytes).size > 1 ? new Uint8Array(bytes) : undefined;
}
