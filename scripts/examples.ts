import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeEventTypes } from '../src/areas/event-descriptions.ts';
import { routes } from '../src/areas/routes.ts';
import {
  examplesPath,
  type RecordedExample,
  type RecordedExamples,
} from '../src/http/reference/examples.ts';
import { createPathIndex } from '../src/http/routes/paths.ts';
import type { AnyRoute } from '../src/http/routes/route.ts';
import type { Vault } from '../src/vault/index.ts';
import { createVaultRoutes } from '../src/vault/methods/routes.ts';
import { type RecordedCall, recordingFolder } from '../test/harness/recorder.ts';
import { normalise } from './examples-normal.ts';

// `npm run docs:examples`: runs the interface tests below with a recorder, and keeps one call and
// answer per operation.

const root = fileURLToPath(new URL('..', import.meta.url));
/** Examples near this length are taken: they show most fields, and can be read. */
const lengthGood = 1_800;
/** Calls with more, such as pictures in a body, are no examples. */
const lineLengthMax = 60_000;

/** Tests that call every operation, and let every kind of event happen that they can. */
const recorded = [
  'src/areas/agent-checkouts/agent-checkouts.test.ts',
  'src/areas/agent-checkouts/steps/steps.test.ts',
  'src/areas/browser-profiles/browser-profiles.test.ts',
  'src/areas/buyer-profiles/buyer-profiles.test.ts',
  'src/areas/funding/funding.test.ts',
  'src/areas/identity/identity.test.ts',
  'src/areas/ledger/ledger.test.ts',
  'src/areas/linked-wallets/linked-wallets.test.ts',
  'src/areas/nfts/nfts.test.ts',
  'src/areas/orders/limits/limits.test.ts',
  'src/areas/orders/api/list.test.ts',
  'src/areas/orders/kinds/onramp/identity.test.ts',
  'src/areas/orders/api/orders.test.ts',
  'src/areas/orders/api/outcomes.test.ts',
  'src/vault/methods/payment-methods.test.ts',
  'src/areas/signatures/operations.test.ts',
  'src/areas/signer-codes/routes.test.ts',
  'src/areas/signers/signers.test.ts',
  'src/areas/transfers/transfers.test.ts',
  'src/areas/users/documents/documents.test.ts',
  'src/areas/users/users.test.ts',
  'src/areas/wallets/wallets.test.ts',
  'src/areas/webhooks/deliveries/deliveries.test.ts',
  'src/areas/webhooks/endpoints/endpoints.test.ts',
  'src/areas/webhooks/events/events.test.ts',
  'src/areas/webhooks/deliveries/replay.test.ts',
  'src/areas/webhooks/deliveries/resend.test.ts',
  'test/flows/agent-checkout.test.ts',
  'test/flows/approval-page.test.ts',
  'test/flows/checkout-order.test.ts',
  'test/flows/email-signer.test.ts',
  'test/flows/evm-transfer.test.ts',
  'test/flows/offramp.test.ts',
  'test/interface/existing-clients.test.ts',
  'test/interface/walk.test.ts',
];

/** Operations of both hosts; those that both have are the API's. */
export const documentedRoutes: readonly AnyRoute[] = [
  ...routes,
  ...createVaultRoutes({} as Vault).filter(
    ({ operationId }) => !routes.some((route) => route.operationId === operationId),
  ),
];

interface Candidate {
  readonly score: number;
  readonly text: string;
}

function collect(calls: Iterable<RecordedCall>): RecordedExamples {
  const index = createPathIndex(documentedRoutes);
  const operations = new Map<string, Candidate>();
  const events = new Map<string, Candidate>();
  for (const call of calls) {
    if (call.method === 'EVENT') {
      keepEvent(events, call.answer as { type: string });
      continue;
    }
    const url = new URL(call.url);
    const path = url.pathname.replace(/^\/api/, '').replace(/\/$/, '');
    const route = index.match(path).find(({ method }) => method === call.method);
    if (!route || call.status >= 300 || call.headers['idempotency-replayed'] !== undefined)
      continue;
    const example = exampleOf(route, call, { path, query: url.searchParams });
    if (example) keep(operations, route.operationId, example);
  }
  return { operations: sorted(operations), events: sorted(events) } as RecordedExamples;
}

function exampleOf(
  route: AnyRoute,
  call: RecordedCall,
  at: { path: string; query: URLSearchParams },
): RecordedExample | undefined {
  const names = [...route.path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => name!);
  const pattern = route.path
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:[A-Za-z]\w*/g, '([^/]+)');
  const values = new RegExp(`^${pattern}$`).exec(at.path)?.slice(1).map(decodeURIComponent) ?? [];
  const example = normalise({
    ...(names.length > 0 && {
      path: Object.fromEntries(names.map((name, index) => [name, values[index]!])),
    }),
    ...(at.query.size > 0 && { query: Object.fromEntries(at.query) }),
    ...(call.body !== undefined && route.body && { body: call.body }),
    status: call.status,
    ...(call.answer !== undefined && { answer: call.answer }),
  });
  return exampleFits(route, example) ? example : undefined;
}

/** True when each part is what the route takes and answers. */
export function exampleFits(route: AnyRoute, example: RecordedExample): boolean {
  const answer = route.responses[example.status];
  return [
    [route.params, example.path],
    [route.query, example.query ?? {}],
    [route.body, example.body],
    [answer?.schema, example.answer],
  ].every(
    ([schema, value]) =>
      schema === undefined || (schema as NonNullable<AnyRoute['body']>).safeParse(value).success,
  );
}

const eventSchemas = new Map<string, ReturnType<typeof describeEventTypes>[number]['schema']>(
  describeEventTypes().map(({ type, schema }) => [type, schema]),
);

function keepEvent(events: Map<string, Candidate>, told: { readonly type: string }): void {
  const body = normalise(told);
  if (eventSchemas.get(told.type)?.safeParse(body).success) keep(events, told.type, body);
}

/**
 * The one of a good length with little to send; among equals the first by its text, so that another
 * run chooses the same.
 */
function keep(kept: Map<string, Candidate>, name: string, value: unknown): void {
  const text = JSON.stringify(value);
  const sent = JSON.stringify((value as { body?: unknown }).body ?? '').length;
  const score = -Math.abs(Math.round((text.length - lengthGood) / 200)) - Math.round(sent / 15);
  const best = kept.get(name);
  if (!best || score > best.score || (score === best.score && text < best.text))
    kept.set(name, { score, text });
}

function sorted(kept: ReadonlyMap<string, Candidate>): Record<string, unknown> {
  return Object.fromEntries(
    [...kept]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { text }]) => [name, JSON.parse(text) as unknown]),
  );
}

function* readCalls(folder: string): Generator<RecordedCall> {
  for (const name of readdirSync(folder).sort())
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n'))
      if (line !== '' && line.length <= lineLengthMax) yield JSON.parse(line) as RecordedCall;
}

function record(): RecordedExamples {
  const folder = mkdtempSync(join(tmpdir(), 'purser-examples-'));
  try {
    const run = spawnSync(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...recorded],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, [recordingFolder]: folder },
      },
    );
    if (run.status !== 0)
      throw new Error('The tests failed: examples are taken from tests that succeed.');
    return collect(readCalls(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // A folder of calls that are recorded already may be named.
  const [folder] = process.argv.slice(2);
  const examples = folder === undefined ? record() : collect(readCalls(folder));
  writeFileSync(join(root, examplesPath), `${JSON.stringify(examples, null, 2)}\n`);
  const missing = documentedRoutes
    .filter(({ operationId }) => !examples.operations[operationId])
    .map(({ operationId }) => operationId);
  if (missing.length > 0) console.error(`Without an example: ${missing.join(', ')}.`);
}
