import type { Deposits, PayerState } from '../../family.ts';
import { accountKey, readAccountEntry, spendableOf } from '../account/entry.ts';
import { readEntries } from '../rpc/calls.ts';
import { readStellarBalances } from '../tokens/balances.ts';
import type { DepositDeps } from './deposits.ts';

/** What a payer must have for fees: a call's, with room. In stroops. */
const feesMinStroops = 1_000_000n;

/** As `Deposits.payerState`; what an account has to keep for itself is no money of it. */
export async function stellarPayerState(
  { connections, tokens }: DepositDeps,
  {
    chain,
    token,
    amountMinor,
    payerAddress: address,
    sponsored = false,
  }: Parameters<Deposits['payerState']>[0],
): Promise<PayerState> {
  const connection = await connections.connect(chain);
  const { name, native } = connection.network;
  const lumens = { chain: name, locator: `${name}:${native.symbol}`, ...native };
  const [held, all] = await readStellarBalances({
    connection,
    tokens,
    address,
    asked: [token, lumens],
  });
  const isNative = token.address === undefined;
  const spendable = address.startsWith('G') ? await readSpendable() : all!.amountMinor;
  if ((isNative ? spendable : held!.amountMinor) < amountMinor) return 'insufficient-funds';
  if (sponsored) return 'ok';
  return spendable - (isNative ? amountMinor : 0n) < feesMinStroops
    ? 'insufficient-funds-for-gas'
    : 'ok';

  async function readSpendable(): Promise<bigint> {
    const { entries } = await readEntries(connection, [accountKey(address)]);
    const account = readAccountEntry(entries[0]?.data);
    return account ? spendableOf(account) : 0n;
  }
}
