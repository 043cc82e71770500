import type { Ctx } from '../../../context.ts';
import { CommandError, type CommandInput, formatJson, parseCommand } from '../../../lib/command.ts';
import { parseJson } from '../../../lib/json/parse-json.ts';
import {
  type OrderSettingsInput,
  orderSettingsSchema,
  readOrderSettings,
  readOwnSettings,
  writeOwnSettings,
} from '../pricing/index.ts';
import { ordersUsage } from './usage.ts';

/** Serves `purser orders …`. @throws CommandError, ServiceError */
export async function ordersCommand(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  input: CommandInput,
): Promise<void> {
  const [noun, ...argv] = input.argv;
  if (noun === undefined || noun === 'help') return input.print(ordersUsage);
  if (noun === 'settings') return settingsCommand(ctx, { ...input, argv });
  throw new CommandError(`There is no "purser orders ${noun}". See purser orders help.`);
}

async function settingsCommand(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  input: CommandInput,
): Promise<void> {
  const { argv, print } = input;
  const { values, positionals } = parseCommand(argv, { texts: ['project'] });
  const [verb, json] = positionals;
  if (values.help || verb === undefined) return print(ordersUsage);
  if (verb !== 'show' && verb !== 'set')
    throw new CommandError(`There is no "purser orders settings ${verb}": it is show or set.`);
  const projectId = await input.projectOf(values.project);
  if (verb === 'set') await writeOwnSettings(ctx, { projectId, settings: readSettings(json) });
  const own = await readOwnSettings(ctx, projectId);
  print(formatJson({ projectId, own, inForce: await readOrderSettings(ctx, projectId) }));
}

/** @throws CommandError naming what is wrong */
function readSettings(json: string | undefined): OrderSettingsInput {
  if (json === undefined)
    throw new CommandError(
      `Write the settings as JSON: purser orders settings set '{"quoteMinutes": 15}'.`,
    );
  const settings = parseJson(json);
  if (settings === undefined) throw new CommandError('The settings are no JSON.');
  const parsed = orderSettingsSchema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || 'settings'}: ${issue.message}`,
  );
  throw new CommandError(`These settings cannot be used. ${problems.join('; ')}.`);
}
