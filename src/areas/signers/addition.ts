import { factsOf } from '../../chains/families.ts';
import { type ChainFamily, isQuorum, type Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import {
  type DelegateWithChains,
  keyIdOf,
  liftTerms,
  readSigner,
  readTerms,
  recoveryMethodsOf,
  refuseRecoveryMethod,
  selectDelegates,
  signerKeyOf,
  signerView,
  termsOn,
  type WalletRecord,
} from '../wallets/index.ts';
import { type SignerInput, signerInputSchema } from '../wallets/schema.ts';
import { chooseApprover } from './approver.ts';
import { requireChain } from './find.ts';
import type { AddSignerBody } from './schema.ts';
import type { SignerChange } from './store.ts';
import { type Terms, termsKey } from './terms.ts';

/** What a request to add a signer asks for, once it is read. */
export interface Addition extends Terms {
  readonly wallet: WalletRecord;
  readonly chain: string;
  readonly signer: Signer;
  readonly signerKey: string;
  readonly keyId: string;
  readonly approver: Signer;
  readonly flow: SignerChange['flow'];
  /** `expiresAt` and `scopes` as sent. */
  readonly asked: JsonObject;
}

/** Reads a request to add a signer. @throws as {@link addSigner} */
export async function readAddition(ctx: RequestCtx, input: { wallet: WalletRecord; body: AddSignerBody }): Promise<Addition> {
  const { wallet } = input;
  if (wallet.type !== 'smart')
    throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', { message: 'Only smart wallets have delegated signers.' });
  const body = liftTerms(input.body, 'signer');
  const family = ctx.chains.family(wallet.chainType);
  const chain = requireChain(ctx, wallet, body.chain);
  const approver = chooseApprover(ctx, wallet, body.approver);
  const signer = await readSigner(ctx, family, await knownSigner(ctx, wallet, body.signer), { place: 'signer', role: 'delegated' });
  refuseRecoveryMethod(family, recoveryMethodsOf(wallet), signer, 'signer');
  if (signer.address !== undefined && family.canonicalAddress(signer.address) === family.canonicalAddress(wallet.address))
    throw new ServiceError('validation-error', {
      message: 'signer: is the wallet itself, which cannot sign for itself. Name another signer.',
    });
  const terms = await readTerms(ctx, family, { ...body, chain });
  const keyId = keyIdOf(family, signer);
  const named = await nameQuorum(ctx, wallet, signer, keyId);
  return {
    ...terms,
    wallet,
    chain,
    signer: named,
    signerKey: signerKeyOf(family, named),
    keyId,
    approver,
    flow: !factsOf(wallet.chainType).severalNetworks || body.deployImmediately === true ? 'transaction' : 'signature',
  };
}

/** A passkey or quorum that the wallet knows from another chain may be named by its locator alone. */
async function knownSigner(ctx: RequestCtx, wallet: WalletRecord, signer: string | SignerInput): Promise<string | SignerInput> {
  if (typeof signer !== 'string' || !/^(passkey|quorum):/.test(signer)) return signer;
  const [known] = await selectDelegates(ctx.store, { walletId: wallet.id, signerKey: signer });
  return known ? signerInputSchema.parse(signerView(known.signer)) : signer;
}

/** The same members with the same threshold are the same quorum, which has its locator already. */
async function nameQuorum(ctx: RequestCtx, wallet: WalletRecord, signer: Signer, keyId: string): Promise<Signer> {
  if (!isQuorum(signer)) return signer;
  const [known] = await selectDelegates(ctx.store, { walletId: wallet.id, keyId });
  return known ? { ...signer, locator: known.signer.locator } : signer;
}

/** @throws signer-already-exists when the chain has it with these very settings; an expired one never has those of a request */
export function refuseInForce(
  family: ChainFamily,
  known: Pick<DelegateWithChains, 'withWallet' | 'expiresAt' | 'scopes' | 'chains'>,
  wanted: Addition,
): void {
  const terms = termsOn(
    known,
    known.chains.find(({ chain }) => chain === wanted.chain),
  );
  if (terms && termsKey(family, terms) === termsKey(family, wanted)) throw new ServiceError('signer-already-exists');
}

/** Whether a registration that is under way is what is wanted. */
export function isSameRequest(ctx: RequestCtx, change: SignerChange, wanted: Addition): boolean {
  const family = ctx.chains.family(wanted.wallet.chainType);
  return (
    change.flow === wanted.flow &&
    change.approver === signerKeyOf(family, wanted.approver) &&
    termsKey(family, change) === termsKey(family, wanted)
  );
}
