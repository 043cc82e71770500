import { type Address, getAddressDecoder } from '@solana/kit';
import {
  findDelegate,
  type Registration,
  type Scope,
  type SignerKey,
  type WalletAddresses,
} from '../../../../programs/solana-wallet/index.ts';
import { leftOf, limitUseOf } from '../../family/limit-use.ts';
import { isP256Signer } from '../../family/signing/quorums.ts';
import { keyId } from '../../family/smart-wallets/signer-keys.ts';
import type { Delegate, FamilyWallet, LimitUse } from '../../family.ts';
import type { ChainAccount } from '../operation/node.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { signerKeyOf } from './signer-keys.ts';
import { readSmartSetup, type SmartWallet } from './smart-plan.ts';
import type { ReadAccounts, SmartWalletState } from './types.ts';

/** The accounts of the wallet program, byte by byte: wallet.c says what stands where. */

const stateTag = 0x53;
const stateHead = 48;
const memberBytes = 34;
export const delegateTag = 0x44;
const delegateHead = 96;
const windowBytes = 72;
const scopeBytes = 200;
const noLimit = 0xffff_ffff_ffff_ffffn;
const decoder = getAddressDecoder();
const keyKinds = ['ed25519', 'device', 'passkey'] as const;

export interface ChainGroup {
  readonly threshold: number;
  readonly members: readonly SignerKey[];
}

export interface ChainWallet {
  readonly epoch: number;
  readonly groups: readonly ChainGroup[];
  /** The highest number that P-256 approvals of the admin used. */
  readonly lastNumber: bigint;
}

export interface ChainDelegate {
  readonly active: boolean;
  readonly generation: number;
  /** Of the registration: another than the wallet's has ended it. */
  readonly epoch: number;
  readonly registration: Registration;
  readonly lastNumber: bigint;
  /** By scope. */
  readonly spent: readonly { readonly amount: bigint; readonly since: bigint }[];
}

/** Undefined when the account is not the wallet program's. */
export function readWalletAccount(
  { program }: WalletAddresses,
  account: ChainAccount | undefined,
): ChainWallet | undefined {
  if (
    !account ||
    account.owner !== program ||
    account.data.length < stateHead ||
    account.data[0] !== stateTag
  )
    return undefined;
  const view = viewOf(account.data);
  const groups: ChainGroup[] = [];
  let at = stateHead;
  for (let index = 0; index < account.data[1]!; index++) {
    const [threshold, count] = [account.data[at]!, account.data[at + 1]!];
    const members = Array.from({ length: count }, (_, member) =>
      keyAt(account.data, at + 2 + member * memberBytes),
    );
    groups.push({ threshold, members });
    at += 2 + count * memberBytes;
  }
  const window = view.getUint32(40, true);
  return {
    epoch: view.getUint32(4, true),
    groups,
    lastNumber: window === 0 ? 0n : view.getBigUint64(window, true),
  };
}

/** Undefined when the account is not the wallet program's, or another wallet's. */
export function readDelegateAccount(
  { program, id }: WalletAddresses,
  account: ChainAccount | undefined,
): ChainDelegate | undefined {
  if (
    !account ||
    account.owner !== program ||
    account.data.length < delegateHead ||
    account.data[0] !== delegateTag
  )
    return undefined;
  const { data } = account;
  if (!Buffer.from(data.subarray(24, 56)).equals(id)) return undefined;
  const view = viewOf(data);
  const key = keyOf(data[1]!, data.subarray(56, 89));
  const scopesAt = delegateHead + (key.kind === 'ed25519' ? 0 : windowBytes);
  const count = data[3] === 1 ? data[2]! : 0;
  const places = Array.from({ length: count }, (_, index) => scopesAt + index * scopeBytes);
  return {
    active: data[3] === 1,
    generation: view.getUint32(4, true),
    epoch: view.getUint32(8, true),
    registration: {
      key,
      expiresAt: view.getBigInt64(16, true),
      scopes: places.map((at) => scopeAt(data, at)),
    },
    lastNumber: key.kind === 'ed25519' ? 0n : view.getBigUint64(delegateHead, true),
    spent: places.map((at) => ({
      amount: view.getBigUint64(at + 48, true),
      since: view.getBigUint64(at + 56, true),
    })),
  };
}

function scopeAt(data: Uint8Array, at: number): Scope {
  const view = viewOf(data);
  const mint = addressAt(data, at);
  const limit = view.getBigUint64(at + 32, true);
  return {
    ...(mint === programs.system ? {} : { mint }),
    ...(limit === noLimit ? {} : { limit }),
    interval: view.getBigUint64(at + 40, true),
    recipients: Array.from({ length: data[at + 64]! }, (_, index) =>
      addressAt(data, at + 72 + index * 32),
    ),
  };
}

function keyAt(data: Uint8Array, at: number): SignerKey {
  return keyOf(data[at]!, data.subarray(at + 1, at + memberBytes));
}

function keyOf(kind: number, bytes: Uint8Array): SignerKey {
  const name = keyKinds[kind];
  if (name === undefined) throw new Error(`The wallet program has no keys of kind ${kind}.`);
  return name === 'ed25519'
    ? { kind: name, address: addressAt(bytes, 0) }
    : { kind: name, key: new Uint8Array(bytes) };
}

function addressAt(data: Uint8Array, at: number): Address {
  return decoder.read(data, at)[0];
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

/** What is used of each scope's limit at that second; undefined: no limit. */
export function limitsOf(
  { registration, spent }: Pick<ChainDelegate, 'registration' | 'spent'>,
  at: bigint,
): (LimitUse | undefined)[] {
  return registration.scopes.map(({ limit, interval }, index) => {
    const { amount, since } = spent[index]!;
    return limitUseOf({ limit, interval, spent: amount, since }, at);
  });
}

/** The registration of the set-up for this key, with which the wallet begins. */
export function plannedRegistration(
  { setup }: SmartWallet,
  key: SignerKey,
): Registration | undefined {
  const id = keyId(key);
  return setup.delegates.find((one) => keyId(one.key) === id);
}

export interface ReadStateInput {
  readonly wallet: FamilyWallet;
  /** Present when a delegate acts. */
  readonly delegate?: Pick<Delegate, 'signer'> | undefined;
  readonly now: Date;
}

/** What an operation of a wallet begins from: one round trip. */
export async function readSmartWallet(
  read: ReadAccounts,
  { wallet, delegate, now }: ReadStateInput,
): Promise<SmartWalletState> {
  const smart = readSmartSetup(wallet);
  const key = delegate && signerKeyOf(delegate.signer);
  const account = key && findDelegate(smart.addresses, key);
  const [stateAccount, delegateAccount] = await read([
    smart.addresses.state,
    ...(account === undefined ? [] : [account]),
  ]);
  const state = readWalletAccount(smart.addresses, stateAccount);
  const epoch = state?.epoch ?? 0;
  if (!key) return { created: state !== undefined, epoch, lastNumber: state?.lastNumber ?? 0n };
  const written = readDelegateAccount(smart.addresses, delegateAccount);
  const at = BigInt(Math.floor(now.getTime() / 1000));
  const isP256 = isP256Signer(delegate!.signer);
  if (written)
    return {
      created: true,
      epoch,
      lastNumber: isP256 ? written.lastNumber : 0n,
      delegate: {
        written: true,
        active: written.active && written.epoch === epoch,
        generation: written.generation,
        scopes: written.registration.scopes,
        available: limitsOf(written, at).map(leftOf),
      },
    };
  const planned = epoch === 0 ? plannedRegistration(smart, key) : undefined;
  const scopes = planned?.scopes ?? [];
  return {
    created: state !== undefined,
    epoch,
    lastNumber: 0n,
    delegate: {
      written: false,
      active: planned !== undefined,
      generation: planned ? 1 : 0,
      scopes,
      available: scopes.map(({ limit }) => limit),
    },
  };
}
