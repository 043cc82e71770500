import type { Browser, Page } from 'playwright-core';
import { type Run, readPage } from '../../engine/run.ts';
import { startRun } from '../../engine/run-checkout.ts';
import type { Helped, Planner, StuckGoal } from '../../engine/stuck.ts';
import {
  aTask,
  type Handler,
  startTestShop,
  type TestShop,
} from '../../engine/testing/test-shop-kit.ts';
import { type RunTask, runSteps, type StepEvidence } from '../../types.ts';

/** One page of a shop on which a run is stuck. */
export interface StuckPage {
  readonly page: Page;
  readonly shop: TestShop;
  readonly run: Run;
  /** Lines of the step log that the planner has written. */
  readonly log: readonly string[];
  help(planner: Planner, goal?: StuckGoal['kind']): Promise<Helped | undefined>;
  close(): Promise<void>;
}

/** Serves the page at `/checkout/step`, notes what is sent, and takes an order at `/order`. */
export async function openStuckPage(
  browser: Browser,
  html: string,
  task: Partial<RunTask> = {},
): Promise<StuckPage> {
  const handler: Handler = ({ method, path, form }, orders) => {
    if (method === 'GET' && path === '/checkout/step') return { html };
    if (path === '/order') orders.push(Object.fromEntries(form));
    return { html: '<h1>Next step</h1>' };
  };
  const shop = await startTestShop(handler);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${shop.origin}/checkout/step`);
  const evidence: StepEvidence[] = [];
  const run = makeRun(page, aTask(`${shop.origin}/checkout/step`, task), evidence);
  return {
    page,
    shop,
    run,
    get log() {
      return evidence.map(({ detail }) => String(detail?.['planner']));
    },
    async help(planner, kind = 'go-on') {
      const goal: StuckGoal =
        kind === 'choose-option' ? { kind, group: 'Size', option: 'M' } : { kind };
      return planner.help(run, { goal, snapshot: await readPage(run) });
    },
    async close() {
      run.watch.close();
      await context.close();
      await shop.close();
    },
  };
}

function makeRun(page: Page, task: RunTask, evidence: StepEvidence[]): Run {
  const never = () => Promise.reject(new Error('A planner asks for nothing of the sort.'));
  const run = startRun({
    page,
    context: page.context(),
    task,
    ports: {
      record: async (step) => void evidence.push(step),
      progress: async () => undefined,
      picture: async () => undefined,
      ask: never,
      arm: never,
      card: never,
      cardUse: never,
      saveBrowserState: never,
    },
    signal: new AbortController().signal,
    log: { info: () => undefined, warn: () => undefined },
  });
  run.state.reached = runSteps.indexOf('add-to-cart');
  run.state.shopOrigin = new URL(task.url).origin;
  run.state.productTitle = 'Blue Mug';
  return run;
}
