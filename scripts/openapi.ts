import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeEventTypes } from '../src/areas/event-descriptions.ts';
import { routes } from '../src/areas/routes.ts';
import { renderOpenApi } from '../src/http/pages/openapi.ts';
import type { Vault } from '../src/vault/index.ts';
import { createVaultRoutes } from '../src/vault/methods/routes.ts';

/** Where the generated document lies; a test compares it with the routes. */
export const openApiFile = fileURLToPath(new URL('../docs/api/openapi.json', import.meta.url));

export function renderOpenApiFile(): string {
  return `${JSON.stringify(renderOpenApi(routes, { events: describeEventTypes() }), null, 2)}\n`;
}

/** The same of the vault's host. */
export const vaultOpenApiFile = fileURLToPath(
  new URL('../docs/api/vault-openapi.json', import.meta.url),
);

/** Routes to describe, not to serve. */
export const vaultRoutes = createVaultRoutes({} as Vault);

export function renderVaultOpenApiFile(): string {
  return `${JSON.stringify(renderOpenApi(vaultRoutes), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(fileURLToPath(new URL('../docs/api/', import.meta.url)), { recursive: true });
  writeFileSync(openApiFile, renderOpenApiFile());
  writeFileSync(vaultOpenApiFile, renderVaultOpenApiFile());
}
