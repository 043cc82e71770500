import { fileURLToPath } from 'node:url';

/** The packages of this repository by their source: nothing has to be built to test them. tsconfig.json says the same to everybody else. */
export const sourceAliases = {
  '@purser/sdk': fileURLToPath(new URL('../../sdk/src/index.ts', import.meta.url)),
};
