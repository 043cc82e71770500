import {
  acceptSealedRow,
  countSealedRows,
  findChangedRows,
  lookAtSealedRow,
  resealRows,
  UnknownTable,
} from '../../../areas/sealed-rows.ts';
import { clockCommand, clockUsage } from '../../../clock/index.ts';
import { migrationsFolder } from '../../../config/folders.ts';
import { jobsCommand, jobsUsage } from '../../../jobs/index.ts';
import { CommandError } from '../../../lib/command.ts';
import {
  custodyCommand,
  custodyUsage,
  type SealedRows,
} from '../../../providers/custody/command.ts';
import { outboxCommand, outboxUsage } from '../../../providers/messaging/command.ts';
import { grantRights } from '../../../store/grants.ts';
import { migrate as migrateStore } from '../../../store/migrate.ts';
import type { Command } from '../command.ts';

export const custody: Command = {
  usage: custodyUsage,
  async run(call) {
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
    const { ctx, input } = await call.open();
    await outboxCommand(ctx, input);
  },
};

export const clock: Command = {
  usage: clockUsage,
  async run(call) {
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
    const { ctx } = await call.open();
    return jobsCommand(ctx.store, call.argv, call.print);
  },
};

export const migrate: Command = {
  usage: 'purser migrate                      bring the database up to this version',
  async run({ print, open }) {
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
