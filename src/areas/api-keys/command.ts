import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
  readCommas,
  readDuration,
} from '../../lib/command.ts';
import { commandLineActor, performRule } from '../operations/index.ts';
import {
  type IssuedKey,
  issueKey,
  type KeysCtx,
  listKeys,
  projectOfKey,
  rotateKey,
} from './api-keys.ts';
import { keyCacheMs } from './key-check.ts';
import { keyRevoke } from './rules.ts';
import { allScopes, scopeTable } from './scopes.ts';
import type { ApiKey } from './store.ts';

export const keysUsage = `purser keys list                    keys of a project
purser keys create --kind K         a new key: server or client
    [--name N] [--scopes a,b]       every scope by default, except in production
    [--origins a,b] [--apps a,b] [--extensions a,b]
                                    where a client key may be used from; "*" is anywhere
purser keys rotate <id>             a new key with the same settings
    [--overlap 24h]                 the old one works that much longer; 24h by default
purser keys revoke <id>             end a key now
    [--note "…"]                    why; it stands in the audit log
purser keys scopes                  what keys can be allowed to do
Options: [--project <id>] [--json]`;

const options = {
  texts: ['project', 'kind', 'name', 'scopes', 'origins', 'apps', 'extensions', 'overlap', 'note'],
} as const;

/**
 * Serves `purser keys …`.
 * @throws CommandError, ServiceError with a sentence for whoever typed it
 */
export async function keysCommand(ctx: KeysCtx, input: CommandInput): Promise<void> {
  const {
    values,
    positionals: [verb, id],
  } = parseCommand(input.argv, options);
  const { print } = input;
  const show = (value: unknown, text: string) => print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) return print(keysUsage);
  switch (verb) {
    case 'list': {
      const keys = await listKeys(ctx, { projectId: await input.projectOf(values.project) });
      return show(keys, keys.length === 0 ? 'No keys.' : tableOf(keys, ctx.clock.now()));
    }
    case 'create': {
      if (values.kind !== 'server' && values.kind !== 'client')
        throw new CommandError('Say which kind of key: --kind server or --kind client.');
      const key = await issueKey(ctx, {
        projectId: await input.projectOf(values.project),
        kind: values.kind,
        name: values.name,
        scopes: readCommas(values.scopes),
        allowedOrigins: readCommas(values.origins),
        allowedAppIds: readCommas(values.apps),
        allowedExtensionIds: readCommas(values.extensions),
      });
      return show(key, announce(key, adviceFor(key)));
    }
    case 'rotate': {
      const key = await rotateKey(ctx, {
        id: requireId(id, verb),
        overlapMs: readDuration(values.overlap ?? '24h'),
      });
      return show(
        key,
        announce(key, `The old key ${key.rotatedFrom} ends in ${values.overlap ?? '24h'}.`),
      );
    }
    case 'revoke': {
      const keyId = requireId(id, verb);
      const key = await performRule(ctx, keyRevoke, {
        actor: commandLineActor(),
        projectId: await projectOfKey(ctx, keyId),
        params: { keyId },
        reason: values.note ?? 'asked at the command line',
      });
      return show(
        key,
        `${keyId} is revoked. Every process refuses it within ${keyCacheMs / 1_000} s.`,
      );
    }
    case 'scopes':
      return show(
        scopeTable,
        formatTable(
          ['SCOPE', 'KEYS'],
          allScopes.map((scope) => [scope, scopeTable[scope].join(', ')]),
        ),
      );
    default:
      throw new CommandError(`Unknown command "keys ${verb}".\n\n${keysUsage}`);
  }
}

function requireId(id: string | undefined, verb: string): string {
  if (id === undefined)
    throw new CommandError(
      `Name the key by its id: purser keys ${verb} <id>. The ids are in purser keys list.`,
    );
  return id;
}

function announce(key: IssuedKey, advice: string): string {
  return `${key.key}\n\nThis ${key.kind} key is shown this once: keep it now. Its id is ${key.id}.${advice === '' ? '' : `\n${advice}`}`;
}

function adviceFor(key: IssuedKey): string {
  const isClosed = key.kind === 'client' && key.allowedOrigins.length === 0;
  return isClosed
    ? 'No browser may use it yet: name the origins with --origins, as in --origins https://shop.example.'
    : '';
}

function tableOf(keys: readonly ApiKey[], now: Date): string {
  return formatTable(
    ['ID', 'KIND', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'STATE'],
    keys.map((key) => [
      key.id,
      key.kind,
      key.name,
      `…${key.hint}`,
      String(key.scopes.length),
      key.createdAt.toISOString(),
      stateOf(key, now),
    ]),
  );
}

function stateOf(key: ApiKey, now: Date): string {
  if (!key.revokedAt) return 'active';
  return key.revokedAt <= now ? 'revoked' : `ends ${key.revokedAt.toISOString()}`;
}
