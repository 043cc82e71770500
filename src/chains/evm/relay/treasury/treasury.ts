import { randomUUID } from 'node:crypto';
import { readHourlySpending } from '../../../family/spending/budgets.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import { starOf } from '../../config/networks.ts';
import { RpcError, revertDataOf } from '../../rpc/rpc.ts';
import { recordBalances } from '../accounts.ts';
import { readRevert } from '../queue/reasons.ts';
import { payableFees, sendTx } from '../queue/writer.ts';
import { quantitySchema } from '../rpc-schemas.ts';
import { storeCall } from '../sending/sends.ts';
import { relayLimits, worthwhileGas } from '../spending/limits.ts';
import {
  type Account,
  type ChainState,
  nowMs,
  pendingSends,
  raiseAlarm,
  spendableWei,
} from '../state.ts';
import { publishChainAlarm } from '../trust/chain-alarms.ts';
import {
  enqueueTopUp,
  postponeCall,
  type QueuedCall,
  readDueCalls,
  readToppedUp,
} from './treasury-calls.ts';

/**
 * Remembers the balances just read, raises alarms, and asks for top-ups of executors that run low.
 */
export async function watchBalances(
  state: ChainState,
  accounts: readonly Account[],
): Promise<void> {
  await watchSpending(state);
  for (const account of accounts) {
    account.alarm = await alarmOf(state, account);
    if (account.alarm !== null) {
      raiseAlarm(
        state,
        `balance:${account.lease.address}`,
        {
          account: account.lease.address,
          balanceWei: account.balanceWei?.toString(),
          reason: account.alarm,
        },
        'a relay account is short of funds',
        relayLimits.alarmRepeatMs,
      );
    }
  }
  await recordBalances(
    state.deps.store,
    state.chain,
    accounts.map((account) => ({
      address: account.lease.address,
      balanceWei: account.balanceWei ?? 0n,
      alarm: account.doubt?.alarm ?? account.alarm,
    })),
  );
}

async function watchSpending(state: ChainState): Promise<void> {
  const spentWei = (await readHourlySpending(state.deps.store, 'gas')).get(state.chain) ?? 0n;
  const { spendingAlarmWei } = state.network.bounds;
  await publishChainAlarm(
    state,
    'spending',
    spentWei > spendingAlarmWei
      ? `Gas took ${spentWei} wei in the last hour, more than ${spendingAlarmWei}: look for whoever causes it (\`purser gas\`), or raise EVM_SPENDING_ALARM_WEI_${starOf(state.chain)}.`
      : undefined,
  );
}

async function alarmOf(state: ChainState, account: Account): Promise<string | null> {
  const balanceWei = account.balanceWei ?? 0n;
  if (account.lease.role !== 'executor') return account.alarm;
  // A minimum that does not pay for a batch at today's price is none.
  const batchWei = worthwhileGas * (state.market?.fees.maxFeeWei ?? 0n);
  const { executorBalanceMinWei } = state.deps.config.relay;
  const minWei = executorBalanceMinWei > batchWei ? executorBalanceMinWei : batchWei;
  if (balanceWei >= minWei) return null;
  const treasury = [...state.keys.values()].find((key) => key.role === 'treasury');
  if (!treasury)
    return `Below the minimum balance, and no treasury is configured: send funds to ${account.lease.address}.`;
  const valueWei = minWei * 2n - balanceWei;
  const refusal = await refuseTopUp(state, valueWei);
  if (refusal !== undefined) return refusal;
  const queued = await enqueueTopUp(state.deps.store, {
    chain: state.chain,
    executor: account.lease.address,
    valueWei,
    reference: `top-up:${state.chain}:${randomUUID()}`,
    quietMs: relayLimits.balanceAgeMs * 2,
  });
  if (queued)
    state.log.info(
      { account: account.lease.address, balanceWei: balanceWei.toString() },
      'executor top-up queued',
    );
  return `Below the minimum balance; a top-up from ${treasury.signing.address} is under way.`;
}

/** Whoever empties the executors does not empty the treasury behind them. */
async function refuseTopUp(state: ChainState, valueWei: bigint): Promise<string | undefined> {
  const { topUpDayMaxWei } = state.network.bounds;
  const givenWei = await readToppedUp(state.deps.store, state.chain);
  const isOver = givenWei + valueWei > topUpDayMaxWei;
  const sentence = isOver
    ? `Executors got ${givenWei} wei in 24 hours, and with ${valueWei} more it would be over ${topUpDayMaxWei}: look for whoever causes it (\`purser gas\`), send funds to them yourself, or raise EVM_TOP_UP_DAY_MAX_WEI_${starOf(state.chain)}.`
    : undefined;
  await publishChainAlarm(state, 'top-ups', sentence);
  return sentence === undefined
    ? undefined
    : `Below the minimum balance, and not topped up. ${sentence}`;
}

/** One round of the treasury account, if this process has it: sends what is due and can be paid. */
export async function treasuryRound(state: ChainState): Promise<void> {
  const account = [...state.accounts.values()].find((one) => one.lease.role === 'treasury');
  if (
    !account ||
    account.nextNonce === undefined ||
    account.balanceWei === undefined ||
    account.doubt
  )
    return;
  const slots = state.deps.config.relay.inFlightMax - pendingSends(account).length;
  if (slots <= 0) return;
  const calls = await readDueCalls(state.deps.store, state.chain, slots);
  if (calls.length > 0) state.lastWorkAtMs = nowMs();
  else account.alarm = null;
  for (const call of calls) {
    if (account.lost) return;
    await sendCall(state, account, call);
  }
}

async function sendCall(state: ChainState, account: Account, call: QueuedCall): Promise<void> {
  if (!isOurs(state, call)) return refuseForeign(state, call);
  // Asked for by the database; this process knows what it has given itself.
  if (state.toppedUp.given() + call.valueWei > state.network.bounds.topUpDayMaxWei)
    return refuseForeign(state, call);
  const gasLimit = await callGasLimit(state, account, call);
  if (gasLimit === undefined) return;
  const fees = await payableFees(state);
  if (!fees) return;
  const { maxFeeWei } = fees;
  const neededWei = call.valueWei + gasLimit * maxFeeWei;
  if (spendableWei(account) < neededWei) return reportEmpty(state, account, call, neededWei);
  account.alarm = null;
  const isSent = await sendTx(state, account, {
    kind: 'call',
    to: call.to,
    valueWei: call.valueWei,
    data: call.data,
    gasLimit,
    store: (stored) =>
      storeCall(state.deps.store, { ...stored, lease: account.lease, reference: call.reference }),
  });
  if (isSent) state.toppedUp.add(call.valueWei);
}

/**
 * Whoever writes the table spends nothing: money goes to executors of this process alone, and no
 * more than the ceiling of a day; calls, without money, are made on test networks alone, where they
 * mint.
 */
function isOurs(state: ChainState, { topUpOf, to, valueWei, data }: QueuedCall): boolean {
  if (topUpOf === null) return state.network.testnet && valueWei === 0n;
  return to === topUpOf && data.length === 0 && state.keys.get(topUpOf)?.role === 'executor';
}

async function refuseForeign(
  state: ChainState,
  { reference, to, valueWei }: QueuedCall,
): Promise<void> {
  const error =
    'This is no call that the service makes: it was written behind it, and is not sent.';
  state.log.error(
    {
      alarm: 'row-changed',
      table: 'evm_treasury_calls',
      rowId: reference,
      to,
      valueWei: valueWei.toString(),
    },
    error,
  );
  await postponeCall(state.deps.store, { reference, error, pauseMs: 0, triesMax: 0 });
}

/** The treasury is empty: the call waits, everything else goes on. */
async function reportEmpty(
  state: ChainState,
  account: Account,
  call: QueuedCall,
  neededWei: bigint,
): Promise<void> {
  account.alarm = `The treasury cannot pay ${neededWei} wei: send funds to ${account.lease.address}.`;
  await postponeCall(state.deps.store, {
    reference: call.reference,
    error: account.alarm,
    pauseMs: relayLimits.balanceAgeMs,
    triesMax: null,
  });
  await recordBalances(state.deps.store, state.chain, [
    { address: account.lease.address, balanceWei: account.balanceWei ?? 0n, alarm: account.alarm },
  ]);
  raiseAlarm(
    state,
    `treasury:${account.lease.address}`,
    {
      account: account.lease.address,
      balanceWei: account.balanceWei?.toString(),
      neededWei: neededWei.toString(),
    },
    'the treasury is empty',
    relayLimits.alarmRepeatMs,
  );
}

/** The gas limit of a call; undefined when it would fail, which is recorded with it. */
async function callGasLimit(
  state: ChainState,
  account: Account,
  call: QueuedCall,
): Promise<bigint | undefined> {
  const params: { from: Hex; to: Hex; value: Hex; data: Hex } = {
    from: account.lease.address,
    to: call.to,
    value: `0x${call.valueWei.toString(16)}`,
    data: hexOf(call.data),
  };
  try {
    const gas = quantitySchema.parse(await state.rpc.request('eth_estimateGas', [params]));
    const padded = gas === 21_000n ? gas : (gas * 5n) / 4n;
    return call.gasLimit !== null && call.gasLimit > padded ? call.gasLimit : padded;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (/insufficient (funds|balance)/i.test(error.message)) {
      await reportEmpty(state, account, call, call.valueWei);
      return undefined;
    }
    const reason = readRevert(revertDataOf(error) ?? '0x');
    const sentence = revertDataOf(error) === undefined ? error.message : reason.text;
    await postponeCall(state.deps.store, {
      reference: call.reference,
      error: `The call would fail: ${sentence}`,
      pauseMs: relayLimits.treasuryPauseMs,
      triesMax: relayLimits.treasuryTriesMax,
    });
    state.log.error({ reference: call.reference, reason: sentence }, 'a treasury call would fail');
    return undefined;
  }
}
