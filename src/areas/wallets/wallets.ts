import { factsOf } from '../../chains/families.ts';
import type { ChainFamily, ChainType, Delegate, FamilyWallet, Networks, WalletType } from '../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator, parseWalletLocator, type UserLocator } from '../../lib/locator.ts';
import { locatorKeyOf } from '../../lib/locator-key.ts';
import { apiKeySigner } from './api-key-signer.ts';
import { type ConfiguredDelegate, readSmartConfig, type SmartConfig } from './config.ts';
import { type DelegateWithChains, isThere, selectDelegates } from './delegates-store.ts';
import { findByAddress } from './find-by-address.ts';
import { insertWallet } from './insert-wallet.ts';
import { callerOwnerKeys, companyOwner, readOwner } from './owner.ts';
import type { CreateWalletBody } from './schema.ts';
import { keyIdOf, signerKeyOf } from './signer-key.ts';
import {
  type NewDelegate,
  type NewWallet,
  selectOwnedWallet,
  selectWalletByAddress,
  selectWalletById,
  type WalletRecord,
} from './store.ts';

export interface CreateWalletResult {
  readonly wallet: WalletRecord;
  /** False: a wallet of the same owner, chain type, type and alias was there already; `config` was not applied again. */
  readonly created: boolean;
}

interface Ownership {
  readonly owner?: string;
  readonly ownerKey?: string;
}

/**
 * Creates a wallet, or answers the one that the same owner has already (chain type, type and alias being equal).
 * @throws validation-error, invalid-locator, WALLET_TYPE_NOT_SUPPORTED, chain-not-supported, signer-type-not-supported,
 *   DEVICE_SIGNER_NOT_SUPPORTED, wallet-already-exists
 */
export async function createWallet(ctx: RequestCtx, body: CreateWalletBody): Promise<CreateWalletResult> {
  if (ctx.caller.keyKind === 'client')
    throw new ServiceError('forbidden', { message: 'A client key creates wallets for its user: use POST /2025-06-09/wallets/me.' });
  const ownership = body.owner === undefined ? (body.alias === undefined ? {} : { ownerKey: companyOwner }) : readOwner(body.owner);
  return createWalletFor(ctx, body, ownership);
}

/** Creates or answers the wallet of the JWT's user. @throws not-authorized and those of {@link createWallet} */
export async function createMyWallet(ctx: RequestCtx, body: Omit<CreateWalletBody, 'owner'>): Promise<CreateWalletResult> {
  const [ownerKey] = callerOwnerKeys(ctx.caller);
  return createWalletFor(ctx, body, { owner: ownerKey, ownerKey });
}

/**
 * The user's wallet of a family: the stored one, or the one to store, made with the project's api-key signer, so that a
 * recipient need not sign up first. Nothing is stored here: see {@link insertWallets}.
 */
export async function planUserWallet(
  ctx: RequestCtx,
  input: { chainType: ChainType; user: UserLocator },
): Promise<{ readonly address: string; readonly toStore?: NewWallet }> {
  const family = ctx.chains.family(input.chainType);
  const ownerKey = locatorKeyOf(input.user);
  const type = family.walletTypes[0]!;
  const existing = await selectOwnedWallet(ctx.store, {
    projectId: ctx.caller.projectId,
    chainType: input.chainType,
    type,
    ownerKeys: [ownerKey],
  });
  if (existing) return { address: existing.address };
  const config: SmartConfig = { adminSigner: await apiKeySigner(ctx, family) };
  const toStore = planWallet(ctx, family, {
    id: ctx.ids.uuid(),
    type,
    config,
    ownership: { owner: formatUserLocator(input.user), ownerKey },
  });
  return { address: toStore.address, toStore };
}

async function createWalletFor(ctx: RequestCtx, body: Omit<CreateWalletBody, 'owner'>, ownership: Ownership): Promise<CreateWalletResult> {
  const type: WalletType = body.type ?? factsOf(body.chainType).walletTypes[0]!;
  if (!factsOf(body.chainType).walletTypes.includes(type)) {
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
      message: ctx.chains.families.some(({ chainType }) => chainType === body.chainType)
        ? `Smart wallets are not supported on ${body.chainType}: send type "mpc".`
        : `Smart wallets are not supported on ${body.chainType}, and wallets of type "mpc" are not implemented there in this version.`,
    });
  }
  const family = ctx.chains.family(body.chainType);
  if (!family.walletTypes.includes(type)) {
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
      message: `Not implemented: this version has no wallets of type "${type}" on ${body.chainType}. Use one of: ${family.walletTypes.join(', ')}.`,
    });
  }
  const config = await readSmartConfig(ctx, family, body.config);
  return storeWallet(
    ctx,
    planWallet(ctx, family, { id: ctx.idempotency?.objectId ?? ctx.ids.uuid(), type, config, ownership, alias: body.alias }),
  );
}

interface WalletInput {
  readonly id: string;
  readonly type: WalletType;
  readonly config: SmartConfig;
  readonly ownership: Ownership;
  readonly alias?: string | undefined;
}

function planWallet(ctx: RequestCtx, family: ChainFamily, input: WalletInput): NewWallet {
  const creationSeed = input.config.creationSeed ?? ctx.ids.bytes(32).toString('hex');
  const { adminSigner, recoveryMethods, delegates } = input.config;
  const plan = family.planWallet({
    type: input.type,
    adminSigner,
    creationSeed,
    ...(recoveryMethods === undefined ? {} : { recoveryMethods }),
    ...(delegates === undefined ? {} : { delegates: delegates.map(toDelegate) }),
  });
  return {
    id: input.id,
    projectId: ctx.caller.projectId,
    chainType: family.chainType,
    type: input.type,
    address: plan.address,
    addressKey: family.canonicalAddress(plan.address),
    ...input.ownership,
    ...(input.alias === undefined ? {} : { alias: input.alias }),
    adminSigner,
    ...(recoveryMethods === undefined ? {} : { recoveryMethods }),
    ...(delegates === undefined ? { hasDelegates: false } : { hasDelegates: true, delegates: newDelegates(ctx, family, delegates) }),
    setup: plan.setup,
    createdAt: ctx.clock.now(),
  };
}

function toDelegate({ signer, expiresAt }: ConfiguredDelegate): Delegate {
  return { signer, scopes: [], ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Their ids rise in the order of the config, in which answers name them: two ids of one millisecond need not. */
function newDelegates(ctx: RequestCtx, family: ChainFamily, delegates: readonly ConfiguredDelegate[]): NewDelegate[] {
  const ids = delegates.map(() => ctx.ids.uuid()).sort();
  return delegates.map((delegate, index) => ({
    id: ids[index]!,
    signerKey: signerKeyOf(family, delegate.signer),
    keyId: keyIdOf(family, delegate.signer),
    ...delegate,
  }));
}

async function storeWallet(ctx: RequestCtx, wallet: NewWallet): Promise<CreateWalletResult> {
  if (await insertWallet(ctx.store, wallet)) return { wallet, created: true };
  // The process of an earlier call with this idempotency key may have died after its commit: its wallet has our id.
  const earlier = ctx.idempotency && (await selectWalletById(ctx.store, wallet.id));
  if (earlier) return { wallet: earlier, created: false };
  const existing =
    wallet.ownerKey === undefined ? undefined : await selectOwnedWallet(ctx.store, { ...wallet, ownerKeys: [wallet.ownerKey] });
  if (!existing) throw new ServiceError('wallet-already-exists');
  // Callers compare the owner with what they sent (supplement, section 19), and one owner can be spelled in several ways.
  return { wallet: { ...existing, ...(wallet.owner === undefined ? {} : { owner: wallet.owner }) }, created: false };
}

/**
 * The wallet that a locator names, within what the caller may see: a server key reaches its project's wallets, a client
 * key those of its user; everything else does not exist.
 * @throws invalid-locator, not-authorized, wallet-not-found
 */
export async function findWallet(ctx: RequestCtx, locatorText: string): Promise<WalletRecord> {
  const wallet = await lookUpWallet(ctx, locatorText);
  if (!wallet) throw new ServiceError('wallet-not-found');
  return wallet;
}

/**
 * The same for whoever is about to act with it: not a treasury, which only orders move.
 * @throws forbidden and those of {@link findWallet}
 */
export async function findActingWallet(ctx: RequestCtx, locatorText: string): Promise<WalletRecord> {
  const wallet = await findWallet(ctx, locatorText);
  if (wallet.purpose === 'treasury')
    throw new ServiceError('forbidden', {
      message:
        "This wallet is the treasury of the project: its orders move what is in it, and nothing else does. The operator's way is `purser treasury`.",
    });
  return wallet;
}

async function lookUpWallet(ctx: RequestCtx, locatorText: string): Promise<WalletRecord | undefined> {
  const locator = parseWalletLocator(locatorText);
  const { projectId } = ctx.caller;
  const ownKeys = ctx.caller.keyKind === 'client' ? callerOwnerKeys(ctx.caller) : undefined;
  if (locator.by === 'address') {
    const family = ctx.chains.families.find((candidate) => candidate.isAddress(locator.address));
    if (!family) return undefined;
    const key = { projectId, addressKey: family.canonicalAddress(locator.address) };
    return ownKeys ? selectWalletByAddress(ctx.store, { ...key, ownerKeys: ownKeys }) : findByAddress(ctx.store, key);
  }
  const asked = { projectId, chainType: locator.chainType, type: locator.walletType, alias: locator.alias };
  if (locator.by === 'me') {
    if (!ownKeys)
      throw new ServiceError('invalid-locator', {
        message: 'A "me:" locator needs a client key and a user JWT. With a server key name the owner, e.g. "userId:<userId>:evm".',
      });
    return selectOwnedWallet(ctx.store, { ...asked, ownerKeys: ownKeys });
  }
  const ownerKey = locator.by === 'alias' ? companyOwner : locatorKeyOf(locator.user);
  if (ownKeys && !ownKeys.includes(ownerKey)) return undefined;
  return selectOwnedWallet(ctx.store, { ...asked, ownerKeys: [ownerKey] });
}

/** The delegated signers that a wallet shows, oldest first. */
export async function listDelegates(ctx: Pick<Ctx, 'store' | 'chains'>, wallet: WalletRecord): Promise<DelegateWithChains[]> {
  if (wallet.hasDelegates === false) return [];
  const family = ctx.chains.family(wallet.chainType);
  return (await selectDelegates(ctx.store, { walletId: wallet.id })).filter((delegate) => isThere(delegate, () => usableChains(family)));
}

/** Names of the networks that this instance can reach. */
export function usableChains(family: ChainFamily): string[] {
  return family.networks.map(({ name }) => name).filter((name) => isUsable(family, name));
}

function isUsable(family: Networks, name: string): boolean {
  try {
    return family.requireNetwork(name).name === name;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** The wallet as its chain family sees it. */
export function toFamilyWallet(wallet: WalletRecord): FamilyWallet {
  const { id, type, address, setup, adminSigner, recoveryMethods, owner } = wallet;
  return {
    id,
    type,
    address,
    setup,
    adminSigner,
    ...(recoveryMethods === undefined ? {} : { recoveryMethods }),
    ...(owner === undefined ? {} : { owner }),
  };
}
