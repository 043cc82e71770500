/**
 * Counters of this process since its start. Plain numbers, so that whoever serves metrics can
 * expose them.
 */
export interface JobsMetrics {
  claims: number;
  flowsStarted: number;
  flowsClaimed: number;
  /** Claimed although another claim had not been released: its worker died or stalled. */
  leasesTakenOver: number;
  /** Due flows that nothing but the poll noticed. Stays near zero while notifications work. */
  flowsFoundByPoll: number;
  stepsCommitted: number;
  stepsFailed: number;
  /** Steps whose result was thrown away because the flow had moved on without them. */
  fencesLost: number;
  flowsDone: number;
  flowsFailed: number;
  flowsDead: number;
  claimErrors: number;
  eventsAppended: number;
  eventsHandled: number;
  eventsParked: number;
  rowsCleaned: number;
}

const counters: JobsMetrics = {
  claims: 0,
  flowsStarted: 0,
  flowsClaimed: 0,
  leasesTakenOver: 0,
  flowsFoundByPoll: 0,
  stepsCommitted: 0,
  stepsFailed: 0,
  fencesLost: 0,
  flowsDone: 0,
  flowsFailed: 0,
  flowsDead: 0,
  claimErrors: 0,
  eventsAppended: 0,
  eventsHandled: 0,
  eventsParked: 0,
  rowsCleaned: 0,
};

/** A copy of this process's counters. */
export function jobsMetrics(): Readonly<JobsMetrics> {
  return { ...counters };
}

export function count(name: keyof JobsMetrics, by = 1): void {
  counters[name] += by;
}
