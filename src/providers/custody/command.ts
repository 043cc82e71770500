import type { Config } from '../../config/config.ts';
import { CommandError, formatTable, type Print, parseCommand } from '../../lib/command.ts';
import { createSealer } from '../../lib/seal.ts';
import type { Store } from '../../store/types.ts';
import { rewrapCustodyKeys } from './local.ts';

export const custodyUsage = `purser custody status               how many keys, secrets and rows that decide who may act each key-encryption key seals
purser custody rewrap               move all of them to the first of KEY_ENCRYPTION_KEYS
Options: [--json]`;

/** Rows of other owners that are sealed with the same keys. */
export interface SealedRows {
  reseal(): Promise<number>;
  countByKey(): Promise<readonly { readonly keyId: string; readonly count: number }[]>;
}

/** Serves `purser custody …`. @throws CommandError */
export async function custodyCommand(
  ctx: { readonly config: Config; readonly store: Store; readonly sealedRows: SealedRows },
  input: { readonly argv: readonly string[]; readonly print: Print },
): Promise<void> {
  const {
    values,
    positionals: [verb],
  } = parseCommand(input.argv, {});
  if (values.help || verb === undefined) return input.print(custodyUsage);
  if (verb !== 'status' && verb !== 'rewrap') throw new CommandError(`Unknown command "custody ${verb}".\n\n${custodyUsage}`);
  const { keyEncryptionKeys, treasuryKeyEncryptionKeys } = ctx.config;
  if (verb === 'status')
    return printStatus(ctx, {
      ids: [...keyEncryptionKeys, ...treasuryKeyEncryptionKeys].map(({ id }) => id),
      print: input.print,
      json: values.json === true,
    });
  if (keyEncryptionKeys.length === 0)
    throw new CommandError('KEY_ENCRYPTION_KEYS is not set: it holds the old key and, in front of it, the new one.');
  const moved = await rewrapCustodyKeys(ctx.store, {
    sealer: createSealer(keyEncryptionKeys),
    ...(treasuryKeyEncryptionKeys.length === 0 ? {} : { treasurySealer: createSealer(treasuryKeyEncryptionKeys) }),
  });
  const rows = await ctx.sealedRows.reseal();
  const sealedBy = keyEncryptionKeys[0]!.id;
  input.print(
    values.json ? JSON.stringify({ moved, rows, sealedBy }) : `${moved} keys moved to "${sealedBy}", ${rows} rows sealed again with it.`,
  );
}

async function printStatus(
  { store, sealedRows }: { readonly store: Store; readonly sealedRows: SealedRows },
  { ids, print, json }: { ids: readonly string[]; print: Print; json: boolean },
): Promise<void> {
  const { rows } = await store.query<{ sealed_by: string; count: number }>({
    text: `select sealed_by, count(*)::int as count
      from (select sealed_by from custody_keys union all select sealed_by from project_secrets) sealed
      group by sealed_by order by sealed_by limit 1000`,
  });
  const sealed = await sealedRows.countByKey();
  const named = [...new Set([...rows.map((row) => row.sealed_by), ...sealed.map(({ keyId }) => keyId)])].sort();
  const lines = named.map((id) => ({
    id,
    keys: rows.find((row) => row.sealed_by === id)?.count ?? 0,
    rows: sealed.find(({ keyId }) => keyId === id)?.count ?? 0,
    configured: ids.includes(id),
  }));
  if (json) return print(JSON.stringify(lines, null, 2));
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
