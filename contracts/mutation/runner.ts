/**
 * Asks each test about every mutant that no test before it noticed: on the chain as it was before the
 * test, with that mutant switched on (see `schema.ts`). A test that fails without one, or the second
 * time, says nothing.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type RunnerTestCase, TestRunner } from 'vitest';
import { type Noticed, type Plan, planVariable } from './plan.ts';
import { switchBase } from './schema.ts';

const slowMs = 3_000;

const plan = JSON.parse(readFileSync(process.env[planVariable] ?? '', 'utf8')) as Plan;
const noticed = new Set<number>();
const nodes = new Map<string, Promise<void>>();
const { fetch } = globalThis;
let current = 0;

globalThis.fetch = async (input, init) => {
  const url = String(input instanceof Request ? input.url : input);
  if (url.startsWith('http://127.0.0.1:')) {
    if (!nodes.has(url)) nodes.set(url, switchTo(url, current));
    await nodes.get(url);
  }
  return fetch(input, init);
};

export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    if (Date.now() > plan.until) return;
    const run = TestRunner.getTestFn(test);
    const file = test.file.name.split('/').at(-1) ?? '';
    const name = `contracts/${file} > ${fullNameOf(test)}`;
    await switchAll(0);
    const startedAt = Date.now();
    const first = await restoring(run);
    const baseMs = Date.now() - startedAt;
    if (first !== undefined || (await restoring(run)) !== undefined) {
      console.log(`SAYS NOTHING ${name}: ${String(first).slice(0, 200)}`);
      return;
    }
    if (nodes.size === 0 || plan.slow !== baseMs > slowMs) return;
    const found: number[] = [];
    const asked = (plan.asked[file] ?? []).filter((number) => !noticed.has(number));
    for (const number of asked) {
      if (Date.now() > plan.until) break;
      // Twice: on a busy machine a node now and then does not answer.
      const failure = (await failing(run, number)) && (await failing(run, number));
      if (failure === undefined) continue;
      found.push(number);
      if (process.env['SHOW']) console.log(`  ${number} ${String(failure).slice(0, 150)}`);
    }
    const last = await restoring(run);
    console.log(
      `${found.length} of ${asked.length} noticed in ${Math.round((Date.now() - startedAt) / 1000)} s (${baseMs} ms alone) ${last === undefined ? '' : 'BUT NO MORE '}${name}`,
    );
    if (last !== undefined) return;
    for (const number of found) {
      noticed.add(number);
      appendFileSync(plan.results, `${JSON.stringify({ number, by: name } satisfies Noticed)}\n`);
    }
  }
}

/** What still runs of a test that took too long is to be over before the next begins. */
async function failing(run: () => unknown, number: number): Promise<unknown> {
  const failure = await restoring(run, number);
  if (/timed out/i.test(String(failure))) await setTimeout(3_000);
  return failure;
}

/** @returns what the test failed with; the chains are as before it */
async function restoring(run: () => unknown, number = 0): Promise<unknown> {
  const kept: [url: string, id: unknown][] = [];
  for (const url of nodes.keys()) {
    const id = await ask(url, 'evm_snapshot', []).catch(() => undefined);
    if (id === undefined) nodes.delete(url);
    else kept.push([url, id]);
  }
  await switchAll(number);
  try {
    await run();
    return undefined;
  } catch (error) {
    return error ?? new Error('no error');
  } finally {
    for (const [url, id] of kept) await ask(url, 'evm_revert', [id]).catch(() => undefined);
    await switchAll(0);
  }
}

async function switchAll(number: number): Promise<void> {
  current = number;
  for (const url of nodes.keys())
    await switchTo(url, number).catch(() => {
      nodes.delete(url);
    });
}

async function switchTo(url: string, number: number): Promise<void> {
  const address = `0x${(switchBase + number).toString(16).padStart(40, '0')}`;
  await ask(url, 'anvil_setCoinbase', [address]);
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

function fullNameOf(test: RunnerTestCase): string {
  const names = [test.name];
  for (let suite = test.suite; suite; suite = suite.suite)
    if (suite.name) names.unshift(suite.name);
  return names.join(' > ');
}
