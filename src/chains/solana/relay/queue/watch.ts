import type { Address } from '@solana/kit';
import { inParallel } from '../../../../lib/waiting/in-parallel.ts';
import { readNonceAccount } from '../../operation/layout.ts';
import { readMessage, writeMessage, writeTransaction } from '../../operation/message.ts';
import {
  readAccounts,
  readLanded,
  readStatuses,
  type SignatureStatus,
  send,
} from '../../operation/node.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import { ownFee } from '../balances.ts';
import { relayLimits } from '../limits.ts';
import type { RelayDeps } from '../types.ts';
import { expired, landed, lost } from './outcomes.ts';
import type { Step } from './send.ts';
import type { OpenOperation } from './store.ts';

/**
 * From sent bytes to their end: they are sent again for as long as their nonce has not moved, and
 * looked for when it has.
 */

interface Look {
  readonly operation: OpenOperation & { readonly txId: string; readonly raw: Uint8Array };
  readonly status: SignatureStatus | undefined;
  readonly nonceAccount: string;
  readonly nonceValue: string;
  /** Undefined: the node does not know the account. */
  readonly seenValue: string | undefined;
}

/** One look at sent operations of a claim, with few requests. */
export async function watch(
  deps: RelayDeps,
  connection: SolanaConnection,
  operations: readonly OpenOperation[],
): Promise<Step[]> {
  const sent = operations.filter(
    (one): one is Look['operation'] => one.txId !== null && one.raw !== null,
  );
  if (sent.length === 0) return [];
  const nonces = sent.map(({ message }) => nonceOf(message));
  const [statuses, accounts] = await Promise.all([
    readStatuses(
      connection,
      sent.map(({ txId }) => txId),
    ),
    readAccounts(
      connection,
      nonces.map(({ account }) => account),
    ),
  ]);
  const looks = sent.map(
    (operation, index): Look => ({
      operation,
      status: statuses[index],
      nonceAccount: nonces[index]!.account,
      nonceValue: nonces[index]!.value,
      seenValue: readNonceAccount(accounts[index])?.value,
    }),
  );
  return inParallel(looks, relayLimits.parallelMax, (look) => follow(deps, connection, look));
}

function nonceOf(bytes: Uint8Array): { readonly account: string; readonly value: string } {
  const message = readMessage(bytes);
  // The advance names its accounts in the message itself: what signs or pays stands in no table.
  const [first] = 'instructions' in message ? message.instructions : [];
  const account = message.staticAccounts[first?.accountIndices?.[0] ?? -1];
  return { account: account ?? '', value: message.lifetimeToken };
}

async function follow(deps: RelayDeps, connection: SolanaConnection, look: Look): Promise<Step> {
  const { operation, status, nonceValue, seenValue } = look;
  const { operationId } = operation;
  const hasMoved = seenValue !== undefined && seenValue !== nonceValue;
  const pauseMs =
    operation.sentAgoMs < deps.settings.resendAfterMs
      ? relayLimits.lookPauseMs
      : relayLimits.lookPauseMaxMs;
  const later = (more: { misses?: number; resent?: boolean } = {}, pause = pauseMs): Step => ({
    postponed: { operationId, pauseMs: pause, ...more },
  });
  if (!hasMoved && mayBeCancelled(deps, operation)) {
    // Whatever a node says of it: what stands in a block has moved its nonce.
    await cancel(deps, connection, look).catch((error: unknown) =>
      deps.log.warn({ err: error, operationId }, 'a nonce could not be advanced; trying again'),
    );
    return later();
  }
  if (status && status.level !== 'processed') {
    // A word alone moves nothing: the transaction itself must be there, and its nonce gone.
    const found = hasMoved ? await readLanded(connection, operation.txId) : undefined;
    if (
      !found ||
      !isSame(found.wire, operation.raw) ||
      (found.err === null) !== (status.err === null)
    )
      return later({}, relayLimits.lookPauseMs);
    deps.killPoint?.('after-inclusion');
    return { ended: landed(connection.network, operation, found, found.at ?? deps.clock.now()) };
  }
  if (status) return later({}, relayLimits.lookPauseMs);
  if (hasMoved) return missed(deps, connection, look);
  if (operation.withheld || operation.sentAgoMs < deps.settings.resendAfterMs) return later();
  await send(connection, operation.raw).catch((error: unknown) =>
    deps.log.warn(
      { err: error, operationId },
      'a transaction could not be sent again; trying again',
    ),
  );
  return later({ resent: true });
}

/** Nothing but the operation itself moves its nonce before. */
function mayBeCancelled({ clock }: RelayDeps, { validUntil }: OpenOperation): boolean {
  return validUntil.getTime() + relayLimits.cancelAfterMs < clock.now().getTime();
}

/**
 * The nonce has moved and the node does not know the transaction: it may lag, so it is asked
 * several times, and for what is final. As long as nobody can have cancelled it, it has landed,
 * whatever the node knows: told as lost, it would be made once more.
 */
async function missed(
  deps: RelayDeps,
  connection: SolanaConnection,
  { operation, nonceAccount, nonceValue }: Look,
): Promise<Step> {
  const misses = operation.misses + 1;
  const [final] = await readAccounts(connection, [nonceAccount], 'finalized');
  const isFinal = final !== undefined && readNonceAccount(final)?.value !== nonceValue;
  const isCancelled = mayBeCancelled(deps, operation);
  if (isFinal && !isCancelled && misses === relayLimits.missesMax)
    deps.log.error(
      { operationId: operation.operationId },
      'a transaction used its nonce, and the node does not know it: asking again',
    );
  if (misses < relayLimits.missesMax || !isFinal || !isCancelled)
    return {
      postponed: {
        operationId: operation.operationId,
        pauseMs: relayLimits.missPauseMs,
        misses: isFinal ? misses : operation.misses,
      },
    };
  if (await readLanded(connection, operation.txId))
    return { postponed: { operationId: operation.operationId, pauseMs: relayLimits.lookPauseMs } };
  // The advance that ended it was paid for it.
  const { operation: ended, outcome } = lost(
    connection.network,
    operation,
    expired,
    deps.clock.now(),
  );
  return { ended: { operation: ended, outcome: { ...outcome, costMinor: ownFee } } };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/**
 * Moves the nonce, so that the signed bytes are worth nothing from then on. Whichever lands first
 * decides. Its own lifetime is that value of the nonce: however often and by whomever it is sent,
 * it moves nothing that somebody else has by then.
 */
async function cancel(
  deps: RelayDeps,
  connection: SolanaConnection,
  { operation, nonceAccount, nonceValue }: Look,
): Promise<void> {
  const message = readMessage(operation.message);
  const payer = deps.feePayers.find(({ address }) => address === message.staticAccounts[0]);
  if (!payer) return;
  const bytes = writeMessage({
    feePayer: payer.address,
    instructions: [],
    tables: {},
    nonce: { account: nonceAccount as Address, value: nonceValue },
  });
  await send(connection, writeTransaction(bytes, { [payer.address]: payer.sign(bytes) }));
  deps.log.warn(
    { operationId: operation.operationId, nonceAccount },
    'an operation expired after it was sent: its nonce is advanced',
  );
}
