import type { Snapshot } from './page/snapshot.ts';
import type { Run } from './run.ts';

/** What the engine could not do by itself. */
export type StuckGoal =
  | { readonly kind: 'add-to-cart' }
  | { readonly kind: 'choose-option'; readonly group: string; readonly option: string }
  | { readonly kind: 'go-on' };

export interface Helped {
  readonly snapshot: Snapshot;
  /** It holds the goal for reached, and page or network have reacted to what it did. */
  readonly isDone: boolean;
}

/**
 * Helps where the rules of the engine end. All rules about money still hold for whatever it does.
 */
export interface Planner {
  /**
   * @returns undefined when nothing on the page is different: then the run ends as it would without
   * help
   */
  help(
    run: Run,
    stuck: { readonly goal: StuckGoal; readonly snapshot: Snapshot },
  ): Promise<Helped | undefined>;
}

/**
 * The one place in which a planner is asked: never once a card is on the page, nor behind the
 * permit.
 */
export async function unstick(
  run: Run,
  goal: StuckGoal,
  snapshot: Snapshot,
): Promise<Helped | undefined> {
  if (run.planner === undefined || run.state.armed || run.state.cardTyped) return undefined;
  return run.planner.help(run, { goal, snapshot });
}
