import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

it('what the build takes from the compiled sources by name is there: no compiler sees these imports', async () => {
  const text = readFileSync(`${root}scripts/build.mjs`, 'utf8');
  const taken = [
    ...text.matchAll(
      /const \{ (\w+) \} = await import\(\s*pathToFileURL\(join\(dist, '([^']+)\.js'\)\)/g,
    ),
  ];
  expect(taken.map(([, name]) => name)).toEqual(['bundleOfPackage', 'bundleAccessibleNames']);
  for (const [, name, path] of taken) {
    const source = (await import(pathToFileURL(`${root}${path}.ts`).href)) as Record<
      string,
      unknown
    >;
    expect(typeof source[name!], `${path} exports ${name}`).toBe('function');
  }
});
