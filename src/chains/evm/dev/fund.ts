import { setTimeout as delay } from 'node:timers/promises';
import { privateKeyToAddress } from 'viem/accounts';
import type { EvmConfig } from '../../../config/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Store } from '../../../store/types.ts';
import type { Funding } from '../../family.ts';
import { type Hex, wordOf, wordOfAddress } from '../abi/words.ts';
import { enqueueTreasuryCall, readTreasuryCall } from '../relay/index.ts';
import { readWords } from '../rpc/bulk-read.ts';
import type { EvmConnections } from '../rpc/connections.ts';

export interface FundDeps {
  readonly store: Store;
  readonly config: EvmConfig;
  readonly connections: EvmConnections;
}

type FundInput = Parameters<Funding['fund']>[0];

/** mint(address,uint256) and OWNER() of contracts/src/TestToken.sol. */
const mintSelector = '40c10f19';
const ownerSelector = '0x117803e3';
const mintGas = 120_000n;
const firstPauseMs = 50;
const pauseMaxMs = 1_000;
/** Whoever waits has gone by then; the mint itself stays in the relay's hands. */
const waitMaxMs = 60_000;

/**
 * As {@link ChainFamily.fund}: the treasury mints, once per reference, and the answer waits for the
 * block.
 * @throws token-not-supported, upstream-error (the mint reverted), provider-unavailable (not
 * confirmed in time)
 */
export async function fundEvmWallet(deps: FundDeps, input: FundInput): Promise<{ txId: string }> {
  const call = await mintCall(deps, input);
  await deps.store.transaction((tx) =>
    enqueueTreasuryCall(tx, {
      reference: input.reference,
      chain: input.chain,
      valueWei: 0n,
      gasLimit: mintGas,
      ...call,
    }),
  );
  return waitForMint(deps.store, input.reference);
}

async function mintCall(
  { config, connections }: FundDeps,
  { chain, token, amountMinor, recipientAddress }: FundInput,
): Promise<{ to: Hex; data: Hex }> {
  const refuse = (reason: string) =>
    new ServiceError('token-not-supported', {
      message: `${token.symbol ?? token.address ?? 'The native token'} on "${chain}" cannot be minted here: ${reason}`,
    });
  const connection = await connections.connect(chain);
  if (!connection.network.testnet) throw refuse('it is on a main network.');
  const treasury =
    config.treasuryAddress ??
    (config.treasuryKey && privateKeyToAddress(config.treasuryKey.reveal()));
  if (treasury === undefined)
    throw refuse('this instance has no treasury account; its operator sets one.');
  if (token.address === undefined) throw refuse('native money cannot be minted.');
  const [owner] = await readWords(connection, [{ to: token.address, data: ownerSelector }]);
  if (owner !== BigInt(treasury))
    throw refuse('its contract does not belong to the treasury of this instance.');
  return {
    to: token.address as Hex,
    data: `0x${mintSelector}${wordOfAddress(recipientAddress)}${wordOf(amountMinor)}`,
  };
}

async function waitForMint(store: Store, reference: string): Promise<{ txId: string }> {
  let pauseMs = firstPauseMs;
  for (
    let waitedMs = 0;
    waitedMs < waitMaxMs;
    waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs)
  ) {
    const state = await readTreasuryCall(store, reference);
    if (state?.status === 'done' && state.txHash !== null) return { txId: state.txHash };
    if (state?.status === 'failed')
      throw new ServiceError('upstream-error', {
        message: 'The mint failed on the chain. Try again with a new idempotency key.',
        cause: state.error,
      });
    await delay(pauseMs);
  }
  throw new ServiceError('provider-unavailable', {
    message:
      'The mint is not confirmed yet; it may still happen. Read the balance before you try again, or repeat with the same x-idempotency-key.',
  });
}
