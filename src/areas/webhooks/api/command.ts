import {
  CommandError,
  type CommandInput,
  type CommandValues,
  formatJson,
  formatTable,
  parseCommand,
  readCommas,
  readDuration,
} from '../../../lib/command.ts';
import { commandLineActor, type OperatorRule, performRule } from '../../operations/index.ts';
import { getDelivery, listDeliveries, sendTestEvent } from '../deliveries/deliveries.ts';
import { createReplay, getReplay } from '../deliveries/replay.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '../endpoints/endpoints.ts';
import { rewrapWebhookSecrets } from '../endpoints/rewrap.ts';
import { readBacklog } from '../metrics.ts';
import { type RuleCtx, webhookResend, webhookSwitch } from '../rules.ts';
import { isId } from './page.ts';
import {
  createEndpointSchema,
  createReplaySchema,
  deliveryQuerySchema,
  overlapSecondsMax,
  updateEndpointSchema,
} from './schema.ts';
import { deliveryDetailsView, deliveryView, endpointView, replayView } from './view.ts';

export const webhooksUsage = `purser webhooks                     endpoints of the project
purser webhooks create <url> [--events a,b] [--description …]
                                    prints the secret, once
purser webhooks update <endpoint> [--url …] [--events a,b|all] [--description …]
purser webhooks enable|disable <endpoint> [--note …]
purser webhooks delete <endpoint> --yes
purser webhooks rotate <endpoint> [--overlap 24h]
                                    a new secret; the old one signs too for the overlap, at most 7d
purser webhooks test <endpoint>     send a test event
purser webhooks deliveries <endpoint> [--status pending|retrying|delivered|failed] [--type …] [--cursor …] [--limit N]
purser webhooks delivery <delivery> one delivery with its attempts
purser webhooks resend <delivery> [--note …]
                                    send one that has ended once more, with the same id
purser webhooks replay <endpoint> --from <instant> [--to <instant>] [--events a,b]
                                    send a time range once more, in order
purser webhooks progress <endpoint> <replay>
purser webhooks backlog             what is due and what waits, of all projects
purser webhooks rewrap              seal all secrets with the first of KEY_ENCRYPTION_KEYS
Options: [--project <id>] [--json]`;

type CommandCtx = RuleCtx;

const options = {
  texts: [
    'project',
    'url',
    'events',
    'description',
    'overlap',
    'status',
    'type',
    'cursor',
    'limit',
    'from',
    'to',
    'note',
  ],
  flags: ['yes'],
} as const;

interface Call {
  readonly ctx: CommandCtx;
  readonly projectId: string;
  /** What follows the verb. */
  readonly words: readonly string[];
  readonly values: CommandValues<typeof options>;
  readonly show: (value: unknown, text: string) => void;
}

/** Serves `purser webhooks …`. @throws CommandError, ServiceError */
export async function webhooksCommand(
  ctx: CommandCtx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb = 'list', ...words],
  } = parseCommand(argv, options);
  if (values.help) return print(webhooksUsage);
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (verb === 'backlog') return showBacklog(ctx, show);
  if (verb === 'rewrap') {
    const moved = await rewrapWebhookSecrets(ctx);
    return show({ moved }, `${moved} secrets moved to "${ctx.config.keyEncryptionKeys[0]?.id}".`);
  }
  const run = Object.hasOwn(verbs, verb) ? verbs[verb as keyof typeof verbs] : undefined;
  if (!run) throw new CommandError(`Unknown command "webhooks ${verb}".\n\n${webhooksUsage}`);
  await run({ ctx, projectId: await projectOf(values.project), words, values, show });
}

const verbs = {
  list: async ({ ctx, projectId, values, show }: Call) => {
    const { entries, nextCursor } = await listEndpoints(ctx, {
      projectId,
      cursor: values.cursor,
      limit: values.limit,
    });
    const rows = entries.map(endpointView);
    const table = formatTable(
      ['ID', 'STATUS', 'EVENTS', 'URL'],
      rows.map((row) => [
        row.id,
        row.disabledReason ? `${row.status} (${row.disabledReason})` : row.status,
        row.events?.join(',') ?? 'all',
        row.url,
      ]),
    );
    show(
      { endpoints: rows, nextCursor },
      rows.length === 0 ? 'No endpoints.' : withNext(table, nextCursor),
    );
  },
  create: async ({ ctx, projectId, words, values, show }: Call) => {
    requireKeys(ctx);
    if (words[0] === undefined)
      throw new CommandError('Say where to: purser webhooks create <url>.');
    const body = readShape(createEndpointSchema, {
      url: words[0],
      events: readCommas(values.events),
      description: values.description,
    });
    const { endpoint, secret } = await createEndpoint(ctx, { ...body, projectId });
    show({ ...endpointView(endpoint), secret }, `${endpoint.id}\nSecret, shown once: ${secret}`);
  },
  update: async ({ ctx, projectId, words, values, show }: Call) => {
    const change = readShape(updateEndpointSchema, {
      ...(values.url !== undefined && { url: values.url }),
      ...(values.events !== undefined && {
        events: values.events === 'all' ? null : readCommas(values.events),
      }),
      ...(values.description !== undefined && {
        description: values.description === '' ? null : values.description,
      }),
    });
    const endpoint = await changeEndpoint(ctx, { projectId, id: idOf(words[0]) }, change);
    show(endpointView(endpoint), `${endpoint.id} is changed.`);
  },
  enable: (call: Call) => setDisabled(call, false),
  disable: (call: Call) => setDisabled(call, true),
  delete: async ({ ctx, projectId, words, values, show }: Call) => {
    const id = idOf(words[0]);
    if (!values.yes)
      throw new CommandError(
        `Its deliveries go with it. If you are sure: purser webhooks delete ${id} --yes.`,
      );
    await deleteEndpoint(ctx, { projectId, id });
    show({ id }, `${id} is deleted.`);
  },
  rotate: async ({ ctx, projectId, words, values, show }: Call) => {
    requireKeys(ctx);
    const overlapSeconds =
      values.overlap === undefined ? undefined : readDuration(values.overlap) / 1_000;
    if ((overlapSeconds ?? 0) > overlapSecondsMax)
      throw new CommandError('--overlap is at most 7d.');
    const { secret, previousSecretExpiresAt } = await rotateSecret(
      ctx,
      { projectId, id: idOf(words[0]) },
      { overlapSeconds },
    );
    const until = previousSecretExpiresAt.toISOString();
    show(
      { secret, previousSecretExpiresAt: until },
      `New secret, shown once: ${secret}\nThe old one signs too until ${until}.`,
    );
  },
  test: async ({ ctx, projectId, words, show }: Call) => {
    const delivery = await sendTestEvent(ctx, { projectId, id: idOf(words[0]) });
    show(
      deliveryDetailsView(delivery),
      `Queued: purser webhooks delivery ${delivery.id} says what became of it.`,
    );
  },
  deliveries: async ({ ctx, projectId, words, values, show }: Call) => {
    const { status, type, cursor, limit } = values;
    const query = readShape(deliveryQuerySchema, { status, type, cursor, limit });
    const { entries, nextCursor } = await listDeliveries(ctx, {
      endpoint: { projectId, id: idOf(words[0]) },
      query,
    });
    const rows = entries.map(deliveryView);
    const table = formatTable(
      ['ID', 'EVENT', 'TYPE', 'KIND', 'STATUS', 'TRIES', 'CREATED'],
      rows.map((row) => [
        row.id,
        row.eventId,
        row.eventType,
        row.kind,
        row.status,
        String(row.attemptCount),
        row.createdAt,
      ]),
    );
    show(
      { deliveries: rows, nextCursor },
      rows.length === 0 ? 'No deliveries.' : withNext(table, nextCursor),
    );
  },
  delivery: async ({ ctx, projectId, words, show }: Call) => {
    const view = deliveryDetailsView(await getDelivery(ctx, { projectId, id: idOf(words[0]) }));
    const head = `${view.id}  ${view.eventType}  ${view.status}${view.nextAttemptAt ? `, next attempt at ${view.nextAttemptAt}` : ''}`;
    const rows = view.attempts.map((one) => [
      one.at,
      String(one.statusCode ?? ''),
      `${one.durationMs} ms`,
      one.error ?? '',
      one.answer ?? '',
    ]);
    show(
      view,
      [
        head,
        ...(rows.length > 0
          ? [formatTable(['AT', 'STATUS', 'TOOK', 'ERROR', 'ANSWER'], rows)]
          : []),
      ].join('\n'),
    );
  },
  resend: async ({ ctx, projectId, words, values, show }: Call) => {
    const { id } = await decide({ ctx, projectId, values }, webhookResend, {
      deliveryId: idOf(words[0]),
    });
    const delivery = await getDelivery(ctx, { projectId, id: String(id) });
    show(
      deliveryDetailsView(delivery),
      `Queued: purser webhooks delivery ${delivery.id} says what became of it.`,
    );
  },
  replay: async ({ ctx, projectId, words, values, show }: Call) => {
    const { from, to } = values;
    if (from === undefined)
      throw new CommandError('Say from when: purser webhooks replay <endpoint> --from <instant>.');
    const body = readShape(createReplaySchema, { from, to, events: readCommas(values.events) });
    const endpoint = { projectId, id: idOf(words[0]) };
    const replay = await createReplay(ctx, { ...body, endpoint });
    show(
      replayView(replay),
      `The worker queues it: purser webhooks progress ${endpoint.id} ${replay.id} says how far it is.`,
    );
  },
  progress: async ({ ctx, projectId, words, show }: Call) => {
    const view = replayView(
      await getReplay(ctx, { endpoint: { projectId, id: idOf(words[0]) }, id: idOf(words[1]) }),
    );
    const { status, queued, delivered, failed, pending } = view;
    show(
      view,
      `${status}: ${queued} queued, ${delivered} delivered, ${failed} failed, ${pending} pending.`,
    );
  },
} as const satisfies Record<string, (call: Call) => Promise<void>>;

/** By the rule that the console has too: it is written down who did it. */
const decide = <P>(
  { ctx, projectId, values }: Pick<Call, 'ctx' | 'projectId' | 'values'>,
  rule: OperatorRule<P, RuleCtx>,
  params: P,
) =>
  performRule(ctx, rule, {
    actor: commandLineActor(),
    projectId,
    params,
    reason: values.note ?? 'asked at the command line',
  });

async function setDisabled(call: Call, disabled: boolean): Promise<void> {
  const { ctx, projectId, words, show } = call;
  const id = idOf(words[0]);
  await decide(call, webhookSwitch, { endpointId: id, enabled: disabled ? 'no' : 'yes' });
  const endpoint = await getEndpoint(ctx, { projectId, id });
  show(endpointView(endpoint), `${id} is ${endpoint.status}.`);
}

async function showBacklog(ctx: CommandCtx, show: Call['show']): Promise<void> {
  const backlog = await readBacklog(ctx);
  show(
    backlog,
    `${backlog.due} due, the oldest for ${Math.round(backlog.oldestDueMs / 1_000)} s; ${backlog.waiting} wait for their next attempt.`,
  );
}

function withNext(table: string, nextCursor: string | undefined): string {
  return nextCursor === undefined ? table : `${table}\nMore: --cursor ${nextCursor}`;
}

function idOf(word: string | undefined): string {
  if (word === undefined || !isId(word))
    throw new CommandError(
      'Name it by its id: purser webhooks lists endpoints, purser webhooks deliveries deliveries.',
    );
  return word;
}

/** What was typed, by the schema of the interface. @throws CommandError naming the field */
function readShape<T>(
  schema: {
    safeParse(
      value: unknown,
    ):
      | { success: true; data: T }
      | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
  },
  value: unknown,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new CommandError(
    result.error.issues
      .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
      .join('; '),
  );
}

function requireKeys({ config }: CommandCtx): void {
  if (config.keyEncryptionKeys.length === 0)
    throw new CommandError('KEY_ENCRYPTION_KEYS is not set: without it a secret cannot be sealed.');
}
