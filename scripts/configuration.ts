import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderSettings } from '../src/config/settings.ts';

/** Where the generated table lies; a test compares it with the settings. */
export const configurationFile = fileURLToPath(new URL('../docs/guides/configuration.md', import.meta.url));

export function renderConfigurationFile(): string {
  return `# Configuration

Written by \`npx tsx scripts/configuration.ts\` from \`src/config/settings.ts\`.

The processes \`api\` and \`worker\` and the command line \`purser\` are configured by environment variables alone. A start
with a missing, wrong or contradictory setting ends at once and names every one of them. \`npm start\` needs none: it makes
its secrets at the first start and keeps them in its data folder.

A variable marked *secret* may come from a file instead: set \`<NAME>_FILE\` to its path, as container platforms do. A
variable that is set but empty counts as absent.

${renderSettings()}

New secrets of 32 bytes: \`openssl rand -base64 32\`. A new account key: \`echo 0x$(openssl rand -hex 32)\`.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(fileURLToPath(new URL('../docs/guides/', import.meta.url)), { recursive: true });
  writeFileSync(configurationFile, renderConfigurationFile());
}
