import { fileURLToPath } from 'node:url';

const sourceOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * The packages of this repository by their source: nothing has to be built to test them.
 * tsconfig.json says the same to everybody else.
 */
export const sourceAliases = {
  '@purser/sdk': sourceOf('sdk/src/index.ts'),
  '@purser/react': sourceOf('sdk-react/src/index.ts'),
};
