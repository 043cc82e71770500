export { defaultRetention, type Retention } from './clean-up.ts';
export { jobsCommand } from './command.ts';
export {
  databaseStep,
  defineFlow,
  effectStep,
  type Flow,
  type FlowDefinition,
  type FlowPlace,
  type Intent,
  type JobsCtx,
  type RetryRule,
  type Step,
  type StepResult,
} from './flows/flow.ts';
export {
  cancelFlow,
  countDueFlows,
  countFlows,
  findFlow,
  listFailing,
  listFlows,
  listReaders,
  retryFlow,
} from './flows/inspect.ts';
export { type JobsMetrics, jobsMetrics } from './metrics.ts';
export { deliveriesChannel, publicEventsChannel, ring, subscribe } from './notify.ts';
export { blankEvents } from './outbox/blank-events.ts';
export {
  appendEvents,
  isOwnEvent,
  readEvents,
  readLastPosition,
  type StoredEvent,
  sealedOutbox,
  sealedParked,
} from './outbox/outbox.ts';
export {
  createOutboxReader,
  type OutboxReader,
  type OutboxReaderOptions,
} from './outbox/outbox-reader.ts';
export { wakeOrRestartFlow } from './restart.ts';
export {
  pokeWorkers,
  type Started,
  type StartInput,
  startFlow,
  startFlows,
  wakeFlow,
} from './start.ts';
export type { AppendEvents, DomainEvent } from './types.ts';
export { createWorker, type Worker, type WorkerOptions } from './worker/worker.ts';
