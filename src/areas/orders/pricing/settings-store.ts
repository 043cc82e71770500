import type { Ctx } from '../../../context.ts';
import {
  defaultOrderSettings,
  type OrderSettings,
  type OrderSettingsInput,
  orderSettingsSchema,
  withDefaults,
} from './settings.ts';

/** What a project has set itself. */
export async function readOwnSettings(
  ctx: Pick<Ctx, 'store'>,
  projectId: string,
): Promise<OrderSettingsInput> {
  const { rows } = await ctx.store.query<{ settings: unknown }>({
    name: 'order-settings',
    text: 'select settings from order_settings where project_id = $1',
    values: [projectId],
  });
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
  await ctx.store.query({
    text: `insert into order_settings (project_id, settings, updated_at) values ($1, $2, $3)
      on conflict (project_id) do update set settings = excluded.settings, updated_at = excluded.updated_at`,
    values: [input.projectId, JSON.stringify(input.settings), ctx.clock.now()],
  });
}
