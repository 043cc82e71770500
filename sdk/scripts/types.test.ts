import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodesFile, openApiTypesFile, renderErrorCodes, renderOpenApiTypes } from './types.ts';

test("the client's types are those of docs/api/openapi.json and of the error table: else run npm run docs", async () => {
  expect(readFileSync(openApiTypesFile, 'utf8')).toBe(await renderOpenApiTypes());
  expect(readFileSync(errorCodesFile, 'utf8')).toBe(renderErrorCodes());
});
