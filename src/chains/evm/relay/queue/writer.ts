import { type Hex, hexOf } from '../../abi/words.ts';
import { readTransferGas, transferGas } from '../../account/money.ts';
import { starOf } from '../../config/networks.ts';
import type { SignedDelegation } from '../../wallet/delegation.ts';
import { LeaseLostError, releaseLease } from '../accounts.ts';
import { hexSchema } from '../rpc-schemas.ts';
import { type BroadcastResult, sortBroadcastError } from '../sending/broadcast.ts';
import {
  isTooDear,
  marketFeesOf,
  type NodePrice,
  raiseFees,
  readNodePrice,
} from '../sending/fees.ts';
import { type Attempt, type SendKind, storeAttempt, storeFiller } from '../sending/sends.ts';
import { readTxContent, type SignedTx, signTx, type TxContent } from '../sending/signing.ts';
import { relayLimits } from '../spending/limits.ts';
import { noteTip } from '../spending/spending.ts';
import {
  type Account,
  type ChainState,
  dropAccount,
  killPoint,
  nowMs,
  type OpenSend,
  raiseAlarm,
  runExclusively,
} from '../state.ts';
import { publishChainAlarm } from '../trust/chain-alarms.ts';
import type { Fees } from '../types.ts';

/** Uses nonces: everything is signed and stored first, then broadcast. */

export interface NewTx {
  readonly kind: SendKind;
  readonly to: Hex;
  readonly valueWei: bigint;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  readonly delegations?: readonly SignedDelegation[];
  /**
   * Stores what was signed with the nonce's use; undefined when nothing was stored because the
   * claim or the lease is lost.
   */
  readonly store: (stored: {
    nonce: bigint;
    signed: SignedTx;
    fees: Fees;
    reservedWei: bigint;
  }) => Promise<string | undefined>;
}

/**
 * Signs, stores and broadcasts a transaction with the account's next nonce.
 * @returns false when nothing was stored, because somebody else has the work or the account
 */
export async function sendTx(state: ChainState, account: Account, tx: NewTx): Promise<boolean> {
  const send = await runExclusively(account, async () => {
    if (account.lost || account.nextNonce === undefined) return undefined;
    const fees = await marketFees(state);
    const nonce = account.nextNonce;
    const { to, valueWei, data, gasLimit, delegations = [] } = tx;
    const content: TxContent = {
      chainId: state.chainId!,
      nonce,
      to,
      valueWei,
      data,
      gasLimit,
      delegations,
    };
    const signed = await signTx(account.signing, content, fees);
    const reservedWei = tx.valueWei + tx.gasLimit * fees.maxFeeWei;
    killPoint(state, 'before-store');
    const id = await storeOrDrop(state, account, () =>
      tx.store({ nonce, signed, fees, reservedWei }),
    );
    if (id === undefined) {
      // The claim was lost, or the lease: reading the account anew tells which.
      await giveBack(state, account, 'nothing stored');
      return undefined;
    }
    account.nextNonce = nonce + 1n;
    const stored = newOpenSend(state, {
      id,
      nonce,
      kind: tx.kind,
      reservedWei,
      attempt: { ...signed, fees, filler: tx.kind === 'filler' },
    });
    account.sends.set(nonce, stored);
    killPoint(state, 'after-store');
    return stored;
  });
  if (!send) return false;
  await broadcastSends(state, account, [send]);
  killPoint(state, 'after-broadcast');
  return true;
}

/** An error leaves open whether the database has it; only reading the account anew can tell. */
async function storeOrDrop<T>(
  state: ChainState,
  account: Account,
  store: () => Promise<T>,
): Promise<T> {
  try {
    return await store();
  } catch (error) {
    await giveBack(state, account, error instanceof LeaseLostError ? 'lease lost' : 'store failed');
    throw error;
  }
}

/** Drops the account and gives its lease back, so that it is read anew. */
async function giveBack(state: ChainState, account: Account, reason: string): Promise<void> {
  dropAccount(state, account, reason);
  await releaseLease(state.deps.store, account.lease).catch(() => undefined);
}

function newOpenSend(
  state: ChainState,
  input: { id: string; nonce: bigint; kind: SendKind; reservedWei: bigint; attempt: Attempt },
): OpenSend {
  return {
    id: input.id,
    nonce: input.nonce,
    kind: input.kind,
    status: 'pending',
    cancelled: false,
    bumps: 0,
    reservedWei: input.reservedWei,
    mined: null,
    includedAtMs: 0,
    attempts: [input.attempt],
    attemptAtMs: nowMs(),
    attemptHead: state.head?.number ?? 0n,
    broadcastAtMs: Number.NEGATIVE_INFINITY,
    result: undefined,
  };
}

/**
 * Broadcasts the newest attempt of each send, lowest nonce first, in few requests, and remembers
 * what the node said.
 */
export async function broadcastSends(
  state: ChainState,
  account: Account,
  sends: readonly OpenSend[],
): Promise<void> {
  if (sends.length === 0) return;
  const attempts = sends.map((send) => send.attempts.at(-1)!);
  const results = (
    await mapInTurn(chunkBySize(attempts), (chunk) => sendRaws(state, chunk))
  ).flat();
  sends.forEach((send, index) => {
    const { result, error } = results[index]!;
    send.result = result;
    send.broadcastAtMs = nowMs();
    if (result === 'accepted') return;
    const fields = {
      account: account.lease.address,
      nonce: send.nonce.toString(),
      hash: attempts[index]!.hash,
      result,
      cause: error instanceof Error ? error.message : undefined,
    };
    if (result === 'refused' || result === 'unfunded')
      state.log.error(fields, 'node refused a stored transaction');
    else state.log.warn(fields, 'broadcast without a clear yes');
  });
  state.change.wake();
}

function chunkBySize(attempts: readonly Attempt[]): Attempt[][] {
  const chunks: Attempt[][] = [];
  let byteCount = Number.POSITIVE_INFINITY;
  for (const attempt of attempts) {
    byteCount += attempt.raw.length;
    if (byteCount > relayLimits.rebroadcastBytesMax) {
      chunks.push([]);
      byteCount = attempt.raw.length;
    }
    chunks.at(-1)!.push(attempt);
  }
  return chunks;
}

async function mapInTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function sendRaws(
  state: ChainState,
  attempts: readonly Attempt[],
): Promise<{ result: BroadcastResult; error?: unknown }[]> {
  const calls = attempts.map((attempt) => ({
    method: 'eth_sendRawTransaction',
    params: [hexOf(attempt.raw)],
  }));
  try {
    if (calls.length === 1) {
      hexSchema.parse(await state.rpc.request(calls[0]!.method, calls[0]!.params));
      return [{ result: 'accepted' }];
    }
    const answers = await state.rpc.batch(calls);
    return answers.map((answer) =>
      answer.ok
        ? { result: 'accepted' }
        : { result: sortBroadcastError(answer.error), error: answer.error },
    );
  } catch (error) {
    return attempts.map(() => ({ result: sortBroadcastError(error), error }));
  }
}

/** The market's fee, read at most once a second. */
export async function marketFees(state: ChainState): Promise<Fees> {
  if (state.market && nowMs() - state.market.readAtMs < relayLimits.feeAgeMs)
    return state.market.fees;
  if (!state.head) throw new Error('The chain was not looked at yet.');
  const { bounds } = state.network;
  const price = await readNodePrice(state.rpc, state.head);
  const fees = marketFeesOf(price, bounds, await usualTip(state, price));
  const tooDear = isTooDear(price, bounds);
  await publishChainAlarm(state, 'fee', tooDear ? dearSentence(state, price) : undefined);
  state.market = { fees, isTooDear: tooDear, readAtMs: nowMs() };
  return fees;
}

/** As {@link marketFees}; undefined while no fee that may be paid gets a transaction in. */
export async function payableFees(state: ChainState): Promise<Fees | undefined> {
  const fees = await marketFees(state);
  return state.market?.isTooDear ? undefined : fees;
}

function dearSentence({ chain, network }: ChainState, { baseWei, legacy }: NodePrice): string {
  return `The node names a ${legacy ? 'gas price' : 'base fee'} of ${baseWei} wei, and ${network.bounds.feeMaxWei} is the most that is paid: nothing is sent until it falls. Its operator raises EVM_FEE_MAX_WEI_${starOf(chain)} if this is the market.`;
}

async function usualTip(
  state: ChainState,
  { tipWei, legacy }: NodePrice,
): Promise<bigint | undefined> {
  if (legacy) return undefined;
  const known = state.usualTip;
  if (known && nowMs() - known.readAtMs < relayLimits.usualTipMs) return known.wei;
  const { tipMaxWei } = state.network.bounds;
  const wei = await noteTip(state.deps.store, state.chain, tipWei < tipMaxWei ? tipWei : tipMaxWei);
  state.usualTip = { wei, readAtMs: nowMs() };
  return wei;
}

/**
 * Stores and broadcasts the same transaction with a higher fee, or, with `cancel`, a no-op that
 * takes its nonce. Does nothing when the fee would exceed the cap or the balance.
 */
export async function replaceAttempt(
  state: ChainState,
  account: Account,
  send: OpenSend,
  options: { cancel: boolean },
): Promise<void> {
  const previous = send.attempts.at(-1)!;
  // A fee is raised because the market moved: with the cached one every allowed raise could be used
  // up within a second.
  state.market = undefined;
  const fees = raiseFees(previous.fees, await marketFees(state), state.network.bounds);
  if (!fees)
    return raiseAlarm(
      state,
      `fee-cap:${account.lease.address}`,
      { nonce: send.nonce.toString() },
      'a stuck transaction would exceed the fee cap; waiting',
      relayLimits.alarmRepeatMs,
    );
  const filler = options.cancel || previous.filler;
  const content = filler
    ? await fillerContent(state, account, send.nonce)
    : readTxContent(previous.raw, state.chainId!);
  const reservedWei = content.valueWei + content.gasLimit * fees.maxFeeWei;
  if (account.balanceWei !== undefined && reservedWei > account.balanceWei) return;
  const signed = await signTx(account.signing, content, fees);
  await storeOrDrop(state, account, () =>
    storeAttempt(state.deps.store, {
      lease: account.lease,
      sendId: send.id,
      signed,
      fees,
      reservedWei,
      filler,
    }),
  );
  send.attempts.push({ ...signed, fees, filler });
  send.bumps++;
  send.cancelled ||= filler;
  send.reservedWei = reservedWei > send.reservedWei ? reservedWei : send.reservedWei;
  send.attemptAtMs = nowMs();
  send.attemptHead = state.head?.number ?? 0n;
  state.log.info(
    {
      account: account.lease.address,
      nonce: send.nonce.toString(),
      hash: signed.hash,
      bumps: send.bumps,
      filler,
      maxFeeWei: fees.maxFeeWei.toString(),
    },
    'stuck transaction replaced',
  );
  await broadcastSends(state, account, [send]);
}

/** Uses up a nonce that has been handed out and has no transaction. */
export async function fillGap(state: ChainState, account: Account, nonce: bigint): Promise<void> {
  const fees = await marketFees(state);
  const content = await fillerContent(state, account, nonce);
  const signed = await signTx(account.signing, content, fees);
  const reservedWei = content.gasLimit * fees.maxFeeWei;
  const id = await storeOrDrop(state, account, () =>
    storeFiller(state.deps.store, { lease: account.lease, nonce, signed, fees, reservedWei }),
  );
  if (id === undefined) return;
  const send = newOpenSend(state, {
    id,
    nonce,
    kind: 'filler',
    reservedWei,
    attempt: { ...signed, fees, filler: true },
  });
  account.sends.set(nonce, send);
  state.log.warn(
    { account: account.lease.address, nonce: nonce.toString() },
    'nonce gap filled with a no-op',
  );
  await broadcastSends(state, account, [send]);
}

/** A transfer of nothing to itself. */
async function fillerContent(
  state: ChainState,
  account: Account,
  nonce: bigint,
): Promise<TxContent> {
  const to = account.lease.address;
  const gasLimit = await readTransferGas(state.rpc, { from: to, to, valueWei: 0n }).catch(
    () => transferGas,
  );
  return {
    chainId: state.chainId!,
    nonce,
    to,
    valueWei: 0n,
    data: new Uint8Array(),
    gasLimit,
  };
}
