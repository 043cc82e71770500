import type { Config } from '../../../config/config.ts';
import { proveDeposits, type Witness } from '../../family/proofs/prove-deposits.ts';
import type { Deposits } from '../../family.ts';
import { readHead } from '../rpc/checkpoints.ts';
import type { SuiConnection, SuiConnections } from '../rpc/connections.ts';
import { readBalancesAt } from '../tokens/final-balances.ts';
import { type ReadDepositsDeps, readSuiDeposits } from './read-deposits.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Pick<Config, 'environment' | 'sui'>;
  readonly connections: SuiConnections;
}

/** As `Deposits.proveDeposits`. The bytes of a transaction have its digest. */
export async function proveSuiDeposits(
  deps: ProveDepositsDeps,
  input: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  return proveDeposits(
    {
      connections,
      witnessOf: (connection) => createWitness(deps, connection),
      environment: config.environment,
      aloneMaxUsd: config.sui.depositAloneMaxUsd,
      settings: { aloneMax: 'SUI_DEPOSIT_ALONE_MAX_USD', second: 'SUI_RPC_SECOND_URL' },
    },
    input,
  );
}

function createWitness(deps: ReadDepositsDeps, connection: SuiConnection): Witness {
  return {
    readHead: async () => (await readHead(connection)).checkpoint,
    readDeposits: (asked) => readSuiDeposits(deps, connection, asked),
    async readHeld(address, token) {
      const { height, balances } = await readBalancesAt(connection, { address, tokens: [token] });
      return { height, amountMinor: balances[0]!.amountMinor };
    },
  };
}
