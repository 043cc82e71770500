import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../src/areas/routes.ts';
import { openApiFile, renderOpenApiFile } from './openapi.ts';

test('docs/api/openapi.json is what the routes say: else run npx tsx scripts/openapi.ts', () => {
  expect(readFileSync(openApiFile, 'utf8')).toBe(renderOpenApiFile());
});

test('every reference of the document leads somewhere, and every operation has a name of its own', () => {
  const text = renderOpenApiFile();
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
  const references = [...text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);
  expect(references.length).toBeGreaterThan(0);
  for (const name of references) expect(Object.keys(components.schemas)).toContain(name);
  expect(new Set(routes.map((route) => route.operationId)).size).toBe(routes.length);
});
