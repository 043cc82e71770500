import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
  readLimit,
} from '../../lib/command.ts';
import { type AuditLine, checkAudit, selectAudit } from './audit.ts';
import { auditUsage } from './usage.ts';

/** Serves `purser audit …`. @returns the exit code @throws CommandError */
export async function auditCommand(
  ctx: Pick<Ctx, 'store' | 'config'>,
  {
    argv,
    print,
    hadEntries,
  }: {
    readonly argv: readonly string[];
    readonly print: Print /** See {@link checkAudit}. */;
    hadEntries(): Promise<boolean>;
  },
): Promise<number> {
  const options = { texts: ['limit', 'before', 'anchor', 'project'] } as const;
  const { positionals, values } = parseCommand(argv, options);
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  switch (positionals.join(' ')) {
    case 'list': {
      const limit = readLimit(values.limit, { max: 1_000 });
      if (values.before !== undefined && !/^\d{1,18}$/.test(values.before))
        throw new CommandError('--before is the number of an entry.');
      if (values.project !== undefined && !z.uuid().safeParse(values.project).success)
        throw new CommandError('--project is the id of a project: see purser projects list.');
      const projectIds = values.project === undefined ? undefined : [values.project];
      const lines = await selectAudit(ctx.store, { projectIds, beforeSeq: values.before, limit });
      show(
        lines,
        lines.length === 0
          ? 'Nothing was decided yet.'
          : formatTable(['NR', 'AT', 'WHO', 'WHAT', 'TO', 'WHY'], lines.map(rowOf)),
      );
      return 0;
    }
    case 'check': {
      if (ctx.config.keyEncryptionKeys.length === 0)
        throw new CommandError(
          'KEY_ENCRYPTION_KEYS is not set: without it nobody can tell whether the end of the log is its end.',
        );
      const verdict = await checkAudit(ctx, {
        anchor: readAnchor(values.anchor),
        hadEntries: await hadEntries(),
      });
      if (!verdict.ok) {
        show(
          { ok: false, entry: Number(verdict.seq), problem: verdict.problem },
          `Entry ${verdict.seq} of the audit log: ${verdict.problem}`,
        );
        return 1;
      }
      const head = `${verdict.head.seq}:${verdict.head.hash.toString('hex')}`;
      show(
        { ok: true, entries: Number(verdict.count), head },
        `The audit log is whole: ${verdict.count} entries. Its head, for --anchor: ${head}`,
      );
      return 0;
    }
    default:
      throw new CommandError(auditUsage);
  }
}

function rowOf({ seq, at, actor, action, outcome, subject, reason }: AuditLine): string[] {
  const who = actor.kind === 'operator' ? actor.name : `${actor.osUser}@${actor.host}`;
  return [
    seq,
    at,
    who,
    outcome === 'done' ? action : `${action} (${outcome})`,
    subject ?? '',
    reason,
  ];
}

function readAnchor(text: string | undefined) {
  if (text === undefined) return undefined;
  const [, seq, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new CommandError(
      '--anchor is a head as purser audit check prints it: a number, a colon and 64 hexadecimal digits.',
    );
  return { seq: BigInt(seq), hash: Buffer.from(hash, 'hex') };
}
