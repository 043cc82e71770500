import type { Config } from '../../../config/config.ts';
import { proveDeposits, type Witness } from '../../family/proofs/prove-deposits.ts';
import type { Deposits } from '../../family.ts';
import { starOf } from '../config/networks.ts';
import { type EvmConnection, type EvmConnections, nodeError } from '../rpc/connections.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { readBalancesAt } from '../tokens/balances.ts';
import {
  type ReadDepositsDeps,
  readEvmDeposits,
  readFinalHeight,
  readHead,
} from '../watcher/index.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Config;
  readonly connections: EvmConnections;
}

interface Prover {
  readonly connection: EvmConnection;
  readonly rpc: RpcClient;
}

/** As {@link ChainFamily.proveDeposits}. */
export async function proveEvmDeposits(
  deps: ProveDepositsDeps,
  input: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  const { name } = connections.requireNetwork(input.chain);
  return proveDeposits<Prover>(
    {
      connections: {
        connect: async (chain) => ({
          connection: await connections.connect(chain),
          rpc: connections.rpcOf(chain),
        }),
        connectSecond: (chain) => connections.connectSecond(chain),
      },
      witnessOf: (prover) => createWitness(deps, prover),
      environment: config.environment,
      aloneMaxUsd: config.evm.depositAloneMaxUsd,
      settings: {
        aloneMax: 'EVM_DEPOSIT_ALONE_MAX_USD',
        second: `EVM_RPC_SECOND_URL_${starOf(name)}`,
      },
    },
    { ...input, chain: name },
  );
}

function createWitness(deps: ReadDepositsDeps, { connection, rpc }: Prover): Witness {
  const readHeight = async () => {
    try {
      return await readFinalHeight(rpc, connection.network.finality, await readHead(rpc));
    } catch (error) {
      throw nodeError(error, connection.network.name);
    }
  };
  return {
    readHead: readHeight,
    async readDeposits(asked) {
      const posted = await readEvmDeposits(deps, { ...connection, rpc }, asked);
      // As it was recorded: `canonicalAddress`.
      return {
        ...posted,
        transfers: posted.transfers.map((transfer) => ({
          ...transfer,
          sender: transfer.sender.toLowerCase(),
        })),
      };
    },
    async readHeld(address, token) {
      const height = await readHeight();
      const [amountMinor] = await readBalancesAt(connection, { address, tokens: [token], height });
      return { height, amountMinor };
    },
  };
}
