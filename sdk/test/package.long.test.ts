import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmptyProject,
  printed,
  program,
  root,
  startEmptyProject,
  startTinyService,
} from './packed.ts';

const tsc = join(root, 'node_modules/.bin/tsc');

let project: EmptyProject;
let service: Awaited<ReturnType<typeof startTinyService>>;
beforeAll(async () => {
  [project, service] = await Promise.all([startEmptyProject(), startTinyService()]);
  await project.write('app.ts', program);
  await project.run(tsc, [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--outDir',
    'out',
    'app.ts',
  ]);
});
afterAll(async () => {
  await service?.close();
  await project?.close();
});

describe.each([20, 22, 24])('Node.js %i', (major) => {
  it('runs a program with the packed client', async () => {
    // The program alone: the package `node` would fetch it in a script, which npm need not run.
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    await project.npm(['install', '--no-save', '--no-audit', '--no-fund', `${name}@${major}`]);
    const node = join(
      project.folder,
      'node_modules',
      name,
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    );
    expect(await project.run(node, ['--version'])).toMatch(new RegExp(`^v${major}\\.`));
    expect(await project.run(node, ['out/app.js', service.baseUrl])).toBe(printed);
  });
});

describe.each(['5.7', '5.9'])('TypeScript %s', (version) => {
  it.each(['nodenext', 'bundler'])(
    'understands the types with the resolution %s',
    async (resolution) => {
      await project.npm([
        'install',
        '--no-save',
        '--no-audit',
        '--no-fund',
        `typescript@${version}`,
      ]);
      const options = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--noEmit'];
      const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
      const compiler = join(project.folder, 'node_modules/typescript/bin/tsc');
      await project.run(process.execPath, [
        compiler,
        '--module',
        module,
        '--moduleResolution',
        resolution,
        ...options,
        'app.ts',
      ]);
    },
  );
});

describe.each([18, 19])('React %i', (major) => {
  it('draws the components, and their types fit', async () => {
    const versions = ['react', 'react-dom', '@types/react', '@types/react-dom'].map(
      (name) => `${name}@${major}`,
    );
    await project.npm(['install', '--no-audit', '--no-fund', ...versions]);
    // Without the network: the React that it asks for has to be there before.
    await project.install(['sdk-react']);
    await project.write(
      'page.tsx',
      `import { Balance, PurserProvider, TransferForm } from '@purser/react';
import { createPurser } from '@purser/sdk';
import { renderToString } from 'react-dom/server';

const purser = createPurser({ baseUrl: 'https://purser.example/api', apiKey: 'ck_development_x' });
console.log(renderToString(<PurserProvider client={purser}><Balance tokens="usdc" /><TransferForm token="base:usdc" /></PurserProvider>));
`,
    );
    const options = [
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--module',
      'nodenext',
      '--jsx',
      'react-jsx',
      '--outDir',
      'out',
    ];
    await project.run(tsc, [...options, 'page.tsx']);
    const html = await project.run(process.execPath, ['out/page.js']);
    expect(html).toContain('<h2');
    expect(html).toMatch(/Balance[\s\S]*Amount/);
  });
});
