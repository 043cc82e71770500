import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const gzippedMaxBytes = 27_000;

it('the client is under 27 kB gzipped in a browser bundle, viem left out, and needs nothing of Node.js', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['viem', 'viem/*'],
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]!.contents).length;
  console.log(`@purser/sdk, all of it: ${bytes} bytes gzipped`);
  expect(bytes).toBeLessThan(gzippedMaxBytes);
});
