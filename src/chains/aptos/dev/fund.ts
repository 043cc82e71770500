import { ed25519 } from '@noble/curves/ed25519.js';
import type { AptosConfig } from '../../../config/config.ts';
import type { Store } from '../../../store/types.ts';
import { fund, notMintable } from '../../family/funding/fund.ts';
import type { Funding } from '../../family.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import type { AptosConnections } from '../rpc/connections.ts';
import { readAsset } from '../tokens/assets.ts';
import { readAmount } from '../tokens/views.ts';

export interface FundDeps {
  readonly store: Store;
  readonly config: AptosConfig;
  readonly connections: AptosConnections;
}

/**
 * As `Funding.fund`: the treasury gives of what it holds, once per reference, and the answer waits
 * for the block.
 * @throws token-not-supported, upstream-error (it failed), provider-unavailable (not confirmed in
 * time)
 */
export async function fundAptosWallet(
  { store, config, connections }: FundDeps,
  input: Parameters<Funding['fund']>[0],
) {
  const { reference, chain, token, amountMinor, recipientAddress: recipient } = input;
  const node = await connections.connect(chain);
  if (!node.network.testnet) throw notMintable(token, 'it is on a main network.');
  const treasury =
    config.treasuryAddress ??
    (config.treasuryKey && addressOfEd25519(ed25519.getPublicKey(config.treasuryKey.reveal())));
  if (treasury === undefined)
    throw notMintable(token, 'this instance has no treasury account; its operator sets one.');
  if (token.address === undefined) throw notMintable(token, 'native money is not given.');
  if (token.address !== config.testTokenAddress)
    throw notMintable(token, 'it is not the test token of this instance.');
  const held = (await readAmount(node, treasury, readAsset(token.address))) ?? 0n;
  if (held < amountMinor)
    throw notMintable(
      token,
      `the treasury ${treasury} holds ${held} of its smallest unit: send it more.`,
    );
  return fund(store, { reference, chain, token: token.address, recipient, amountMinor });
}
