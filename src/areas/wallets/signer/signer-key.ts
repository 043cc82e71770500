import { createHash } from 'node:crypto';
import { type Addresses, type ChainFamily, isQuorum, type Signer } from '../../../chains/family.ts';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Json } from '../../../lib/json/json.ts';
import { parseSignerLocator } from '../../../lib/locator/locator.ts';
import type { WalletRecord } from '../store.ts';
import { deviceLocator, formatDeviceKey, readDeviceKey } from './p256-key.ts';

/**
 * The canonical locator: equal for two spellings of one signer (address case, dots of an e-mail,
 * forms of a device key).
 */
export function signerKeyOf(family: Addresses, signer: Signer): string {
  switch (signer.type) {
    case 'external-wallet':
    case 'server':
    case 'api-key':
      return `${signer.type}:${family.canonicalAddress(signer.address ?? '')}`;
    case 'device':
      return deviceLocator(publicKeyOf(signer));
    case 'passkey':
      return `passkey:${String(signer['id'])}`;
    case 'email':
    case 'phone':
      return `${signer.type}:${String(signer[signer.type])}`;
    case 'quorum':
      return signer.locator;
  }
}

/**
 * The key behind a signer, as a chain tells keys apart: an address signs alike whether it is called
 * a server or an external wallet, a quorum is its threshold and members in any order.
 */
export function keyIdOf(family: ChainFamily, signer: Signer): string {
  if (isQuorum(signer)) {
    const members = signer.members.map((member) => keyIdOf(family, member)).sort();
    return `quorum:${createHash('sha256')
      .update(JSON.stringify([signer.threshold, members]))
      .digest('hex')}`;
  }
  if (signer.type === 'passkey' || signer.type === 'device') {
    const { x, y } = publicKeyOf(signer);
    return `${signer.type}:${BigInt(x)}:${BigInt(y)}`;
  }
  return `address:${family.canonicalAddress(signer.address ?? '')}`;
}

/**
 * The same for a locator; undefined for `api-key` without an address, and for text that is no
 * locator.
 */
export function signerKeyOfLocator(family: Addresses, text: string): string | undefined {
  const locator = tryParse(text);
  if (!locator) return undefined;
  switch (locator.type) {
    case 'external-wallet':
    case 'server':
    case 'api-key':
      if (locator.address === undefined || !family.isAddress(locator.address)) return undefined;
      return `${locator.type}:${family.canonicalAddress(locator.address)}`;
    case 'device': {
      const key = readDeviceKey(locator.publicKey);
      return key && `device:${formatDeviceKey(key)}`;
    }
    case 'email':
      return `email:${locator.email}`;
    case 'phone':
      return `phone:${locator.phone}`;
    case 'passkey':
    case 'quorum':
      return `${locator.type}:${locator.id}`;
  }
}

/**
 * Whether a locator names this signer of the wallet, however it is spelled; `api-key` alone names
 * the api-key signer.
 */
export function isSameSigner(
  ctx: Pick<Ctx, 'chains'>,
  wallet: WalletRecord,
  signer: Signer,
  locator: string,
): boolean {
  if (locator === signer.locator) return true;
  if (locator === 'api-key') return signer.type === 'api-key';
  const family = ctx.chains.family(wallet.chainType);
  const key = signerKeyOfLocator(family, locator);
  return key !== undefined && key === signerKeyOf(family, signer);
}

function tryParse(text: string) {
  try {
    return parseSignerLocator(text);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function publicKeyOf(signer: Signer): { x: string; y: string } {
  const { x, y } = signer['publicKey'] as { readonly [field: string]: Json };
  return { x: String(x), y: String(y) };
}
