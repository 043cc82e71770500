import { parseArgs } from 'node:util';
import { type Clock, systemClock } from '../lib/clock.ts';
import { formatJson, formatTable, type Print, readLimit } from '../lib/command.ts';
import type { Store } from '../store/types.ts';
import type { FlowStatus } from './flows/flow-store.ts';
import {
  cancelFlow,
  countFlows,
  findFlow,
  flowStatuses,
  listFlows,
  listReaders,
  retryFlow,
} from './flows/inspect.ts';
import { askForParkedEvent, listParkedEvents } from './outbox/parked-events.ts';
import { jobsUsage } from './usage.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Serves `purser jobs …`.
 * @param argv what follows the word `jobs`
 * @returns the exit code
 */
export async function jobsCommand(
  store: Store,
  argv: readonly string[],
  print: Print,
  clock: Clock = systemClock,
): Promise<number> {
  let parsed: ReturnType<typeof parseJobsArgs>;
  try {
    parsed = parseJobsArgs(argv);
  } catch (error) {
    return fail(print, (error as Error).message);
  }
  const {
    values,
    positionals: [verb = 'counts', id, ...rest],
  } = parsed;
  if (values.help) return say(print, jobsUsage);
  if (rest.length > 0) return fail(print, `Too many arguments: ${rest.join(' ')}`);
  switch (verb) {
    case 'counts':
      return printCounts(store, print, clock);
    case 'list':
      return printList(store, values, print);
    case 'readers':
      return printReaders(store, print);
    case 'parked':
      return printParked(store, print);
    case 'unpark':
      return unpark(store, { id, print, now: clock.now() });
    case 'show':
    case 'retry':
    case 'cancel':
      break;
    default:
      return fail(print, `Unknown command "${verb}".`);
  }
  if (id === undefined || !uuid.test(id))
    return fail(print, `Name a flow by its id: purser jobs ${verb} <id>`);
  if (verb === 'show') return printFlow(store, id, print);
  const done = await (verb === 'retry' ? retryFlow : cancelFlow)(store, id, clock.now());
  if (done) return say(print, verb === 'retry' ? `${id} is due again.` : `${id} is cancelled.`);
  const flow = await findFlow(store, id);
  return fail(
    print,
    flow ? `${id} is ${flow.status}: nothing to ${verb}.` : `There is no flow ${id}.`,
    false,
  );
}

function parseJobsArgs(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      status: { type: 'string' },
      kind: { type: 'string' },
      project: { type: 'string' },
      limit: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return { positionals, values: { ...values, limit: readLimit(values.limit, { max: 1_000 }) } };
}

function say(print: Print, text: string): number {
  print(text);
  return 0;
}

function fail(print: Print, text: string, withUsage = true): number {
  print(withUsage ? `${text}\n\n${jobsUsage}` : text);
  return 1;
}

async function printCounts(store: Store, print: Print, clock: Clock): Promise<number> {
  const counts = await countFlows(store, clock.now());
  if (counts.length === 0) return say(print, 'No flows.');
  const overdue = (seconds: number) => (seconds >= 1 ? `${Math.round(seconds)} s` : '');
  return say(
    print,
    formatTable(
      ['KIND', 'STATUS', 'COUNT', 'OVERDUE'],
      counts.map((row) => [row.kind, row.status, String(row.count), overdue(row.overdueSeconds)]),
    ),
  );
}

async function printList(
  store: Store,
  values: ReturnType<typeof parseJobsArgs>['values'],
  print: Print,
): Promise<number> {
  if (values.status !== undefined && !flowStatuses.includes(values.status as FlowStatus))
    return fail(print, `Unknown status "${values.status}".`);
  const flows = await listFlows(store, {
    status: values.status as FlowStatus | undefined,
    kind: values.kind,
    projectId: values.project,
    limit: values.limit,
  });
  if (flows.length === 0) return say(print, 'No such flows.');
  const rows = flows.map((flow) => [
    flow.id,
    flow.kind,
    flow.projectId,
    flow.status,
    flow.step,
    String(flow.attempts),
    stamp(flow.runAt),
    (flow.lastError ?? '').slice(0, 60),
  ]);
  return say(
    print,
    formatTable(['ID', 'KIND', 'PROJECT', 'STATUS', 'STEP', 'TRIES', 'RUN AT', 'LAST ERROR'], rows),
  );
}

async function printReaders(store: Store, print: Print): Promise<number> {
  const readers = await listReaders(store);
  if (readers.length === 0) return say(print, 'No readers.');
  const rows = readers.map((row) => [
    row.name,
    row.position,
    String(row.behind),
    String(row.parked),
    String(row.attempts),
    (row.lastError ?? '').slice(0, 60),
  ]);
  return say(
    print,
    formatTable(['READER', 'POSITION', 'BEHIND', 'PARKED', 'TRIES', 'LAST ERROR'], rows),
  );
}

async function printParked(store: Store, print: Print): Promise<number> {
  const events = await listParkedEvents(store);
  if (events.length === 0) return say(print, 'No parked events.');
  const rows = events.map((event) => [
    event.eventId,
    event.reader,
    event.type,
    event.object,
    stamp(event.parkedAt),
    event.isAsked ? 'is handled again' : event.lastError.slice(0, 60),
  ]);
  return say(print, formatTable(['EVENT', 'READER', 'TYPE', 'OBJECT', 'SINCE', 'WHY'], rows));
}

async function unpark(
  store: Store,
  {
    id,
    print,
    now,
  }: { readonly id: string | undefined; readonly print: Print; readonly now: Date },
): Promise<number> {
  if (id === undefined || !uuid.test(id))
    return fail(print, 'Name an event by its id: purser jobs unpark <event>');
  if ((await askForParkedEvent(store, id, now)) === 0)
    return fail(print, `No event ${id} is parked.`, false);
  return say(
    print,
    `${id} is handled again within seconds; purser jobs parked shows it if it fails once more.`,
  );
}

async function printFlow(store: Store, id: string, print: Print): Promise<number> {
  const flow = await findFlow(store, id);
  if (flow === undefined) return fail(print, `There is no flow ${id}.`, false);
  const fields: [string, string | null | undefined][] = [
    ['id', flow.id],
    ['kind', `${flow.kind} (version ${flow.version})`],
    ['project', flow.projectId],
    ['key', flow.key],
    ['status', flow.status],
    ['step', flow.step],
    ['tries', String(flow.attempts)],
    ['run at', stamp(flow.runAt)],
    [
      'worker',
      flow.leaseUntil && flow.worker
        ? `${flow.worker} until ${stamp(flow.leaseUntil)}`
        : flow.worker,
    ],
    ['created', stamp(flow.createdAt)],
    ['updated', stamp(flow.updatedAt)],
    ['finished', flow.finishedAt && stamp(flow.finishedAt)],
    ['error', flow.lastError],
    ['state', formatJson(flow.state, 0)],
    ['intent', flow.intent && formatJson(flow.intent, 0)],
  ];
  print(
    fields
      .flatMap(([name, value]) => (value ? [`${name.padEnd(9)}${clean(value)}`] : []))
      .join('\n'),
  );
  if (flow.history.length === 0) return 0;
  const rows = flow.history.map((entry) => [
    entry.at,
    entry.step,
    String(entry.attempt),
    `${entry.tookMs} ms`,
    entry.worker,
    entry.outcome,
  ]);
  return say(print, `\n${formatTable(['AT', 'STEP', 'TRY', 'TOOK', 'WORKER', 'OUTCOME'], rows)}`);
}

function stamp(date: Date): string {
  return date.toISOString();
}

/** What a company or chain answered may be in here: no control characters reach a terminal. */
function clean(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ');
}
