import type { SuiConfig } from '../../../config/config.ts';
import type { Store } from '../../../store/types.ts';
import { fund, notMintable } from '../../family/funding/fund.ts';
import type { Funding } from '../../family.ts';
import { canonicalSuiAddress } from '../addresses.ts';
import { createSigningAccount } from '../relay/keys.ts';
import type { SuiConnections } from '../rpc/connections.ts';
import { readTreasuryCap } from '../rpc/objects.ts';

export interface FundDeps {
  readonly store: Store;
  readonly config: Pick<SuiConfig, 'treasuryAddress' | 'treasuryKey'>;
  readonly connections: SuiConnections;
}

/**
 * As `Funding.fund`: the treasury mints, once per reference, and the answer waits for the
 * checkpoint.
 * @throws token-not-supported, upstream-error (the mint failed), provider-unavailable (not
 * confirmed in time)
 */
export async function fundSuiWallet(
  deps: FundDeps,
  input: Parameters<Funding['fund']>[0],
): Promise<{ txId: string }> {
  const token = await checkMint(deps, input);
  const { reference, chain, amountMinor, recipientAddress } = input;
  return fund(deps.store, {
    reference,
    chain,
    token,
    recipient: canonicalSuiAddress(recipientAddress),
    amountMinor,
  });
}

/** The type of coins whose cap the treasury of this instance has. */
async function checkMint(
  { config, connections }: FundDeps,
  { chain, token }: Parameters<Funding['fund']>[0],
): Promise<string> {
  const refuse = (reason: string) => notMintable(token, reason);
  const connection = await connections.connect(chain);
  if (!connection.network.testnet) throw refuse('it is on a main network.');
  const owner =
    config.treasuryAddress ??
    (config.treasuryKey && createSigningAccount(config.treasuryKey).address);
  if (owner === undefined)
    throw refuse('this instance has no treasury account; its operator sets one.');
  const { address: coinType } = token;
  if (coinType === undefined) throw refuse('native money cannot be minted.');
  if (!(await readTreasuryCap(connection, { owner, coinType })))
    throw refuse('its treasury cap is not owned by the treasury of this instance.');
  return coinType;
}
