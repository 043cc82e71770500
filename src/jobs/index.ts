export { defaultRetention, type Retention } from './clean-up.ts';
export { jobsCommand } from './command.ts';
export {
  databaseStep, defineFlow, effectStep,
  type Flow, type FlowDefinition, type FlowPlace, type Intent, type JobsCtx, type RetryRule, type Step, type StepResult,
} from './flow.ts';
export { cancelFlow, countFlows, findFlow, listFlows, listReaders, retryFlow } from './inspect.ts';
export { jobsMetrics, type JobsMetrics } from './metrics.ts';
export { appendEvents, readEvents, type StoredEvent } from './outbox.ts';
export { createOutboxReader, retryParkedEvent, type OutboxReader, type OutboxReaderOptions } from './outbox-reader.ts';
export { pokeWorkers, startFlow, startFlows, wakeFlow, type StartInput, type Started } from './start.ts';
export type { AppendEvents, DomainEvent } from './types.ts';
export { createWorker, type Worker, type WorkerOptions } from './worker.ts';
