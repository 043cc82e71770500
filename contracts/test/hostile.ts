import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem';
import { type Artifact, compileFolder, solcVersion } from '../compile.ts';
import { deploy, submit, type TestChain } from './chain.ts';

let compiled: readonly Artifact[] | undefined;

/** Compiled once per content of the sources: each test file runs in a process of its own. */
function compileOnce(): readonly Artifact[] {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const digest = createHash('sha256')
    .update(JSON.stringify([sources, solcVersion(), 'legacy']))
    .digest('hex');
  const cache = join(tmpdir(), `purser-test-contracts-${digest}.json`);
  if (existsSync(cache)) return JSON.parse(readFileSync(cache, 'utf8')) as Artifact[];
  const artifacts = compileFolder(folder, 'legacy');
  // Renamed when whole, since another test file may read at the same time.
  writeFileSync(`${cache}.${process.pid}`, JSON.stringify(artifacts));
  renameSync(`${cache}.${process.pid}`, cache);
  return artifacts;
}

export type TestContract =
  | 'Hostile'
  | 'HostileToken'
  | 'FakeSafe'
  | 'ContractOwner'
  | 'BareBatch'
  | 'FeeToken'
  | 'OddToken'
  | 'ContractSigner'
  | 'GasTrap';

/** A contract of the Solidity files beside this. */
export function testArtifact(name: TestContract): { readonly abi: Abi; readonly bytecode: Hex } {
  compiled ??= compileOnce();
  const artifact = compiled.find(({ contractName }) => contractName === name);
  if (!artifact) throw new Error(`No ${name} in contracts/test.`);
  return artifact;
}

/** What a hostile contract does when called; the numbers are those of `Hostile.Mode`. */
const modes = {
  accept: 0,
  eatGas: 1,
  revertBomb: 2,
  returnBomb: 3,
  revertWithReason: 4,
  reenter: 5,
  reenterAndRevert: 6,
} as const;
export type HostileMode = keyof typeof modes;

const abi = () => testArtifact('Hostile').abi;

export async function aHostile(
  chain: TestChain,
  mode: HostileMode,
  bombLength = 0n,
): Promise<Address> {
  const hostile = await deploy(chain, testArtifact('Hostile'));
  await setMode(chain, hostile, mode, bombLength);
  return hostile;
}

export async function setMode(
  chain: TestChain,
  hostile: Address,
  mode: HostileMode,
  bombLength = 0n,
): Promise<void> {
  await submit(chain, { to: hostile, data: setModeData(mode, bombLength) });
}

export function setModeData(mode: HostileMode, bombLength = 0n): Hex {
  return encodeFunctionData({
    abi: abi(),
    functionName: 'setMode',
    args: [modes[mode], bombLength],
  });
}

/** From now on a call of `hostile` makes it call `target`. */
export async function setReentry(
  chain: TestChain,
  hostile: Address,
  target: Address,
  payload: Hex,
  mode: 'reenter' | 'reenterAndRevert' = 'reenter',
): Promise<void> {
  await submit(chain, {
    to: hostile,
    data: encodeFunctionData({
      abi: abi(),
      functionName: 'setReentry',
      args: [modes[mode], target, payload],
    }),
  });
}

/** How often `hostile` called its target, and how often that worked. */
export async function readReentries(
  chain: TestChain,
  hostile: Address,
): Promise<{ readonly tried: bigint; readonly succeeded: bigint }> {
  const read = (functionName: string) =>
    chain.client.readContract({ address: hostile, abi: abi(), functionName }) as Promise<bigint>;
  return { tried: await read('reentered'), succeeded: await read('reentrySucceeded') };
}

/** Calldata that makes a hostile contract call, or delegatecall, somebody else. */
export function throughHostile(how: 'forward' | 'delegate', to: Address, data: Hex): Hex {
  return encodeFunctionData({ abi: abi(), functionName: how, args: [to, data] });
}
