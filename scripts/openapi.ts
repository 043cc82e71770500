import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routes } from '../src/areas/routes.ts';
import { renderOpenApi } from '../src/http/openapi.ts';

/** Where the generated document lies; a test compares it with the routes. */
export const openApiFile = fileURLToPath(new URL('../docs/api/openapi.json', import.meta.url));

export function renderOpenApiFile(): string {
  return `${JSON.stringify(renderOpenApi(routes), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(fileURLToPath(new URL('../docs/api/', import.meta.url)), { recursive: true });
  writeFileSync(openApiFile, renderOpenApiFile());
}
