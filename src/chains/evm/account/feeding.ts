import type { JsonObject } from '../../../lib/json/json.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import type { LateSubject } from '../../family/late/network.ts';
import { type EvmNetwork, starOf } from '../config/networks.ts';
import { dayBoundsOf } from '../config/spending-bounds.ts';
import { type TxContent, unsignedBytes } from '../relay/sending/signing.ts';
import { writeChainAlarm } from '../relay/trust/chain-alarms.ts';
import type { Fees } from '../relay/types.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { readFund } from './fund.ts';
import { type Market, readDataFee } from './market.ts';
import type { NumberedCall } from './stored.ts';
import { requestTopUp } from './top-ups.ts';

/** An operation that is under way. */
export interface Job {
  readonly operation: JsonObject;
  readonly call: NumberedCall;
  readonly of: LateSubject;
}

export type Fee = Omit<Fees, 'legacy'>;

export interface FeedingDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly network: EvmNetwork;
  readonly rpc: RpcClient;
}

/**
 * The native money that an account burns is given to it by an executor: exactly what is missing for
 * one transaction, and never more for one operation than the network's bound. What is missing is
 * told by our own books, not by the node: whatever a balance is said to be, it is given once.
 */
export interface Feeding {
  /**
   * What a transaction of so much gas pays now. Undefined: the account was not given enough for it
   * yet, or no fee that may be paid gets it in. `over`: a budget is used up, in a sentence.
   */
  payable(
    job: Job,
    input: { readonly market: Market; readonly content: TxContent },
  ): Promise<Fee | { readonly over: string } | undefined>;
  /** Whether the account can pay this fee; if not it is asked for what is missing. */
  isAffordable(
    job: Job,
    input: { readonly fee: Fee; readonly content: TxContent },
  ): Promise<boolean>;
}

export function createFeeding({ store, log, network, rpc }: FeedingDeps): Feeding {
  const chain = network.name;
  const fundOf = ({ call: { wallet: address } }: Job) => readFund(store, { chain, address });

  async function ask(
    { call, of }: Job,
    neededWei: bigint,
  ): Promise<{ readonly over: string } | undefined> {
    const { accountTopUpMaxWei, topUpDayMaxWei } = network.bounds;
    const { operationId, projectId, owner } = of;
    const { wallet: address } = call;
    const answer = await requestTopUp(
      store,
      { operationId, projectId, owner, chain, address, neededWei },
      {
        budgets: dayBoundsOf(network.bounds),
        operationMaxWei: accountTopUpMaxWei,
        dayMaxWei: topUpDayMaxWei,
      },
    );
    if (typeof answer === 'object') return answer;
    if (answer === 'asked' || answer === 'open') return undefined;
    const sentence =
      answer === 'day-max'
        ? `Accounts of mpc wallets would get more than ${topUpDayMaxWei} wei in 24 hours: look for whoever causes it (\`purser gas\`), or raise EVM_TOP_UP_DAY_MAX_WEI_${starOf(chain)}.`
        : `The account ${address} would get more than ${accountTopUpMaxWei} wei for the operation ${operationId}: look at its node, or raise EVM_ACCOUNT_TOP_UP_MAX_WEI_${starOf(chain)}.`;
    log.error({ alarm: 'account-top-ups', chain, address, operationId }, sentence);
    await writeChainAlarm(store, { chain, kind: 'account-top-ups', sentence });
    return undefined;
  }

  return {
    async payable(job, { market, content }) {
      const { fees, leastWei, isTooDear } = market;
      const { feeMaxWei } = job.call;
      if (isTooDear || leastWei > feeMaxWei) return undefined;
      const wantedWei = fees.maxFeeWei < feeMaxWei ? fees.maxFeeWei : feeMaxWei;
      const { gasLimit } = content;
      const dataWei = await readDataFee(rpc, unsignedBytes(content, fees));
      const fundWei = (await fundOf(job)) - dataWei;
      const payableWei = fundWei / gasLimit;
      // What is left of earlier operations pays first, as long as it gets this one in.
      const maxFeeWei = payableWei < wantedWei ? payableWei : wantedWei;
      if (maxFeeWei >= leastWei || maxFeeWei >= wantedWei)
        return { maxFeeWei, tipWei: fees.tipWei < maxFeeWei ? fees.tipWei : maxFeeWei };
      return ask(job, wantedWei * gasLimit + dataWei);
    },
    async isAffordable(job, { fee, content }) {
      const dataWei = await readDataFee(rpc, unsignedBytes(content, fee));
      const neededWei = fee.maxFeeWei * content.gasLimit + dataWei;
      const isThere = (await fundOf(job)) >= neededWei;
      if (!isThere) await ask(job, neededWei);
      return isThere;
    },
  };
}
