import type { BrowserContext, Page } from 'playwright-core';
import type { Commerce } from '../commerce/types.ts';
import {
  RunCancelledError,
  type RunEnd,
  RunLostError,
  type RunPorts,
  type RunScreen,
  type RunTask,
  runSteps,
} from '../types.ts';
import { addToCart } from './cart/add.ts';
import { addAgain } from './cart/add-again.ts';
import { answerDialogs } from './cart/confirm-removal.ts';
import { leaveCart } from './cart/leave.ts';
import { buyByProtocol } from './commerce/buy.ts';
import { settleArmed } from './commerce/settle.ts';
import { openShop } from './open-shop.ts';
import { NetworkWatch } from './page/settle.ts';
import {
  bareUrl,
  checkAlive,
  fail,
  type OrderGate,
  type Patience,
  type Run,
  type RunLog,
  RunStop,
  reach,
  usualPatience,
} from './run.ts';
import { goToPayment } from './steps/checkout.ts';
import { signInFirst } from './steps/login/sign-in.ts';
import { reconcile } from './steps/outcome/reconcile.ts';
import { pay } from './steps/paying/pay.ts';
import { openProduct } from './steps/product/open-product.ts';
import { notePack } from './steps/product/quantity.ts';
import { select } from './steps/product/select.ts';
import {
  lookForUnpermitted,
  recordedOrder,
  settleUnpermitted,
  type UnpermittedOrder,
} from './steps/product/unpermitted.ts';
import type { Planner } from './stuck.ts';

export interface CheckoutInput {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly task: RunTask;
  readonly ports: RunPorts;
  /**
   * Aborted with the reason: {@link RunLostError}, {@link RunCancelledError}, or anything else for
   * the end of the time.
   */
  readonly signal: AbortSignal;
  readonly log: RunLog;
  readonly gate?: OrderGate;
  /** Absent: nobody watches. */
  readonly screen?: RunScreen;
  /** Why our own way out did not lead to an address, as a sentence; undefined when it did. */
  readonly refusalOf?: (address: string) => string | undefined;
  /** For tests: shops that may take less time. */
  readonly patience?: Partial<Patience>;
  /** Absent: nobody helps where the engine is stuck. */
  readonly planner?: Planner;
  /** Absent: shops' own interfaces are not used. */
  readonly commerce?: Commerce;
  readonly now?: () => Date;
}

/**
 * Buys what the task names, once. A try that was armed before is only reconciled by reading.
 * @throws RunLostError when the run was taken away
 */
export async function runCheckout(input: CheckoutInput): Promise<RunEnd> {
  const run = startRun(input);
  answerDialogs(input.page);
  try {
    return await buy(run);
  } catch (error) {
    // Awaited here: while `finally` waits, nobody else would hear that it failed, and that ends the
    // process.
    return await endOf(run, error);
  } finally {
    await run.state.shown;
    run.watch.close();
  }
}

/** A run at its beginning, before anything is opened. */
export function startRun({ now = () => new Date(), patience, ...input }: CheckoutInput): Run {
  return {
    ...input,
    now,
    patience: { ...usualPatience, ...patience },
    watch: new NetworkWatch(input.page),
    state: {
      reached: runSteps.indexOf('accepted'),
      buyer: input.task.buyer,
      shopOrigin: '',
      productTitle: '',
      choices: [],
      productUrl: '',
      quantity: 1,
      armed: false,
      clicked: false,
      cardTyped: false,
      secrets: [],
      signedIn: false,
      hasAdded: false,
      shown: Promise.resolve(),
      asked: new Map(),
      refusedDelivery: new Set(),
    },
  };
}

async function buy(run: Run): Promise<RunEnd> {
  const { resume } = run.task;
  const wasArmed =
    resume !== undefined && runSteps.indexOf(resume.step) >= runSteps.indexOf('armed');
  if (wasArmed) {
    run.state.armed = true;
    run.state.reached = runSteps.indexOf(resume.step);
  }
  const seen = recordedOrder(run);
  if (seen !== undefined) return settleUnpermitted(run, seen);
  const problem = await openShop(run);
  if (wasArmed) return (await settleArmed(run, earlier)) ?? reconcile(run, earlier);
  if (problem !== undefined) fail(run, problem);
  let snapshot = await openProduct(run);
  run.state.productTitle = snapshot.heading || snapshot.title;
  run.state.productUrl = snapshot.url;
  notePack(run, snapshot);
  await reach(run, 'open', { product: run.state.productTitle });
  snapshot = await select(run, await signInFirst(run, snapshot));
  const bought = await buyByProtocol(run, snapshot);
  if (bought !== undefined) return bought;
  snapshot = await addAgain(run, await addToCart(run, snapshot));
  return pay(run, await goToPayment(run, snapshot));
}

const earlier = 'An earlier try may have placed the order.';

/**
 * What an exception means for the end. After the permit nothing is known to have been left undone.
 */
async function endOf(run: Run, error: unknown): Promise<RunEnd> {
  if (error instanceof RunLostError) throw error;
  if (run.signal.aborted && run.signal.reason instanceof RunLostError) throw run.signal.reason;
  const unpermitted = run.state.armed ? undefined : await lookForUnpermitted(run);
  if (unpermitted !== undefined) return endUnpermitted(run, unpermitted);
  await leaveCart(run);
  if (error instanceof RunStop && !run.state.armed) return error.end;
  const isCancelled =
    error instanceof RunCancelledError ||
    (run.signal.aborted && run.signal.reason instanceof RunCancelledError);
  if (isCancelled && !run.state.armed) return { outcome: 'cancelled', placed: 'no' };
  run.log.warn(
    { error: String(error).split('\n')[0]!.slice(0, 300), url: bareUrl(run.page.url()) },
    'The run ended early.',
  );
  if (!run.state.armed)
    return {
      outcome: 'failed',
      reason: 'automation_failed',
      message: messageOf(run, error),
      placed: 'no',
    };
  try {
    const why = 'The run was interrupted after the order button.';
    if (!run.signal.aborted && !run.page.isClosed())
      return (await settleArmed(run, why)) ?? (await reconcile(run, why));
  } catch (later) {
    if (later instanceof RunLostError) throw later;
  }
  return {
    outcome: 'failed',
    reason: 'automation_failed',
    message: 'It is not known whether the order was placed.',
    placed: 'unknown',
  };
}

/** @throws RunLostError */
async function endUnpermitted(run: Run, order: UnpermittedOrder): Promise<RunEnd> {
  try {
    return await settleUnpermitted(run, order);
  } catch (error) {
    if (error instanceof RunLostError) throw error;
    return {
      outcome: 'failed',
      reason: 'automation_failed',
      message: 'It is not known whether the order was placed.',
      placed: 'unknown',
    };
  }
}

function messageOf(run: Run, error: unknown): string {
  try {
    checkAlive(run);
  } catch (stop) {
    if (stop instanceof RunStop) return stop.message;
  }
  return /closed|crash/i.test(String(error))
    ? 'The browser ended.'
    : 'The page could not be understood.';
}
