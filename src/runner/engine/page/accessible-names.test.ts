import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bundleAccessibleNames } from './accessible-names.ts';

const tasks = '/proc/self/task';
const children = () =>
  readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/children`, 'utf8'));

test.runIf(process.platform === 'linux')(
  'the library is bundled by a process that ends',
  async () => {
    const before = children().join('');
    expect(await bundleAccessibleNames()).toContain('var accessible=');
    await expect.poll(() => children().join('')).toBe(before);
  },
);
