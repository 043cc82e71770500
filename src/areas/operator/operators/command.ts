import type { Ctx } from '../../../context.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
} from '../../../lib/command.ts';
import { commandLineActor, type OperatorRole, operatorRoles } from '../../operations/index.ts';
import { inviteOperator, revokeOperator, setOperatorRole } from './operators.ts';
import { signOutOperator } from './rules.ts';
import { countSessions } from './sessions.ts';
import { selectOperators } from './store.ts';
import { operatorsUsage } from './usage.ts';

/** Serves `purser operators …`. @throws CommandError, ServiceError */
export async function operatorsCommand(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  {
    argv,
    print,
    requireProject,
  }: {
    readonly argv: readonly string[];
    readonly print: Print;
    requireProject(id: string): Promise<void>;
  },
): Promise<void> {
  const options = { texts: ['role', 'project', 'note'] } as const;
  const { positionals, values } = parseCommand(argv, options);
  const [verb, name, word] = positionals;
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) return print(operatorsUsage);
  if (ctx.config.keyEncryptionKeys.length === 0)
    throw new CommandError('KEY_ENCRYPTION_KEYS is not set: rows of operators are sealed with it.');
  if (values.project !== undefined) await requireProject(values.project);
  const actor = commandLineActor();
  const named = () => {
    if (name === undefined)
      throw new CommandError(`Name the operator: purser operators ${verb} "Ada Lovelace".`);
    return name;
  };
  switch (verb) {
    case 'list': {
      const sessions = await countSessions(ctx.store, ctx.clock.now());
      const lines = (await selectOperators(ctx.store)).map(
        ({ id, name, roles, status, passkeys, createdAt }) => ({
          id,
          name,
          status,
          roles,
          passkeys: passkeys.length,
          sessions: sessions.get(id) ?? 0,
          createdAt,
        }),
      );
      const rows = lines.map((line) => [
        line.name,
        line.status,
        sayRoles(line.roles),
        String(line.passkeys),
        String(line.sessions),
      ]);
      return show(
        lines,
        lines.length === 0
          ? 'There is no operator yet: purser operators invite "Ada Lovelace" --role admin.'
          : formatTable(['NAME', 'STATUS', 'ROLES', 'PASSKEYS', 'SESSIONS'], rows),
      );
    }
    case 'invite': {
      if (!ctx.config.console)
        throw new CommandError(
          'The console is off: set CONSOLE_URL, for the API and the worker too.',
        );
      const role = values.role === undefined ? undefined : readRole(values.role);
      const { operator, token } = await inviteOperator(ctx, {
        name: named(),
        role,
        projectId: values.project,
        actor,
      });
      const link = `${ctx.config.console.url}/join#${token}`;
      return show(
        {
          id: operator.id,
          name: operator.name,
          roles: operator.roles,
          link,
          expiresAt: operator.invitation!.expiresAt,
        },
        `${link}\n\nGive it to ${operator.name} alone: it works once, until ${operator.invitation!.expiresAt.toISOString()}.`,
      );
    }
    case 'role': {
      const role = word === 'none' ? 'none' : readRole(word ?? '');
      const { roles } = await setOperatorRole(ctx, {
        name: named(),
        role,
        projectId: values.project,
        reason: readNote(values.note),
        actor,
      });
      return show({ name, roles }, `${named()}: ${sayRoles(roles) || 'no role'}.`);
    }
    case 'sign-out': {
      const { sessions } = await signOutOperator(ctx, {
        name: named(),
        reason: readNote(values.note),
        actor,
      });
      return show(
        { name, sessions },
        `${named()} is signed out: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`,
      );
    }
    case 'revoke': {
      const { status } = await revokeOperator(ctx, {
        name: named(),
        reason: readNote(values.note),
        actor,
      });
      return show(
        { name, status },
        `${named()} may nothing any more, and is signed out everywhere.`,
      );
    }
    default:
      throw new CommandError(`There is no "purser operators ${verb}".\n\n${operatorsUsage}`);
  }
}

function readRole(text: string): OperatorRole {
  const role = operatorRoles.find((one) => one === text);
  if (!role)
    throw new CommandError(`"${text}" is no role: it is one of ${operatorRoles.join(', ')}.`);
  return role;
}

function readNote(text: string | undefined): string {
  if (text === undefined || text.trim() === '')
    throw new CommandError('Say why: --note "…" is kept in the audit log.');
  return text.trim().slice(0, 500);
}

const sayRoles = (roles: Readonly<Record<string, string>>) =>
  Object.entries(roles)
    .map(([project, role]) => (project === '*' ? role : `${role} of ${project}`))
    .join(', ');
