import bs58 from 'bs58';
import type { SolanaConfig } from '../../../config/config.ts';
import type { Store } from '../../../store/types.ts';
import { fund, notMintable } from '../../family/funding/fund.ts';
import type { Funding } from '../../family.ts';
import { readAccounts } from '../rpc/calls.ts';
import type { SolanaConnections } from '../rpc/connections.ts';

export interface FundDeps {
  readonly store: Store;
  readonly config: SolanaConfig;
  readonly connections: SolanaConnections;
}

/**
 * As {@link ChainFamily.fund}: the treasury mints, once per reference, and the answer waits for the
 * block.
 * @throws token-not-supported, upstream-error (the mint failed), provider-unavailable (not
 * confirmed in time)
 */
export async function fundSolanaWallet(
  deps: FundDeps,
  input: Parameters<Funding['fund']>[0],
): Promise<{ txId: string }> {
  const mint = await checkMint(deps, input);
  const { reference, chain, amountMinor, recipientAddress: recipient } = input;
  return fund(deps.store, { reference, chain, token: mint, recipient, amountMinor });
}

/** The mint that belongs to the treasury of this instance. */
async function checkMint(
  { config, connections }: FundDeps,
  { chain, token }: Parameters<Funding['fund']>[0],
): Promise<string> {
  const refuse = (reason: string) => notMintable(token, reason);
  const connection = await connections.connect(chain);
  if (!connection.network.testnet) throw refuse('it is on a main network.');
  const treasury =
    config.treasuryAddress ??
    (config.treasuryKey && bs58.encode(config.treasuryKey.reveal().subarray(32)));
  if (treasury === undefined)
    throw refuse('this instance has no treasury account; its operator sets one.');
  if (token.address === undefined) throw refuse('native money cannot be minted.');
  const { data } =
    (await readAccounts(connection, [token.address], { commitment: 'confirmed' })).accounts[0] ??
    {};
  const hasAuthority =
    data !== undefined && data.length >= 36 && Buffer.from(data).readUInt32LE(0) === 1;
  if (!hasAuthority || bs58.encode(data.subarray(4, 36)) !== treasury)
    throw refuse('its mint authority is not the treasury of this instance.');
  return token.address;
}
