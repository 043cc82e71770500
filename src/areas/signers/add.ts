import { requireExtra } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move } from '../../machine/machine.ts';
import { isUniqueViolation } from '../../store/pg-errors.ts';
import { createOperationSignature } from '../signatures/index.ts';
import { createPreparedTransaction } from '../transactions/index.ts';
import {
  type DelegateWithChains,
  isThere,
  keyIdOf,
  selectDelegates,
  signerKeyOf,
  toFamilyWallet,
  usableChains,
  type WalletRecord,
} from '../wallets/index.ts';
import {
  type Addition,
  isSameRequest,
  readAddition,
  refuseInForce,
  storeAddition,
} from './addition.ts';
import { signerChangeMachine } from './machine.ts';
import { ChangedMeanwhile, findOpenChange } from './open-change.ts';
import type { AddSignerBody } from './schema.ts';
import { selectChanges } from './store.ts';

/** Rounds that a request takes part in when others change the same signer at the same time. */
const roundsMax = 5;

/**
 * Starts the registration of a delegated signer on a chain, or answers the one that is under way
 * with the same settings. Other settings take the place of a registration that is not approved yet,
 * and of what is in force once they are.
 * @returns the signer with its chains.
 * @throws validation-error, invalid-locator, chain-not-supported, token-not-supported,
 *   WALLET_TYPE_NOT_SUPPORTED, signer-type-not-supported, DEVICE_SIGNER_NOT_SUPPORTED,
 *   approver-required, approver-invalid, signer-already-exists, conflict,
 *   transaction-simulation-failed
 */
export async function addSigner(
  ctx: RequestCtx,
  input: { wallet: WalletRecord; body: AddSignerBody },
): Promise<DelegateWithChains> {
  const { wallet } = input;
  const [earlier] = ctx.idempotency
    ? await selectChanges(ctx.store, [ctx.idempotency.objectId])
    : [];
  // The process of an earlier call with this idempotency key may have died after its commit: then
  // this is its answer.
  if (earlier?.walletId === wallet.id) return reload(ctx, earlier.signerId, wallet);
  const addition = await readAddition(ctx, input);
  for (let round = 1; ; round++) {
    try {
      return await tryToAdd(ctx, addition);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile || isUniqueViolation(error))) throw error;
      if (round === roundsMax) throw new ServiceError('conflict', { cause: error });
    }
  }
}

async function tryToAdd(ctx: RequestCtx, addition: Addition): Promise<DelegateWithChains> {
  const { wallet, chain, flow } = addition;
  const family = ctx.chains.family(wallet.chainType);
  const known = await findKnown(ctx, addition);
  if (known) {
    refuseInForce(family, known, addition);
    if (await isUnderWay(ctx, known, addition)) return known;
  }
  const { signer, expiresAt, scopes, approver } = addition;
  const prepared = await requireExtra(family, 'delegates').prepareSignerChange({
    wallet: toFamilyWallet(wallet),
    chain,
    change: {
      kind: 'add',
      delegate: { signer, scopes, expiresAt },
    },
    approver,
    now: ctx.clock.now(),
  });
  const create = flow === 'signature' ? createOperationSignature : createPreparedTransaction;
  let signerId = '';
  await create(ctx, {
    wallet,
    prepared,
    subject: 'signer-change',
    signer: approver,
    async alongside(tx, record) {
      signerId = await storeAddition(ctx, tx, addition, {
        id: record.id,
        status: move(signerChangeMachine, '*', 'started'),
        createdAt: record.createdAt,
        validUntil: record.validUntil,
      });
    },
  });
  return reload(ctx, signerId, wallet);
}

/**
 * The signer as the wallet knows it.
 * @throws validation-error when its locator or its key belongs to another signer
 */
async function findKnown(
  ctx: RequestCtx,
  { wallet, signerKey, keyId }: Addition,
): Promise<DelegateWithChains | undefined> {
  const family = ctx.chains.family(wallet.chainType);
  const found = await selectDelegates(ctx.store, { walletId: wallet.id, keyId, signerKey });
  const byKey = found.find(({ signer }) => keyIdOf(family, signer) === keyId);
  const byLocator = found.find(({ signer }) => signerKeyOf(family, signer) === signerKey);
  if (byKey && byKey === byLocator) return byKey;
  const other = [byKey, byLocator].find((one) => one && isThere(one, () => usableChains(family)));
  if (!other) return undefined;
  throw new ServiceError('validation-error', {
    message:
      other === byKey
        ? `signer: its key is a signer of this wallet already, as ${other.signer.locator}. Use that locator, or remove it first.`
        : 'signer: a signer with this id and another key is in this wallet already. Remove it first, or use another id.',
  });
}

/**
 * True when this very registration is under way.
 * @throws conflict when another change of the signer is on its way to the chain: which of the two
 * would count is open
 */
async function isUnderWay(
  ctx: RequestCtx,
  known: DelegateWithChains,
  wanted: Addition,
): Promise<boolean> {
  const key = { walletId: wanted.wallet.id, signerId: known.id, chain: wanted.chain };
  const [addition, removal] = await Promise.all([
    findOpenChange(ctx, { ...key, kind: 'add' }),
    findOpenChange(ctx, { ...key, kind: 'remove' }),
  ]);
  if (removal?.object.status === 'pending')
    throw new ServiceError('conflict', {
      message:
        'The signer is being removed: wait until that transaction has ended, then add it again.',
    });
  if (!addition) return false;
  if (isSameRequest(ctx, addition.change, wanted)) return true;
  if (addition.object.status === 'pending')
    throw new ServiceError('conflict', {
      message: `The signer is being registered with other settings (${addition.change.id}): wait until that has ended, then add it again.`,
    });
  return false;
}

async function reload(
  ctx: RequestCtx,
  signerId: string,
  wallet: WalletRecord,
): Promise<DelegateWithChains> {
  const [found] = await selectDelegates(ctx.store, { walletId: wallet.id, id: signerId });
  if (!found) throw new Error(`signer ${signerId} of wallet ${wallet.id} is gone`);
  return found;
}
