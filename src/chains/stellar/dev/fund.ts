import { Keypair } from '@stellar/stellar-sdk/base';
import type { StellarConfig } from '../../../config/config.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Store } from '../../../store/types.ts';
import { fund, notMintable } from '../../family/funding/fund.ts';
import type { Funding } from '../../family.ts';
import { type MakeReady, readMissing } from '../account/make-ready.ts';
import type { StellarConnections } from '../rpc/connections.ts';
import type { StellarTokens } from '../tokens/tokens.ts';

export interface FundDeps {
  readonly store: Store;
  readonly config: StellarConfig;
  readonly connections: StellarConnections;
  readonly tokens: Pick<StellarTokens, 'describe'>;
  readonly clock: Clock;
  readonly makeReady: MakeReady;
}

type FundInput = Parameters<Funding['fund']>[0];

/**
 * As `Funding.fund`: the treasury issues, once per reference, and the answer waits for the ledger.
 * @throws token-not-supported, upstream-error (the mint failed), provider-unavailable (not
 * confirmed in time)
 */
export async function fundStellarWallet(
  deps: FundDeps,
  input: FundInput,
): Promise<{ txId: string }> {
  const token = await checkMint(deps, input);
  const { reference, chain, amountMinor, recipientAddress: recipient } = input;
  return fund(deps.store, { reference, chain, token, recipient, amountMinor });
}

/**
 * The contract of an asset that the treasury of this instance issues, and that the recipient can
 * hold.
 */
async function checkMint(
  { config, connections, tokens, makeReady, clock }: FundDeps,
  input: FundInput,
): Promise<string> {
  const { chain, token, recipientAddress: holder, findRecipient } = input;
  const connection = await connections.connect(chain);
  if (!connection.network.testnet) throw notMintable(token, 'it is on a main network.');
  const treasury =
    config.treasuryAddress ??
    (config.treasuryKey && treasuryOf(config.treasuryKey.reveal()).publicKey());
  if (treasury === undefined)
    throw notMintable(token, 'this instance has no treasury account; its operator sets one.');
  const { address: contract } = token;
  if (contract === undefined) throw notMintable(token, 'native money cannot be minted.');
  const asset = (await tokens.describe(connection, [contract])).get(contract)?.asset;
  if (asset?.getIssuer() !== treasury)
    throw notMintable(token, 'its issuer is not the treasury of this instance.');
  if (holder.startsWith('C')) return contract;
  const { makesAccount, makesLine } = await readMissing(connection, holder, asset.toString());
  if (!makesAccount && !makesLine) return contract;
  const recipient = await findRecipient?.();
  if (!recipient || !(await makeReady(connection, { recipient, token, now: clock.now() })))
    throw notMintable(
      token,
      `the account ${holder} has no trust line for it; an account makes its own.`,
    );
  return contract;
}

/** @param seed 32 bytes */
export function treasuryOf(seed: Uint8Array): Keypair {
  return Keypair.fromRawEd25519Seed(Buffer.from(seed));
}
