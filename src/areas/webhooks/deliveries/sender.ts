import type { Ctx } from '../../../context.ts';
import { deliveriesChannel, hear } from '../../../jobs/index.ts';
import { createMicroBatcher } from '../../../store/micro-batch.ts';
import { targetRuleOf } from '../endpoints/target.ts';
import { count } from '../metrics.ts';
import { attemptDelivery, createSecretCache } from './attempt.ts';
import type { Judgement } from './judge.ts';
import { createPoster, type Poster } from './post.ts';
import { claimLanes, type LaneHead, selectHeads, unclaimLanes } from './queue-store.ts';
import { settleAttempts } from './settle.ts';

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

/** Attempts that are young: beyond it nothing new is begun. */
const freshMax = 256;
/**
 * Attempts at all: those that take long wait for somebody else's machine and cost next to nothing.
 */
const underWayMaxDefault = 2_048;
const slowAfterMs = 250;
const perEndpointMax = 16;
const perFailingMax = 2;
const claimMax = 200;
const settleMax = 200;
const settlersMax = 2;
const errorDelayMs = 1_000;
/** Whoever stood still for so long after a claim may not be the only one to send any more. */
const staleShare = 0.3;

interface UnderWay {
  readonly endpointId: string;
  readonly startedMs: number;
  readonly finished: Promise<void>;
}

/** Sends queued webhooks. Any number of processes may run one: they share the queue. */
export function createSender(ctx: SenderCtx, options: SenderOptions = {}): Sender {
  const {
    pollMs = 500,
    leaseMs = 30_000,
    stopMs = 5_000,
    underWayMax = underWayMaxDefault,
    random = Math.random,
  } = options;
  const poster = options.poster ?? createPoster({ rule: targetRuleOf(ctx.config.environment) });
  const secrets = createSecretCache(ctx);
  const underWay = new Set<UnderWay>();
  let backlog = false;
  let poked = false;
  let stopping = false;
  let isCutOff = false;
  let wake: (() => void) | undefined;
  let loop: Promise<void> | undefined;
  let bell: { close(): Promise<void> } | undefined;

  const settler = createMicroBatcher<Judgement, void>({
    maxItems: settleMax,
    concurrency: settlersMax,
    run: async (judgements) => {
      if ((await settleAttempts(ctx, judgements)) > 0) poke();
      return judgements.map(() => undefined);
    },
  });

  function poke(): void {
    poked = true;
    wake?.();
  }

  function room(): number {
    const freshSinceMs = performance.now() - slowAfterMs;
    let fresh = 0;
    for (const { startedMs } of underWay) if (startedMs > freshSinceMs) fresh += 1;
    return Math.min(
      freshMax - fresh,
      (isCrowded() ? underWayMax : underWayMax / 2) - underWay.size,
      claimMax,
    );
  }

  /**
   * Half of all places is for those who have little under way: receivers that hang with much of it
   * leave room for everybody else.
   */
  function isCrowded(): boolean {
    return underWay.size >= underWayMax / 2;
  }

  function countUnderWay(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { endpointId } of underWay)
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    return counts;
  }

  /** Claims and begins as much as there is room for. @returns how many attempts were begun */
  async function takeTurn(): Promise<number> {
    const limit = room();
    if (limit <= 0) return 0;
    const claimedMs = performance.now();
    const lanes = await claimLanes(ctx.store, {
      now: ctx.clock.now(),
      limit,
      perEndpointMax: isCrowded() ? perFailingMax : perEndpointMax,
      perFailingMax,
      underWay: countUnderWay(),
      leaseMs,
    });
    if (lanes.length === limit) poked = true;
    if (lanes.length === 0) {
      backlog = mayHaveMore();
      return 0;
    }
    const heads = await selectHeads(ctx.store, lanes);
    await secrets.load(heads);
    if (stopping || performance.now() - claimedMs > leaseMs * staleShare) {
      await unclaimLanes(ctx.store, lanes);
      return 0;
    }
    for (const head of heads) begin(head);
    backlog = mayHaveMore();
    return heads.length;
  }

  /** Endpoints with so much under way may have been passed over. */
  function mayHaveMore(): boolean {
    return [...countUnderWay().values()].some((n) => n >= perFailingMax);
  }

  function begin(head: LaneHead): void {
    const finished = attemptDelivery(ctx, { poster, secrets, random }, head)
      // Connections that were cut off by ourselves say nothing about their receivers.
      .then((judgement) => (isCutOff ? undefined : settler.add(judgement)))
      // The lane keeps its lease until it ends: then somebody sends it again, with the same id.
      .catch((error: unknown) =>
        ctx.log.error(
          { err: error, endpointId: head.endpointId },
          'the outcome of a webhook could not be stored',
        ),
      )
      .finally(() => {
        underWay.delete(entry);
        if (backlog) poke();
        else wake?.();
      });
    const entry: UnderWay = { endpointId: head.endpointId, startedMs: performance.now(), finished };
    underWay.add(entry);
  }

  async function waitForWork(): Promise<void> {
    const poll = setTimeout(poke, pollMs * (0.8 + 0.4 * random()));
    while (!stopping && !(poked && room() > 0)) {
      // Without room: what is young grows old by itself.
      const look = poked ? setTimeout(() => wake?.(), slowAfterMs / 5) : undefined;
      await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(look);
    }
    clearTimeout(poll);
    poked = false;
  }

  async function runLoop(): Promise<void> {
    while (!stopping) {
      await waitForWork();
      if (stopping) return;
      try {
        await takeTurn();
      } catch (error) {
        count('claimErrors');
        ctx.log.error({ err: error }, 'due webhooks could not be claimed; trying again');
        await new Promise((resolve) => setTimeout(resolve, errorDelayMs).unref());
      }
    }
  }

  async function drain(): Promise<number> {
    for (let total = 0; ; ) {
      const begun = await takeTurn();
      total += begun;
      if (begun === 0 && underWay.size === 0) return total;
      await Promise.all([...underWay].map(({ finished }) => finished));
    }
  }

  return {
    start: () => {
      if (loop !== undefined) return;
      bell = hear(ctx.store, deliveriesChannel, poke);
      poke();
      loop = runLoop();
    },
    stop: async () => {
      stopping = true;
      wake?.();
      await Promise.all([loop, bell?.close()]);
      const late = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref());
      // What is still under way keeps its lease: it may have arrived.
      await Promise.race([Promise.all([...underWay].map(({ finished }) => finished)), late]);
      isCutOff = true;
      poster.close();
    },
    drain,
  };
}
