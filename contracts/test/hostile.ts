import { type Abi, type Address, type Hex, encodeFunctionData } from 'viem';
import { fileURLToPath } from 'node:url';
import { type Artifact, compileFolder } from '../compile.ts';
import { type TestChain, deploy, submit } from './chain.ts';

let compiled: readonly Artifact[] | undefined;

/** A contract of the Solidity files beside this. */
export function testArtifact(name: 'Hostile' | 'HostileToken' | 'FakeSafe' | 'ContractOwner' | 'BareBatch'): { readonly abi: Abi; readonly bytecode: Hex } {
  compiled ??= compileFolder(fileURLToPath(new URL('.', import.meta.url)));
  const artifact = compiled.find(({ contractName }) => contractName === name);
  if (!artifact) throw new Error(`No ${name} in contracts/test.`);
  return artifact;
}

/** What a hostile contract does when called; the numbers are those of `Hostile.Mode`. */
const modes = { accept: 0, eatGas: 1, revertBomb: 2, returnBomb: 3, revertWithReason: 4, reenter: 5, reenterAndRevert: 6 } as const;
export type HostileMode = keyof typeof modes;

const abi = () => testArtifact('Hostile').abi;

export async function aHostile(chain: TestChain, mode: HostileMode, bombLength = 0n): Promise<Address> {
  const hostile = await deploy(chain, testArtifact('Hostile'));
  await setMode(chain, hostile, mode, bombLength);
  return hostile;
}

export async function setMode(chain: TestChain, hostile: Address, mode: HostileMode, bombLength = 0n): Promise<void> {
  await submit(chain, { to: hostile, data: setModeData(mode, bombLength) });
}

export function setModeData(mode: HostileMode, bombLength = 0n): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'setMode', args: [modes[mode], bombLength] });
}

/** From now on a call of `hostile` makes it call `target`. */
export async function setReentry(chain: TestChain, hostile: Address, target: Address, payload: Hex, mode: 'reenter' | 'reenterAndRevert' = 'reenter'): Promise<void> {
  await submit(chain, { to: hostile, data: encodeFunctionData({ abi: abi(), functionName: 'setReentry', args: [modes[mode], target, payload] }) });
}

/** How often `hostile` called its target, and how often that worked. */
export async function readReentries(chain: TestChain, hostile: Address): Promise<{ readonly tried: bigint; readonly succeeded: bigint }> {
  const read = (functionName: string) => chain.client.readContract({ address: hostile, abi: abi(), functionName }) as Promise<bigint>;
  return { tried: await read('reentered'), succeeded: await read('reentrySucceeded') };
}

/** Calldata that makes a hostile contract call, or delegatecall, somebody else. */
export function throughHostile(how: 'forward' | 'delegate', to: Address, data: Hex): Hex {
  return encodeFunctionData({ abi: abi(), functionName: how, args: [to, data] });
}
