import type { Ctx } from '../../../context.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import {
  defaultOrderSettings,
  type OrderSettings,
  type OrderSettingsInput,
  orderSettingsSchema,
  withDefaults,
} from './settings.ts';

interface SettingsRow {
  readonly project_id: string;
  readonly settings: unknown;
  readonly mac: string | null;
}

const columns = 'project_id, settings, mac';

/** Prices, limits and tolerances of a project: who writes the database raises none. */
function sealedSettings(row: Omit<SettingsRow, 'mac'>): SealedRow {
  return { table: 'order_settings', id: row.project_id, fields: { settings: row.settings } };
}

export const sealedOrderSettings: SealedTable = {
  table: 'order_settings',
  columns,
  idColumn: 'project_id',
  toSealed: sealedSettings,
};

/**
 * What a project has set itself.
 * @throws internal-error, after an alarm, when the row was changed behind the service
 */
export async function readOwnSettings(
  ctx: Pick<Ctx, 'store'>,
  projectId: string,
): Promise<OrderSettingsInput> {
  const { rows } = await ctx.store.query<SettingsRow>({
    name: 'order-settings',
    text: `select ${columns} from order_settings where project_id = $1`,
    values: [projectId],
  });
  if (rows[0]) rowMacsOf(ctx.store).check(sealedSettings(rows[0]), rows[0].mac);
  return rows[0] ? orderSettingsSchema.parse(rows[0].settings) : {};
}

/** The settings that hold for a project: its own over the defaults. */
export async function readOrderSettings(
  ctx: Pick<Ctx, 'store'>,
  projectId: string,
): Promise<OrderSettings> {
  const own = await readOwnSettings(ctx, projectId);
  return Object.keys(own).length === 0 ? defaultOrderSettings : withDefaults(own);
}

/** Replaces what a project has set; orders that are under way keep their price. */
export async function writeOwnSettings(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  input: { readonly projectId: string; readonly settings: OrderSettingsInput },
): Promise<void> {
  const { projectId: project_id, settings } = input;
  await ctx.store.query({
    text: `insert into order_settings (project_id, settings, updated_at, mac) values ($1, $2, $3, $4)
      on conflict (project_id) do update set settings = excluded.settings, updated_at = excluded.updated_at, mac = excluded.mac`,
    values: [
      project_id,
      JSON.stringify(settings),
      ctx.clock.now(),
      rowMacsOf(ctx.store).seal(sealedSettings({ project_id, settings })),
    ],
  });
}
