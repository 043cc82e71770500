import { requireExtra } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move } from '../../machine/machine.ts';
import { isUniqueViolation } from '../../store/pg-errors.ts';
import {
  createPreparedTransaction,
  getTransaction,
  type TransactionRecord,
} from '../transactions/index.ts';
import {
  type DelegateWithChains,
  isSameSigner,
  keyIdOf,
  lockDelegates,
  recoveryMethodsOf,
  selectDelegates,
  signerKeyOf,
  termsOn,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';
import { chooseApprover, findSigner, requireChain } from './find.ts';
import { signerChangeMachine } from './machine.ts';
import { ChangedMeanwhile, findOpenChange } from './open-change.ts';
import { insertChange, moveChanges, selectOpenChange } from './store.ts';

export interface RemoveSignerInput {
  readonly wallet: WalletRecord;
  /** Signer locator. */
  readonly signer: string;
  readonly chain?: string | undefined;
  readonly approver?: string | undefined;
}

const roundsMax = 5;

/**
 * Starts the removal of a delegated signer from a chain, or answers the one that is under way with
 * the same approver. The signer stays until the transaction has succeeded.
 * @throws invalid-locator, signer-not-removable, signer-not-found, validation-error,
 *   chain-not-supported, approver-required, approver-invalid, transaction-simulation-failed,
 *   conflict
 */
export async function removeSigner(
  ctx: RequestCtx,
  input: RemoveSignerInput,
): Promise<TransactionRecord> {
  const { wallet, signer } = input;
  if (wallet.type !== 'smart')
    throw new ServiceError('signer-not-removable', {
      message: 'Only smart wallets have delegated signers that can be removed.',
    });
  if (recoveryMethodsOf(wallet).some((method) => isSameSigner(ctx, wallet, method, signer)))
    throw new ServiceError('signer-not-removable', {
      message: 'The admin signer of a wallet cannot be removed.',
    });
  refuseOtherChain(ctx, wallet, input.chain);
  const chain = requireChain(ctx, wallet, input.chain);
  for (let round = 1; ; round++) {
    try {
      return await tryToRemove(ctx, { ...input, chain });
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile || isUniqueViolation(error))) throw error;
      if (round === roundsMax) throw new ServiceError('conflict', { cause: error });
    }
  }
}

/** Removal takes fewer chain names than the rest of the interface. @throws chain-not-supported */
function refuseOtherChain(
  ctx: RequestCtx,
  { chainType }: WalletRecord,
  chain: string | undefined,
): void {
  const { networks } = ctx.chains.family(chainType);
  if (networks.find(({ name }) => name === chain)?.signerRemoval !== false) return;
  const isOfEnvironment = (testnet: boolean) =>
    testnet === (ctx.caller.environment !== 'production');
  const names = networks
    .filter(({ signerRemoval, testnet }) => signerRemoval && isOfEnvironment(testnet))
    .map(({ name }) => name);
  throw new ServiceError('chain-not-supported', {
    message: `chain: signers cannot be removed on "${chain}". Removal takes these chains: ${names.join(', ')}.`,
  });
}

async function tryToRemove(
  ctx: RequestCtx,
  input: RemoveSignerInput & { chain: string },
): Promise<TransactionRecord> {
  const { wallet, chain } = input;
  const family = ctx.chains.family(wallet.chainType);
  const delegate = await findSigner(ctx, wallet, input.signer);
  requireRegistered(delegate, chain);
  const approver = chooseApprover(ctx, wallet, input.approver);
  const approverKey = signerKeyOf(family, approver);
  const open = await findOpenChange(ctx, {
    walletId: wallet.id,
    signerId: delegate.id,
    chain,
    kind: 'remove',
  });
  // One that is on its way cannot be approved by anybody else any more.
  if (open && (open.change.approver === approverKey || open.object.status === 'pending'))
    return getTransaction(ctx, { wallet, id: open.change.id });
  const prepared = await requireExtra(family, 'delegates').prepareSignerChange({
    wallet: toFamilyWallet(wallet),
    chain,
    change: { kind: 'remove', signer: delegate.signer },
    approver,
    now: ctx.clock.now(),
  });
  return createPreparedTransaction(ctx, {
    subject: 'signer-change',
    wallet,
    prepared,
    signer: approver,
    async alongside(tx, { id, createdAt, validUntil }) {
      const { signer } = delegate;
      await lockDelegates(tx, {
        walletId: wallet.id,
        signerKey: signerKeyOf(family, signer),
        keyId: keyIdOf(family, signer),
      });
      const [current] = await selectDelegates(tx, { walletId: wallet.id, id: delegate.id });
      if (!current || !isRegistered(current, chain)) throw new ChangedMeanwhile();
      const other = await selectOpenChange(tx, { signerId: delegate.id, chain, kind: 'remove' });
      if (other && other.id !== open?.change.id) throw new ChangedMeanwhile();
      if (other)
        await moveChanges(tx, [
          {
            id: other.id,
            from: other.status,
            to: move(signerChangeMachine, other.status, 'replaced'),
          },
        ]);
      await insertChange(tx, {
        id,
        signerId: delegate.id,
        walletId: wallet.id,
        chain,
        kind: 'remove',
        flow: 'transaction',
        approver: approverKey,
        status: move(signerChangeMachine, '*', 'started'),
        asked: {},
        scopes: [],
        createdAt,
        validUntil,
      });
    },
  });
}

function requireRegistered(delegate: DelegateWithChains, chain: string): void {
  if (isRegistered(delegate, chain)) return;
  throw new ServiceError('signer-not-found', {
    message: `The signer is not registered on ${chain}, so there is nothing to remove there.`,
  });
}

/** Settings that this service does not know are in the way as well, and can be removed. */
function isRegistered(delegate: DelegateWithChains, chain: string): boolean {
  const onChain = delegate.chains.find((row) => row.chain === chain);
  return onChain?.state === 'different' || termsOn(delegate, onChain) !== undefined;
}
