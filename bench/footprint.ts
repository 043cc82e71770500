import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { findFreePort, type ServiceProcess, startProcess } from '../test/harness/processes.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { readTreeMemoryMiB } from './memory.ts';

const chain = 'base-sepolia';
const readyWithinMs = { first: 15_000, second: 5_000 };
const startMaxMs = 120_000;
/** Until what a start leaves behind has settled. */
const settleMs = 4_000;

/**
 * `npm start`: seconds until it is ready, in an empty folder and again, and the memory of its whole
 * tree.
 */
export async function benchFootprint(options: BenchOptions): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-bench-start-'));
  const dataDir = join(folder, 'var');
  try {
    options.progress('footprint: first start');
    const first = await start(dataDir);
    const idle = await settled(first.process);
    await useChain(dataDir);
    const withChain = await settled(first.process);
    await stop(first.process);
    options.progress('footprint: second start');
    const second = await start(dataDir);
    await stop(second.process);
    const pairs = await benchFamilies(dataDir, options);
    return [
      memory('memory of npm start, idle', idle),
      memory('memory of npm start, one chain', withChain),
      time('time to ready, first start', first.ms, readyWithinMs.first),
      time('time to ready, second start', second.ms, readyWithinMs.second),
      ...pairs,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const others = ['solana', 'stellar', 'sui', 'aptos'];

/** Each family on, beside EVM alone: who does not use one pays nothing for it. */
async function benchFamilies(dataDir: string, { progress }: BenchOptions): Promise<Measure[]> {
  const startWith = async (families: string) => {
    progress(`footprint: ${families}`);
    const { process: started, ms } = await start(dataDir, families);
    const { mib } = await settled(started);
    await stop(started);
    return { ms, mib };
  };
  const alone = await startWith('evm');
  const measures: Measure[] = [];
  for (const family of others) {
    const { ms, mib } = await startWith(`evm,${family}`);
    measures.push(
      {
        name: `memory of npm start with ${family}, idle`,
        value: mib,
        unit: 'MiB',
        beside: { what: 'EVM alone', value: alone.mib },
      },
      {
        name: `time to ready with ${family}`,
        value: ms / 1_000,
        unit: 's',
        beside: { what: 'EVM alone', value: alone.ms / 1_000 },
      },
    );
  }
  return measures;
}

function memory(name: string, tree: { mib: number; processes: number }): Measure {
  return {
    name,
    value: tree.mib,
    unit: 'MiB',
    beside: { what: 'processes', value: tree.processes, unit: '' },
  };
}

function time(name: string, ms: number, withinMs: number): Measure {
  return {
    name,
    value: ms / 1_000,
    unit: 's',
    beside: { what: 'promised', value: withinMs / 1_000 },
    ratio: ms / withinMs,
    goal: { atMost: 1 },
  };
}

async function start(
  dataDir: string,
  families?: string,
): Promise<{ process: ServiceProcess; ms: number }> {
  const [port, chainsPort] = [await findFreePort(), await findFreePort()];
  const startedMs = performance.now();
  const process_ = startProcess({
    name: 'npm start',
    program: 'scripts/start.mjs',
    args: [
      '--port',
      String(port),
      '--chains-port',
      String(chainsPort),
      '--data',
      dataDir,
      ...(families === undefined ? [] : ['--families', families]),
    ],
    env: { HOME: process.env.HOME ?? tmpdir() },
  });
  let hasEnded = false;
  void process_.ended.then(() => (hasEnded = true));
  while (!process_.output().includes('Purser is ready.')) {
    if (hasEnded || performance.now() - startedMs > startMaxMs)
      throw new Error(`npm start did not become ready:\n${process_.output()}`);
    await delay(10);
  }
  return { process: process_, ms: performance.now() - startedMs };
}

async function stop(process_: ServiceProcess): Promise<void> {
  const { code } = await process_.stop('SIGINT');
  if (code !== 0)
    throw new Error(`npm start ended with ${code} after Ctrl-C:\n${process_.output()}`);
}

async function settled(process_: ServiceProcess) {
  await delay(settleMs);
  return readTreeMemoryMiB(process_.pid);
}

/** The first call starts the chain. */
async function useChain(dataDir: string): Promise<void> {
  const { chains } = z
    .object({ chains: z.record(z.string(), z.object({ rpcUrl: z.string() })) })
    .parse(JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')));
  const response = await fetch(chains[chain]!.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
  });
  if (!response.ok) throw new Error(`the chain ${chain} answers ${response.status}`);
}
