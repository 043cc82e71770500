import { clockUsage } from '../../../clock/usage.ts';
import { jobsUsage } from '../../../jobs/usage.ts';
import { CommandError } from '../../../lib/command.ts';
import { providersUsage } from '../../../providers/calls/usage.ts';
import type { SealedRows } from '../../../providers/custody/command.ts';
import { custodyUsage } from '../../../providers/custody/usage.ts';
import { outboxUsage } from '../../../providers/messaging/usage.ts';
import type { Command } from '../command.ts';

export const custody: Command = {
  usage: custodyUsage,
  async run(call) {
    const { custodyCommand } = await import('../../../providers/custody/command.ts');
    const {
      acceptSealedRow,
      countSealedRows,
      findChangedRows,
      lookAtSealedRow,
      resealRows,
      UnknownTable,
    } = await import('../../../areas/sealed-rows.ts');
    const { ctx, input } = await call.open();
    const sealedRows: SealedRows = {
      reseal: () => resealRows(ctx.store),
      countByKey: () => countSealedRows(ctx.store),
      look: (table, id) => lookAtSealedRow(ctx.store, table, id),
      accept: (seen) => acceptSealedRow(ctx.store, seen),
      findChanged: () => findChangedRows(ctx.store),
    };
    return custodyCommand({ ...ctx, sealedRows }, input).catch((error: unknown) => {
      throw error instanceof UnknownTable ? new CommandError(error.message) : error;
    });
  },
};

export const outbox: Command = {
  usage: outboxUsage,
  async run(call) {
    const { outboxCommand } = await import('../../../providers/messaging/command.ts');
    const { ctx, input } = await call.open();
    await outboxCommand(ctx, input);
  },
};

export const providers: Command = {
  usage: providersUsage,
  async run(call) {
    const { providersCommand } = await import('../../../providers/calls/command.ts');
    const { ctx, input } = await call.open();
    await providersCommand(ctx, input);
  },
};

export const clock: Command = {
  usage: clockUsage,
  async run(call) {
    const { clockCommand } = await import('../../../clock/index.ts');
    const { ctx, config } = await call.open();
    await clockCommand({
      argv: call.argv,
      print: call.print,
      environment: config.environment,
      store: ctx.store,
    });
  },
};

export const jobs: Command = {
  usage: jobsUsage,
  async run(call) {
    const { jobsCommand } = await import('../../../jobs/index.ts');
    const { ctx } = await call.open();
    return jobsCommand(ctx.store, call.argv, call.print);
  },
};

export const migrate: Command = {
  usage: 'purser migrate                      bring the database up to this version',
  async run({ print, open }) {
    const { migrationsFolder } = await import('../../../config/folders.ts');
    const { grantRights } = await import('../../../store/grants.ts');
    const { migrate: migrateStore } = await import('../../../store/migrate.ts');
    const { ctx } = await open();
    const { applied, unknown } = await migrateStore(ctx.store, migrationsFolder(), {
      onProgress: ({ name, index, count }) => print(`${index}/${count} ${name}`),
    });
    await grantRights(ctx.store);
    print(
      applied.length === 0
        ? 'The database is up to date.'
        : `${applied.length} migrations applied.`,
    );
    if (unknown.length > 0)
      print(`The database is newer than this version: it has ${unknown.join(', ')}.`);
  },
};
