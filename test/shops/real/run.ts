import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { answerAsCustomer, type CustomerKnows, type Question } from '../customer.ts';
import { followCheckout } from '../follow.ts';
import { ordersSchema, type Purchases, parse, type ShopCase, type ShopOrders } from './cases.ts';
import { type CaseVerdict, compare } from './compare.ts';
import type { ShopService } from './service.ts';

/** How a case ended. */
export interface CaseRun {
  readonly name: string;
  readonly verdict: CaseVerdict;
  readonly why: string;
  readonly questions: number;
  readonly seconds: number;
  /** MiB, the largest of its browsers; absent when none was opened. */
  readonly memoryMib: number | undefined;
  /** The approval, as it was asked. */
  readonly approval: string | undefined;
  /** What the run said of itself, as it went on. */
  readonly steps: readonly string[];
}

export interface RunInput {
  /** The shop's address. */
  readonly at: string;
  readonly cases: Purchases;
  /** What the shop's own books have. */
  readonly readOrders: () => Promise<ShopOrders>;
  readonly service: ShopService;
  readonly onEnd: (run: CaseRun) => void;
}

const run = promisify(exec);
const endMaxMs = 5 * 60_000;
const oracleMaxMs = 30_000;
const outputBytesMax = 64 * 1_048_576;
const questionsMax = 15;
/** The shop writes its order after it has answered. */
const settleMs = 500;
/** A browser that was closed is told of a moment later. */
const memoryTries = 20;

/** Runs the cases one after the other: what is new in the shop's books is the case's. */
export async function runCases({
  at,
  cases,
  readOrders,
  service,
  onEnd,
}: RunInput): Promise<readonly CaseRun[]> {
  const ended: CaseRun[] = [];
  for (const [index, wish] of cases.cases.entries()) {
    const before = new Set((await readOrders()).map(({ number }) => number));
    const one = await runCase({
      at,
      cases,
      service,
      wish,
      user: `shops-${index}`,
      readNew: async () => (await readOrders()).filter(({ number }) => !before.has(number)),
    });
    ended.push(one);
    onEnd(one);
  }
  return ended;
}

/** @throws Error one sentence */
export async function askOracle(command: string): Promise<ShopOrders> {
  const { stdout } = await run(command, { timeout: oracleMaxMs, maxBuffer: outputBytesMax }).catch(
    (error: Error & { stderr?: string }) => {
      throw new Error(`The oracle failed (${command}): ${error.stderr?.trim() || error.message}`);
    },
  );
  return parse(ordersSchema, stdout, `What the oracle printed (${command})`);
}

interface CaseInput extends Omit<RunInput, 'onEnd' | 'readOrders'> {
  readonly wish: ShopCase;
  readonly user: string;
  readonly readNew: () => Promise<ShopOrders>;
}

async function runCase({ at, cases, service, wish, user, readNew }: CaseInput): Promise<CaseRun> {
  const startedMs = performance.now();
  const browsersBefore = service.memory().length;
  const call = (method: string, below: string, body?: object) =>
    service.as(user, method, below, body);
  const { body: profile } = await call('POST', '/buyer-profiles', cases.buyer);
  const created = await call('POST', '', {
    target: {
      kind: 'direct_url',
      url: pageOf(at, wish.page),
      ...(wish.request && { request: wish.request }),
    },
    constraints: { maxCost: { amount: wish.maxCost, currency: cases.currency } },
    buyerProfileId: profile.id,
  });
  if (created.status !== 200)
    throw new Error(`The case “${wish.name}” was refused: ${created.text}`);
  const id: string = created.body.id;
  const knows = knowledgeOf(cases.buyer, wish, async () => (await readNew()).length > 0);
  const asked: Question[] = [];
  let [stuckAt, hasStruck]: [string | undefined, boolean] = [undefined, false];
  let steps: readonly string[] = [];
  const strikeOnce = async (isTime: boolean, strike: () => unknown) => {
    if (!isTime || hasStruck) return;
    hasStruck = true;
    await strike();
  };
  const cancel = () => call('DELETE', `/${id}`);
  const view = await followCheckout({
    id,
    call,
    endMaxMs,
    onView: async ({ status, progressItems }) => {
      steps = (progressItems as { title: string }[]).map(({ title }) => title);
      await strikeOnce(wish.cancel === 'running' && status === 'running', cancel);
      await strikeOnce(
        wish.kill !== undefined &&
          steps.some((title) => title.toLowerCase().includes(wish.kill!.at.toLowerCase())),
        () => service.killRunner(),
      );
    },
    answer: async (question) => {
      asked.push(question);
      if (wish.cancel === 'approval' && question.kind === 'approve-purchase') {
        await cancel();
        return undefined;
      }
      const answer =
        asked.length > questionsMax ? 'decline' : await answerAsCustomer(question, knows);
      if (answer === 'decline')
        stuckAt = `${question.kind}: ${question.message.replaceAll('\n', ' / ')}`;
      return answer;
    },
  });
  await pause(settleMs);
  const { verdict, why } = compare({
    wish,
    buyer: cases.buyer,
    orders: await readNew(),
    view,
    stuckAt,
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  return {
    name: wish.name,
    verdict,
    why:
      wish.kill && !hasStruck ? `${why} (nothing was killed: no step says “${wish.kill.at}”)` : why,
    questions: asked.length,
    seconds,
    memoryMib: await memoryOf(service, browsersBefore),
    approval: asked.findLast(({ kind }) => kind === 'approve-purchase')?.message,
    steps,
  };
}

/** A page's address: `#/product/1` and `product/1` are below the shop's. */
function pageOf(at: string, page: string): string {
  return page.startsWith('#') ? `${at.replace(/\/$/, '')}/${page}` : new URL(page, at).href;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function memoryOf(service: ShopService, before: number): Promise<number | undefined> {
  for (let tries = 0; service.memory().length === before && tries < memoryTries; tries++)
    await pause(100);
  const own = service.memory().slice(before);
  return own.length > 0 ? Math.max(...own) : undefined;
}

function knowledgeOf(
  buyer: Purchases['buyer'],
  wish: ShopCase,
  hasOrder: () => Promise<boolean>,
): CustomerKnows {
  const { name, contact, shipping } = buyer;
  return {
    values: wish.order?.lines.flatMap(({ variant }) => variant) ?? [],
    way: wish.way,
    login: wish.login,
    contact: {
      fullName: `${name.first} ${name.last}`,
      email: contact.email,
      phone: contact.phone,
      addressLine1: shipping.addressLines[0]!,
      addressLine2: shipping.addressLines[1] ?? '',
      city: shipping.locality,
      state: shipping.administrativeAreaCode ?? '',
      postalCode: shipping.postalCode,
      countryCode: shipping.countryCode,
    },
    hasOrder,
  };
}

const columns = ['case', 'end', 'questions', 'seconds', 'MiB', 'why'] as const;

/** The table that `npm run shops` prints. */
export function tableOf(runs: readonly CaseRun[]): string {
  const rows = runs.map(({ name, verdict, questions, seconds, memoryMib, why }) => [
    name,
    verdict,
    String(questions),
    seconds.toFixed(1),
    String(memoryMib ?? ''),
    why,
  ]);
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === columns.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  const verdicts = [...new Set(runs.map(({ verdict }) => verdict))];
  const sum = verdicts
    .map((verdict) => `${verdict} ${runs.filter((one) => one.verdict === verdict).length}`)
    .join(', ');
  return [...lines, '', `${runs.length} cases: ${sum}`].join('\n');
}
