import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { publicEventTypes } from '../../src/areas/webhooks/index.ts';
import { errorTable } from '../../src/lib/errors.ts';
import { callsFile, renderCalls } from './calls.ts';
import { evmConstantsFile, renderEvmConstants } from './evm.ts';
import { renderVectors, vectorsFile } from './vectors.ts';

const openApiTypesFile = fileURLToPath(new URL('../src/openapi.ts', import.meta.url));
const vaultTypesFile = fileURLToPath(new URL('../src/vault-openapi.ts', import.meta.url));
const errorCodesFile = fileURLToPath(new URL('../src/error-codes.ts', import.meta.url));
const eventTypesFile = fileURLToPath(new URL('../src/event-types.ts', import.meta.url));

/** Types of every path and schema of a document in docs/api. */
async function renderOpenApiTypes(name: 'openapi' | 'vault-openapi'): Promise<string> {
  const document: unknown = JSON.parse(
    await readFile(new URL(`../../docs/api/${name}.json`, import.meta.url), 'utf8'),
  );
  const nodes = await openapiTS(document as never, {
    alphabetize: true,
    defaultNonNullable: false,
  });
  return `// Generated from docs/api/${name}.json by \`npm run docs\`: do not edit.\n${astToString(nodes)}`;
}

/** The codes of the service's error table, as a type: they cost a caller's bundle nothing. */
function renderErrorCodes(): string {
  const codes = Object.keys(errorTable).map((code) => `  | '${code}'`);
  return `// Generated from the service's error table by \`npm run docs\`: do not edit.\n/** Every \`code\` that an error of the service can carry. */\nexport type ErrorCode =\n${codes.join('\n')};\n`;
}

function renderEventTypes(): string {
  const types = publicEventTypes.map((type) => `  '${type}',`);
  return `// Generated from the service's list by \`npm run docs\`: do not edit.\n/** Every \`type\` of event that webhooks and \`listEvents\` carry. */\nexport const webhookEventTypes = [\n${types.join('\n')}\n] as const;\n`;
}

/** What each generated file of the client holds. */
export async function renderGenerated(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [openApiTypesFile, await renderOpenApiTypes('openapi')],
    [vaultTypesFile, await renderOpenApiTypes('vault-openapi')],
    [errorCodesFile, renderErrorCodes()],
    [eventTypesFile, renderEventTypes()],
    [callsFile, await renderCalls()],
    [evmConstantsFile, renderEvmConstants()],
    [vectorsFile, renderVectors()],
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, text] of await renderGenerated()) await writeFile(file, text);
