import { readFile } from 'node:fs/promises';
import { CommandError, formatTable, readLimit } from '../../lib/command.ts';
import {
  addApprover,
  approvePayout,
  listApprovers,
  refusePayoutHeld,
  removeApprover,
} from '../payouts/approvals.ts';
import { payoutView } from '../payouts/disburse.ts';
import { listHeld } from '../payouts/store.ts';
import type { PayoutCtx } from '../payouts/types.ts';
import { requirePerson } from './payout-limits.ts';

export const holdOptions = ['token-file'] as const;

interface Input {
  readonly positionals: readonly string[];
  readonly values: {
    readonly as?: string;
    readonly reason?: string;
    readonly limit?: string;
    readonly 'token-file'?: string;
  };
  readonly print: (value: unknown, text: string) => void;
}

/** Serves `purser payouts held|approve|refuse|approver`. @throws CommandError, ServiceError */
export async function holdsCommand(
  openCtx: () => Promise<PayoutCtx>,
  input: Input,
): Promise<number> {
  const [verb, object] = input.positionals;
  switch (verb) {
    case 'held':
      return showHeld(openCtx, input);
    case 'approve':
      return approve(openCtx, { ...input, payoutId: requireId(object, verb) });
    case 'refuse':
      return refuse(openCtx, { ...input, payoutId: requireId(object, verb) });
    default:
      return approvers(openCtx, input);
  }
}

async function showHeld(
  openCtx: () => Promise<PayoutCtx>,
  { values, print }: Input,
): Promise<number> {
  const limit = readLimit(values.limit);
  const held = (await listHeld((await openCtx()).store, limit)).map(payoutView);
  const rows = held.map((one) => [
    one.payoutId,
    one.object,
    one.rail,
    `${one.amountMinor} ${one.currency}`,
    one.paymentMethodId,
    one.held?.needsApproval ? 'yes' : 'no',
    one.held?.until ?? '',
    one.createdAt,
  ]);
  const heads = [
    'PAYOUT',
    'FOR',
    'RAIL',
    'SMALLEST UNITS',
    'PAYMENT METHOD',
    'SECOND PERSON',
    'DESTINATION WAITS UNTIL',
    'CREATED',
  ];
  print(held, held.length === 0 ? 'No payout is held.' : formatTable(heads, rows));
  return 0;
}

async function approve(
  openCtx: () => Promise<PayoutCtx>,
  { payoutId, values, print }: Input & { payoutId: string },
): Promise<number> {
  const as = requirePerson(values.as, '--as');
  const file = values['token-file'];
  if (file === undefined)
    throw new CommandError(
      `The approver’s token is read from a file, never typed: purser payouts approve ${payoutId} --as ${as} --token-file /dev/stdin.`,
    );
  const token = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (token === '') throw new CommandError(`${file} cannot be read, or is empty.`);
  const { payout, approver } = await approvePayout(await openCtx(), { payoutId, as, token });
  const until = payout.held?.until;
  print(
    { payoutId, approver, askedBy: as },
    `${approver} has approved it. ${until === undefined ? 'It goes on.' : `Its destination waits until ${until}.`}`,
  );
  return 0;
}

async function refuse(
  openCtx: () => Promise<PayoutCtx>,
  { payoutId, values, print }: Input & { payoutId: string },
): Promise<number> {
  const as = requirePerson(values.as, '--as');
  const reason = values.reason?.trim() ?? '';
  if (reason === '' || reason.length > 200)
    throw new CommandError(
      `Say why, in 1 to 200 characters: purser payouts refuse ${payoutId} --as ${as} --reason "…".`,
    );
  print(
    await refusePayoutHeld(await openCtx(), { payoutId, as, reason }),
    'Refused. It was never sent, and what it is for is told so.',
  );
  return 0;
}

async function approvers(
  openCtx: () => Promise<PayoutCtx>,
  { positionals, values, print }: Input,
): Promise<number> {
  const [, verb, named] = positionals;
  if (verb === 'list') {
    const all = await listApprovers((await openCtx()).store);
    const rows = all.map(({ name, addedBy, addedAt, removedAt }) => [
      name,
      addedBy,
      addedAt.toISOString(),
      removedAt?.toISOString() ?? '',
    ]);
    print(
      all,
      all.length === 0
        ? 'There is no approver.'
        : formatTable(['APPROVER', 'ADDED BY', 'ADDED', 'REMOVED'], rows),
    );
    return 0;
  }
  if (verb !== 'add' && verb !== 'remove')
    throw new CommandError('It is purser payouts approver add|list|remove.');
  const input = {
    name: requirePerson(named, 'The approver'),
    as: requirePerson(values.as, '--as'),
  };
  if (verb === 'remove') {
    await removeApprover(await openCtx(), input);
    print({ name: input.name, removed: true }, `${input.name} approves nothing more.`);
    return 0;
  }
  const token = await addApprover(await openCtx(), input);
  print(
    { name: input.name, token },
    `The token of ${input.name}, shown once: whoever has it approves as ${input.name}.\n${token}`,
  );
  return 0;
}

/** @throws CommandError */
export function requireId(id: string | undefined, verb: string): string {
  if (id === undefined || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
    throw new CommandError(
      `Name the payout by its id: purser payouts ${verb} <id>. See purser payouts list.`,
    );
  return id;
}
