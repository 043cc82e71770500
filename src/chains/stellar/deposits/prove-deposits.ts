import type { Config } from '../../../config/config.ts';
import { readSettledAmounts } from '../../family/proofs/final-balances.ts';
import { proveDeposits, type Witness } from '../../family/proofs/prove-deposits.ts';
import type { Deposits } from '../../family.ts';
import { readLatestLedger } from '../rpc/calls.ts';
import type { StellarConnection, StellarConnections } from '../rpc/connections.ts';
import { readStellarAmounts } from '../tokens/balances.ts';
import { type ReadDepositsDeps, readStellarDeposits } from './read-deposits.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Pick<Config, 'environment' | 'stellar'>;
  readonly connections: StellarConnections;
}

/** As `Deposits.proveDeposits`. */
export async function proveStellarDeposits(
  deps: ProveDepositsDeps,
  input: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  return proveDeposits(
    {
      connections,
      witnessOf: (connection) => createWitness(deps, connection),
      environment: config.environment,
      aloneMaxUsd: config.stellar.depositAloneMaxUsd,
      settings: { aloneMax: 'STELLAR_DEPOSIT_ALONE_MAX_USD', second: 'STELLAR_RPC_SECOND_URL' },
    },
    input,
  );
}

function createWitness(deps: ReadDepositsDeps, connection: StellarConnection): Witness {
  return {
    readHead: async () => BigInt((await readLatestLedger(connection)).sequence),
    readDeposits: (asked) => readStellarDeposits(deps, connection, asked),
    async readHeld(address, token) {
      const { height, amounts } = await readSettledAmounts({
        chain: connection.network.name,
        readAmounts: () =>
          readStellarAmounts({ connection, tokens: deps.tokens, address, asked: [token] }),
      });
      return { height, amountMinor: amounts[0] };
    },
  };
}
