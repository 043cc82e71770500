import { factsOf } from '../../chains/families.ts';
import type { ChainFamily, Networks } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { selectTransferChains } from '../activity/index.ts';
import { selectTransactionChains } from '../transactions/index.ts';

/** Chains that are read without being named. */
export const defaultChainsMax = 10;

/**
 * Chains read where the caller names none: those on which this wallet has transactions or
 * transfers, in the order of first use, at most ten. Nothing that another wallet does changes them.
 * A wallet that has none yet gets one chain.
 * @throws chain-not-supported when this instance has no network of the family
 */
export async function selectDefaultChains(
  ctx: Pick<Ctx, 'store' | 'config'>,
  family: ChainFamily,
  walletId: string,
): Promise<string[]> {
  const [sent, moved] = await Promise.all([
    selectTransactionChains(ctx.store, walletId),
    selectTransferChains(ctx.store, walletId),
  ]);
  const inOrder = [...sent, ...moved].sort(
    (a, b) => a.firstAt.getTime() - b.firstAt.getTime() || (a.chain < b.chain ? -1 : 1),
  );
  const used = [...new Set(inOrder.map(({ chain }) => chain))].filter((chain) =>
    isUsable(family, chain),
  );
  return used.length > 0 ? used.slice(0, defaultChainsMax) : [firstChainOf(ctx, family)];
}

function firstChainOf(ctx: Pick<Ctx, 'config'>, family: ChainFamily): string {
  const preferred = factsOf(family.chainType).firstChain?.[
    ctx.config.environment === 'production' ? 'production' : 'test'
  ];
  if (preferred !== undefined && isUsable(family, preferred)) return preferred;
  const first = family.networks.find((network) => isUsable(family, network.name));
  if (!first)
    throw new ServiceError('chain-not-supported', {
      message: `No network of ${family.chainType} is configured on this instance: its operator adds one.`,
    });
  return first.name;
}

/**
 * False as well for a main name that stands for its test network: that one is in the list under its
 * own name.
 */
function isUsable(family: Networks, chain: string): boolean {
  try {
    return family.requireNetwork(chain).name === chain;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'chain-not-supported') return false;
    throw error;
  }
}
