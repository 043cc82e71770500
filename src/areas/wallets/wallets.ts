import type { ChainFamily, ChainType, FamilyWallet, WalletType } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseWalletLocator, type UserLocator } from '../../lib/locator.ts';
import { apiKeySigner, readSmartConfig, type SmartConfig } from './config.ts';
import { callerOwnerKeys, companyOwner, ownerKeyOf, readOwner } from './owner.ts';
import type { CreateWalletBody } from './schema.ts';
import { insertWallet } from './insert-wallet.ts';
import { forgetCall, type NewWallet, selectOwnedWallet, selectWalletByAddress, selectWalletOfCall, type WalletRecord } from './store.ts';

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
  if (ctx.caller.keyKind === 'client') throw new ServiceError('forbidden', { message: 'A client key creates wallets for its user: use POST /2025-06-09/wallets/me.' });
  const ownership = body.owner === undefined ? (body.alias === undefined ? {} : { ownerKey: companyOwner }) : readOwner(body.owner);
  return createWalletFor(ctx, body, ownership);
}

/** Creates or answers the wallet of the JWT's user. @throws not-authorized and those of {@link createWallet} */
export async function createMyWallet(ctx: RequestCtx, body: Omit<CreateWalletBody, 'owner'>): Promise<CreateWalletResult> {
  const [ownerKey] = callerOwnerKeys(ctx.caller);
  return createWalletFor(ctx, body, { owner: ownerKey, ownerKey });
}

/** The user's smart wallet of a family, made with the project's api-key signer when missing: a recipient need not sign up first. */
export async function ensureUserWallet(ctx: RequestCtx, input: { chainType: ChainType; user: UserLocator }): Promise<WalletRecord> {
  const family = ctx.chains.family(input.chainType);
  const key = { projectId: ctx.caller.projectId, chainType: input.chainType, type: family.walletTypes[0]!, ownerKeys: [ownerKeyOf(input.user)] };
  const existing = await selectOwnedWallet(ctx.store, key);
  if (existing) return existing;
  const config: SmartConfig = { adminSigner: await apiKeySigner(ctx, family) };
  // The idempotency key of this call belongs to what the caller asked for, not to the recipient's wallet.
  const { wallet } = await storeWallet({ ...ctx, idempotency: undefined }, family, { type: key.type, config, ownership: { owner: key.ownerKeys[0], ownerKey: key.ownerKeys[0] } });
  return wallet;
}

async function createWalletFor(ctx: RequestCtx, body: Omit<CreateWalletBody, 'owner'>, ownership: Ownership): Promise<CreateWalletResult> {
  const type: WalletType = body.type ?? (body.chainType === 'aptos' || body.chainType === 'sui' ? 'mpc' : 'smart');
  if (type === 'smart' && (body.chainType === 'aptos' || body.chainType === 'sui')) {
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', { message: `Smart wallets are not supported on ${body.chainType}: send type "mpc".` });
  }
  const family = ctx.chains.family(body.chainType);
  if (!family.walletTypes.includes(type)) {
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', { message: `Wallets of type "${type}" are not available on ${body.chainType} on this instance. Use one of: ${family.walletTypes.join(', ')}.` });
  }
  const config = await readSmartConfig(ctx, family, body.config);
  return storeWallet(ctx, family, { type, config, ownership, alias: body.alias });
}

async function storeWallet(
  ctx: RequestCtx,
  family: ChainFamily,
  input: { type: WalletType; config: SmartConfig; ownership: Ownership; alias?: string | undefined },
): Promise<CreateWalletResult> {
  const creationSeed = input.config.creationSeed ?? ctx.ids.bytes(32).toString('hex');
  const plan = family.planWallet({ type: input.type, adminSigner: input.config.adminSigner, creationSeed });
  const wallet: NewWallet = {
    id: ctx.idempotency?.objectId ?? ctx.ids.uuid(),
    projectId: ctx.caller.projectId,
    chainType: family.chainType,
    type: input.type,
    address: plan.address,
    addressKey: family.canonicalAddress(plan.address),
    ...input.ownership,
    ...(input.alias === undefined ? {} : { alias: input.alias }),
    adminSigner: input.config.adminSigner,
    setup: plan.setup,
    createdAt: ctx.clock.now(),
    ...(ctx.idempotency === undefined ? {} : { idempotency: ctx.idempotency }),
  };
  const repeated = await findRepeatedCall(ctx);
  if (repeated) return { wallet: repeated, created: false };
  if (await insertWallet(ctx.store, wallet)) return { wallet, created: true };
  const concurrent = await findRepeatedCall(ctx);
  if (concurrent) return { wallet: concurrent, created: false };
  const existing = wallet.ownerKey === undefined ? undefined : await selectOwnedWallet(ctx.store, { ...wallet, ownerKeys: [wallet.ownerKey] });
  if (existing) return { wallet: existing, created: false };
  throw new ServiceError('wallet-already-exists');
}

const idempotencyKeptMs = 30 * 24 * 60 * 60 * 1_000;

/** The wallet that the first call with this idempotency key created. @throws idempotency-key-reused */
async function findRepeatedCall(ctx: RequestCtx): Promise<WalletRecord | undefined> {
  if (!ctx.idempotency) return undefined;
  const first = await selectWalletOfCall(ctx.store, { projectId: ctx.caller.projectId, scope: ctx.idempotency.scope });
  if (!first) return undefined;
  if (first.wallet.createdAt.getTime() + idempotencyKeptMs <= ctx.clock.now().getTime()) {
    await forgetCall(ctx.store, first.wallet.id);
    return undefined;
  }
  if (first.bodyHash !== ctx.idempotency.bodyHash) throw new ServiceError('idempotency-key-reused');
  return first.wallet;
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

async function lookUpWallet(ctx: RequestCtx, locatorText: string): Promise<WalletRecord | undefined> {
  const locator = parseWalletLocator(locatorText);
  const { projectId } = ctx.caller;
  const ownKeys = ctx.caller.keyKind === 'client' ? callerOwnerKeys(ctx.caller) : undefined;
  if (locator.by === 'address') {
    const family = ctx.chains.families.find((candidate) => candidate.isAddress(locator.address));
    return family && selectWalletByAddress(ctx.store, { projectId, addressKey: family.canonicalAddress(locator.address), ownerKeys: ownKeys });
  }
  const asked = { projectId, chainType: locator.chainType, type: locator.walletType, alias: locator.alias };
  if (locator.by === 'me') {
    if (!ownKeys) throw new ServiceError('invalid-locator', { message: 'A "me:" locator needs a client key and a user JWT. With a server key name the owner, e.g. "userId:<userId>:evm".' });
    return selectOwnedWallet(ctx.store, { ...asked, ownerKeys: ownKeys });
  }
  const ownerKey = locator.by === 'alias' ? companyOwner : ownerKeyOf(locator.user);
  if (ownKeys && !ownKeys.includes(ownerKey)) return undefined;
  return selectOwnedWallet(ctx.store, { ...asked, ownerKeys: [ownerKey] });
}

/** The wallet as its chain family sees it. */
export function toFamilyWallet(wallet: WalletRecord): FamilyWallet {
  return { id: wallet.id, type: wallet.type, address: wallet.address, setup: wallet.setup, adminSigner: wallet.adminSigner };
}
