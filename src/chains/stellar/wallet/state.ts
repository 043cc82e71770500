import {
  type DelegateState,
  delegateEntryKey,
  type Registration,
  readDelegate,
  readWallet,
  type Scope,
  type SignerKey,
  type WalletState,
  walletEntryKey,
} from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { limitUseOf } from '../../family/limit-use.ts';
import { keyId } from '../../family/smart-wallets/signer-keys.ts';
import type { LimitUse } from '../../family.ts';
import { type LedgerEntry, readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { SmartWallet } from './plan.ts';

/** What the chain has of a wallet. */

export interface SmartState {
  /** False: the first operation makes it. */
  readonly deployed: boolean;
  readonly epoch: number;
  /** Between `upgrade-wallet` and `migrate-wallet`. */
  readonly isLocked: boolean;
  /**
   * Of the delegates asked for, in their order; undefined: never registered, or ended with an
   * epoch.
   */
  readonly delegates: readonly ActingDelegate[];
  /** When it was read. */
  readonly latestLedger: number;
}

export interface ActingDelegate {
  /** What a registration has to name, and what was signed under it; 0: never registered. */
  readonly generation: number;
  /** Undefined: removed, of an earlier epoch, or never registered. */
  readonly registration?: Registration;
  readonly spent: readonly { readonly spent: bigint; readonly since: bigint }[];
}

/**
 * Of a wallet that is not deployed: what its set-up makes it. One round trip.
 * @throws upstream-error, provider-unavailable
 */
export async function readSmartState(
  connection: StellarConnection,
  wallet: SmartWallet,
  keys: readonly SignerKey[] = [],
): Promise<SmartState> {
  const asked = [
    walletEntryKey(wallet.address),
    ...keys.map((key) => delegateEntryKey(wallet.address, key)),
  ];
  const { entries, latestLedger } = await readEntries(connection, asked);
  const [instance, ...delegates] = entries;
  if (!instance)
    return {
      deployed: false,
      epoch: 0,
      isLocked: false,
      delegates: keys.map((key) => plannedDelegate(wallet, key)),
      latestLedger,
    };
  const { epoch, isLocked } = readInstance(connection, instance);
  const acting = keys.map((key, index) => actingDelegate(key, epoch, valueOf(delegates[index])));
  return { deployed: true, epoch, isLocked, delegates: acting, latestLedger };
}

function readInstance({ network }: StellarConnection, entry: LedgerEntry): WalletState {
  try {
    return readWallet(valueOf(entry)!);
  } catch (cause) {
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" shows a wallet that is none: retry later.`,
      cause,
    });
  }
}

function valueOf(entry: LedgerEntry | undefined) {
  return entry?.data.type === 'contractData' ? entry.data.contractData.val : undefined;
}

/** The set-up registers its delegates in their order, which numbers them. */
function plannedDelegate({ setup }: SmartWallet, key: SignerKey): ActingDelegate {
  const index = setup.delegates.findIndex((one) => keyId(one.key) === keyId(key));
  const registration = setup.delegates[index];
  if (!registration) return { generation: 0, spent: [] };
  return {
    generation: index + 1,
    registration,
    spent: registration.scopes.map(() => ({ spent: 0n, since: 0n })),
  };
}

function actingDelegate(
  key: SignerKey,
  epoch: number,
  value: ReturnType<typeof valueOf>,
): ActingDelegate {
  const state: DelegateState | undefined = value && readDelegate(value);
  const { generation = 0, active } = state ?? {};
  if (active?.epoch !== epoch) return { generation, spent: [] };
  return {
    generation,
    registration: { key, expiresAt: active.expiresAt, scopes: active.scopes },
    spent: active.windows,
  };
}

/** What is used of each scope's limit at that second; undefined: no limit. */
export function limitsOf(
  { registration, spent: windows }: ActingDelegate,
  at: bigint,
): (LimitUse | undefined)[] {
  return (registration?.scopes ?? []).map(({ limit, interval }: Scope, index) => {
    const { spent, since } = windows[index] ?? { spent: 0n, since: 0n };
    return limitUseOf({ limit, interval, spent, since }, at);
  });
}
