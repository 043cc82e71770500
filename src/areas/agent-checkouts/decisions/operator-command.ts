import type { Ctx } from '../../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
  readLimit,
} from '../../../lib/command.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { agentCheckoutStatuses } from '../machine.ts';
import { moneyView } from '../money.ts';
import { type Decision, selectProjectCheckouts } from './decisions-store.ts';
import { readProjectCheckout, stepsOf } from './reads.ts';
import { checkoutDecide } from './rules.ts';
import { checkoutsUsage } from './usage.ts';

const noteLengthMax = 500;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Serves `purser checkouts list|show|decide`. @throws CommandError, ServiceError */
export async function checkoutsCommand(
  ctx: Ctx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const { values, positionals } = parseCommand(argv, {
    texts: ['project', 'status', 'limit', 'order', 'note', 'by'],
    flags: ['unknown'],
  });
  const [verb, id, word] = positionals;
  if (values.help || verb === undefined) return print(checkoutsUsage);
  const projectId = await projectOf(values.project);
  switch (verb) {
    case 'list': {
      const lines = await selectProjectCheckouts(ctx.store, {
        projectIds: [projectId],
        status: readStatus(values.status),
        unknownOnly: values.unknown === true,
        limit: readLimit(values.limit),
      });
      const shown = lines.map((line) => ({
        id: line.id,
        status: line.status,
        outcome: line.outcome,
        step: line.step,
        shop: new URL(line.target.url).origin,
        createdAt: line.createdAt.toISOString(),
      }));
      const rows = shown.map((one) => [
        one.id,
        one.status,
        one.outcome ?? '',
        one.step,
        one.createdAt,
        one.shop,
      ]);
      return print(
        values.json
          ? formatJson(shown)
          : formatTable(['CHECKOUT', 'STATUS', 'OUTCOME', 'STEP', 'SINCE', 'SHOP'], rows),
      );
    }
    case 'show': {
      const shown = await readCheckout(ctx, projectId, readId(id));
      return print(values.json ? formatJson(shown) : describe(shown));
    }
    case 'decide': {
      const decided = await performRule(ctx, checkoutDecide, {
        actor: commandLineActor(),
        projectId,
        params: {
          checkoutId: readId(id),
          outcome: readOutcome(word, values.order),
          ...(values.order !== undefined && {
            merchantOrderId: readText('order', values.order, 200),
          }),
          ...(values.by !== undefined && { by: readText('by', values.by, 200) }),
        },
        reason: readText('note', values.note, noteLengthMax),
      });
      return print(
        values.json
          ? formatJson(decided)
          : `${String(decided.id)} is ${String(decided.status)}, its order is ${String(decided.outcome)}. The item can be bought again.`,
      );
    }
    default:
      throw new CommandError(`There is no "purser checkouts ${verb}". See purser checkouts help.`);
  }
}

type Shown = Awaited<ReturnType<typeof readCheckout>>;

async function readCheckout(ctx: Ctx, projectId: string, id: string) {
  const found = await readProjectCheckout(ctx.store, { id, projectIds: [projectId] });
  if (!found) throw new CommandError(`There is no checkout ${id} in this project.`);
  return { ...found, steps: stepsOf(found.steps) };
}

function describe({ checkout, permit, steps, progress, actions, cards, decision }: Shown): string {
  const { target, status, outcome, failure, receipt, createdAt, endedAt } = checkout;
  const fields = [
    `checkout  ${checkout.id}`,
    `status    ${status}${outcome === undefined ? '' : `, order ${outcome}`}`,
    `product   ${target.url}`,
    ...(target.request === undefined ? [] : [`request   ${target.request}`]),
    ...(permit
      ? [
          `permit    ${permit.amount} ${permit.currency} at ${permit.origin}, ${permit.at.toISOString()}`,
        ]
      : []),
    ...(receipt ? [`receipt   ${formatJson(receipt, 0)}`] : []),
    ...(failure ? [`failure   ${String(failure.reason)}: ${String(failure.message ?? '')}`] : []),
    `from      ${createdAt.toISOString()}${endedAt ? ` to ${endedAt.toISOString()}` : ''}`,
    ...(decision ? [`decided   ${describeDecision(decision)}`] : []),
  ].map((line) => line.replaceAll(/\p{C}/gu, ' '));
  const tables = [
    table(
      'STEPS',
      ['AT', 'STEP', 'PAGE'],
      steps.map((one) => [one.at, one.step, one.url ?? '']),
    ),
    table(
      'SHOWN TO THE USER',
      ['AT', 'TITLE', 'MESSAGE'],
      progress.map((one) => [one.createdAt.toISOString(), one.title ?? '', one.message ?? '']),
    ),
    table(
      'ASKED',
      ['AT', 'KIND', 'STATUS', 'ANSWERED'],
      actions.map((one) => [
        one.createdAt.toISOString(),
        one.kind,
        one.status,
        one.answeredAt?.toISOString() ?? '',
      ]),
    ),
    table(
      'CARDS',
      ['AT', 'SOURCE', 'ID', 'LIMIT', 'CLOSED'],
      cards.map((one) => [
        one.askedAt.toISOString(),
        one.source,
        one.reference ?? '',
        limitOf(one.limit),
        one.closedAt?.toISOString() ?? '',
      ]),
    ),
  ];
  return [fields.join('\n'), ...tables.filter((text) => text !== '')].join('\n\n');
}

const limitOf = (limit: Parameters<typeof moneyView>[0]) =>
  `${String(moneyView(limit).amount)} ${limit.currency}`;
const describeDecision = ({ outcome, merchantOrderId, by, note, at }: Decision) =>
  `${outcome}${merchantOrderId === undefined ? '' : `, order ${merchantOrderId}`} by ${by}, ${at.toISOString()}: ${note}`;

function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0 ? '' : `${title}\n${formatTable(heads, rows)}`;
}

function readId(text: string | undefined): string {
  if (text !== undefined && uuid.test(text)) return text;
  throw new CommandError('Name the checkout by its id.');
}

function readOutcome(word: string | undefined, order: string | undefined): Decision['outcome'] {
  if (word !== 'placed' && word !== 'not-placed')
    throw new CommandError('Say what is true: purser checkouts decide <id> placed or not-placed.');
  if (word === 'not-placed' && order !== undefined)
    throw new CommandError('--order is the number of an order that was placed.');
  return word;
}

function readText(name: string, text: string | undefined, lengthMax: number): string {
  const trimmed = text?.trim() ?? '';
  if (trimmed !== '' && trimmed.length <= lengthMax) return trimmed;
  throw new CommandError(
    trimmed === ''
      ? `--${name} is missing: it stays in the record.`
      : `--${name} has at most ${lengthMax} characters.`,
  );
}

function readStatus(text: string | undefined): string | undefined {
  if (text === undefined || (agentCheckoutStatuses as readonly string[]).includes(text))
    return text;
  throw new CommandError(
    `There is no status "${text}". They are: ${agentCheckoutStatuses.join(', ')}.`,
  );
}
