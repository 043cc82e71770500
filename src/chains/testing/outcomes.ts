import type { Db, Tx } from '../../store/types.ts';
import type { OperationOutcome } from '../family.ts';

/**
 * Every telling of an outcome is a row, so that a second telling shows, whichever process told it.
 */
export async function createOutcomes(db: Db): Promise<void> {
  await db.query({
    text: 'create table test_outcomes (seq bigint generated always as identity, operation_id uuid not null, outcome jsonb not null)',
  });
}

export async function recordOutcomes(tx: Tx, outcomes: readonly OperationOutcome[]): Promise<void> {
  await tx.query({
    text: 'insert into test_outcomes (operation_id, outcome) select * from unnest($1::uuid[], $2::jsonb[])',
    values: [
      outcomes.map((outcome) => outcome.operationId),
      outcomes.map((outcome) =>
        JSON.stringify(outcome, (_, value: unknown) =>
          typeof value === 'bigint' ? value.toString() : value,
        ),
      ),
    ],
  });
}

/** All tellings, oldest first. */
export async function readOutcomes(db: Db): Promise<OperationOutcome[]> {
  const { rows } = await db.query<{ outcome: OperationOutcome }>({
    text: 'select outcome from test_outcomes order by seq',
  });
  return rows.map(({ outcome }) => outcome);
}
