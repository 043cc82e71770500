import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandNames, loadCommand } from '../../src/processes/command-line/areas.ts';
import { filesBelow, root, type SourceFile } from './source-files.ts';

/** Whatever tells somebody what to type: guides, pages, and messages of the service. */
const texts: readonly SourceFile[] = [
  { path: 'README.md', text: readFileSync(join(root, 'README.md'), 'utf8') },
  ...filesBelow('docs', /\.md$/),
  ...['console/src', 'approve/src', 'src', 'devnet', 'examples', 'scripts', 'bin'].flatMap(
    (folder) => filesBelow(folder, /(?<!\.test)\.(?:ts|tsx|mjs)$/),
  ),
];

/** Of a template in code, which may as well begin a text that is signed. */
const isSigned = (path: string, found: string) => path.endsWith('.ts') && found.startsWith('`');

/** Each match of a pattern that is not among the known, with its file. */
function unknownIn(pattern: RegExp, isKnown: (match: RegExpMatchArray) => boolean): string[] {
  return texts.flatMap(({ path, text }) =>
    [...text.replace(/\s+/g, ' ').matchAll(pattern)]
      .filter((match) => !isSigned(path, match[0]) && !isKnown(match))
      .map(([found]) => `${path}: ${found}`),
  );
}

describe('commands that somebody is told to type', () => {
  it('are scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(
      unknownIn(/\bnpm run ([a-z][a-z:-]*[a-z])/g, ([, name]) => Object.hasOwn(scripts, name!)),
    ).toEqual([]);
  });

  it('are commands of purser, with verbs and options that it takes', async () => {
    const usages = new Map<string, string>();
    for (const name of commandNames) usages.set(name, (await loadCommand(name))!.usage);
    const command =
      /(?:npx |`|=")purser ([a-z][a-z-]+)((?: [a-z][a-z-]+(?![\w:.@]))?)((?: --[a-z][a-z-]+)*)/g;
    expect(
      unknownIn(command, ([, name, verb, options]) => {
        if (name === 'help') return true;
        const usage = usages.get(name!);
        const words = `${verb} ${options}`.split(' ').filter((word) => word && word !== '--help');
        return usage !== undefined && words.every((word) => usage.includes(word));
      }),
    ).toEqual([]);
  });
});
