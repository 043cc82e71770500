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

interface Row {
  readonly run_id: string;
  readonly at: Date;
  readonly os_user: string;
  readonly host: string;
  readonly command: string;
  readonly outcome: OperatorCommand['outcome'];
}

export async function insertOperatorCommand(db: Db, row: OperatorCommand): Promise<void> {
  await db.query({
    text: 'insert into operator_commands (run_id, at, os_user, host, command, outcome) values ($1, $2, $3, $4, $5, $6)',
    values: [row.runId, row.at, row.osUser, row.host, row.command, row.outcome],
  });
}

/** The newest first. */
export async function selectOperatorCommands(db: Db, limit: number): Promise<OperatorCommand[]> {
  const { rows } = await db.query<Row>({
    text: 'select run_id, at, os_user, host, command, outcome from operator_commands order by seq desc limit $1',
    values: [limit],
  });
  return rows.map(({ run_id, os_user, ...row }) => ({ ...row, runId: run_id, osUser: os_user }));
}
