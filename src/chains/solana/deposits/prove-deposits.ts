import type { Config } from '../../../config/config.ts';
import { proveDeposits, type Witness } from '../../family/proofs/prove-deposits.ts';
import type { Deposits } from '../../family.ts';
import { readSlot } from '../rpc/calls.ts';
import type { SolanaConnection, SolanaConnections } from '../rpc/connections.ts';
import { readFinalAmounts } from '../tokens/balances.ts';
import { type ReadDepositsDeps, readSolanaDeposits } from './read-deposits.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Config;
  readonly connections: SolanaConnections;
}

/** As {@link ChainFamily.proveDeposits}. */
export async function proveSolanaDeposits(
  deps: ProveDepositsDeps,
  input: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  return proveDeposits(
    {
      connections,
      witnessOf: (connection) => createWitness(deps, connection),
      environment: config.environment,
      aloneMaxUsd: config.solana.depositAloneMaxUsd,
      settings: { aloneMax: 'SOLANA_DEPOSIT_ALONE_MAX_USD', second: 'SOLANA_RPC_SECOND_URL' },
    },
    input,
  );
}

function createWitness(deps: ReadDepositsDeps, connection: SolanaConnection): Witness {
  return {
    readHead: () => readSlot(connection, 'finalized'),
    readDeposits: (asked) =>
      readSolanaDeposits(deps, connection, { ...asked, commitment: 'finalized' }),
    async readHeld(address, token) {
      const { slot, amounts } = await readFinalAmounts(connection, { address, tokens: [token] });
      return { height: slot, amountMinor: amounts[0] };
    },
  };
}
