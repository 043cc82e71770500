import type { Config } from '../../config/config.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
} from '../../lib/command.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import type { SeenRow } from '../../store/accept-row.ts';
import type { Store } from '../../store/types.ts';
import { rewrapCustodyKeys } from './local.ts';
import { custodyUsage } from './usage.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Rows of other owners that are sealed with the same keys. */
export interface SealedRows {
  reseal(): Promise<number>;
  countByKey(): Promise<readonly { readonly keyId: string; readonly count: number }[]>;
  /** @throws Error one sentence when no rows of that table carry seals */
  look(table: string, id: string): Promise<SeenRow | undefined>;
  /** @returns false when the row is not as it was seen any more */
  accept(seen: {
    readonly table: string;
    readonly id: string;
    readonly digest: string;
  }): Promise<boolean>;
  /** Rows whose seal is wrong or missing. */
  findChanged(): AsyncIterable<{
    readonly table: string;
    readonly id: string;
    readonly why: string;
  }>;
}

/** Serves `purser custody …`. @returns the exit code @throws CommandError */
export async function custodyCommand(
  ctx: { readonly config: Config; readonly store: Store; readonly sealedRows: SealedRows },
  input: { readonly argv: readonly string[]; readonly print: Print },
): Promise<number> {
  const {
    values,
    positionals: [verb, ...rest],
  } = parseCommand(input.argv, { texts: ['accept'] });
  const { print } = input;
  if (values.help || verb === undefined) print(custodyUsage);
  else if (verb === 'check')
    return checkRows(ctx.sealedRows, { print, json: values.json === true });
  else if (verb === 'row')
    await serveRow(ctx.sealedRows, { names: rest, accept: values.accept, print });
  else if (verb === 'status') await printStatus(ctx, { print, json: values.json === true });
  else if (verb === 'rewrap') await rewrap(ctx, { print, json: values.json === true });
  else throw new CommandError(`Unknown command "custody ${verb}".\n\n${custodyUsage}`);
  return 0;
}

/** @returns the exit code */
async function checkRows(
  sealedRows: SealedRows,
  { print, json }: { readonly print: Print; readonly json: boolean },
): Promise<number> {
  const found: { readonly table: string; readonly id: string; readonly why: string }[] = [];
  for await (const row of sealedRows.findChanged()) {
    found.push(row);
    if (!json) print(`${row.table} ${row.id}: ${row.why}`);
    if (found.length === checkedMax) break;
  }
  if (json) print(formatJson(found));
  else if (found.length === 0) print('Each seal fits.');
  else if (found.length === checkedMax)
    print(`These are the first ${checkedMax}; there may be more.`);
  return found.length === 0 ? 0 : 1;
}

const checkedMax = 1_000;

async function rewrap(
  ctx: { readonly config: Config; readonly store: Store; readonly sealedRows: SealedRows },
  { print, json }: { readonly print: Print; readonly json: boolean },
): Promise<void> {
  const { keyEncryptionKeys, treasuryKeyEncryptionKeys } = ctx.config;
  if (keyEncryptionKeys.length === 0)
    throw new CommandError(
      'KEY_ENCRYPTION_KEYS is not set: it holds the old key and, in front of it, the new one.',
    );
  const moved = await rewrapCustodyKeys(ctx.store, {
    sealer: createSealer(keyEncryptionKeys),
    ...(treasuryKeyEncryptionKeys.length === 0
      ? {}
      : { treasurySealer: createSealer(treasuryKeyEncryptionKeys) }),
  });
  const rows = await ctx.sealedRows.reseal();
  const sealedBy = keyEncryptionKeys[0]!.id;
  print(
    json
      ? formatJson({ moved, rows, sealedBy })
      : `${moved} keys moved to "${sealedBy}", ${rows} rows sealed again with it.`,
  );
}

async function printStatus(
  {
    config,
    store,
    sealedRows,
  }: { readonly config: Config; readonly store: Store; readonly sealedRows: SealedRows },
  { print, json }: { print: Print; json: boolean },
): Promise<void> {
  const ids = [...config.keyEncryptionKeys, ...config.treasuryKeyEncryptionKeys].map(
    ({ id }) => id,
  );
  const { rows } = await store.query<{ sealed_by: string; count: number }>({
    text: `select sealed_by, count(*)::int as count
      from (select sealed_by from custody_keys union all select sealed_by from project_secrets) sealed
      group by sealed_by order by sealed_by limit 1000`,
  });
  const sealed = await sealedRows.countByKey();
  const named = [
    ...new Set([...rows.map((row) => row.sealed_by), ...sealed.map(({ keyId }) => keyId)]),
  ].sort();
  const lines = named.map((id) => ({
    id,
    keys: rows.find((row) => row.sealed_by === id)?.count ?? 0,
    rows: sealed.find(({ keyId }) => keyId === id)?.count ?? 0,
    configured: ids.includes(id),
  }));
  if (json) return print(formatJson(lines));
  print(
    lines.length === 0
      ? 'No custody keys.'
      : formatTable(
          ['SEALED BY', 'KEYS', 'ROWS', ''],
          lines.map((line) => [
            line.id,
            String(line.keys),
            String(line.rows),
            line.configured ? '' : 'not in KEY_ENCRYPTION_KEYS or TREASURY_KEY_ENCRYPTION_KEYS',
          ]),
        ),
  );
}

async function serveRow(
  sealedRows: SealedRows,
  {
    names: [table, id, ...others],
    accept,
    print,
  }: {
    readonly names: readonly string[];
    readonly accept: string | undefined;
    readonly print: Print;
  },
): Promise<void> {
  if (table === undefined || id === undefined || others.length > 0 || !uuid.test(id))
    throw new CommandError(
      `Name the table and the id (a UUID) of one row, as the alarm did.\n\n${custodyUsage}`,
    );
  const seen = await sealedRows.look(table, id);
  if (!seen)
    throw new CommandError(
      `${table} has no row ${id} with a seal: it is gone, or its status needs none any more.`,
    );
  if (accept === undefined) {
    print(formatJson(seen.fields));
    print(
      seen.fits
        ? 'Its seal fits: it is as this service wrote it.'
        : `Its seal does not fit. Compare every field with what you know from elsewhere (a backup, the people named); to stand for it as it is:\npurser custody row ${table} ${id} --accept ${seen.digest}`,
    );
    return;
  }
  if (seen.fits) throw new CommandError('Its seal fits already: there is nothing to accept.');
  if (!(await sealedRows.accept({ table, id, digest: accept })))
    throw new CommandError('The row is not as it was shown with this digest: look at it again.');
  print(`The row ${id} of ${table} is sealed as it is, and counts again.`);
}
