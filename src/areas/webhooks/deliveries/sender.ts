import type { Ctx } from '../../../context.ts';
import { deliveriesChannel, subscribe } from '../../../jobs/index.ts';
import { createSignal, type Signal, startLoop } from '../../../lib/waiting/loop.ts';
import { createMicroBatcher, type MicroBatcher } from '../../../store/micro-batch.ts';
import { targetRuleOf } from '../endpoints/target.ts';
import { count } from '../metrics.ts';
import { attemptDelivery, createSecretCache, type SecretCache } from './attempt.ts';
import type { Judgement } from './judge.ts';
import { createPoster, type Poster } from './post.ts';
import { claimLanes, type LaneHead, selectHeads, unclaimLanes } from './queue-store.ts';
import { settleAttempts } from './settle.ts';
import { createUnderWay, slowAfterMs, type UnderWay } from './under-way.ts';

export type SenderCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

export interface SenderOptions {
  /** How requests go out; as the environment allows when absent. */
  readonly poster?: Poster;
  /** Longest time between two looks; default 500 ms. */
  readonly pollMs?: number;
  /**
   * A process that says nothing for this long loses what it was sending; longer than an attempt can
   * take.
   */
  readonly leaseMs?: number;
  /** Longest wait of `stop` for attempts under way. */
  readonly stopMs?: number;
  /** Attempts at once; default 2,048. */
  readonly underWayMax?: number;
  readonly random?: () => number;
}

export interface Sender {
  start(): void;
  stop(): Promise<void>;
  /**
   * Sends whatever is due until nothing is. For tests and tools.
   * @returns the number of attempts
   */
  drain(): Promise<number>;
}

/**
 * Attempts at all: those that take long wait for somebody else's machine and cost next to nothing.
 */
const underWayMaxDefault = 2_048;
const perEndpointMax = 16;
const perFailingMax = 2;
const settleMax = 200;
const settlersMax = 2;
const errorDelayMs = 1_000;
/** Whoever stood still for so long after a claim may not be the only one to send any more. */
const staleShare = 0.3;

/** What the functions below share of one sender. */
interface SenderState {
  readonly ctx: SenderCtx;
  readonly poster: Poster;
  readonly secrets: SecretCache;
  readonly random: () => number;
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly underWay: UnderWay;
  readonly settler: MicroBatcher<Judgement, void>;
  readonly signal: Signal;
  readonly stopping: AbortController;
  /** Somebody said that something is due, or there may be more than was claimed. */
  poked: boolean;
  /** Endpoints were passed over, because they have much under way. */
  hasBacklog: boolean;
  /** Connections are cut off: what becomes of an attempt says nothing about its receiver. */
  isCutOff: boolean;
}

/** Sends queued webhooks. Any number of processes may run one: they share the queue. */
export function createSender(ctx: SenderCtx, options: SenderOptions = {}): Sender {
  const { stopMs = 5_000 } = options;
  const state = createState(ctx, options);
  let parts: { stop(): Promise<void> } | undefined;
  return {
    start: () => {
      parts ??= startSender(state);
    },
    stop: async () => {
      state.stopping.abort();
      await parts?.stop();
      const late = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref());
      // What is still under way keeps its lease: it may have arrived.
      await Promise.race([state.underWay.settled(), late]);
      state.isCutOff = true;
      state.poster.close();
    },
    drain: () => drain(state),
  };
}

function createState(ctx: SenderCtx, options: SenderOptions): SenderState {
  const { random = Math.random } = options;
  const state: SenderState = {
    ctx,
    poster: options.poster ?? createPoster({ rule: targetRuleOf(ctx.config.environment) }),
    secrets: createSecretCache(ctx),
    random,
    pollMs: options.pollMs ?? 500,
    leaseMs: options.leaseMs ?? 30_000,
    underWay: createUnderWay(options.underWayMax ?? underWayMaxDefault),
    settler: createMicroBatcher<Judgement, void>({
      maxItems: settleMax,
      concurrency: settlersMax,
      run: async (judgements) => {
        if ((await settleAttempts(ctx, judgements)) > 0) poke(state);
        return judgements.map(() => undefined);
      },
    }),
    signal: createSignal(),
    stopping: new AbortController(),
    poked: false,
    hasBacklog: false,
    isCutOff: false,
  };
  return state;
}

function startSender(state: SenderState): { stop(): Promise<void> } {
  const { ctx, signal, stopping } = state;
  const bell = subscribe(ctx.store, deliveriesChannel, () => poke(state));
  poke(state);
  const loop = startLoop({
    round: async () => {
      await waitForWork(state);
      if (!stopping.signal.aborted) await takeTurn(state);
    },
    signal,
    stopping: stopping.signal,
    failurePauseMs: errorDelayMs,
    failurePauseMaxMs: errorDelayMs,
    onFailure: (error) => {
      count('claimErrors');
      ctx.log.error({ err: error }, 'due webhooks could not be claimed; trying again');
    },
  });
  return { stop: async () => void (await Promise.all([loop.stop(), bell.close()])) };
}

function poke(state: SenderState): void {
  state.poked = true;
  state.signal.wake();
}

async function waitForWork(state: SenderState): Promise<void> {
  const { pollMs, random, signal, stopping, underWay } = state;
  const pollAtMs = performance.now() + pollMs * (0.8 + 0.4 * random());
  while (!stopping.signal.aborted && !(state.poked && underWay.room() > 0)) {
    const leftMs = pollAtMs - performance.now();
    if (leftMs <= 0) state.poked = true;
    // Without room: what is young grows old by itself.
    await signal.wait(state.poked ? slowAfterMs / 5 : leftMs);
  }
  state.poked = false;
}

/** Claims and begins as much as there is room for. @returns how many attempts were begun */
async function takeTurn(state: SenderState): Promise<number> {
  const { ctx, underWay, leaseMs } = state;
  const limit = underWay.room();
  if (limit <= 0) return 0;
  const claimedMs = performance.now();
  const lanes = await claimLanes(ctx.store, {
    now: ctx.clock.now(),
    limit,
    perEndpointMax: underWay.isCrowded() ? perFailingMax : perEndpointMax,
    perFailingMax,
    underWay: underWay.countByEndpoint(),
    leaseMs,
  });
  if (lanes.length === limit) state.poked = true;
  let begun = 0;
  if (lanes.length > 0) {
    const heads = await selectHeads(ctx.store, lanes);
    await state.secrets.load(heads);
    if (state.stopping.signal.aborted || performance.now() - claimedMs > leaseMs * staleShare) {
      await unclaimLanes(ctx.store, lanes);
      return 0;
    }
    for (const head of heads) begin(state, head);
    begun = heads.length;
  }
  state.hasBacklog = [...underWay.countByEndpoint().values()].some((n) => n >= perFailingMax);
  return begun;
}

function begin(state: SenderState, head: LaneHead): void {
  const ended = attemptDelivery(state.ctx, state, head)
    .then((judgement) => (state.isCutOff ? undefined : state.settler.add(judgement)))
    // The lane keeps its lease until it ends: then somebody sends it again, with the same id.
    .catch((error: unknown) =>
      state.ctx.log.error(
        { err: error, endpointId: head.endpointId },
        'the outcome of a webhook could not be stored',
      ),
    );
  state.underWay.add(head.endpointId, ended);
  void ended.then(() => (state.hasBacklog ? poke(state) : state.signal.wake()));
}

async function drain(state: SenderState): Promise<number> {
  for (let total = 0; ; ) {
    const begun = await takeTurn(state);
    total += begun;
    if (begun === 0 && state.underWay.isEmpty()) return total;
    await state.underWay.settled();
  }
}
