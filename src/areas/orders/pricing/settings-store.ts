import type { Ctx } from '../../../context.ts';
import { afterFailover, noteHere, remembered } from '../../../store/remembered.ts';
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
  /** Later with each change. */
  readonly updated_at: Date;
  readonly mac: string | null;
}

const columns = 'project_id, settings, updated_at, mac';

/** Prices, limits and tolerances of a project: who writes the database raises none. */
function sealedSettings(row: Omit<SettingsRow, 'mac'>): SealedRow {
  const { project_id: id, settings, updated_at: updatedAt } = row;
  return { table: 'order_settings', id, fields: { settings, updatedAt } };
}

export const sealedOrderSettings: SealedTable = {
  table: 'order_settings',
  columns,
  idColumn: 'project_id',
  toSealed: sealedSettings,
};

/** Settings are remembered for as long as a process runs: no period ends them. */
const rememberedUntil = new Date(8_640_000_000_000_000);
const nameOf = (projectId: string) => `order-settings:${projectId}`;

/**
 * What a project has set itself.
 * @throws internal-error, after an alarm, when the row was changed behind the service; or deleted
 * or put back, where this process has seen it, or a later one
 */
export async function readOwnSettings(
  { store, clock }: Pick<Ctx, 'store' | 'clock'>,
  projectId: string,
): Promise<OrderSettingsInput> {
  const named = { key: nameOf(projectId), now: clock.now() };
  // Before the row is read: what others write meanwhile is no earlier version of it.
  const seen = remembered(store, named);
  const { rows } = await store.query<SettingsRow>({
    name: 'order-settings',
    text: `select ${columns} from order_settings where project_id = $1`,
    values: [projectId],
  });
  const [row] = rows;
  const macs = rowMacsOf(store);
  if (row) macs.check(sealedSettings(row), row.mac);
  const value = BigInt(row?.updated_at.getTime() ?? 0);
  if (value < seen)
    throw macs.refuse(
      { table: 'order_settings', id: projectId },
      `${row ? 'an earlier version was put back' : 'there was one, which was deleted'}; ${afterFailover}`,
    );
  if (!row) return {};
  noteHere(store, { ...named, until: rememberedUntil, value });
  return orderSettingsSchema.parse(row.settings);
}

/** The settings that hold for a project: its own over the defaults. */
export async function readOrderSettings(
  ctx: Pick<Ctx, 'store' | 'clock'>,
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
  const macs = rowMacsOf(ctx.store);
  await ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<{ updated_at: Date }>({
      text: `insert into order_settings (project_id, settings, updated_at) values ($1, '{}', 'epoch')
        on conflict (project_id) do update set updated_at = order_settings.updated_at returning updated_at`,
      values: [project_id],
    });
    // Later than the one before, whatever the clocks of two machines say.
    const atMs = Math.max(ctx.clock.now().getTime(), rows[0]!.updated_at.getTime() + 1);
    const row = { project_id, settings, updated_at: new Date(atMs) };
    await tx.query({
      text: 'update order_settings set settings = $2, updated_at = $3, mac = $4 where project_id = $1',
      values: [
        project_id,
        JSON.stringify(settings),
        row.updated_at,
        macs.seal(sealedSettings(row)),
      ],
    });
  });
}
