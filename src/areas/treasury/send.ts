import type {
  Addresses,
  ChainType,
  Operations,
  PreparedOperation,
  ResolvedToken,
  TransferIntent,
  Transfers,
} from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { formatAmount } from '../../lib/money/amount.ts';
import { move } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { createPreparedTransaction } from '../transactions/index.ts';
import {
  ensureTreasuryWallet,
  recipientFinder,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';

import { treasuryTransferMachine } from './machine.ts';
import { insertTransfer, selectTransfer, type TreasuryTransfer } from './store.ts';

/**
 * The wallet that a project's orders use on a family, made on first use.
 * @throws chain-not-supported
 */
export function requireTreasury(
  ctx: Pick<Ctx, 'store' | 'chains' | 'providers' | 'ids' | 'clock'>,
  input: { readonly projectId: string; readonly chainType: ChainType },
): Promise<WalletRecord> {
  return ensureTreasuryWallet(ctx, input);
}

export interface SendFromTreasuryInput {
  /** UUID that the caller has stored before; the transaction's id. */
  readonly transferId: string;
  readonly projectId: string;
  /** Whose it is, e.g. `order:<id>`. */
  readonly subject: string;
  readonly chain: string;
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  readonly recipientAddress: string;
  /** What is done instead of a plain transfer of the token, e.g. minting it. */
  readonly params?: JsonObject;
  /** The token is an item of a collection: no money. */
  readonly collectible?: boolean;
  /**
   * Asked in the database transaction that hands it over: false, and nothing is sent. What it reads
   * it must lock.
   */
  readonly isWanted?: (tx: Tx) => Promise<boolean>;
  /** What is written down with it, last in the same database transaction. */
  readonly afterwards?: ((tx: Tx) => Promise<void>) | undefined;
}

/**
 * How long a transfer may run: one that does not is told as failed only then, and whoever is to be
 * paid waits for that. Gas that is too dear for some hours must not end it.
 */
const validSecondsMax = 6 * 3_600;

/** Thrown and caught here: a call with the same id was first. */
class AlreadySent extends Error {}
/** Thrown and caught here: whoever asked does not want it any more. */
class Unwanted extends Error {}

/**
 * Sends from the treasury: builds, simulates, screens, signs and hands to the relay, together with
 * its row. The same id again does nothing; what is thrown has left nothing behind, so that the
 * caller may try again or give up.
 * @throws chain-not-supported, token-not-supported, invalid-recipient, insufficient-balance,
 *   sanctioned-address, transaction-simulation-failed, provider-unavailable, upstream-error;
 *   conflict when the id was used for something else
 */
export async function sendFromTreasury(ctx: Ctx, input: SendFromTreasuryInput): Promise<void> {
  const earlier = await selectTransfer(ctx.store, input.transferId);
  if (earlier) return checkSame(earlier, input);
  const family = ctx.chains.familyOfChain(input.chain);
  const chain = family.requireNetwork(input.chain).name;
  const wallet = await requireTreasury(ctx, {
    projectId: input.projectId,
    chainType: family.chainType,
  });
  const { token, amountMinor, recipientAddress } = input;
  const now = ctx.clock.now();
  const prepared = await prepareSending(ctx, family, { ...input, chain, wallet, now });
  const recipient = recipientAddress;
  try {
    await createPreparedTransaction(ctx, {
      id: input.transferId,
      subject: 'treasury-transfer',
      wallet,
      prepared,
      signer: wallet.adminSigner,
      screened: [wallet.address, recipientAddress],
      tokenLocator: token.locator,
      sendParams: {
        token: token.locator,
        params: { amount: formatAmount(amountMinor, token.decimals), recipient, recipientAddress },
      },
      alongside: async (tx) => {
        if (input.isWanted && !(await input.isWanted(tx))) throw new Unwanted();
        const transfer = newTransfer(input, { wallet, chain, now });
        if (!(await insertTransfer(tx, transfer, prepared.operation))) throw new AlreadySent();
      },
      afterwards: input.afterwards,
    });
  } catch (error) {
    if (error instanceof Unwanted) return;
    if (!(error instanceof AlreadySent)) throw error;
    const first = await selectTransfer(ctx.store, input.transferId);
    if (first) checkSame(first, input);
  }
}

/**
 * Builds and simulates what a treasury is to send; nothing is sent.
 * @throws those of {@link sendFromTreasury}
 */
export async function prepareSending(
  ctx: Pick<Ctx, 'store'>,
  family: Operations & Transfers & Addresses,
  input: Pick<
    SendFromTreasuryInput,
    'chain' | 'token' | 'amountMinor' | 'recipientAddress' | 'params'
  > & {
    readonly wallet: WalletRecord;
    readonly now: Date;
  },
): Promise<PreparedOperation> {
  const { chain, token, amountMinor, recipientAddress, params: special, now } = input;
  const signer = input.wallet.adminSigner;
  const wallet = toFamilyWallet(input.wallet);
  const common = { wallet, signer, now, validSecondsMax };
  if (special) return family.prepareOperation({ ...common, params: special });
  const findRecipient = recipientFinder(ctx, {
    projectId: input.wallet.projectId,
    family,
    address: recipientAddress,
  });
  const transfer: TransferIntent = {
    wallet,
    chain,
    token,
    amountMinor,
    recipientAddress,
    findRecipient,
  };
  return family.prepareOperation({
    ...common,
    params: await family.transferParams(transfer),
    transfer,
  });
}

function newTransfer(
  input: SendFromTreasuryInput,
  made: { readonly wallet: WalletRecord; readonly chain: string; readonly now: Date },
): Omit<TreasuryTransfer, 'nr'> {
  const { transferId, projectId, subject, token, amountMinor, recipientAddress } = input;
  return {
    id: transferId,
    projectId,
    walletId: made.wallet.id,
    subject,
    chain: made.chain,
    token,
    amountMinor,
    recipient: recipientAddress,
    collectible: input.collectible === true,
    status: move(treasuryTransferMachine, '*', 'sent'),
    createdAt: made.now,
  };
}

/** One id is one movement: whoever reuses it for another must not believe that it was sent. */
function checkSame(sent: TreasuryTransfer, input: SendFromTreasuryInput): void {
  const isSame =
    sent.projectId === input.projectId &&
    sent.subject === input.subject &&
    sent.amountMinor === input.amountMinor &&
    sent.recipient.toLowerCase() === input.recipientAddress.toLowerCase() &&
    sent.token.address?.toLowerCase() === input.token.address?.toLowerCase() &&
    sent.token.tokenId === input.token.tokenId;
  if (!isSame)
    throw new ServiceError('conflict', {
      message: `The transfer ${input.transferId} was sent already, and was another one.`,
    });
}
