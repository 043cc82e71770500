import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-files.ts';

const folder = join(root, 'docs/guides');
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));

/**
 * Links of the form [test](../../<file>) “<title>”: the title, or a part of it, stands in the file.
 */
function provingTests(text: string): { readonly file: string; readonly title: string }[] {
  return [...text.matchAll(/\[test\]\(\.\.\/\.\.\/([^)]+)\) “([^”]+)”/g)].map(
    ([, file, title]) => ({ file: file!, title: title! }),
  );
}

describe('guides', () => {
  it('name tests that exist where they promise something', () => {
    const named = guides.flatMap((guide) =>
      provingTests(readFileSync(join(folder, guide), 'utf8')).map((test) => ({ guide, ...test })),
    );
    expect(named.length).toBeGreaterThan(15);
    const missing = named.filter(({ file, title }) => {
      const path = join(root, file);
      // Titles stand in quotes of any kind, in which an apostrophe may be escaped.
      return (
        !existsSync(path) || !readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(title)
      );
    });
    expect(missing).toEqual([]);
  });

  it('link to files that exist', () => {
    const broken = guides.flatMap((guide) =>
      [...readFileSync(join(folder, guide), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => target!)
        .filter((target) => !existsSync(join(folder, target)))
        .map((target) => `${guide}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
