/**
 * `npm run tidy [-- --all]`: what has grown out of shape, printed and never refused; what must hold
 * is a test beside this. Files and lines, long functions, full rooms, exports that nobody imports,
 * and the same lines in two places.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  findDuplicates,
  findFullRooms,
  findUnusedExports,
  measureFunctions,
  reformat,
  type UnusedExport,
} from './measures.ts';
import { filesBelow, productionFiles, root, type SourceFile } from './source-files.ts';

const limits = {
  fileLinesMax: 400,
  testLinesMax: 500,
  functionLinesMax: 60,
  filesPerRoomMax: 15,
  duplicateLinesMin: 12,
  shown: 25,
};

/** Written by programs, and never read in one go. */
const generated = /openapi\.ts$|generated\.ts$|(?:^|\/)dist\//;

/** Folders whose files may import something of `src`. */
const readersFolders = [
  'src',
  'bin',
  'devnet',
  'contracts',
  'programs',
  'scripts',
  'test',
  'bench',
  'fixtures',
  'sdk',
  'sdk-react',
  'console',
  'approve',
  'examples',
];

function main(): void {
  const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
  const production = productionFiles();
  const readers = readersFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesBelow(folder, /\.(?:tsx?|mjs)$/));

  const wide = reformat(production, 80);
  const linesOf = (files: readonly SourceFile[]) =>
    files.reduce((sum, { text }) => sum + text.split('\n').length, 0);
  console.log(
    `${production.length} production files below src, ${linesOf(production)} lines, ${linesOf(wide)} at 80 columns.`,
  );

  const functions = wide.flatMap(measureFunctions).sort((a, b) => b.lines - a.lines);
  const [half, most] = [0.5, 0.9].map(
    (share) => functions.toReversed()[Math.floor(functions.length * share)]!.lines,
  );
  console.log(
    `${functions.length} functions; at 80 columns half have at most ${half} lines, nine of ten ${most}, the longest ${functions[0]!.lines}.`,
  );

  const print = (title: string, lines: readonly string[]) => {
    console.log(`\n${title}: ${lines.length}`);
    for (const line of values.all ? lines : lines.slice(0, limits.shown)) console.log(`  ${line}`);
    if (!values.all && lines.length > limits.shown)
      console.log(`  … and ${lines.length - limits.shown} more: -- --all`);
  };
  const linesMax = (path: string) =>
    path.includes('.test.') ? limits.testLinesMax : limits.fileLinesMax;
  print(
    `Files of more than ${limits.fileLinesMax} lines (tests: ${limits.testLinesMax})`,
    readers
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ path, lines }) => lines > linesMax(path) && !generated.test(path))
      .sort((a, b) => b.lines - a.lines)
      .map(({ path, lines }) => `${String(lines).padStart(4)}  ${path}`),
  );
  const long = production
    .flatMap(measureFunctions)
    .filter(({ lines }) => lines > limits.functionLinesMax);
  print(
    `Functions of more than ${limits.functionLinesMax} lines as they stand`,
    long
      .sort((a, b) => b.lines - a.lines)
      .map(
        ({ lines, name, path, line }) => `${String(lines).padStart(4)}  ${name}  ${path}:${line}`,
      ),
  );
  print(
    `Flat folders of more than ${limits.filesPerRoomMax} files`,
    findFullRooms(production, limits.filesPerRoomMax).map(
      ([folder, count]) => `${String(count).padStart(4)}  ${folder}`,
    ),
  );
  const unused = findUnusedExports(production, readers);
  const namesOf = (kind: UnusedExport['kind']) =>
    unused.filter((one) => one.kind === kind).map(({ path, name }) => `${path}: ${name}`);
  print('Values that are exported and that no other file imports', namesOf('value'));
  print('Names that are passed on and that nobody imports from there', namesOf('list'));
  console.log(
    `\nTypes that are exported and that no other file names: ${namesOf('type').length} (they may name what a function takes).`,
  );
  print(
    `Runs of at least ${limits.duplicateLinesMin} equal lines`,
    findDuplicates(production, limits.duplicateLinesMin).map(
      ({ lines, places }) => `${String(lines).padStart(4)}  ${places.join('  =  ')}`,
    ),
  );
}

main();
