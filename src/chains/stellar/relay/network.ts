import type { JsonObject } from '../../../lib/json/json.ts';
import type { LateNetwork } from '../../family/late/network.ts';
import { readSetUpBytes } from '../account/set-up.ts';
import { readFeeBump } from '../classic/fee-bump.ts';
import { isClassic } from '../classic/stored.ts';
import { send } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { freeChannels } from './channels.ts';
import { callKind } from './kinds/calls.ts';
import { classicKind } from './kinds/classic.ts';
import type { KindDeps } from './kinds/kind.ts';
import { setUpKind } from './kinds/set-ups.ts';

export interface StellarNetworkDeps extends KindDeps {
  readonly connect: () => Promise<StellarConnection>;
}

/**
 * What the relay of intents asks of Stellar. A transaction names the first ledger that does not
 * take it any more; until then the same bytes are sent, and nothing else of the operation.
 */
export function createStellarNetwork(deps: StellarNetworkDeps): LateNetwork {
  const { network, connect } = deps;
  const kinds = { call: callKind(deps), 'set-up': setUpKind(deps), classic: classicKind(deps) };
  const kindOf = (value: JsonObject) => kinds[operationKind(value)];
  return {
    build: async (operation, { operationId }) =>
      kindOf(operation).build(await connect(), { operation, operationId }),
    complete: async (value, built, signature) => kindOf(value).complete(value, built, signature),
    identify: (value, raw) => kindOf(value).identify(value, raw),
    async send(raw) {
      const { status, errorResultXdr } = await send(
        await connect(),
        Buffer.from(raw).toString('base64'),
      );
      if (status === 'ERROR' || status === 'TRY_AGAIN_LATER')
        throw new Error(`The node did not take it: ${errorResultXdr?.result.type ?? status}`);
    },
    look: async (sent) =>
      kinds[kindOfBytes(sent.raw, network.passphrase)].look(await connect(), sent),
    ended: (tx, operationIds) => freeChannels(tx, network.name, operationIds),
  };
}

type OperationKind = 'call' | 'set-up' | 'classic';

/** What is sent for an operation. */
export function operationKind(value: JsonObject): OperationKind {
  if (isClassic(value)) return 'classic';
  return value['kind'] === 'set-up' ? 'set-up' : 'call';
}

function kindOfBytes(raw: Uint8Array, passphrase: string): OperationKind {
  if (readFeeBump(raw, passphrase)) return 'classic';
  return readSetUpBytes(raw, passphrase) ? 'set-up' : 'call';
}
