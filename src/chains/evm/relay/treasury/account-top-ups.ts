import { isFundSound } from '../../account/fund.ts';
import { readTransferGas } from '../../account/money.ts';
import {
  type DueTopUp,
  failTopUp,
  noteGiven,
  readDueTopUps,
  wasGivenHere,
} from '../../account/top-ups.ts';
import { starOf } from '../../config/networks.ts';
import { payableFees, sendTx } from '../queue/writer.ts';
import { isPaymentUnderWay } from '../sending/payments.ts';
import { storeTopUp } from '../sending/sends.ts';
import { relayLimits } from '../spending/limits.ts';
import {
  type Account,
  type ChainState,
  nowMs,
  pendingSends,
  raiseAlarm,
  spendableWei,
} from '../state.ts';
import { publishChainAlarm } from '../trust/chain-alarms.ts';

const topUpsPerRoundMax = 16;

/**
 * Executors give accounts of mpc wallets what their next transaction burns, where they send by
 * themselves: one plain transfer each, as their books ask for it.
 */
export async function accountTopUpRound(state: ChainState): Promise<void> {
  const { chain, deps } = state;
  if (!payerOf(state)) return;
  const due = await readDueTopUps(deps.store, { chain, countMax: topUpsPerRoundMax });
  if (due.length === 0) return;
  state.lastWorkAtMs = nowMs();
  const fees = await payableFees(state);
  if (!fees) return;
  for (const topUp of due) {
    const payer = payerOf(state);
    if (!payer) return;
    if (!(await isAllowed(state, topUp)) || (await isPaymentUnderWay(deps.store, topUp))) continue;
    const { address: to, valueWei } = topUp;
    const transfer = { from: payer.lease.address, to, valueWei };
    const gasLimit = await readTransferGas(state.rpc, transfer).catch((error: unknown) =>
      state.log.warn({ err: error, to }, 'no gas is known for a top-up of an account'),
    );
    if (gasLimit === undefined) continue;
    const neededWei = valueWei + gasLimit * fees.maxFeeWei;
    // What watches balances tells of an executor that is short.
    if (spendableWei(payer) < neededWei) return;
    const isSent = await sendTx(state, payer, {
      kind: 'call',
      to,
      valueWei,
      data: new Uint8Array(),
      gasLimit,
      async store(stored) {
        const { lease } = payer;
        const id = await storeTopUp(deps.store, { ...stored, lease, topUpId: topUp.id });
        if (id !== undefined) noteGiven(deps.store, topUp);
        return id;
      },
    });
    if (isSent) state.fed.add(valueWei);
  }
}

/** The executor that can spend most, if any has a place for one more transaction. */
function payerOf(state: ChainState): Account | undefined {
  const { inFlightMax } = state.deps.config.relay;
  return [...state.accounts.values()]
    .filter(
      (account) =>
        account.lease.role === 'executor' &&
        !account.lost &&
        !account.doubt &&
        account.nextNonce !== undefined &&
        account.balanceWei !== undefined &&
        pendingSends(account).length < inFlightMax,
    )
    .toSorted((a, b) => (spendableWei(a) > spendableWei(b) ? -1 : 1))[0];
}

/**
 * Whoever writes the database gets no more out of it than the ceiling of a day, once for each
 * process: a row is sealed, and this process knows what it has given itself.
 */
async function isAllowed(state: ChainState, topUp: DueTopUp): Promise<boolean> {
  const refusal = await refusalOf(state, topUp);
  if (refusal === undefined) return true;
  await failTopUp(state.deps.store, topUp.id);
  raiseAlarm(
    state,
    'account-top-up',
    { account: topUp.address, valueWei: topUp.valueWei.toString() },
    refusal,
    relayLimits.alarmRepeatMs,
  );
  return false;
}

async function refusalOf(state: ChainState, topUp: DueTopUp): Promise<string | undefined> {
  const { topUpDayMaxWei, accountTopUpMaxWei } = state.network.bounds;
  const { store } = state.deps;
  if (wasGivenHere(store, topUp))
    return 'an account was not given its gas twice: somebody set the row of its top-up back';
  if (!(await isFundSound(store, topUp)))
    return 'an account was not given its gas: what it holds of the service is not believed';
  const isOver = state.fed.given() + topUp.valueWei > topUpDayMaxWei;
  const sentence = isOver
    ? `Accounts of mpc wallets got ${state.fed.given()} wei in 24 hours, and with ${topUp.valueWei} more it would be over ${topUpDayMaxWei}: look for whoever causes it (\`purser gas\`), or raise EVM_TOP_UP_DAY_MAX_WEI_${starOf(state.chain)}.`
    : undefined;
  if (sentence !== undefined) await publishChainAlarm(state, 'account-top-ups', sentence);
  return isOver || topUp.valueWei > accountTopUpMaxWei
    ? 'an account was not given its gas: it would be more than is allowed'
    : undefined;
}
