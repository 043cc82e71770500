import { setTimeout as delay } from 'node:timers/promises';
import bs58 from 'bs58';
import type { SolanaConfig } from '../../../config/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Store } from '../../../store/types.ts';
import type { Funding } from '../../family.ts';
import { readAccounts } from '../rpc/calls.ts';
import type { SolanaConnections } from '../rpc/connections.ts';
import { insertMint, selectMint } from './store.ts';

export interface FundDeps {
  readonly store: Store;
  readonly config: SolanaConfig;
  readonly connections: SolanaConnections;
}

const firstPauseMs = 50;
const pauseMaxMs = 1_000;
/** Whoever waits has gone by then; the mint itself stays in the worker's hands. */
const waitMaxMs = 60_000;

/**
 * As {@link ChainFamily.fund}: the treasury mints, once per reference, and the answer waits for the block.
 * @throws token-not-supported, upstream-error (the mint failed), provider-unavailable (not confirmed in time)
 */
export async function fundSolanaWallet(deps: FundDeps, input: Parameters<Funding['fund']>[0]): Promise<{ txId: string }> {
  const mint = await checkMint(deps, input);
  const { reference, chain, amountMinor, recipientAddress: recipient } = input;
  await insertMint(deps.store, { reference, chain, mint, recipient, amountMinor });
  return waitForMint(deps.store, reference);
}

/** The mint that belongs to the treasury of this instance. */
async function checkMint({ config, connections }: FundDeps, { chain, token }: Parameters<Funding['fund']>[0]): Promise<string> {
  const refuse = (reason: string) =>
    new ServiceError('token-not-supported', {
      message: `${token.symbol ?? token.address ?? 'The native token'} on "${chain}" cannot be minted here: ${reason}`,
    });
  const connection = await connections.connect(chain);
  if (!connection.network.testnet) throw refuse('it is on a main network.');
  const treasury = config.treasuryAddress ?? (config.treasuryKey && bs58.encode(config.treasuryKey.reveal().subarray(32)));
  if (treasury === undefined) throw refuse('this instance has no treasury account; its operator sets one.');
  if (token.address === undefined) throw refuse('native money cannot be minted.');
  const { data } = (await readAccounts(connection, [token.address], { commitment: 'confirmed' })).accounts[0] ?? {};
  const hasAuthority = data !== undefined && data.length >= 36 && Buffer.from(data).readUInt32LE(0) === 1;
  if (!hasAuthority || bs58.encode(data.subarray(4, 36)) !== treasury)
    throw refuse('its mint authority is not the treasury of this instance.');
  return token.address;
}

async function waitForMint(store: Store, reference: string): Promise<{ txId: string }> {
  let pauseMs = firstPauseMs;
  for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs)) {
    const state = await selectMint(store, reference);
    if (state?.status === 'done' && state.signature !== null) return { txId: state.signature };
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
