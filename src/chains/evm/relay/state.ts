import type { Logger } from 'pino';
import { createSignal, type Signal } from '../../../lib/waiting/loop.ts';
import { createDayCeiling, type DayCeiling } from '../../family/spending/day-ceiling.ts';
import type { Hex } from '../abi/words.ts';
import type { EvmNetwork } from '../config/networks.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import type { AccountRole, Lease } from './accounts.ts';
import type { Head } from './rpc-schemas.ts';
import type { BroadcastResult } from './sending/broadcast.ts';
import type { Attempt, Mined, SendKind, StoredSend } from './sending/sends.ts';
import type { SigningAccount } from './sending/signing.ts';
import type { Fees, KillPoint, RelayDeps } from './types.ts';

/**
 * What one process holds in memory about a chain. The database can rebuild all of it. Ages are
 * monotonic milliseconds.
 */
export interface ChainState {
  readonly chain: string;
  readonly deps: RelayDeps;
  readonly rpc: RpcClient;
  readonly network: EvmNetwork;
  /** Of the network's data; where that has none, the node's. Undefined until the node was asked. */
  chainId: number | undefined;
  readonly log: Logger;
  /** The keys of this process, executors and treasury. */
  readonly keys: ReadonlyMap<Hex, { readonly signing: SigningAccount; readonly role: AccountRole }>;
  /** Accounts that this process has leased. */
  readonly accounts: Map<Hex, Account>;
  /** Something may be queued. */
  readonly work: Signal;
  /** Something was sent, or a slot became free. */
  readonly change: Signal;
  /**
   * Undefined before the first look, and while the node answers for another chain: nothing is sent
   * then.
   */
  head: Head | undefined;
  /** Highest block that can no longer be replaced. */
  finalHeight: bigint;
  finalReadAtMs: number;
  market?: { readonly fees: Fees; readonly isTooDear: boolean; readonly readAtMs: number };
  /** The middle of what nodes named in the last hours; undefined without any. */
  usualTip?: { readonly wei: bigint | undefined; readonly readAtMs: number };
  /** Work waits for want of a free executor. */
  pressure: boolean;
  /** Many operations arrive: what is shared by those that come together is done less often. */
  isBusy: boolean;
  /** Free accounts are looked for at the next look at the chain. */
  acquireSoon: boolean;
  readonly stopping: AbortController;
  /**
   * A batch ran out of gas although the caps were covered: this chain counts gas in its own way, so
   * batches are estimated.
   */
  estimates: boolean;
  lastWorkAtMs: number;
  /** Since when transactions are gone in a reorganisation that the watcher has not seen yet. */
  unnoticedSinceMs?: number | undefined;
  revivedAtMs: number;
  /** What the treasury gave executors, as this process remembers it. */
  readonly toppedUp: DayCeiling;
  /** What executors gave accounts that send by themselves, as well. */
  readonly fed: DayCeiling;
  readonly alarms: Map<string, number>;
  readonly chainAlarms: Map<string, { readonly sentence: string; readonly toldAtMs: number }>;
  /** Claimed operations in preparation, by token. */
  readonly claims: Map<
    string,
    { readonly operationIds: readonly string[]; readonly sinceMs: number }
  >;
}

export interface OpenSend {
  readonly id: string;
  readonly nonce: bigint;
  readonly kind: SendKind;
  status: 'pending' | 'included';
  cancelled: boolean;
  bumps: number;
  reservedWei: bigint;
  mined: Mined | null;
  includedAtMs: number;
  readonly attempts: Attempt[];
  /** Of the newest attempt. */
  attemptAtMs: number;
  attemptHead: bigint;
  broadcastAtMs: number;
  result: BroadcastResult | undefined;
  /** Since when its nonce counts as used while no receipt shows up. */
  missing?: { readonly sinceMs: number; readonly block: bigint };
}

export interface Account {
  readonly lease: Lease;
  readonly signing: SigningAccount;
  /** Undefined until the first look at the chain. */
  nextNonce: bigint | undefined;
  /** One more than the highest nonce that was seen used. */
  usedNonce: bigint;
  /** What the chain counts. */
  chainNonce: bigint;
  readonly sends: Map<bigint, OpenSend>;
  balanceWei: bigint | undefined;
  balanceAtMs: number;
  alarm: string | null;
  behindSinceMs: number | undefined;
  /**
   * The chain's word on its nonce is not believed yet, or, with an alarm, not at all: it sends
   * nothing.
   */
  doubt: { readonly count?: bigint; readonly sinceMs: number; readonly alarm?: string } | undefined;
  preparing: number;
  /** Stores run one after the other. */
  tail: Promise<unknown>;
  lost: boolean;
}

export function nowMs(): number {
  return performance.now();
}

export function createChainState(
  deps: RelayDeps,
  chain: string,
  keys: ChainState['keys'],
  log: Logger,
): ChainState {
  return {
    chain,
    deps,
    rpc: deps.rpc(chain),
    network: deps.network(chain),
    keys,
    log: log.child({ chain }),
    accounts: new Map(),
    work: createSignal(),
    change: createSignal(),
    chainId: undefined,
    head: undefined,
    finalHeight: -1n,
    finalReadAtMs: Number.NEGATIVE_INFINITY,
    pressure: false,
    isBusy: false,
    acquireSoon: true,
    stopping: new AbortController(),
    estimates: false,
    lastWorkAtMs: nowMs(),
    revivedAtMs: Number.NEGATIVE_INFINITY,
    toppedUp: createDayCeiling(),
    fed: createDayCeiling(),
    alarms: new Map(),
    chainAlarms: new Map(),
    claims: new Map(),
  };
}

export function createAccount(
  lease: Lease,
  signing: SigningAccount,
  sends: readonly StoredSend[],
  usedNonce: bigint,
): Account {
  return {
    lease,
    signing,
    nextNonce: lease.nextNonce ?? undefined,
    usedNonce,
    chainNonce: 0n,
    sends: new Map(sends.map((send) => [send.nonce, openSend(send)])),
    balanceWei: undefined,
    balanceAtMs: Number.NEGATIVE_INFINITY,
    alarm: null,
    behindSinceMs: undefined,
    doubt: undefined,
    preparing: 0,
    tail: Promise.resolve(),
    lost: false,
  };
}

/** A stored send as it is watched. It was not broadcast by us yet, as far as we know. */
export function openSend(send: StoredSend): OpenSend {
  return {
    id: send.id,
    nonce: send.nonce,
    kind: send.kind,
    status: send.status === 'included' ? 'included' : 'pending',
    cancelled: send.cancelled,
    bumps: send.bumps,
    reservedWei: send.reservedWei,
    mined: send.mined,
    includedAtMs: nowMs() - (send.includedForMs ?? 0),
    attempts: [...send.attempts],
    attemptAtMs: nowMs(),
    attemptHead: 0n,
    broadcastAtMs: Number.NEGATIVE_INFINITY,
    result: undefined,
  };
}

export function pendingSends(account: Account): OpenSend[] {
  return [...account.sends.values()].filter((send) => send.status === 'pending');
}

/** Wei that the account can spend on something new: its balance without what is under way. */
export function spendableWei(account: Account): bigint {
  const reserved = pendingSends(account).reduce((sum, send) => sum + send.reservedWei, 0n);
  return (account.balanceWei ?? 0n) - reserved;
}

/** Runs `work` after everything that was queued for the account before. */
export function runExclusively<T>(account: Account, work: () => Promise<T>): Promise<T> {
  const result = account.tail.then(work);
  account.tail = result.catch(() => undefined);
  return result;
}

/** Forgets an account; whoever leases it next reads it from the database. */
export function dropAccount(state: ChainState, account: Account, reason: string): void {
  account.lost = true;
  if (state.accounts.get(account.lease.address) !== account) return;
  state.accounts.delete(account.lease.address);
  state.log.warn({ account: account.lease.address, reason }, 'relay account dropped');
}

/** Logs an alarm as an error, not more often than once a minute. */
export function raiseAlarm(
  state: ChainState,
  key: string,
  fields: Record<string, unknown>,
  sentence: string,
  repeatMs: number,
): void {
  const last = state.alarms.get(key);
  if (last !== undefined && nowMs() - last < repeatMs) return;
  state.alarms.set(key, nowMs());
  state.log.error({ ...fields, alarm: key }, sentence);
}

export function killPoint(state: ChainState, point: KillPoint): void {
  state.deps.killPoint?.(point);
}
