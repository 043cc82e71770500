import { beginOperation, type Operation } from '../../areas/operations/index.ts';
import { listProjects, type ProjectsCtx, requireProject } from '../../areas/projects/index.ts';
import { applyClock } from '../../clock/index.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { CommandError, type Print } from '../../lib/command.ts';
import { systemIds } from '../../lib/id.ts';
import { createLogHash } from '../../lib/log/log-hash.ts';
import { createStore } from '../../store/pool.ts';
import { createRowMacs } from '../../store/row-mac.ts';
import { plaintextWarning } from '../lifecycle.ts';
import type { Opened } from './command.ts';
import { findTarget } from './place.ts';

/**
 * What a command works on; whoever opens it closes `ctx.store`.
 * @throws CommandError, ConfigError
 */
export async function openInstance(input: {
  readonly argv: readonly string[];
  readonly print: Print;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDir?: string;
  /** The command, for the record of who ran what. */
  readonly words: readonly string[];
}): Promise<Opened & { readonly operation: Operation }> {
  const { argv, print } = input;
  const { config, local, userJwtKey } = findTarget(
    input.env,
    input.dataDir,
    input.words[0] === 'migrate' ? 'migrate' : 'purser',
  );
  // Once, when a version is brought in: other commands are typed all the time.
  if (input.words[0] === 'migrate' && config.plaintextHosts?.length)
    print(plaintextWarning(config.plaintextHosts));
  const store = createStore({
    url: config.database.url.reveal(),
    poolSize: 2,
    rowMacs: createRowMacs(config.keyEncryptionKeys),
    applicationName: 'purser-command',
  });
  const clock = createMovableClock();
  const ctx: ProjectsCtx = { config, store, clock, ids: systemIds };
  const projectOf = (named: string | undefined) => chooseProject(ctx, named ?? local?.projectId);
  try {
    if (config.environment === 'development') await applyClock(store, clock);
    const hash = createLogHash(config.keyEncryptionKeys);
    const operation = await beginOperation(ctx, input.words, (word) => hash('word', word));
    return { ctx, config, clock, userJwtKey, local, operation, input: { argv, print, projectOf } };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function chooseProject(ctx: ProjectsCtx, named: string | undefined): Promise<string> {
  if (named !== undefined) return (await requireProject(ctx, named)).id;
  const projects = await listProjects(ctx);
  if (projects.length === 1) return projects[0]!.id;
  throw new CommandError(
    projects.length === 0
      ? 'There is no project yet: purser projects create --name "My shop".'
      : 'There are several projects: name one with --project <id>. The ids are in purser projects list.',
  );
}
