import { CommandError, formatTable } from '../../lib/command.ts';
import {
  listLimits,
  type PayoutLimits,
  readStop,
  readWait,
  setLimits,
  setStop,
  setWait,
  waitHoursOf,
} from '../payouts/limits.ts';
import type { PayoutCtx } from '../payouts/types.ts';

export const limitOptions = [
  'set',
  'as',
  'reason',
  'per-payout',
  'project-day',
  'destination-day',
  'second-person',
  'new-destination-wait',
] as const;

/** A week: an order waits ten days for its payout before it asks its operator. */
const waitHoursMax = 168;

type Values = { readonly [name in (typeof limitOptions)[number]]?: string };

/** Serves `purser payouts limits|stop|start`. @throws CommandError */
export async function limitsCommand(
  openCtx: () => Promise<PayoutCtx>,
  input: {
    readonly verb: 'limits' | 'stop' | 'start';
    readonly values: Values;
    readonly print: (value: unknown, text: string) => void;
  },
): Promise<number> {
  const { verb, values, print } = input;
  const actor = actorOf(values.as);
  if (verb === 'stop') {
    const reason = values.reason?.trim() ?? '';
    if (reason === '' || reason.length > 200)
      throw new CommandError(
        'Say why, in 1 to 200 characters: purser payouts stop --reason "…". Who finds it later will want to know.',
      );
    await setStop(await openCtx(), { reason, actor });
    print(
      { stopped: true, reason },
      'Stopped: nothing more is handed to a bank. What a bank has already is followed as ever.',
    );
    return 0;
  }
  if (verb === 'start') {
    await setStop(await openCtx(), { reason: null, actor });
    print({ stopped: false }, 'Payouts go on within a minute.');
    return 0;
  }
  const change = changeOf(values);
  const hours = hoursOf(values);
  const ctx = await openCtx();
  if (change !== undefined) await setLimits(ctx, { ...change, actor });
  if (hours !== undefined) await setWait(ctx, { hours, actor });
  const limits = (await listLimits(ctx.store)).map(show);
  const stop = await readStop(ctx.store);
  const table = formatTable(
    [
      'CURRENCY',
      'PER PAYOUT',
      'PER PROJECT AND DAY',
      'PER DESTINATION AND DAY',
      'SECOND PERSON ABOVE',
    ],
    limits.map((one) => [
      one.currency,
      one.perPayoutMinor,
      one.projectDayMinor,
      one.destinationDayMinor,
      one.secondPersonMinor,
    ]),
  );
  const waitHours = (await readWait(ctx.store)) ?? waitHoursOf(ctx);
  const shown = `${table}\nA new destination waits ${waitHours} h.`;
  print(
    { limits, newDestinationWaitHours: waitHours, stop },
    stop === undefined
      ? shown
      : `${shown}\nSTOPPED since ${stop.stoppedAt.toISOString()}: ${stop.reason}`,
  );
  return 0;
}

function actorOf(person: string | undefined): string {
  return person === undefined ? 'operator' : `operator:${requirePerson(person, '--as')}`;
}

/** @throws CommandError it is no name */
export function requirePerson(name: string | undefined, what: string): string {
  if (name === undefined || !/^[\w.-]{1,80}$/.test(name))
    throw new CommandError(
      `${what} is a person’s name, of 1 to 80 letters, digits, \`_\`, \`.\` and \`-\`.`,
    );
  return name;
}

function hoursOf(values: Values): number | undefined {
  const text = values['new-destination-wait'];
  if (text === undefined) return undefined;
  if (!/^\d{1,3}$/.test(text) || Number(text) > waitHoursMax)
    throw new CommandError(
      `--new-destination-wait is a whole number of hours, from 0 to ${waitHoursMax}.`,
    );
  if (values.as === undefined)
    throw new CommandError(
      'Name yourself: purser payouts limits --new-destination-wait 24 --as <person>.',
    );
  return Number(text);
}

function changeOf(
  values: Values,
): (Pick<PayoutLimits, 'currency'> & Partial<PayoutLimits>) | undefined {
  const amounts = {
    perPayoutMinor: amountOf(values, 'per-payout'),
    projectDayMinor: amountOf(values, 'project-day'),
    destinationDayMinor: amountOf(values, 'destination-day'),
    secondPersonMinor: amountOf(values, 'second-person'),
  };
  const isChanged = Object.values(amounts).some((amount) => amount !== undefined);
  if (values.set === undefined && !isChanged) return undefined;
  if (values.set === undefined || !isChanged || values.as === undefined)
    throw new CommandError(
      'Name the currency, yourself and what changes: purser payouts limits --set usd --as <person> --per-payout 1000000.',
    );
  return { currency: values.set.toLowerCase(), ...amounts };
}

function amountOf(
  values: Values,
  name: 'per-payout' | 'project-day' | 'destination-day' | 'second-person',
): bigint | undefined {
  const text = values[name];
  if (text !== undefined && !/^\d{1,30}$/.test(text))
    throw new CommandError(
      `--${name} is a whole number of the smallest unit: 1000000 is US$10,000.00.`,
    );
  return text === undefined ? undefined : BigInt(text);
}

const show = ({ currency, ...amounts }: PayoutLimits) => ({
  currency,
  perPayoutMinor: amounts.perPayoutMinor.toString(),
  projectDayMinor: amounts.projectDayMinor.toString(),
  destinationDayMinor: amounts.destinationDayMinor.toString(),
  secondPersonMinor: amounts.secondPersonMinor.toString(),
});
