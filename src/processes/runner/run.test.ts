/** @module-tag slow */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { internalPublicKey } from '../../lib/net/signed-requests.ts';
import { browsersHere } from '../../runner/testing/browsers-here.ts';
import { aBypassingBrowser } from '../../runner/testing/forgetful-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-runner-start-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

const [browser] = await browsersHere();

it.skipIf(!browser)(
  'a runner whose browser goes past its proxy ends with one sentence and takes no work',
  async () => {
    const worker = createServer((_, response) => response.writeHead(500).end());
    worker.listen(0, '127.0.0.1');
    await once(worker, 'listening');
    const asked = once(worker, 'request').then(() => 'asked the worker for runs');
    const child = spawn(process.execPath, ['--import', 'tsx', 'bin/runner.ts'], {
      env: {
        PURSER_ENVIRONMENT: 'development',
        CHROMIUM_PATH: aBypassingBrowser(folder, '*', browser!).path,
        RUNNER_DOOR_ORIGIN: `http://127.0.0.1:${(worker.address() as AddressInfo).port}`,
        RUNNER_DOOR_PUBLIC_KEY: Buffer.from(internalPublicKey(randomBytes(32))).toString('base64'),
        RUNNER_SEED: randomBytes(32).toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => code as number);
    expect([await Promise.race([ended, asked]), output]).toEqual([
      1,
      expect.stringMatching(
        /It cannot be proven that nothing gets out of the browser .*Chrome\/\d+[^]*The runner does not work with it\./,
      ),
    ]);
    child.kill('SIGKILL');
    worker.closeAllConnections();
    worker.close();
  },
);
