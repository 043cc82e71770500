import { recordFeeAccounts } from '../../family/spending/accounts.ts';
import { readAccounts } from '../operation/node.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import type { SigningAccount } from './keys.ts';
import { topUp } from './top-up.ts';
import type { RelayDeps } from './types.ts';

/** What the accounts of the service hold: looked at, told, and topped up from the treasury. */

const seen = new WeakMap<RelayDeps, ReadonlyMap<string, bigint>>();

/** Those that can pay, the richest first. */
export function payersByBalance(deps: RelayDeps): SigningAccount[] {
  const balances = seen.get(deps) ?? new Map<string, bigint>();
  const of = ({ address }: SigningAccount) => balances.get(address) ?? 0n;
  return deps.feePayers.filter((payer) => of(payer) > 0n).toSorted((a, b) => (of(a) < of(b) ? 1 : of(a) > of(b) ? -1 : 0));
}

export async function watchBalances(deps: RelayDeps, connection: SolanaConnection): Promise<void> {
  const { feePayers, treasury, settings } = deps;
  const accounts = [...feePayers, ...(treasury ? [treasury] : [])];
  const found = await readAccounts(
    connection,
    accounts.map(({ address }) => address),
  );
  const balances = new Map(accounts.map(({ address }, index) => [address as string, found[index]?.lamports ?? 0n]));
  seen.set(deps, balances);
  const short = feePayers.filter(({ address }) => balances.get(address)! < settings.feePayerBalanceMinLamports);
  const refusal = treasury && (await topUp(deps, connection, { treasury, treasuryLamports: balances.get(treasury.address)!, short }));
  const alarm = `It holds less than ${settings.feePayerBalanceMinLamports} lamports: send it SOL.${refusal === undefined ? '' : ` ${refusal}`}`;
  await recordFeeAccounts(
    deps.store,
    deps.chain,
    accounts.map((account) => ({
      address: account.address,
      role: account === treasury ? 'treasury' : 'fee-payer',
      balanceMinor: balances.get(account.address)!,
      alarm: short.includes(account) ? alarm : undefined,
    })),
  );
}
