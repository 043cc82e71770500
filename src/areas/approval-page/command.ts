import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Ctx } from '../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
} from '../../lib/command.ts';
import { commandLineActor, performRule } from '../operations/index.ts';
import { approvalPageSet } from './rules.ts';
import { type PageSettings, readPageSettings } from './settings.ts';
import { approvalPageUsage } from './usage.ts';

const logoTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
};

/** Serves `purser approval-page …`. @throws CommandError, ServiceError */
export async function approvalPageCommand(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock'>,
  input: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb],
  } = parseCommand(input.argv, {
    texts: [
      'project',
      'name',
      'logo',
      'logo-file',
      'accent',
      'accent-dark',
      'frame-origins',
      'passkey-domain',
      'note',
    ],
  });
  if (values.help || verb === undefined) return input.print(approvalPageUsage);
  if (verb !== 'show' && verb !== 'set')
    throw new CommandError(`Unknown command "approval-page ${verb}".\n\n${approvalPageUsage}`);
  const projectId = await input.projectOf(values.project);
  const said = {
    name: values.name,
    logo: values['logo-file'] === undefined ? values.logo : readLogo(values['logo-file']),
    accent: values.accent,
    accentDark: values['accent-dark'],
    frameOrigins: values['frame-origins'],
    passkeyDomain: values['passkey-domain'],
  };
  const change = Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined),
  );
  if (verb === 'set') {
    if (Object.keys(change).length === 0)
      throw new CommandError(`Say what to set.\n\n${approvalPageUsage}`);
    const reason = values.note ?? 'set at the command line';
    await performRule(ctx, approvalPageSet, {
      actor: commandLineActor(),
      projectId,
      params: change,
      reason,
    });
  }
  const settings = await readPageSettings(ctx, projectId);
  input.print(values.json ? formatJson(settings) : formatSettings(settings));
}

function formatSettings({
  name,
  logo,
  accent,
  accentDark,
  frameOrigins,
  passkeyDomain,
}: PageSettings): string {
  return formatTable(
    ['SETTING', 'VALUE'],
    [
      ['name', name ?? 'Purser'],
      ['logo', logo === undefined ? 'none' : logo.slice(0, 60)],
      ['accent', accent ?? 'ours'],
      ['accent-dark', accentDark ?? 'ours'],
      ['frame-origins', frameOrigins.length === 0 ? 'none: in no frame' : frameOrigins.join(', ')],
      ['passkey-domain', passkeyDomain ?? 'the host of this service'],
    ],
  );
}

function readLogo(file: string): string {
  const type = logoTypes[extname(file).toLowerCase()];
  if (type === undefined)
    throw new CommandError(`--logo-file is one of ${Object.keys(logoTypes).join(', ')}.`);
  try {
    return `data:${type};base64,${readFileSync(file).toString('base64')}`;
  } catch (cause) {
    throw new CommandError(`The file ${file} cannot be read: ${(cause as Error).message}`);
  }
}
