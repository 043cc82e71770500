import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../src/areas/routes.ts';
import {
  openApiFile,
  renderOpenApiFile,
  renderVaultOpenApiFile,
  vaultOpenApiFile,
  vaultRoutes,
} from './openapi.ts';

test('docs/api/openapi.json is what the routes say: else run npx tsx scripts/openapi.ts', () => {
  expect(readFileSync(openApiFile, 'utf8')).toBe(renderOpenApiFile());
});

test('docs/api/vault-openapi.json is what the routes of the vault say: else run npx tsx scripts/openapi.ts', () => {
  expect(readFileSync(vaultOpenApiFile, 'utf8')).toBe(renderVaultOpenApiFile());
});

test.each([
  ['the service', renderOpenApiFile, routes],
  ['the vault', renderVaultOpenApiFile, vaultRoutes],
] as const)(
  'every reference of the document of %s leads somewhere, and every operation has a name of its own',
  (_name, render, routes) => {
    const text = render();
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    const references = [...text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name!,
    );
    expect(references.length).toBeGreaterThan(0);
    for (const name of references) expect(Object.keys(components.schemas)).toContain(name);
    expect(new Set(routes.map((route) => route.operationId)).size).toBe(routes.length);
  },
);
