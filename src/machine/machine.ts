/**
 * State machines as data. A status changes only through its table: `move` says where an event
 * leads, the rule stores the answer with `where status = from`. Diagrams are printed from the same
 * table.
 */
export interface Transition<State extends string, Event extends string> {
  /** `*` stands for "does not exist yet". */
  readonly from: State | '*';
  readonly event: Event;
  readonly to: State;
  /** The condition, as the interface words it; for readers and diagrams. */
  readonly when?: string;
}

export interface Machine<State extends string, Event extends string> {
  readonly name: string;
  readonly transitions: readonly Transition<State, Event>[];
}

/** A transition as tables write it: from, event, to, and when. */
export type Move<State extends string, Event extends string> = readonly [
  from: State | '*',
  event: Event,
  to: State,
  when?: string,
];

export function defineMachine<const State extends string, const Event extends string>(
  name: string,
  moves: readonly Move<State, Event>[],
): Machine<State, Event> {
  const transitions = moves.map(([from, event, to, when]) => ({ from, event, to, when }));
  const seen = new Set<string>();
  for (const { from, event } of transitions) {
    const key = `${from} ${event}`;
    if (seen.has(key))
      throw new Error(
        `machine ${name}: "${key}" is defined twice; let the rule choose between two events`,
      );
    seen.add(key);
  }
  return { name, transitions };
}

/** Where `event` leads from `from`; undefined when the table does not allow it. */
export function tryMove<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State | '*',
  event: Event,
): State | undefined {
  return machine.transitions.find(
    (transition) => transition.from === from && transition.event === event,
  )?.to;
}

/**
 * Like {@link tryMove}, for moves that the rule has already established: anything else is a bug.
 */
export function move<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State | '*',
  event: Event,
): State {
  const to = tryMove(machine, from, event);
  if (to === undefined) throw new Error(`machine ${machine.name}: no "${event}" from "${from}"`);
  return to;
}

/** Every state from which `event` may come, for `where status = any(...)`. */
export function statesBefore<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  event: Event,
): State[] {
  return machine.transitions.flatMap((transition) =>
    transition.event === event && transition.from !== '*' ? [transition.from] : [],
  );
}

/** The machine as a Mermaid state diagram. */
export function printMachine<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): string {
  const lines = machine.transitions.map(({ from, event, to, when }) => {
    const start = from === '*' ? '[*]' : from.replaceAll('-', '_');
    return `  ${start} --> ${to.replaceAll('-', '_')}: ${event}${when ? ` (${when})` : ''}`;
  });
  return ['stateDiagram-v2', ...lines, ''].join('\n');
}
