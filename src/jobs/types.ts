import type { Json } from '../lib/json/json.ts';
import type { Tx } from '../store/types.ts';

/** Something that happened, written in the transaction in which it happened. */
export interface DomainEvent {
  readonly projectId: string;
  /** Event word of the interface, e.g. `wallets.transfer.in`. */
  readonly type: string;
  /** Events of one object keep their order, e.g. `wallet:<id>`. */
  readonly object: string;
  readonly data: Json;
}

/** Appends events to the outbox. One statement, however many. */
export type AppendEvents = (tx: Tx, events: readonly DomainEvent[]) => Promise<void>;
