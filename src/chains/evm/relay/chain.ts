import { setTimeout as delay } from 'node:timers/promises';
import { addresses } from '../../../../contracts/index.ts';
import { createSignal, startLoop } from '../../../lib/waiting/loop.ts';
import type { Running } from '../../family.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import {
  acquireAccounts,
  ensureAccounts,
  LeaseLostError,
  releaseLease,
  renewLeases,
} from './accounts.ts';
import { endExpired, endTransfers } from './queue/expiry.ts';
import { feedRound } from './queue/feed.ts';
import { renewClaims } from './queue/queue.ts';
import { headSchema, hexSchema, quantitySchema } from './rpc-schemas.ts';
import { readOpenSends, readUsedNonce } from './sending/sends.ts';
import { observeAccount } from './sending/watch.ts';
import { relayLimits } from './spending/limits.ts';
import {
  type Account,
  type ChainState,
  createAccount,
  dropAccount,
  nowMs,
  pendingSends,
} from './state.ts';
import { accountTopUpRound } from './treasury/account-top-ups.ts';
import { treasuryRound, watchBalances } from './treasury/treasury.ts';
import { publishChainAlarm } from './trust/chain-alarms.ts';

/** The relay of one chain in one process. */
export interface ChainRelay extends Running {
  readonly state: ChainState;
  /** True when nothing has been open for a while and the chain can be left alone. */
  isIdle(): boolean;
}

interface Beats {
  lookedAtMs: number;
  acquiredAtMs: number;
  sweptAtMs: number;
  pauseMs: number;
  hadPending: boolean;
}

const acquireBeatMs = 1_000;
const acquireSoonMs = 100;

/**
 * Starts the loops of a chain: one looks at the chain and its accounts, one feeds batches, one ends
 * what treasuries sent and nobody executed, one renews leases.
 */
export function startChainRelay(state: ChainState): ChainRelay {
  const { leaseMs } = state.deps.config.relay;
  const beats: Beats = {
    lookedAtMs: Number.NEGATIVE_INFINITY,
    acquiredAtMs: Number.NEGATIVE_INFINITY,
    sweptAtMs: Number.NEGATIVE_INFINITY,
    pauseMs: relayLimits.pulseMinMs,
    hadPending: false,
  };
  const preparations = new Set<Promise<void>>();
  const loop = (
    name: string,
    round: () => Promise<void>,
    signal = createSignal(),
    failurePauseMaxMs: number = relayLimits.failurePauseMaxMs,
  ) =>
    startLoop({
      round,
      signal,
      stopping: state.stopping.signal,
      failurePauseMs: relayLimits.failurePauseMs,
      failurePauseMaxMs,
      onFailure: (error, failures) =>
        state.log[failures > 3 ? 'error' : 'warn'](
          { err: error, loop: name, failures },
          'relay round failed; trying again',
        ),
    });
  const pulse = loop('pulse', () => pulseRound(state, beats), state.change);
  const feed = loop('feed', () => feedRound(state, preparations), state.work);
  let looks = 0;
  const endings = async () => {
    looks = (await endTransfers(state)) ? looks + 1 : 0;
    const { sweepMs, pulseMaxMs, transferPauseMaxMs } = relayLimits;
    const pauseMs =
      looks === 0 ? sweepMs : Math.min(pulseMaxMs * 2 ** Math.min(looks, 20), transferPauseMaxMs);
    await delay(pauseMs, undefined, { signal: state.stopping.signal }).catch(() => undefined);
  };
  const transfers = loop('transfers', endings, undefined, relayLimits.transferPauseMaxMs);
  // Beside the other loops, so that a slow node does not cost the leases.
  const renewal = loop('renewal', () => renewalRound(state), undefined, leaseMs / 4);
  return {
    state,
    isIdle: () =>
      preparations.size === 0 &&
      nowMs() - state.lastWorkAtMs > relayLimits.chainIdleMs &&
      [...state.accounts.values()].every((account) => account.sends.size === 0),
    stop: async () => {
      state.stopping.abort();
      await feed.stop();
      await Promise.all(preparations);
      await Promise.all([pulse.stop(), transfers.stop(), renewal.stop()]);
      await Promise.all(
        [...state.accounts.values()].map((account) =>
          releaseLease(state.deps.store, account.lease).catch(() => undefined),
        ),
      );
      state.accounts.clear();
    },
  };
}

/**
 * Between renewals while what was begun is finished: without it the rounds would follow each other,
 * and nothing else got its turn.
 */
const stoppingPauseMs = 50;

/** Goes on while the rest stops: what is being prepared needs its leases until it is done. */
export async function renewalRound(state: ChainState): Promise<void> {
  const { leaseMs } = state.deps.config.relay;
  await delay(leaseMs / 3, undefined, { signal: state.stopping.signal }).catch(() =>
    delay(stoppingPauseMs),
  );
  const slow = [...state.claims].filter(([, claim]) => nowMs() - claim.sinceMs > leaseMs / 4);
  if (slow.length > 0)
    await renewClaims(
      state.deps.store,
      slow.map(([token, claim]) => ({ token, operationIds: claim.operationIds })),
      leaseMs,
    );
  const accounts = [...state.accounts.values()];
  if (accounts.length === 0) return;
  const kept = await renewLeases(
    state.deps.store,
    state.chain,
    accounts.map((account) => account.lease),
    leaseMs,
  );
  for (const account of accounts)
    if (!kept.has(account.lease.address)) dropAccount(state, account, 'lease lost');
}

/** One look at the chain: one request for the head and all accounts, then what follows from it. */
async function pulseRound(state: ChainState, beats: Beats): Promise<void> {
  const sinceMs = nowMs() - beats.lookedAtMs;
  const pulseMinMs = state.isBusy ? relayLimits.pulseBusyMs : relayLimits.pulseMinMs;
  if (sinceMs < pulseMinMs) await delay(pulseMinMs - sinceMs);
  beats.lookedAtMs = nowMs();
  await sweep(state, beats);
  const hasLeased = await acquire(state, beats);
  const isNewHead = await look(state);
  if (hasLeased) state.work.wake();
  await treasuryRound(state).catch((error: unknown) =>
    state.log.warn({ err: error }, 'treasury round failed; trying again'),
  );
  await accountTopUpRound(state).catch((error: unknown) =>
    state.log.warn({ err: error }, 'accounts could not be given their gas; trying again'),
  );
  const hasPending = [...state.accounts.values()].some(
    (account) => pendingSends(account).length > 0,
  );
  if (isNewHead || (hasPending && !beats.hadPending)) beats.pauseMs = relayLimits.pulseMinMs;
  else beats.pauseMs = Math.min(relayLimits.pulseMaxMs, beats.pauseMs * 1.5);
  beats.hadPending = hasPending;
  const inDoubt = [...state.accounts.values()].some(
    (account) => account.doubt !== undefined && account.doubt.alarm === undefined,
  );
  await state.change.wait(
    inDoubt ? relayLimits.pulseDoubtMs : hasPending ? beats.pauseMs : relayLimits.pulseMaxMs,
  );
}

/** Expired operations end also while the node is away or no executor can pay. */
async function sweep(state: ChainState, beats: Beats): Promise<void> {
  if (nowMs() - beats.sweptAtMs < relayLimits.sweepMs) return;
  beats.sweptAtMs = nowMs();
  await endExpired(state);
}

/** Answers whether it got any. */
async function acquire(state: ChainState, beats: Beats): Promise<boolean> {
  const free = [...state.keys.keys()].filter((address) => !state.accounts.has(address));
  const dueAfterMs = state.acquireSoon || state.pressure ? acquireSoonMs : acquireBeatMs;
  if (free.length === 0 || nowMs() - beats.acquiredAtMs < dueAfterMs) return false;
  if (state.chainId === undefined) await verifyChain(state);
  beats.acquiredAtMs = nowMs();
  state.acquireSoon = false;
  const hasExecutor = [...state.accounts.values()].some(
    (account) => account.lease.role === 'executor',
  );
  const extraMax = state.pressure || !hasExecutor ? 1 : 0;
  state.pressure = false;
  const { store, config, workerName } = state.deps;
  const leases = await acquireAccounts(store, {
    chain: state.chain,
    addresses: free,
    owner: workerName,
    leaseMs: config.relay.leaseMs,
    extraMax,
  });
  for (const lease of leases) {
    const [sends, usedNonce] = await Promise.all([
      readOpenSends(store, state.chain, lease.address),
      readUsedNonce(store, state.chain, lease.address),
    ]);
    state.accounts.set(
      lease.address,
      createAccount(lease, state.keys.get(lease.address)!.signing, sends, usedNonce),
    );
    state.log.info(
      { account: lease.address, role: lease.role, fence: lease.fence, open: sends.length },
      'relay account leased',
    );
  }
  return leases.length > 0;
}

/**
 * Signing for the wrong chain, or paying for calls to an empty address, is prevented before the
 * first transaction.
 */
async function verifyChain(state: ChainState): Promise<void> {
  const chainId = Number(quantitySchema.parse(await state.rpc.request('eth_chainId')));
  const expected = state.network.chainId ?? chainId;
  if (chainId !== expected)
    throw new Error(
      `The node of "${state.chain}" is on chain ${chainId}, not ${expected}: correct its RPC address.`,
    );
  const code = hexSchema.parse(
    await state.rpc.request('eth_getCode', [addresses.batchExecutor, 'latest']),
  );
  if (code === '0x')
    throw new Error(
      `The contracts are not deployed on "${state.chain}": nothing stands at ${addresses.batchExecutor}.`,
    );
  await ensureAccounts(
    state.deps.store,
    state.chain,
    [...state.keys].map(([address, key]) => ({ address, role: key.role })),
  );
  state.chainId = chainId;
}

/**
 * Reads head, final height, counts and due balances in one request and acts on them. Answers
 * whether the head is new.
 */
async function look(state: ChainState): Promise<boolean> {
  const accounts = [...state.accounts.values()];
  const rich = accounts.filter(
    (account) => nowMs() - account.balanceAtMs >= relayLimits.balanceAgeMs,
  );
  const { finality } = state.network;
  const needsFinal =
    finality.kind === 'finalized-tag' &&
    nowMs() - state.finalReadAtMs >= relayLimits.finalReadMs &&
    accounts.some((account) =>
      [...account.sends.values()].some((send) => send.status === 'included' || send.missing),
    );
  const calls: RpcCall[] = [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_chainId', params: [] },
    ...accounts.map((account) => ({
      method: 'eth_getTransactionCount',
      params: [account.lease.address, 'latest'],
    })),
    ...rich.map((account) => ({
      method: 'eth_getBalance',
      params: [account.lease.address, 'latest'],
    })),
    ...(needsFinal ? [{ method: 'eth_getBlockByNumber', params: ['finalized', false] }] : []),
  ];
  const answers = (await state.rpc.batch(calls)).map((answer, index) => {
    if (answer.ok) return answer.value;
    // Nodes without the tag, or too young for it: depth alone decides then.
    if (needsFinal && index === calls.length - 1) return null;
    throw answer.error;
  });
  if (!(await isOwnChain(state, answers[1]))) return false;
  const head = headSchema.parse(answers[0]);
  if (needsFinal) state.finalReadAtMs = nowMs();
  const isNewHead = state.head?.hash !== head.hash;
  state.head = head;
  state.finalHeight =
    finality.kind === 'depth'
      ? head.number - BigInt(finality.blocks) + 1n
      : readFinalHeight(needsFinal ? answers.at(-1) : undefined, state.finalHeight, head.number);
  const nonces = accounts.map((_account, index) => quantitySchema.parse(answers[2 + index]));
  rich.forEach((account, index) => {
    account.balanceWei = quantitySchema.parse(answers[2 + accounts.length + index]);
    account.balanceAtMs = nowMs();
  });
  await observeAll(state, accounts, nonces);
  if (rich.length > 0) await watchBalances(state, rich);
  return isNewHead;
}

/**
 * A provider may route a request to another chain, where the same accounts stand. Nothing of such
 * an answer is believed.
 */
async function isOwnChain(state: ChainState, answer: unknown): Promise<boolean> {
  const chainId = Number(quantitySchema.parse(answer));
  const isOwn = chainId === state.chainId;
  if (!isOwn) state.head = undefined;
  await publishChainAlarm(
    state,
    'chain-id',
    isOwn
      ? undefined
      : `The node answers for chain ${chainId} instead of ${state.chainId}: nothing is sent until that is mended.`,
  );
  return isOwn;
}

/** Depth that stands for finality where the node does not know the tag. */
const depthWithoutTag = 64n;

function readFinalHeight(block: unknown, known: bigint, headNumber: bigint): bigint {
  if (block === undefined) return known;
  const height = headSchema.safeParse(block).data?.number;
  return height ?? headNumber - depthWithoutTag;
}

/** What fails for one account does not stop the others. */
async function observeAll(
  state: ChainState,
  accounts: readonly Account[],
  nonces: readonly bigint[],
): Promise<void> {
  const head = state.head!;
  const results = await Promise.allSettled(
    accounts.map((account, index) =>
      account.lost ? undefined : observeAccount(state, account, nonces[index]!, head),
    ),
  );
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [{ account: accounts[index]!, error: result.reason as unknown }]
      : [],
  );
  for (const { account, error } of failures)
    if (error instanceof LeaseLostError) dropAccount(state, account, 'lease lost');
  const other = failures.find(({ error }) => !(error instanceof LeaseLostError));
  if (other) throw other.error;
}
