import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevPlace, freePort, runProgram, startDev } from '../../harness/dev-process.ts';
import { type CallAnswer, sendCall } from '../../harness/http.ts';

/** API, worker, runner and browsers as `npm start` runs them, which may visit one shop. */
export interface ShopService {
  as(user: string, method: string, below: string, body?: object): Promise<CallAnswer>;
  /** SIGKILL; `npm start` brings it back. False: none runs. */
  killRunner(): boolean;
  /** MiB, of each browser that was closed so far. */
  memory(): readonly number[];
  stop(): Promise<void>;
}

const path = '/unstable/agent-checkouts';

/** @param shop its origin */
export async function startShopService(shop: string): Promise<ShopService> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-shops-'));
  const place: DevPlace = {
    dataDir: join(folder, 'var'),
    port: await freePort(),
    chainsPort: await freePort(),
  };
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const dev = await startDev(place, ['--families', 'evm', '--shop', shop, '--card', 'user']).catch(
    (error: unknown) => {
      removeFolder();
      throw error;
    },
  );
  const { baseUrl, clientKey } = JSON.parse(
    readFileSync(join(place.dataDir, 'dev.json'), 'utf8'),
  ) as {
    baseUrl: string;
    clientKey: string;
  };
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (user: string) => {
    const token = tokens.get(user) ?? makeToken(place.dataDir, user);
    tokens.set(user, token);
    return token;
  };
  return {
    as: async (user, method, below, body) =>
      sendCall(`${baseUrl}${path}${below}`, method, {
        key: clientKey,
        jwt: await tokenOf(user),
        ...(body && { body }),
      }),
    killRunner() {
      const pid = dev.pids().find((one) => programOf(one).includes('bin/runner.ts'));
      if (pid === undefined) return false;
      process.kill(pid, 'SIGKILL');
      return true;
    },
    memory: () => readMemory(join(place.dataDir, 'runner.log')),
    async stop() {
      dev.child.kill('SIGTERM');
      await dev.ended;
      removeFolder();
    },
  };
}

async function makeToken(dataDir: string, user: string): Promise<string> {
  const { code, output } = await runProgram('bin/purser.mjs', [
    'token',
    '--user',
    user,
    '--data',
    dataDir,
  ]);
  if (code !== 0) throw new Error(output);
  return output.trim().split('\n').at(-1)!.trim();
}

function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function readMemory(file: string): readonly number[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(/"memoryMib":(\d+)/g)].map(([, mib]) => Number(mib));
}
