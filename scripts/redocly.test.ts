import { fileURLToPath } from 'node:url';
import { lint, loadConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { openApiFile, vaultOpenApiFile } from './openapi.ts';

test.each([openApiFile, vaultOpenApiFile])('%s passes redocly without a warning', async (ref) => {
  const config = await loadConfig({
    configPath: fileURLToPath(new URL('../redocly.yaml', import.meta.url)),
  });
  const problems = await lint({ ref, config });
  expect(
    problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
    ),
  ).toEqual([]);
});
