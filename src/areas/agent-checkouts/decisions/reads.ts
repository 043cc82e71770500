import type { Db } from '../../../store/types.ts';
import { selectRunCards } from '../cards/cards-store.ts';
import { type LoggedStep, selectStepLog } from '../steps/steps.ts';
import { selectProgress } from '../store.ts';
import {
  selectAskedActions,
  selectDecision,
  selectPermit,
  selectProjectCheckout,
} from './decisions-store.ts';

const stepsShownMax = 500;

/**
 * Everything that is known of a checkout, for the project's operator; undefined when the projects
 * have none of this id.
 */
export async function readProjectCheckout(
  db: Db,
  key: { readonly id: string; readonly projectIds: readonly string[] },
) {
  const record = await selectProjectCheckout(db, key);
  if (!record) return undefined;
  const { id } = record;
  const [log, progress, actions, cards, decision, permit] = await Promise.all([
    selectStepLog(db, { checkoutId: id, afterNr: 0, limit: stepsShownMax }),
    selectProgress(db, [id]),
    selectAskedActions(db, id),
    selectRunCards(db, id),
    selectDecision(db, id),
    selectPermit(db, id),
  ]);
  const { itemKey: _, ...checkout } = record;
  return {
    checkout,
    permit,
    steps: log,
    progress: progress.get(id)!,
    actions,
    cards: cards.toReversed(),
    decision,
  };
}

/** Steps without those that are but a picture. */
export const stepsOf = (log: readonly LoggedStep[]) =>
  log.filter(({ hasPicture }) => !hasPicture).map(({ evidence }) => evidence);
