import { factsOf } from '../../../chains/families.ts';
import type { ChainFamily, Delegate, Signer } from '../../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import {
  type DelegateChain,
  type DelegateOnChain,
  selectDelegateOnChain,
} from '../delegates-store.ts';
import { signerNameSchema } from '../schema.ts';
import type { WalletRecord } from '../store.ts';
import { apiKeySigner, apiKeySignerOf } from './api-key-signer.ts';
import { schemaError } from './read-signer.ts';
import { isSameSigner, signerKeyOfLocator } from './signer-key.ts';

/** Who acts for a wallet. */
export interface ActingSigner {
  /** With the locator that was sent, character by character (supplement, section 19, 4). */
  readonly signer: Signer;
  /**
   * Present when a delegated signer acts; absent for the admin signer and the other recovery
   * methods.
   */
  readonly delegate?: Delegate;
}

/** Every recovery method of a wallet; `adminSigner` is the first. */
export function recoveryMethodsOf(
  wallet: Pick<WalletRecord, 'adminSigner' | 'recoveryMethods'>,
): readonly Signer[] {
  return wallet.recoveryMethods ?? [wallet.adminSigner];
}

/**
 * Whose key in custody acts for a wallet: the key that the wallet or its treasury is, or the
 * project's api-key signer, whichever signer of the wallet that is.
 */
export async function custodySignerOf(
  ctx: Pick<Ctx, 'store' | 'providers'>,
  family: ChainFamily,
  wallet: Pick<WalletRecord, 'adminSigner' | 'recoveryMethods' | 'projectId'>,
): Promise<Signer> {
  const method = recoveryMethodsOf(wallet).find(({ type }) => type === 'api-key');
  return method ?? apiKeySignerOf(ctx, family, wallet.projectId);
}

/**
 * The signer that a request names: a recovery method (a quorum as a whole) or a delegated signer
 * that is in force on the chain; the admin signer when none is named.
 * @param name a locator, or a signer of an answer
 * @param chain chain name of the request; needed for delegated signers only.
 * @throws validation-error, chain-not-supported, signer-expired, transaction-invalid (not a signer
 * of this wallet, or not on this chain)
 */
export async function resolveActingSigner(
  ctx: RequestCtx,
  wallet: WalletRecord,
  name: unknown,
  chain?: string,
): Promise<ActingSigner> {
  if (name === undefined) return { signer: wallet.adminSigner };
  if (wallet.type === 'mpc')
    throw new ServiceError('transaction-invalid', {
      message: 'params.signer: an mpc wallet has no signers, it signs itself. Leave it out.',
    });
  const { data: locator, error } = signerNameSchema.safeParse(name);
  if (error) throw schemaError('params.signer', error.issues[0]);
  const method = recoveryMethodsOf(wallet).find((candidate) =>
    isSameSigner(ctx, wallet, candidate, locator),
  );
  if (method) return { signer: { ...method, locator } };
  const family = ctx.chains.family(wallet.chainType);
  const signerKey = wallet.hasDelegates ? await delegateKeyOf(ctx, family, locator) : undefined;
  if (signerKey === undefined) throw strangerError(wallet);
  const network = family.requireNetwork(chain ?? onlyChainOf(family)).name;
  const found = await selectDelegateOnChain(ctx.store, {
    walletId: wallet.id,
    signerKey,
    chain: network,
  });
  if (!found) throw strangerError(wallet);
  const delegate = delegateInForce(found);
  if (!delegate) throw notInForceError(found, network);
  if (delegate.expiresAt && delegate.expiresAt <= ctx.clock.now())
    throw new ServiceError('signer-expired', {
      message: `The signer has expired on ${network} at ${delegate.expiresAt.toISOString()}: add it again, or use another one.`,
    });
  const signer = { ...delegate.signer, locator };
  return { signer, delegate: { ...delegate, signer } };
}

/** Families with several networks need the name of one. @throws validation-error */
function onlyChainOf({ chainType, networks }: ChainFamily): string {
  const [only] = networks;
  if (only && !factsOf(chainType).severalNetworks) return only.name;
  throw new ServiceError('validation-error', {
    message: 'chain: is required where a delegated signer acts.',
  });
}

/** The canonical locator of a delegate; `api-key` alone is the project's own key. */
export async function delegateKeyOf(
  ctx: RequestCtx,
  family: ChainFamily,
  locator: string,
): Promise<string | undefined> {
  if (locator !== 'api-key') return signerKeyOfLocator(family, locator);
  return signerKeyOfLocator(family, (await apiKeySigner(ctx, family)).locator);
}

/**
 * What the chain enforces; undefined when the signer can do nothing there, as far as this service
 * knows.
 */
function delegateInForce(found: DelegateOnChain): Delegate | undefined {
  const terms = termsOn(found, found.onChain);
  return terms && { signer: found.signer, ...terms };
}

/** Expiry and scopes in force on a chain; undefined: none. */
export function termsOn(
  delegate: Pick<DelegateOnChain, 'withWallet' | 'expiresAt' | 'scopes'>,
  onChain: DelegateChain | undefined,
): Pick<Delegate, 'expiresAt' | 'scopes'> | undefined {
  if (onChain === undefined)
    return delegate.withWallet
      ? { ...expiry(delegate.expiresAt), scopes: delegate.scopes }
      : undefined;
  return onChain.state === 'in-force'
    ? { ...expiry(onChain.expiresAt), scopes: onChain.scopes }
    : undefined;
}

function expiry(expiresAt: Date | undefined): Pick<Delegate, 'expiresAt'> {
  return expiresAt === undefined ? {} : { expiresAt };
}

function strangerError(wallet: WalletRecord): ServiceError {
  const methods = recoveryMethodsOf(wallet).map(({ locator }) => `"${locator}"`);
  return new ServiceError('transaction-invalid', {
    message: `params.signer: is not a signer of this wallet. Leave it out, send ${methods.join(' or ')}, or a delegated signer of the wallet.`,
  });
}

function notInForceError({ signer, onChain }: DelegateOnChain, chain: string): ServiceError {
  const why =
    onChain?.registration === 'open'
      ? `its registration ${onChain.changeId} is not finished: approve it, then wait until the signer shows "success" there`
      : onChain?.state === 'different'
        ? 'the chain has it with other settings than it was added with here: add it again'
        : onChain?.registration === 'failed'
          ? `its registration ${onChain.changeId} has failed: add it again`
          : 'add it with POST …/signers';
  return new ServiceError('transaction-invalid', {
    message: `params.signer: ${signer.locator} may not act on ${chain}: ${why}.`,
  });
}
