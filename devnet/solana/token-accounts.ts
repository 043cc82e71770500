import type { Account } from './accounts.ts';
import { readU32, readU64, toBase58 } from './base.ts';
import { token2022Program, tokenProgram } from './program-ids.ts';

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly delegate?: string;
  readonly delegatedAmount: bigint;
  readonly state: 'initialized' | 'frozen';
  /** What a wrapped-SOL account must keep. */
  readonly rentReserve?: bigint;
  readonly closeAuthority?: string;
}

export interface Mint {
  readonly supply: bigint;
  readonly decimals: number;
  readonly isInitialized: boolean;
  readonly mintAuthority?: string;
  readonly freezeAuthority?: string;
}

const mintBytes = 82;
const accountBytes = 165;
/** Token-2022 writes the kind after the first 165 bytes, when there are extensions. */
const kindOffset = 165;
const kinds = { mint: 1, account: 2 } as const;

/** Undefined when this is no token account that was set up. */
export function readTokenAccount({ owner: program, data }: Account): TokenAccount | undefined {
  if (!isKind(program, data, 'account') || data[108] === 0) return undefined;
  return {
    mint: toBase58(data.subarray(0, 32)),
    owner: toBase58(data.subarray(32, 64)),
    amount: readU64(data, 64),
    delegate: readOptionalKey(data, 72),
    delegatedAmount: readU64(data, 121),
    state: data[108] === 2 ? 'frozen' : 'initialized',
    rentReserve: readU32(data, 109) === 1 ? readU64(data, 113) : undefined,
    closeAuthority: readOptionalKey(data, 129),
  };
}

export function readMint({ owner: program, data }: Account): Mint | undefined {
  if (!isKind(program, data, 'mint') || data[45] === 0) return undefined;
  return {
    supply: readU64(data, 36),
    decimals: data[44]!,
    isInitialized: data[45] === 1,
    mintAuthority: readOptionalKey(data, 0),
    freezeAuthority: readOptionalKey(data, 46),
  };
}

function isKind(program: string, data: Uint8Array, kind: keyof typeof kinds): boolean {
  if (program !== tokenProgram && program !== token2022Program) return false;
  if (data.length === (kind === 'mint' ? mintBytes : accountBytes)) return true;
  return (
    program === token2022Program && data.length > kindOffset && data[kindOffset] === kinds[kind]
  );
}

function readOptionalKey(data: Uint8Array, offset: number): string | undefined {
  return readU32(data, offset) === 1 ? toBase58(data.subarray(offset + 4, offset + 36)) : undefined;
}

/** Names of the extensions after the kind; the contents are not read. */
export function readExtensions(data: Uint8Array): { extension: string }[] {
  const found: { extension: string }[] = [];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = kindOffset + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true);
    if (type === 0) break;
    found.push({ extension: extensionsWithoutState[type] ?? 'unparseableExtension' });
    at += 4 + view.getUint16(at + 2, true);
  }
  return found;
}

const extensionsWithoutState: Readonly<Record<number, string>> = {
  7: 'immutableOwner',
  9: 'nonTransferable',
  13: 'nonTransferableAccount',
};

export interface UiAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

export function formatAmount(amount: bigint, decimals: number): UiAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const text = rest === '' ? whole : `${whole}.${rest}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}
