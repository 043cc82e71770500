import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedMachines } from '../../scripts/states.ts';
import { root } from './source-files.ts';

describe('state diagrams', () => {
  for (const { name, text } of printedMachines()) {
    it(`docs/states/${name}.md is what the table says (npm run docs writes it)`, () => {
      expect(readFileSync(join(root, 'docs/states', `${name}.md`), 'utf8')).toBe(text);
    });
  }
});
