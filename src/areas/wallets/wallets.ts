import { factsOf } from '../../chains/families.ts';
import type {
  ChainFamily,
  ChainType,
  FamilyWallet,
  Networks,
  WalletPlan,
  WalletType,
} from '../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import {
  chainTypesOfAddress,
  formatUserLocator,
  parseWalletLocator,
  type UserLocator,
} from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import { type ConfiguredDelegate, readSmartConfig, type SmartConfig } from './config.ts';
import { type DelegateWithChains, isThere, selectDelegates } from './delegates-store.ts';
import { findByAddress } from './find-by-address.ts';
import { insertWallet } from './insert-wallet.ts';
import { callerOwnerKeys, companyOwner, readOwner } from './owner.ts';
import type { CreateWalletBody } from './schema.ts';
import { apiKeySigner, custodySigner, mpcPurpose } from './signer/api-key-signer.ts';
import { keyIdOf, signerKeyOf } from './signer/signer-key.ts';
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
  /**
   * False: a wallet of the same owner, chain type, type and alias was there already; `config` was
   * not applied again.
   */
  readonly created: boolean;
}

interface Ownership {
  readonly owner?: string;
  readonly ownerKey?: string;
}

/**
 * Creates a wallet, or answers the one that the same owner has already (chain type, type and alias
 * being equal).
 * @throws validation-error, invalid-locator, WALLET_TYPE_NOT_SUPPORTED, chain-not-supported,
 *   signer-type-not-supported, DEVICE_SIGNER_NOT_SUPPORTED, wallet-already-exists
 */
export async function createWallet(
  ctx: RequestCtx,
  body: CreateWalletBody,
): Promise<CreateWalletResult> {
  if (ctx.caller.keyKind === 'client')
    throw new ServiceError('forbidden', {
      message: 'A client key creates wallets for its user: use POST /2025-06-09/wallets/me.',
    });
  const ownership =
    body.owner === undefined
      ? body.alias === undefined
        ? {}
        : { ownerKey: companyOwner }
      : readOwner(body.owner);
  return createWalletFor(ctx, body, ownership);
}

/**
 * Creates or answers the wallet of the JWT's user.
 * @throws not-authorized and those of {@link createWallet}
 */
export async function createMyWallet(
  ctx: RequestCtx,
  body: Omit<CreateWalletBody, 'owner'>,
): Promise<CreateWalletResult> {
  const [ownerKey] = callerOwnerKeys(ctx.caller);
  return createWalletFor(ctx, body, { owner: ownerKey, ownerKey });
}

/**
 * The user's wallet of a family: the stored one, or the one to store, made with the project's
 * api-key signer (or a key of its own), so that a recipient need not sign up first. Nothing is
 * stored here: see {@link insertWallets}.
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
  const asked = {
    id: ctx.ids.uuid(),
    ownership: { owner: formatUserLocator(input.user), ownerKey },
  };
  const toStore =
    type === 'mpc'
      ? await planMpcWallet(ctx, family, asked)
      : planSmartWallet(ctx, family, asked, { adminSigner: await apiKeySigner(ctx, family) });
  return { address: toStore.address, toStore };
}

async function createWalletFor(
  ctx: RequestCtx,
  body: Omit<CreateWalletBody, 'owner'>,
  ownership: Ownership,
): Promise<CreateWalletResult> {
  const { walletTypes } = factsOf(body.chainType);
  const type: WalletType = body.type ?? walletTypes[0]!;
  if (!walletTypes.includes(type)) {
    const way = walletTypes.includes('mpc') ? ': send type "mpc"' : '';
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
      message: `Smart wallets are not supported on ${body.chainType}${way}.`,
    });
  }
  const family = ctx.chains.family(body.chainType);
  if (!family.walletTypes.includes(type)) {
    const others =
      family.walletTypes.length > 0 ? ` Use one of: ${family.walletTypes.join(', ')}.` : '';
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
      message: `This service is not set up for wallets of type "${type}" on ${body.chainType}; its operator can change that.${others}`,
    });
  }
  const asked = { id: ctx.idempotency?.objectId ?? ctx.ids.uuid(), ownership, alias: body.alias };
  if (type === 'smart')
    return storeWallet(
      ctx,
      planSmartWallet(ctx, family, asked, await readSmartConfig(ctx, family, body.config)),
    );
  // Asked first, because each plan makes a key.
  const existing = await findOwned(ctx, { chainType: body.chainType, type, ...asked });
  return existing
    ? { wallet: existing, created: false }
    : storeWallet(ctx, await planMpcWallet(ctx, family, asked));
}

interface WalletInput {
  readonly id: string;
  readonly ownership: Ownership;
  readonly alias?: string | undefined;
}

function planSmartWallet(
  ctx: RequestCtx,
  family: ChainFamily,
  input: WalletInput,
  config: SmartConfig,
): NewWallet {
  const creationSeed = config.creationSeed ?? ctx.ids.bytes(32).toString('hex');
  const { adminSigner, recoveryMethods, delegates } = config;
  const plan = family.planWallet({
    type: 'smart',
    adminSigner,
    creationSeed,
    ...(recoveryMethods === undefined ? {} : { recoveryMethods }),
    ...(delegates === undefined ? {} : { delegates }),
  });
  return {
    ...newWallet(ctx, family, input, plan),
    type: 'smart',
    adminSigner,
    ...(recoveryMethods === undefined ? {} : { recoveryMethods }),
    ...(delegates === undefined
      ? {}
      : { hasDelegates: true, delegates: newDelegates(ctx, family, delegates) }),
  };
}

/** A wallet that is one key, which custody makes for it alone and nobody else approves with. */
async function planMpcWallet(
  ctx: RequestCtx,
  family: ChainFamily,
  input: WalletInput,
): Promise<NewWallet> {
  const name = { projectId: ctx.caller.projectId, purpose: mpcPurpose, walletId: input.id };
  const { signer, publicKey } = await custodySigner(ctx, family, name);
  return {
    ...newWallet(ctx, family, input, family.planWallet({ type: 'mpc', publicKey })),
    type: 'mpc',
    adminSigner: signer,
  };
}

function newWallet(
  ctx: RequestCtx,
  family: ChainFamily,
  { id, ownership, alias }: WalletInput,
  plan: WalletPlan,
): Omit<NewWallet, 'type' | 'adminSigner'> {
  return {
    id,
    projectId: ctx.caller.projectId,
    chainType: family.chainType,
    address: plan.address,
    addressKey: family.canonicalAddress(plan.address),
    ...ownership,
    ...(alias === undefined ? {} : { alias }),
    hasDelegates: false,
    setup: plan.setup,
    createdAt: ctx.clock.now(),
  };
}

/**
 * Their ids rise in the order of the config, in which answers name them: two ids of one millisecond
 * need not.
 */
function newDelegates(
  ctx: RequestCtx,
  family: ChainFamily,
  delegates: readonly ConfiguredDelegate[],
): NewDelegate[] {
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
  // The process of an earlier call with this idempotency key may have died after its commit: its
  // wallet has our id.
  const earlier = ctx.idempotency && (await selectWalletById(ctx.store, wallet.id));
  if (earlier) return { wallet: earlier, created: false };
  const existing = await findOwned(ctx, { ...wallet, ownership: wallet });
  if (!existing) throw new ServiceError('wallet-already-exists');
  return { wallet: existing, created: false };
}

/** The wallet that the owner has already. Nobody's are new each time. */
async function findOwned(
  ctx: RequestCtx,
  {
    ownership,
    chainType,
    type,
    alias,
  }: Pick<WalletRecord, 'chainType' | 'type'> & Omit<WalletInput, 'id'>,
): Promise<WalletRecord | undefined> {
  const { owner, ownerKey } = ownership;
  if (ownerKey === undefined) return undefined;
  const asked = {
    projectId: ctx.caller.projectId,
    chainType,
    type,
    alias,
  };
  const existing = await selectOwnedWallet(ctx.store, { ...asked, ownerKeys: [ownerKey] });
  // Callers compare the owner with what they sent (supplement, section 19), and one owner can be
  // spelled in several ways.
  return existing && { ...existing, ...(owner === undefined ? {} : { owner }) };
}

/**
 * The wallet that a locator names, within what the caller may see: a server key reaches its
 * project's wallets, a client key those of its user; everything else does not exist.
 * @throws invalid-locator, not-authorized, wallet-not-found
 */
export async function findWallet(ctx: RequestCtx, locatorText: string): Promise<WalletRecord> {
  const wallet = await lookUpWallet(ctx, locatorText);
  if (!wallet) throw notFound(locatorText);
  return wallet;
}

/**
 * Where an address may be of several families, they are named: nobody else knows which one was
 * meant.
 */
function notFound(locatorText: string): ServiceError {
  const possible = chainTypesOfAddress(locatorText);
  if (possible.length < 2) return new ServiceError('wallet-not-found');
  return new ServiceError('wallet-not-found', {
    message: `Wallet not found: the address may be one of ${possible.join(' or ')}, and no wallet here has it on either.`,
  });
}

/**
 * The same for whoever is about to act with it: not a treasury, which only orders move.
 * @throws forbidden and those of {@link findWallet}
 */
export async function findActingWallet(
  ctx: RequestCtx,
  locatorText: string,
): Promise<WalletRecord> {
  const wallet = await findWallet(ctx, locatorText);
  if (wallet.purpose === 'treasury')
    throw new ServiceError('forbidden', {
      message:
        "This wallet is the treasury of the project: its orders move what is in it, and nothing else does. The operator's way is `purser treasury`.",
    });
  return wallet;
}

async function lookUpWallet(
  ctx: RequestCtx,
  locatorText: string,
): Promise<WalletRecord | undefined> {
  const locator = parseWalletLocator(locatorText);
  const { projectId } = ctx.caller;
  const ownKeys = ctx.caller.keyKind === 'client' ? callerOwnerKeys(ctx.caller) : undefined;
  if (locator.by === 'address') {
    const family = ctx.chains.families.find((candidate) => candidate.isAddress(locator.address));
    if (!family) return undefined;
    const key = { projectId, addressKey: family.canonicalAddress(locator.address) };
    return ownKeys
      ? selectWalletByAddress(ctx.store, { ...key, ownerKeys: ownKeys })
      : findByAddress(ctx.store, key);
  }
  const asked = {
    projectId,
    chainType: locator.chainType,
    type: locator.walletType,
    alias: locator.alias,
  };
  if (locator.by === 'me') {
    if (!ownKeys)
      throw new ServiceError('invalid-locator', {
        message:
          'A "me:" locator needs a client key and a user JWT. With a server key name the owner, e.g. "userId:<userId>:evm".',
      });
    return selectOwnedWallet(ctx.store, { ...asked, ownerKeys: ownKeys });
  }
  const ownerKey = locator.by === 'alias' ? companyOwner : locatorKeyOf(locator.user);
  if (ownKeys && !ownKeys.includes(ownerKey)) return undefined;
  return selectOwnedWallet(ctx.store, { ...asked, ownerKeys: [ownerKey] });
}

/** The delegated signers that a wallet shows, oldest first. */
export async function listDelegates(
  ctx: Pick<Ctx, 'store' | 'chains'>,
  wallet: WalletRecord,
): Promise<DelegateWithChains[]> {
  if (wallet.hasDelegates === false) return [];
  const family = ctx.chains.family(wallet.chainType);
  return (await selectDelegates(ctx.store, { walletId: wallet.id })).filter((delegate) =>
    isThere(delegate, () => usableChains(family)),
  );
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
  const { id, projectId, type, address, setup, adminSigner, recoveryMethods, owner } = wallet;
  return {
    id,
    projectId,
    type,
    address,
    setup,
    adminSigner,
    recoveryMethods,
    owner,
  };
}
