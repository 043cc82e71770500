import type { ChainEntrances } from './entrances.ts';
import type { ChainRelayStatus, Running, WatchStatus } from './status.ts';

/** What runs beside the requests, and how it goes. */
export interface Worker {
  /** Relay and watchers, for the worker process. */
  run(entrances: ChainEntrances): Promise<Running>;
  /** How the watching of each network in use goes, for readiness and metrics. */
  watchStatus(): Promise<readonly WatchStatus[]>;
  /** How the relaying of operations goes, by chain. */
  relayStatus(): Promise<readonly ChainRelayStatus[]>;
}
