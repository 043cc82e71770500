import type { Ctx } from '../../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
} from '../../../lib/command.ts';
import { readPage, repeatOptions, withNext } from '../../../lib/command-pages.ts';
import type { Logger } from '../../../lib/log/log.ts';
import { createKyc } from '../../../providers/kyc/index.ts';
import { createVaultClient, type VaultProvider } from '../../../providers/vault/index.ts';
import { rewrapAnswers } from '../../agent-checkouts/index.ts';
import { countProfileKeys, rewrapProfileKeys } from '../../browser-profiles/index.ts';
import {
  type EligibilityType,
  eligibilityTypes,
  type InquiryCtx,
  identitySwitch,
  isProductEnabled,
  openInquiry,
} from '../../identity/index.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { countUserKeys, listUserLines, rewrapUserKeys, type UserLine } from '../../users/index.ts';
import { userErase } from './erase-user.ts';
import { userSignOut } from './sign-out-user.ts';
import { identityUsage, usersUsage } from './usage.ts';

type CommandCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'> & { readonly log: Logger };

/** Serves `purser users …`. @throws CommandError, ServiceError */
export async function usersCommand(
  ctx: CommandCtx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb, locator],
  } = parseCommand(argv, { texts: ['project', 'note', 'find', 'limit', 'after'], flags: ['yes'] });
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) return print(usersUsage);
  switch (verb) {
    case 'list': {
      if (locator !== undefined)
        throw new CommandError(`The list takes no locator: purser users list --find ${locator}.`);
      const { project, find, limit, after } = values;
      const projectId = await projectOf(project);
      const page = await readPage(
        { limit, after },
        {
          query: ['users', projectId, find],
          placeOf: ({ createdAt, id }: UserLine) => ({ at: createdAt, id }),
          read: (place) => listUserLines(ctx, { projectIds: [projectId], find, ...place }),
        },
      );
      const rows = page.rows.map((line) => [
        line.id,
        line.locator ?? '-',
        line.isChanged ? 'changed behind the service' : line.hasData ? 'yes' : 'no',
        line.createdAt.toISOString(),
      ]);
      const table = formatTable(['USER', 'LOCATOR', 'DATA', 'MADE'], rows);
      const command = `purser users list${repeatOptions({ project, find, limit })}`;
      return show({ users: page.rows, next: page.next }, withNext(table, page, command));
    }
    case 'erase': {
      if (locator === undefined)
        throw new CommandError('Name the user: purser users erase email:alice@example.com --yes.');
      if (!values.yes)
        throw new CommandError(
          `This cannot be undone. If you are sure: purser users erase ${locator} --yes.`,
        );
      requireKeys(ctx);
      const projectId = await projectOf(values.project);
      const vault = openVault(ctx);
      const { userIds, inquiries, paymentMethods } = (await performRule(
        { ...ctx, providers: { vault } },
        userErase,
        {
          actor: commandLineActor(),
          projectId,
          params: { locator },
          reason: values.note ?? 'erased at the command line',
        },
      )) as {
        readonly userIds: readonly string[];
        readonly inquiries: number;
        readonly paymentMethods: number;
      };
      return show(
        { userIds, inquiries, paymentMethods },
        [
          userIds.length === 0 ? 'There was no such user here.' : `Erased: ${userIds.join(', ')}.`,
          vault
            ? `${paymentMethods} payment methods were erased in the vault.`
            : 'No vault is configured here: nothing was asked of one.',
          `The worker has ${inquiries} inquiries redacted at the identity company.`,
          'Wallets that name this user as their owner keep that name: they hold money. Orders keep their amounts, without the person.',
        ].join('\n'),
      );
    }
    case 'sign-out': {
      if (locator === undefined)
        throw new CommandError('Name the user: purser users sign-out userId:alice.');
      requireKeys(ctx);
      const projectId = await projectOf(values.project);
      const reason = values.note ?? 'signed out at the command line';
      const { owners } = (await performRule(
        { ...ctx, providers: { vault: openVault(ctx) } },
        userSignOut,
        {
          actor: commandLineActor(),
          projectId,
          params: { locator },
          reason,
        },
      )) as { readonly owners: readonly string[] };
      return show(
        { owners },
        `Signed out: ${owners.join(', ')}. Tokens issued until now are refused within 5 seconds; those without an "iat" for good.`,
      );
    }
    case 'keys': {
      const keys = new Map<string, number>();
      for (const { id, keys: count } of [
        ...(await countUserKeys(ctx)),
        ...(await countProfileKeys(ctx)),
      ])
        keys.set(id, (keys.get(id) ?? 0) + count);
      const counts = [...keys]
        .map(([id, count]) => ({ id, keys: count }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      return show(
        counts,
        counts.length === 0
          ? 'No keys of users or browser profiles.'
          : formatTable(
              ['SEALED BY', 'KEYS'],
              counts.map((count) => [count.id, String(count.keys)]),
            ),
      );
    }
    case 'rewrap': {
      requireKeys(ctx);
      const moved = (await rewrapUserKeys(ctx)) + (await rewrapProfileKeys(ctx));
      // Those that a user gives from now on are sealed with the new key already.
      await rewrapAnswers(ctx);
      return show({ moved }, `${moved} keys moved to "${ctx.config.keyEncryptionKeys[0]!.id}".`);
    }
    default:
      throw new CommandError(`Unknown command "users ${verb}".\n\n${usersUsage}`);
  }
}

/** Serves `purser identity …`. @throws CommandError, ServiceError */
export async function identityCommand(
  ctx: CommandCtx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb, locator],
  } = parseCommand(argv, { texts: ['project', 'type', 'note'] });
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) return print(identityUsage);
  const projectId = await projectOf(values.project);
  switch (verb) {
    case 'enable':
    case 'disable':
      requireKeys(ctx);
      await performRule(ctx, identitySwitch, {
        actor: commandLineActor(),
        projectId,
        params: { enabled: verb === 'enable' ? 'yes' : 'no' },
        reason: values.note ?? `${verb}d at the command line`,
      });
      return show(
        { projectId, enabled: verb === 'enable' },
        `Identity verification is ${verb}d for ${projectId}.`,
      );
    case 'status': {
      const enabled = await isProductEnabled(ctx, projectId);
      return show(
        { projectId, enabled, company: ctx.config.identity.kyc.kind },
        `Identity verification is ${enabled ? 'enabled' : 'not enabled'} for ${projectId}; the company is ${ctx.config.identity.kyc.kind}.`,
      );
    }
    case 'open': {
      if (locator === undefined)
        throw new CommandError('Name the user: purser identity open userId:alice.');
      requireKeys(ctx);
      const opened = await openInquiry(commandCaller(ctx, projectId), {
        locator,
        type: readType(values.type),
      });
      return show(
        opened,
        opened.url ?? `Inquiry ${opened.inquiryId}, session token ${opened.sessionToken}`,
      );
    }
    default:
      throw new CommandError(`Unknown command "identity ${verb}".\n\n${identityUsage}`);
  }
}

/** Payment methods are in the vault, under the names of their owners. */
function openVault({ config, clock, log }: CommandCtx): VaultProvider | undefined {
  const { vault } = config;
  return (
    vault &&
    createVaultClient({ ...vault, identity: { name: vault.peer, seed: vault.seed }, clock, log })
  );
}

function readType(text: string | undefined): EligibilityType {
  const type = eligibilityTypes.find((one) => one === (text ?? 'onramp'));
  if (!type) throw new CommandError(`--type is one of ${eligibilityTypes.join(', ')}.`);
  return type;
}

function requireKeys({ config }: CommandCtx): void {
  if (config.keyEncryptionKeys.length === 0)
    throw new CommandError(
      'KEY_ENCRYPTION_KEYS is not set: without it the keys of users cannot be opened.',
    );
}

/** Whoever types commands may do what a server key of the project may. */
function commandCaller(ctx: CommandCtx, projectId: string): InquiryCtx {
  const { environment } = ctx.config;
  const caller = {
    projectId,
    environment,
    keyKind: 'server',
    keyId: 'purser',
    scopes: new Set<string>(),
  } as const;
  return { ...ctx, providers: { kyc: createKyc(ctx.config, ctx) }, caller };
}
