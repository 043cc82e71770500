import { runLateRelay } from '../../family/late/run.ts';
import type { LateRelayDeps } from '../../family/late/types.ts';
import type { ChainEntrances, Running } from '../../family.ts';
import { setUpSubject } from '../account/make-ready.ts';
import { endOpenings } from '../account/openings.ts';
import { recordChannels } from './channels.ts';
import { onChainOf } from './kinds/kind.ts';
import { createStellarNetwork, operationKind, type StellarNetworkDeps } from './network.ts';

export type StellarRelayDeps = Omit<
  LateRelayDeps,
  'network' | 'chain' | 'onChainOf' | 'kind' | 'unit'
> &
  Omit<StellarNetworkDeps, 'db'>;

/** Sends approved operations, and makes accounts of wallets, until stopped. */
export async function runStellarRelay({
  network,
  connect,
  channels,
  isEmpty,
  ...deps
}: StellarRelayDeps): Promise<Running> {
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
    kind: 'fees',
    unit: 'stroops',
    settleOperations: settleWith(deps),
    // What signers of the wallet have approved is signed by accounts of the service alone.
    signBuilt: async (input) =>
      operationKind(input.operation) === 'call' ? new Uint8Array() : deps.signBuilt(input),
  });
}

/** Set-ups are the family's own: no area hears of them. */
function settleWith({
  settleOperations,
}: Pick<ChainEntrances, 'settleOperations'>): ChainEntrances['settleOperations'] {
  return async (tx, outcomes) => {
    const made = outcomes.filter(({ subject }) => subject === setUpSubject);
    const others = outcomes.filter(({ subject }) => subject !== setUpSubject);
    if (made.length > 0)
      await endOpenings(
        tx,
        made.map((outcome) => ({
          operationId: outcome.operationId,
          failed: outcome.status === 'failed' ? outcome.error.message : undefined,
        })),
      );
    if (others.length > 0) await settleOperations(tx, others);
  };
}
