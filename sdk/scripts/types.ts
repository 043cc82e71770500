import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { errorTable } from '../../src/lib/errors.ts';

const openApiUrl = new URL('../../docs/api/openapi.json', import.meta.url);
export const openApiTypesFile = fileURLToPath(new URL('../src/openapi.ts', import.meta.url));
export const errorCodesFile = fileURLToPath(new URL('../src/error-codes.ts', import.meta.url));

/** Types of every path and schema of docs/api/openapi.json. */
export async function renderOpenApiTypes(): Promise<string> {
  const document: unknown = JSON.parse(await readFile(openApiUrl, 'utf8'));
  const nodes = await openapiTS(document as never, { alphabetize: true, defaultNonNullable: false });
  return `// Generated from docs/api/openapi.json by \`npm run docs\`: do not edit.\n${astToString(nodes)}`;
}

/** The codes of the service's error table, as a type: they cost a caller's bundle nothing. */
export function renderErrorCodes(): string {
  const codes = Object.keys(errorTable).map((code) => `  | '${code}'`);
  return `// Generated from the service's error table by \`npm run docs\`: do not edit.\n/** Every \`code\` that an error of the service can carry. */\nexport type ErrorCode =\n${codes.join('\n')};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(openApiTypesFile, await renderOpenApiTypes());
  await writeFile(errorCodesFile, renderErrorCodes());
}
