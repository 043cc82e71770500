import { flowStatuses } from './flows/inspect.ts';

/** Apart from the commands, which bring their areas with them: help is to come at once. */
export const jobsUsage = `purser jobs                        counts by kind and status
purser jobs list [--status S] [--kind K] [--project P] [--limit N]
purser jobs show <id>              one flow with its state, error and history
purser jobs retry <id>             run a failed, dead or cancelled flow again
purser jobs cancel <id>            end an active flow
purser jobs readers                readers of the event log and what they are behind
purser jobs parked                 events that a reader gave up on
purser jobs unpark <event>         have its reader handle a parked event again
Status is one of: ${flowStatuses.join(', ')}.`;
