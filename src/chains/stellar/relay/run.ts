import { runLateRelay } from '../../family/late/run.ts';
import type { LateRelayDeps } from '../../family/late/types.ts';
import type { Running } from '../../family.ts';
import { recordChannels } from './channels.ts';
import { createStellarNetwork, onChainOf, type StellarNetworkDeps } from './network.ts';

export type StellarRelayDeps = Omit<LateRelayDeps, 'network' | 'chain' | 'onChainOf' | 'unit' | 'signBuilt'> &
  Omit<StellarNetworkDeps, 'db'>;

/**
 * Sends approved operations until stopped. What it builds is signed by accounts of the service alone: signers of the wallet have signed
 * the operation already.
 */
export async function runStellarRelay({ network, connect, channels, isEmpty, ...deps }: StellarRelayDeps): Promise<Running> {
  await recordChannels(
    deps.store,
    network.name,
    channels.map(({ address }) => address),
  );
  return runLateRelay({
    ...deps,
    chain: network.name,
    network: createStellarNetwork({ db: deps.store, network, connect, channels, isEmpty }),
    onChainOf: (txId) => onChainOf(network, txId),
    unit: 'stroops',
    signBuilt: async () => new Uint8Array(),
  });
}
