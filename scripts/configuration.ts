import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { holdersOf } from '../src/config/process-secrets.ts';
import { type Setting, type SettingName, settings } from '../src/config/settings.ts';

/** Where the generated table lies; a test compares it with the settings. */
export const configurationFile = fileURLToPath(
  new URL('../docs/guides/configuration.md', import.meta.url),
);

/** A fallback stands in the declaration once, for the reader and for this page. */
function absenceOf({ name, whenAbsent, fallback, integer }: Setting): string {
  if (whenAbsent !== undefined) return whenAbsent;
  const value = fallback ?? integer?.fallback;
  if (value === undefined) throw new Error(`${name}: what holds when it is absent?`);
  return `\`${value}\``;
}

function renderSettings(): string {
  const nameOf = ({ name, secret }: Setting) =>
    secret ? `\`${name}\` (secret of ${holdersOf(name as SettingName)})` : `\`${name}\``;
  const rows = settings.map(
    (setting: Setting) => `| ${nameOf(setting)} | ${absenceOf(setting)} | ${setting.description} |`,
  );
  return ['| Variable | When absent | Meaning |', '|---|---|---|', ...rows].join('\n');
}

export function renderConfigurationFile(): string {
  return `# Configuration

Written by \`npx tsx scripts/configuration.ts\` from \`src/config/settings.ts\`.

The processes \`api\` and \`worker\` and the command line \`purser\` are configured by environment variables alone. A start
with a missing, wrong or contradictory setting ends at once and names every one of them. \`npm start\` needs none: it makes
its secrets at the first start and keeps them in its data folder.

A variable marked *secret* may come from a file instead: set \`<NAME>_FILE\` to its path, as container platforms do. A
variable that is set but empty counts as absent. Behind *secret* stands who may know it; every other process refuses to start
while it is set, so that one stolen process is not two. \`migrate\` is \`purser migrate\`, \`purser\` the other commands; those on
the vault's database (\`purser vault\`, \`purser payouts\`) count as the vault. \`npm start\` is exempt: for development, everything
is one process there.

${renderSettings()}

New secrets of 32 bytes: \`openssl rand -base64 32\`. A new account key: \`echo 0x$(openssl rand -hex 32)\`.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(fileURLToPath(new URL('../docs/guides/', import.meta.url)), { recursive: true });
  writeFileSync(configurationFile, renderConfigurationFile());
}
