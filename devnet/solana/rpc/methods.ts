import type { Chain } from '../chain.ts';
import { accountMethods } from './accounts.ts';
import { blockMethods } from './blocks.ts';
import { controlMethods } from './control.ts';
import { codes, RpcError } from './errors.ts';
import { transactionMethods } from './transactions.ts';

export type Methods = Readonly<
  Record<string, (chain: Chain, params: readonly unknown[]) => unknown>
>;

const methods = new Map(
  Object.entries({ ...accountMethods, ...blockMethods, ...controlMethods, ...transactionMethods }),
);

/** Methods of a cluster that are not here, and what to do. */
const absent: Readonly<Record<string, string>> = {
  getBlockCommitment: 'there are no validators: read confirmationStatus of getSignatureStatuses',
  getBlockProduction: 'there are no validators',
  getClusterNodes: 'there are no validators',
  getHighestSnapshotSlot: 'there are no snapshots: read getFirstAvailableBlock',
  getInflationGovernor: 'there is no inflation',
  getInflationRate: 'there is no inflation',
  getInflationReward: 'there is no inflation',
  getLargestAccounts: 'ask for the accounts that you know with getMultipleAccounts',
  getLeaderSchedule: 'there are no validators',
  getMaxRetransmitSlot: 'there are no validators: read getSlot',
  getMaxShredInsertSlot: 'there are no validators: read getSlot',
  getSlotLeader: 'there are no validators',
  getSlotLeaders: 'there are no validators',
  getStakeMinimumDelegation: 'there is no staking',
  getSupply: 'the supply here means nothing',
  getTokenLargestAccounts: 'use getProgramAccounts with a memcmp filter on the mint',
  getVoteAccounts: 'there are no validators',
};

/** @throws RpcError */
export async function callMethod(
  chain: Chain,
  name: string,
  params: readonly unknown[],
): Promise<unknown> {
  const method = methods.get(name);
  if (method) return method(chain, params);
  const advice = absent[name];
  throw new RpcError(
    codes.methodNotFound,
    advice === undefined
      ? `Method not found: ${name.slice(0, 100)}`
      : `Method not found: ${name} is not served by this local emulator of Solana: ${advice}.`,
  );
}
