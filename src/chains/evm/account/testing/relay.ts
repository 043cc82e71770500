import { privateKeyToAccount } from 'viem/accounts';
import type { Store } from '../../../../store/types.ts';
import type { Running } from '../../../family.ts';
import { bytesOf, type Hex, hexOf } from '../../abi/words.ts';
import { runRelay } from '../../relay/run.ts';
import { type RelaySetup, testRelayDeps } from '../../relay/testing/relay.ts';
import type { KillPoint } from '../../relay/types.ts';
import { type AccountKillPoint, runAccounts } from '../run.ts';
import { signedBytes } from '../stored.ts';

export interface AccountsSetup extends RelaySetup {
  /** Keys of wallets, by their ids. */
  readonly walletKeys: Readonly<Record<string, Hex>>;
}

/** A point at which a test ends the process: of what gives gas, or of what sends the call. */
export type KillAt = `top-up ${KillPoint}` | `call ${AccountKillPoint}`;

export interface AccountsHooks {
  readonly reach?: (point: KillAt) => void;
  /** What custody says before it signs, where it refuses. */
  readonly mayNotSign?: () => Error | undefined;
}

/** Executors and accounts that send by themselves, on one local chain. */
export async function startTestAccounts(
  store: Store,
  setup: AccountsSetup,
  { reach = () => undefined, mayNotSign = () => undefined }: AccountsHooks = {},
): Promise<Running> {
  const deps = testRelayDeps(store, setup);
  const relay = await runRelay({
    ...deps,
    rpc: () => deps.rpc,
    network: () => deps.network,
    killPoint: (point) => reach(`top-up ${point}`),
  });
  const accounts = await runAccounts({
    ...deps,
    settleOperations: deps.settle,
    async signBuilt({ walletId, operation, built }) {
      const refusal = mayNotSign();
      if (refusal) throw refusal;
      const key = privateKeyToAccount(setup.walletKeys[walletId]!);
      return bytesOf(await key.sign({ hash: hexOf(signedBytes(operation, built)) }));
    },
    killPoint: (point) => reach(`call ${point}`),
  });
  return {
    async stop() {
      await Promise.all([accounts.stop(), relay.stop()]);
    },
  };
}
