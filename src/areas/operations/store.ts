import { type RowOf, readRow, valuesOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';

export interface OperatorCommand {
  readonly runId: string;
  readonly at: Date;
  /** Account of the machine. */
  readonly osUser: string;
  readonly host: string;
  /** What was typed, without values. */
  readonly command: string;
  readonly outcome: 'begun' | 'done' | 'failed';
}

const columns = 'run_id, at, os_user, host, command, outcome';

export async function insertOperatorCommand(db: Db, row: OperatorCommand): Promise<void> {
  await db.query({
    text: `insert into operator_commands (${columns}) values ($1, $2, $3, $4, $5, $6)`,
    values: valuesOf(row, columns),
  });
}

/** The newest first. */
export async function selectOperatorCommands(db: Db, limit: number): Promise<OperatorCommand[]> {
  const { rows } = await db.query<RowOf<OperatorCommand>>({
    text: `select ${columns} from operator_commands order by seq desc limit $1`,
    values: [limit],
  });
  return rows.map((row) => readRow<OperatorCommand>(row));
}
