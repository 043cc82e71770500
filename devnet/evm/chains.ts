import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../errors.ts';
import type { LocalChain, LocalNode } from '../local-chain.ts';
import { endOrphan, hasOrphan, startAnvil } from './anvil.ts';
import { alignClock, readPendingTime } from './anvil-clock.ts';
import { type GenesisPlan, prepareGenesis } from './genesis.ts';
import { advanceTime } from './reorg.ts';

export interface EvmChainName {
  /** Chain name of the interface, e.g. `base-sepolia`. */
  readonly name: string;
  readonly chainId: number;
  /** As {@link AnvilOptions.hardfork}. */
  readonly hardfork?: string | undefined;
}

export interface EvmChainsOptions<Chain extends EvmChainName> {
  /** Where the chains are kept between starts. */
  readonly dataDir: string;
  readonly chains: readonly Chain[];
  /** What a chain holds before its first use; called when a chain is started. */
  readonly genesis: (chain: Chain) => GenesisPlan;
  readonly onProgress: Log;
  /**
   * The service's time, which may be moved: a chain that is started is moved along. Absent: the
   * machine's.
   */
  readonly now?: () => Date;
}

const stateSuffix = '.state';

/** Local EVM chains, one anvil each. */
export function evmChains<Chain extends EvmChainName>(
  options: EvmChainsOptions<Chain>,
): readonly LocalChain[] {
  return options.chains.map((chain) => {
    const stateFile = join(options.dataDir, `${chain.name}${stateSuffix}`);
    return {
      name: chain.name,
      chainId: chain.chainId,
      start: () => start(chain, stateFile, options),
      hasOrphan: () => hasOrphan(stateFile),
      async reset() {
        await endOrphan(stateFile, options.onProgress);
        for (const file of filesOf(options.dataDir, chain.name))
          rmSync(join(options.dataDir, file), { recursive: true, force: true });
      },
    };
  });
}

async function start<Chain extends EvmChainName>(
  chain: Chain,
  stateFile: string,
  { genesis, onProgress, now }: EvmChainsOptions<Chain>,
): Promise<LocalNode> {
  const { chainId, hardfork } = chain;
  const anvil = await startAnvil({ chainId, hardfork, stateFile, log: onProgress });
  try {
    if (now) await alignClock(anvil.url, now());
    if (await prepareGenesis(anvil.url, genesis(chain))) await anvil.save();
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return {
    ...anvil,
    time: () => readPendingTime(anvil.url),
    advanceTime: (seconds) => advanceTime(anvil.url, seconds),
  };
}

function filesOf(dataDir: string, name: string): string[] {
  return existsSync(dataDir)
    ? readdirSync(dataDir).filter((file) => file.startsWith(`${name}${stateSuffix}`))
    : [];
}

/**
 * Ends nodes of an earlier process that was killed, saving what they hold, but those of chains that
 * go on.
 */
export async function endStrayAnvils(
  dataDir: string,
  { goesOn, log }: { readonly goesOn: (name: string) => boolean; readonly log: Log },
) {
  const names = readdirSync(dataDir).flatMap((file) =>
    file.endsWith(`${stateSuffix}.pid`) ? [file.slice(0, -`${stateSuffix}.pid`.length)] : [],
  );
  await Promise.all(
    names
      .filter((name) => !goesOn(name))
      .map((name) => endOrphan(join(dataDir, `${name}${stateSuffix}`), log)),
  );
}
