/** @module-tag slow */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { build as buildWithVite } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EmptyProject,
  page,
  printed,
  program,
  readJson,
  root,
  startEmptyProject,
  startTinyService,
} from './packed.ts';

const packedMaxBytes = 160_000;
const appMaxBytes = 26_000;

let project: EmptyProject;
let service: Awaited<ReturnType<typeof startTinyService>>;
beforeAll(async () => {
  [project, service] = await Promise.all([startEmptyProject(), startTinyService()]);
  await project.write('app.ts', program);
  await mkdir(join(project.folder, 'out'));
});
afterAll(async () => {
  await service?.close();
  await project?.close();
});

const tsc = join(root, 'node_modules/.bin/tsc');
const strict = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom'];

it('the package holds what was compiled, its types, README and licence, and no test', () => {
  const { files, packedBytes, unpackedBytes } = project.tarball;
  console.log(
    `@purser/sdk: ${files.length} files, ${packedBytes} bytes packed, ${unpackedBytes} unpacked`,
  );
  expect(
    files.filter((file) => !/^(dist\/.+\.(js|d\.ts)|LICENSE|README\.md|package\.json)$/.test(file)),
  ).toEqual([]);
  expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(packedBytes).toBeLessThan(packedMaxBytes);
});

it('compiled with nodenext, its own types looked at too, it runs in Node.js', async () => {
  await project.run(tsc, ['--module', 'nodenext', ...strict, '--outDir', 'out/node', 'app.ts']);
  expect(await project.run(process.execPath, ['out/node/app.js', service.baseUrl])).toBe(printed);
});

it('is understood with the resolution of bundlers', async () => {
  await project.run(tsc, [
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    ...strict,
    '--noEmit',
    'app.ts',
  ]);
});

it('is bundled by esbuild, without viem there', async () => {
  const { warnings, metafile } = await build({
    absWorkingDir: project.folder,
    entryPoints: ['app.ts'],
    outfile: 'out/esbuild.js',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    logLevel: 'silent',
  });
  expect(warnings.filter(({ text }) => !text.includes('viem'))).toEqual([]);
  console.log(
    `an app of ${program.trim().split('\n').length} lines: ${Object.values(metafile.outputs)[0]!.bytes} bytes minified`,
  );
  expect(await project.run(process.execPath, ['out/esbuild.js', service.baseUrl])).toBe(printed);
});

it('is bundled by Vite, without viem there', async () => {
  const built = await buildWithVite({
    root: project.folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      target: 'es2022',
      modulePreload: false,
      outDir: 'out/vite',
      rolldownOptions: {
        input: join(project.folder, 'app.ts'),
        output: { entryFileNames: 'app.js' },
      },
    },
  });
  if (!('output' in built)) throw new Error('Vite built nothing');
  const chunks = new Map(
    built.output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
  );
  // What reads other families than EVM is loaded when one of their wallets signs.
  const filesOf = (name: string): string[] => [name, ...chunks.get(name)!.imports.flatMap(filesOf)];
  const bytes = [...new Set(filesOf('app.js'))].reduce(
    (sum, name) => sum + gzipSync(chunks.get(name)!.code).length,
    0,
  );
  expect(bytes).toBeLessThan(appMaxBytes);
  expect(await project.run(process.execPath, ['out/vite/app.js', service.baseUrl])).toBe(printed);
});

it('the components for React come as a package beside it, with types and styles', async () => {
  const [tarball] = await project.install(
    ['sdk-react'],
    ['react', 'react-dom', '@types/react', '@types/react-dom'],
  );
  console.log(
    `@purser/react: ${tarball!.files.length} files, ${tarball!.packedBytes} bytes packed, ${tarball!.unpackedBytes} unpacked`,
  );
  expect(
    tarball!.files.filter(
      (file) => !/^(dist\/.+\.(js|d\.ts|css)|LICENSE|README\.md|package\.json)$/.test(file),
    ),
  ).toEqual([]);
  expect(tarball!.files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/styles.css']),
  );
  const { peerDependencies } = await readJson<{ peerDependencies: object }>(
    join(root, 'sdk-react/package.json'),
  );
  expect(peerDependencies).toEqual({ '@purser/sdk': '^0.1.0', react: '>=18' });
  await project.write('page.tsx', page);
  await project.write('css.d.ts', "declare module '*.css';\n");
  for (const resolution of ['nodenext', 'bundler']) {
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    const options = [
      '--module',
      module,
      '--moduleResolution',
      resolution,
      '--jsx',
      'react-jsx',
      '--noEmit',
      '--skipLibCheck',
    ];
    await project.run(tsc, [...options, ...strict, 'page.tsx', 'css.d.ts']);
  }
  await project.write(
    'index.html',
    '<!doctype html><script type="module" src="./page.tsx"></script>',
  );
  const built = await buildWithVite({
    root: project.folder,
    configFile: false,
    logLevel: 'silent',
    build: { outDir: 'out/page' },
  });
  if (!('output' in built)) throw new Error('Vite built nothing');
  const isFamily = (one: (typeof built.output)[number]) => one.type === 'chunk' && !one.isEntry;
  const files = built.output
    .filter((one) => !isFamily(one))
    .map(({ fileName }) => fileName.replace(/-[^.]+/, ''));
  expect(files.toSorted()).toEqual(['assets/index.css', 'assets/index.js', 'index.html']);
});
