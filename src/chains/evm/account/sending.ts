import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import type { ChainEntrances } from '../../family.ts';
import { bytesOf, type Hex, hexOf } from '../abi/words.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { quantitySchema, type Receipt, receiptSchema } from '../relay/rpc-schemas.ts';
import { sortBroadcastError } from '../relay/sending/broadcast.ts';
import { signedBytesOf, type TxContent, unsignedBytes } from '../relay/sending/signing.ts';
import { doubtOf } from '../relay/trust/receipts.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import type { Fee, Job } from './feeding.ts';
import { type AccountAttempt, insertAttempt } from './store.ts';
import type { NumberedCall } from './stored.ts';

/** Points at which a test ends the process: what is signed beside an operation's first bytes. */
export type AnotherPoint = 'before-store' | 'after-store' | 'after-broadcast';

export interface SendingDeps extends Pick<ChainEntrances, 'signBuilt'> {
  readonly store: Store;
  readonly log: Logger;
  readonly network: EvmNetwork;
  readonly rpc: RpcClient;
  readonly killPoint?: ((point: AnotherPoint) => void) | undefined;
}

export interface Landed {
  readonly attempt: AccountAttempt;
  readonly receipt: Receipt;
}

/** The operation's own transaction, without its fee. */
export function contentOf({ chainId, nonce, to, valueWei, data, gasLimit }: NumberedCall) {
  return { chainId, nonce, to, valueWei, data: bytesOf(data), gasLimit } satisfies TxContent;
}

/** How many transactions of an account stand in blocks, and what it has. */
export async function readAccount(
  rpc: RpcClient,
  address: Hex,
): Promise<{ readonly count: bigint; readonly balanceWei: bigint }> {
  const answers = await rpc.batch(
    ['eth_getTransactionCount', 'eth_getBalance'].map((method) => ({
      method,
      params: [address, 'latest'],
    })),
  );
  const [count, balanceWei] = answers.map((answer) => {
    if (!answer.ok) throw answer.error;
    return quantitySchema.parse(answer.value);
  });
  return { count: count!, balanceWei: balanceWei! };
}

/**
 * Those of the attempts that a block has.
 * @throws Error where the node tells of another transaction, or of a cost that cannot be
 */
export async function readLanded(
  { rpc, network }: Pick<SendingDeps, 'rpc' | 'network'>,
  attempts: readonly AccountAttempt[],
): Promise<Landed[]> {
  if (attempts.length === 0) return [];
  const answers = await rpc.batch(
    attempts.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  return attempts.flatMap((attempt, index) => {
    const answer = answers[index]!;
    if (!answer.ok) throw answer.error;
    if (answer.value === null) return [];
    const receipt = receiptSchema.parse(answer.value);
    const doubt = doubtOf(attempt, receipt, network);
    if (doubt !== undefined) throw new Error(`of ${attempt.hash}, ${doubt}`);
    return [{ attempt, receipt }];
  });
}

export interface Another {
  readonly content: TxContent;
  readonly fee: Fee;
  readonly filler: boolean;
}

/** Has something else signed for an operation under way, and sends it once it is stored. */
export async function signAnother(
  deps: SendingDeps,
  { operation, call, of }: Job,
  { content, fee, filler }: Another,
): Promise<void> {
  const signature = await deps.signBuilt({
    projectId: of.projectId,
    walletId: of.walletId,
    operation,
    built: unsignedBytes(content, fee),
  });
  const { hash, raw } = signedBytesOf(content, fee, signature);
  deps.killPoint?.('before-store');
  await insertAttempt(deps.store, {
    hash,
    chain: call.chain,
    address: call.wallet,
    nonce: content.nonce,
    operationId: of.operationId,
    filler,
    raw,
  });
  deps.killPoint?.('after-store');
  await sendAgain(deps, { hash, raw });
  deps.killPoint?.('after-broadcast');
}

/** An error says nothing about what the node did with it: it is looked for, and sent again. */
export async function sendAgain(
  { rpc, log, network }: SendingDeps,
  { hash, raw }: Pick<AccountAttempt, 'hash' | 'raw'>,
): Promise<void> {
  await sendRaw(rpc, raw).catch((error: unknown) =>
    log.warn(
      { err: error, chain: network.name, hash },
      'a transaction could not be sent; trying again',
    ),
  );
}

export async function sendRaw(rpc: RpcClient, raw: Uint8Array): Promise<void> {
  try {
    await rpc.request('eth_sendRawTransaction', [hexOf(raw)]);
  } catch (error) {
    if (sortBroadcastError(error) !== 'accepted') throw error;
  }
}
