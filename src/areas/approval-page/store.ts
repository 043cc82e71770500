import type { JsonObject } from '../../lib/json/json.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import type { Db } from '../../store/types.ts';

interface SettingsRow {
  readonly project_id: string;
  readonly settings: JsonObject;
  readonly mac: string | null;
}

const sealedRow = ({ project_id: id, settings }: Omit<SettingsRow, 'mac'>): SealedRow => ({
  table: 'approval_pages',
  id,
  fields: { settings },
});

export const sealedApprovalPages: SealedTable = {
  table: 'approval_pages',
  idColumn: 'project_id',
  columns: 'project_id, settings, mac',
  toSealed: sealedRow,
};

/** Undefined: nobody said. @throws internal-error when it was changed behind the service */
export async function selectSettings(
  db: Db,
  projectId: string,
  options = { lock: false },
): Promise<JsonObject | undefined> {
  const { rows } = await db.query<SettingsRow>({
    name: options.lock ? 'approval-page-lock' : 'approval-page',
    text: `select project_id, settings, mac from approval_pages where project_id = $1 ${options.lock ? 'for update' : ''}`,
    values: [projectId],
  });
  const [row] = rows;
  if (row) rowMacsOf(db).check(sealedRow(row), row.mac);
  return row?.settings;
}

export async function upsertSettings(
  db: Db,
  {
    projectId,
    settings,
    now,
  }: { readonly projectId: string; readonly settings: object; readonly now: Date },
): Promise<void> {
  const stored = JSON.parse(JSON.stringify(settings)) as JsonObject;
  await db.query({
    text: `insert into approval_pages (project_id, settings, updated_at, mac) values ($1, $2, $3, $4)
      on conflict (project_id) do update set settings = excluded.settings, updated_at = excluded.updated_at, mac = excluded.mac`,
    values: [
      projectId,
      JSON.stringify(stored),
      now,
      rowMacsOf(db).seal(sealedRow({ project_id: projectId, settings: stored })),
    ],
  });
}
