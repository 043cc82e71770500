import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longFiles } from '../harness/longest-first.ts';
import { productionFiles, root, sourceFiles } from './source-files.ts';

const production = productionFiles();

// A bucket of tokens lets so many calls through, and hides nothing.
const hidden =
  'secret|token(?!Bucket)|code|nonce|seed|salt|otp|pin|challenge|verifier|password|cookie';
const asPart = hidden.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
const nameOfHidden = `\\b(?:${hidden}|\\w*(?:${asPart}))\\w*`;
const time = '(?:Date\\.now|performance\\.now|\\.uuid|uuidV7)\\(';
const assignedOfTime = new RegExp(
  `${nameOfHidden}(?:: [\\w<>|[\\] ]+)?\\s*(?:[:=]|\\?\\?=)\\s[^;{}:]*?(?:${time}|clock\\.now\\()`,
  'g',
);
const functionOfHidden = new RegExp(
  `^(?:export )?(?:async )?function ${nameOfHidden}\\b[^]*?^}`,
  'gm',
);

/** Where a secret, by its name, is given the time or an id of version 7, which begins with it. */
function madeOfTime(text: string): string[] {
  const functions = [...text.matchAll(functionOfHidden)].map(([body]) => body);
  return [
    ...[...text.matchAll(assignedOfTime)].map(([found]) => found),
    ...functions.filter((body) => new RegExp(time).test(body)),
  ];
}

describe('the house rules', () => {
  it('only src/config reads the environment', () => {
    const readers = production.filter(
      (file) => !file.path.startsWith('src/config/') && /process\s*\.\s*env/.test(file.text),
    );
    expect(readers.map((file) => file.path)).toEqual([]);
  });

  it('rules take time from the clock, never from Date.now() or new Date()', () => {
    const areas = production.filter((file) => file.path.startsWith('src/areas/'));
    expect(
      areas.filter((file) => /Date\.now\(\)|new Date\(\)/.test(file.text)).map((file) => file.path),
    ).toEqual([]);
  });

  it('chance that can be guessed spreads pauses and nothing else: secrets and codes come from the system', () => {
    const uses = production.flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line) => (line.includes('Math.random') ? [{ file: file.path, line }] : [])),
    );
    expect(uses.length).toBeGreaterThan(5);
    const isPause = (line: string) =>
      /[Pp]ause|delay|setTimeout|sleep|random = (?:options\.random \?\? )?Math\.random[,; ]|random \?\? Math\.random;/.test(
        line,
      );
    expect(uses.filter(({ file, line }) => !file.endsWith('-child.ts') && !isPause(line))).toEqual(
      [],
    );
  });

  it('no secret, token, code or nonce is made of the time, or of an id that tells it', () => {
    const text =
      'const resetToken = ctx\n  .ids.uuid();\nfunction makeCode() {\n  return uuidV7(1, x);\n}';
    expect(
      madeOfTime(`${text}\nconst row = { id: ids.uuid(), nonce: "n" + Date.now() };`),
    ).toHaveLength(3);
    expect(madeOfTime('const token = ids.randomUuid();\nconst id = ids.uuid();')).toEqual([]);
    expect(
      production.flatMap(({ path, text }) => madeOfTime(text).map((found) => ({ path, found }))),
    ).toEqual([]);
  });

  it('commands print JSON by formatJson, which no text of others gets past into a terminal', () => {
    const commands = production.filter(
      ({ path, text }) => path !== 'src/lib/command.ts' && /lib\/command\.ts'/.test(text),
    );
    expect(commands.length).toBeGreaterThan(30);
    expect(
      commands.filter(({ text }) => text.includes('JSON.stringify')).map(({ path }) => path),
    ).toEqual([]);
  });

  it('no folder of src is a flat room of more than 15 files', () => {
    const rooms = new Map<string, number>();
    for (const { path } of production) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      if (folder.startsWith('src/')) rooms.set(folder, (rooms.get(folder) ?? 0) + 1);
    }
    expect(rooms.size).toBeGreaterThan(50);
    expect([...rooms].filter(([, count]) => count > 15)).toEqual([]);
  });

  it('nothing is left open: no TODO, no skipped or focused test, no any', () => {
    const files = ['src', 'bin', 'devnet', 'contracts', 'programs', 'test', 'bench', 'fixtures']
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap(sourceFiles);
    const pattern =
      /\b(TODO|FIXME|XXX)\b|\b(it|describe|test)\.(only|skip|todo)\(|\bas any\b|@ts-ignore/;
    expect(
      files
        .filter((file) => !file.path.endsWith('tidy/rules.test.ts') && pattern.test(file.text))
        .map((file) => file.path),
    ).toEqual([]);
  });

  it('the tests that are to start first are there', () => {
    expect(longFiles.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('the lock file names no registry host', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(
      /"resolved": "https?:/,
    );
  });
});
