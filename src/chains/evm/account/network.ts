import type { Clock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { rowMacsOf } from '../../../store/row-mac.ts';
import type { Tx } from '../../../store/types.ts';
import type {
  LateBuilt,
  LateEnd,
  LateLook,
  LateNetwork,
  LateSent,
  LateSubject,
  LateTransaction,
} from '../../family/late/network.ts';
import type { OperationError } from '../../family.ts';
import { keccak256 } from '../abi/keccak.ts';
import { bytesOf, type Hex, hexOf } from '../abi/words.ts';
import { type EvmNetwork, explorerLinkOf, starOf } from '../config/networks.ts';
import { costOf } from '../relay/queue/outcomes.ts';
import { revertedError } from '../relay/queue/reasons.ts';
import type { Head } from '../relay/rpc-schemas.ts';
import { raiseFees } from '../relay/sending/fees.ts';
import { signedBytesOf, type TxContent, unsignedBytes } from '../relay/sending/signing.ts';
import { endChainAlarm, writeChainAlarm } from '../relay/trust/chain-alarms.ts';
import { createFeeding, type Fee, type Job } from './feeding.ts';
import { type Market, readMarket } from './market.ts';
import { ownMoney, readTransferGas } from './money.ts';
import { estimate, readReason } from './reverts.ts';
import {
  contentOf,
  type Landed,
  readAccount,
  readLanded,
  type SendingDeps,
  sendAgain,
  sendRaw,
  signAnother,
} from './sending.ts';
import {
  type AccountAttempt,
  closeOperations,
  insertAttempt,
  noteLanded,
  noteUsed,
  readPayingAccount,
  selectAttempts,
  selectUnseenFillers,
} from './store.ts';
import {
  isNoOpOf,
  type NumberedCall,
  noOpFeeMaxWei,
  noOpTimes,
  readNumberedCall,
  requireOwn,
} from './stored.ts';
import { decodeSigned, decodeUnsigned } from './transaction.ts';

export interface AccountNetworkDeps extends SendingDeps {
  readonly clock: Clock;
  /** Age at which the fee of what no block has is raised. */
  readonly bumpAfterMs: number;
  /** Counts what is no operation's own: no-ops of an account. */
  readonly charge: (tx: Tx, subject: LateSubject, wei: bigint) => Promise<void>;
}

interface Raising {
  readonly newest: AccountAttempt;
  readonly market: Market;
  readonly content: TxContent;
  /** The most that it may pay per gas, and of that to whoever makes the block. */
  readonly feeMaxWei: bigint;
  readonly tipMaxWei: bigint;
}

/** Of one kind: the call, or the no-op in its place. */
const bumpsMax = 8;
/** What pays enough for the next block is given this many times as long. */
const fairFactor = 4;

/**
 * What the relay of intents asks of a network whose accounts send by themselves. The mark of an
 * operation is its nonce: all that is ever signed with it is the operation's one call, at whatever
 * fee, and a no-op once its time is over, so the chain runs it once at most. An account has one
 * operation under way at a time.
 */
export function createAccountNetwork(deps: AccountNetworkDeps): LateNetwork {
  const { store, log, network, rpc } = deps;
  const chain = network.name;
  const feeding = createFeeding(deps);

  async function build(operation: JsonObject, of: LateSubject): Promise<LateBuilt> {
    const job: Job = { operation, call: readNumberedCall(operation), of };
    const { wallet: address, nonce } = job.call;
    const account = await readPayingAccount(store, { chain, address });
    if (account.firstOpenNonce !== undefined && account.firstOpenNonce < nonce) return 'later';
    const { count, balanceWei } = await readAccount(rpc, address);
    await payFillers(job, count);
    if (count > nonce) {
      await noteUsed(store, { chain, address, nonce });
      return refused('failed_to_land_on_chain', foreignSentence);
    }
    const market = await readMarket(deps);
    if (count === nonce) return buildOwn(job, { market, balanceWei });
    await useUp(job, { nonce: count, market });
    return 'later';
  }

  /** The account's own call, once it can pay for it. */
  async function buildOwn(
    job: Job,
    { market, balanceWei }: { readonly market: Market; readonly balanceWei: bigint },
  ): Promise<LateBuilt> {
    const { wallet: address, valueWei } = job.call;
    const { fundWei, isGiven } = await readPayingAccount(store, { chain, address });
    // The balance may have it already, and the fund has not: it would count as the owner's.
    if (valueWei > 0n && isGiven) return 'later';
    const ownWei = ownMoney(balanceWei, fundWei);
    if (ownWei < valueWei)
      return refused(
        'execution_reverted',
        `The wallet has ${ownWei} wei of its own on "${chain}", and the call needs ${valueWei}.`,
      );
    const refusal = await estimate(rpc, job.call);
    if (refusal) return { refused: refusal };
    const content = contentOf(job.call);
    const fee = await feeding.payable(job, { market, content });
    if (!fee) return 'later';
    if ('over' in fee) return refused('failed_to_land_on_chain', fee.over);
    if (balanceWei >= fundWei) return { bytes: unsignedBytes(content, fee) };
    const sentence = `The node says that the account ${address} has ${balanceWei} wei, and the service gave it ${fundWei}: it gets no more, and waits. Look at the node.`;
    log.error({ alarm: 'account-balance', chain, address }, sentence);
    await writeChainAlarm(store, { chain, kind: 'account-balance', sentence });
    return 'later';
  }

  /** A nonce below the operation's that nobody uses any more: a no-op takes it. */
  async function useUp(
    job: Job,
    { nonce, market }: { readonly nonce: bigint; readonly market: Market },
  ): Promise<void> {
    const { call } = job;
    const attempts = await selectAttempts(store, { chain, address: call.wallet, nonce });
    // What has landed before, and is gone, is sent again as it was.
    const landed = attempts.find(({ costWei }) => costWei !== undefined);
    if (landed) return sendAgain(deps, landed);
    const fillers = attempts.filter(({ filler }) => filler);
    const newest = fillers.at(-1);
    if (newest && (!isStuck(newest, market) || fillers.length > bumpsMax))
      return sendAgain(deps, newest);
    const content = await noOpOf(call, nonce);
    const fee = newest
      ? await raise(job, { newest, market, content, ...ownBounds(call) })
      : await feeding.payable(job, { market, content });
    // What its budget does not bear waits for the next day, or for its end.
    if (!fee || 'over' in fee) return newest && sendAgain(deps, newest);
    await signAnother(deps, job, { content, fee, filler: true });
  }

  async function noOpOf({ chainId, wallet: to }: NumberedCall, nonce: bigint): Promise<TxContent> {
    const gasLimit = await readTransferGas(rpc, { from: to, to, valueWei: 0n });
    return { chainId, nonce, to, valueWei: 0n, data: bytesOf('0x'), gasLimit };
  }

  /** A fee that would get in now may never have been seen by a node: it is sent again first. */
  function isStuck({ raw, ageMs }: AccountAttempt, { leastWei }: Market): boolean {
    const isBelow = decodeSigned(raw).fees.maxFeeWei < leastWei;
    return ageMs >= deps.bumpAfterMs * (isBelow ? 1 : fairFactor);
  }

  /** Undefined while the account cannot pay more, or may not, or where it would not get in. */
  async function raise(
    job: Job,
    { newest, market, content, feeMaxWei, tipMaxWei }: Raising,
  ): Promise<Fee | undefined> {
    if (market.leastWei > feeMaxWei) return undefined;
    const { fees } = decodeSigned(newest.raw);
    const wantedWei = market.fees.maxFeeWei < feeMaxWei ? market.fees.maxFeeWei : feeMaxWei;
    const fee = raiseFees(
      { ...fees, legacy: false },
      { ...market.fees, maxFeeWei: wantedWei },
      { feeMaxWei, tipMaxWei },
    );
    return fee && (await feeding.isAffordable(job, { fee, content })) ? fee : undefined;
  }

  /** No-ops that have landed are paid by whose operation waited for them. */
  async function payFillers({ call, of }: Job, count: bigint): Promise<void> {
    const fillers = await selectUnseenFillers(store, {
      chain,
      address: call.wallet,
      below: count,
    });
    for (const { attempt, receipt } of await readLanded(deps, fillers)) {
      const costWei = costOf(receipt);
      await store.transaction(async (tx) => {
        if (await noteLanded(tx, { hash: attempt.hash, costWei }))
          await deps.charge(tx, of, costWei);
      });
    }
  }

  async function look(sent: LateTransaction, of: LateSent): Promise<LateLook> {
    const job: Job = { operation: of.operation, call: readNumberedCall(of.operation), of };
    const { wallet: address, nonce } = job.call;
    const { operationId } = of;
    const first = { hash: sent.txId as Hex, raw: sent.raw, nonce, operationId, filler: false };
    await insertAttempt(store, { chain, address, ...first });
    const attempts = await selectAttempts(store, { chain, address, nonce });
    const own = attempts.filter((attempt) => attempt.operationId === operationId);
    for (const attempt of own) requireUnchanged(of.operation, attempt);
    // The count first: what it counts has a receipt.
    const { count } = await readAccount(rpc, address);
    const [landed, ...more] = await readLanded(deps, own);
    if (more.length > 0)
      throw new Error(`the node tells of two transactions of ${address} with the nonce ${nonce}`);
    if (!landed && count > nonce) {
      await noteUsed(store, { chain, address, nonce });
      return 'gone';
    }
    const market = await readMarket(deps);
    // A block that came between the two answers; or a receipt of what no block has.
    if (landed && count <= nonce) return 'watched';
    if (landed) return endOf(job.call, landed, market.head);
    if (!of.withheld) await pushOn(job, { own, market });
    return own.length > 1 ? 'watched' : 'pending';
  }

  /** @throws internal-error, after an alarm, where another transaction's end would be told */
  function requireUnchanged(operation: JsonObject, { hash, raw }: AccountAttempt): void {
    const row = { table: 'evm_account_attempts', id: hash };
    let own: string;
    try {
      own = identifySigned(readNumberedCall(operation), raw).hash;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw rowMacsOf(store).refuse(row, `its bytes are not its operation's: ${why}`);
    }
    if (own !== hash) throw rowMacsOf(store).refuse(row, `its bytes are the transaction ${own}`);
  }

  /**
   * What no block has for a while is sent at a higher fee: the same call with its nonce, or, once
   * the operation is over, a no-op with it. Whichever lands decides.
   */
  async function pushOn(
    job: Job,
    { own, market }: { readonly own: readonly AccountAttempt[]; readonly market: Market },
  ): Promise<void> {
    const newest = own.at(-1)!;
    if (!isStuck(newest, market)) return;
    const { call } = job;
    const filler = call.validUntil <= deps.clock.now();
    const content = filler ? await noOpOf(call, call.nonce) : contentOf(call);
    const bounds = filler ? noOpBounds(call, content) : ownBounds(call);
    const raised = own.filter((attempt) => attempt.filler === filler).length;
    const fee =
      raised > bumpsMax ? undefined : await raise(job, { newest, market, content, ...bounds });
    if (fee)
      return signAnother(deps, job, { content, fee, filler }).catch(async (error: unknown) => {
        // Whatever custody says: what is signed may land as long as the node has it.
        await sendAgain(deps, newest);
        throw error;
      });
    if (own.length > 1) await sendAgain(deps, newest);
    if (filler && (market.leastWei > bounds.feeMaxWei || raised > bumpsMax))
      await tellStuck(job, market);
  }

  /** Nothing that may be signed gets in, and all that the account has to do waits for it. */
  async function tellStuck({ call, of }: Job, { leastWei }: Market): Promise<void> {
    const alarm = { chain, kind: 'account-queue', sentence: stuckSentence(call) } as const;
    log.error(
      { alarm: alarm.kind, chain, address: call.wallet, operationId: of.operationId, leastWei },
      alarm.sentence,
    );
    await writeChainAlarm(store, alarm);
  }

  function stuckSentence({ wallet, nonce, validUntil }: NumberedCall): string {
    return `Operations of the account ${wallet} wait: one with the nonce ${nonce}, over since ${validUntil.toISOString()}, holds its place, because gas is dearer than the no-op may pay that is to end it. Wait until it is cheaper, or raise EVM_FEE_MAX_WEI_${starOf(chain)} and EVM_ACCOUNT_TOP_UP_MAX_WEI_${starOf(chain)}.`;
  }

  function ownBounds({ feeMaxWei }: NumberedCall) {
    return { feeMaxWei, tipMaxWei: network.bounds.tipMaxWei };
  }

  /** It replaces what may have paid the highest tip there is, and nodes want more of that too. */
  function noOpBounds(call: NumberedCall, { gasLimit }: TxContent) {
    const { feeMaxWei: highestWei, tipMaxWei } = network.bounds;
    const capWei = noOpFeeMaxWei(call, gasLimit);
    return {
      feeMaxWei: capWei < highestWei ? capWei : highestWei,
      tipMaxWei: tipMaxWei * noOpTimes,
    };
  }

  async function endOf(
    call: NumberedCall,
    { attempt, receipt }: Landed,
    head: Head,
  ): Promise<LateEnd | 'watched'> {
    if (head.number - receipt.blockNumber + 1n < BigInt(network.confirmations)) return 'watched';
    const costWei = costOf(receipt);
    await store.transaction((tx) => noteLanded(tx, { hash: attempt.hash, costWei }));
    await endChainAlarm(store, { chain, kind: 'account-queue', sentence: stuckSentence(call) });
    const actual = {
      gasUsed: receipt.gasUsed.toString(),
      effectiveGasPrice: (receipt.effectiveGasPrice ?? 0n).toString(),
      wei: costWei.toString(),
    };
    const end = {
      onChain: accountOnChain(network, attempt.hash),
      costMinor: costWei,
      fees: { actual },
    };
    if (isTaken(call, decodeSigned(attempt.raw).content))
      return { ...end, status: 'failed', notRun: true, error: tooDear };
    if (receipt.status !== 0n) return { ...end, status: 'success' };
    const reason = await readReason(rpc, call, receipt);
    const link = explorerLinkOf(network, attempt.hash);
    return { ...end, status: 'failed', error: revertedError(reason, link) };
  }

  return {
    goneSentence: foreignSentence,
    build,
    async complete(_operation, built, signature) {
      const { content, fees } = decodeUnsigned(built);
      const { hash, raw } = signedBytesOf(content, fees, signature);
      return { txId: hash, raw };
    },
    // Not before: an operation that ends unsent gives its nonce to another one, whose attempts
    // these would be.
    async stored(tx, { txId, raw }, { operationId, operation }) {
      const { wallet: address, nonce } = readNumberedCall(operation);
      const hash = txId as Hex;
      await insertAttempt(tx, { hash, chain, address, nonce, operationId, filler: false, raw });
    },
    identify,
    send: (raw) => sendRaw(rpc, raw),
    look,
    ended: closeOperations,
  };
}

/** @throws Error where the bytes are not this operation's own call */
function identify(operation: JsonObject, raw: Uint8Array): string {
  const call = readNumberedCall(operation);
  const { hash, content } = identifySigned(call, raw);
  if (isTaken(call, content)) throw new Error('it is a no-op');
  return hash;
}

/** @throws Error where the bytes are neither the call nor a no-op in its place */
function identifySigned(call: NumberedCall, raw: Uint8Array) {
  const { content, fees, sender } = decodeSigned(raw);
  if (sender !== call.wallet) throw new Error(`it is signed by ${sender}`);
  requireOwn(call, unsignedBytes(content, fees));
  if (content.nonce !== call.nonce) throw new Error(`its nonce is ${content.nonce}`);
  return { hash: hexOf(keccak256(Buffer.from(raw))), content };
}

/** Whether it is a no-op in the place of the call. It is told by the bytes: whoever writes the
 * table could have a call that ran told as one that did not. */
const isTaken = (call: NumberedCall, content: TxContent) =>
  isNoOpOf(call, content) && !isNoOpOf(call, contentOf(call));

const tooDear: OperationError = {
  reason: 'failed_to_land_on_chain',
  message:
    'The operation expired before it was included in a block, and a transaction that moves nothing has used its nonce, so it can never run. Create it again; gas may have become too dear for it.',
};

const foreignSentence =
  'Another transaction has used the nonce of this one, so it can never run. Look at what the account has sent, then create it again.';

function refused(reason: OperationError['reason'], message: string): LateBuilt {
  return { refused: { reason, message } };
}

/** `onChain` of a transaction that was sent. */
export function accountOnChain(network: EvmNetwork, txId: string): JsonObject {
  const explorerLink = explorerLinkOf(network, txId);
  return { txId, ...(explorerLink !== undefined && { explorerLink }) };
}
