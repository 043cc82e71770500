import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';
import { programArgs } from '../../test/harness/programs.ts';
import type { EvmChainName } from '../evm/chains.ts';
import type { GenesisPlan } from '../evm/genesis.ts';
import { planGenesis } from '../evm/genesis-plan.ts';

export const minter = '0x00000000000000000000000000000000000000f1';
export const usdcOnBaseSepolia = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

export function aChain(overrides: Partial<EvmChainName> = {}): EvmChainName {
  return { name: 'base-sepolia', chainId: 84532, ...overrides };
}

export function aGenesis(chain: EvmChainName = aChain()): GenesisPlan {
  const tokens =
    chain.name === 'base-sepolia'
      ? [{ symbol: 'usdc', name: 'USD Coin', address: usdcOnBaseSepolia }]
      : [];
  return planGenesis({ tokens, minter, funded: [{ address: minter, wei: 10n ** 21n }] });
}

/** A folder in the temporary one; `remove` it in the end. */
export function aFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'purser-devnet-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A process of `hold.ts`, and what it told once it had started. */
export async function startHolder(
  kind: 'postgres' | 'ephemeral-postgres' | 'anvil' | 'throw-away-anvil' | 'devnet',
  folder: string,
): Promise<{ child: ChildProcess; told: Record<string, unknown>; kill(): Promise<void> }> {
  const script = programArgs('devnet/testing/hold.ts');
  const child = spawn(process.execPath, [...script, kind, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`The holder ended with ${code}.`)));
  });
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return { child, told: JSON.parse(line) as Record<string, unknown>, kill };
}

/** One statement on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** One call to a node. */
export async function call(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const rpc = createRpc({ url, timeoutMs: 20_000 });
  try {
    return await rpc.request(method, params);
  } finally {
    rpc.close();
  }
}

const sender = '0x00000000000000000000000000000000000000ab';

/**
 * Sends `wei` to an address from an account that the node lets us use; answers the transaction's
 * hash once it is in a block.
 */
export async function sendValue(url: string, to: string, wei: bigint): Promise<string> {
  await call(url, 'anvil_setBalance', [sender, '0x3635c9adc5dea00000']);
  await call(url, 'anvil_impersonateAccount', [sender]);
  const hash = String(
    await call(url, 'eth_sendTransaction', [{ from: sender, to, value: `0x${wei.toString(16)}` }]),
  );
  await waitUntil(async () => (await call(url, 'eth_getTransactionReceipt', [hash])) !== null);
  return hash;
}

/** Asks again until it is so. @throws Error after 20 s */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endAt = Date.now() + 20_000; !(await isSo()); ) {
    if (Date.now() > endAt) throw new Error('It did not become so within 20 s.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
