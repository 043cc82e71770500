import { randomBytes } from 'node:crypto';
import { operationsCommand } from '../../areas/operations/index.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
} from '../../lib/command.ts';
import { internalPublicKey } from '../../lib/net/signed-requests.ts';
import { type AuditHead, checkAudit, type VaultCtx } from '../index.ts';
import { countKeys, rewrapKeys } from '../keys/rewrap.ts';
import { selectSharedAccounts } from '../methods/store.ts';

export const vaultUsage = `purser vault audit check            walk the vault's audit log; names the first entry that was altered
    [--anchor <seq:hash>]           a head from the vault's log: finds an end that was cut off, too
purser vault keys                   how many keys each key-encryption key wraps
purser vault rewrap                 bring every key under the first key-encryption key; may be interrupted and repeated
purser vault fingerprints           accounts that several users of a project have saved
purser vault log [--limit 50]       who ran which purser vault or purser payouts command here, the newest first
purser vault identity               a new seed and its public key, for VAULT_SIGNING_SEED, VAULT_API_SEED or VAULT_WORKER_SEED
purser vault migrate                bring the vault's database up to this version
They work on the vault's own database (VAULT_DATABASE_URL): run them where the vault runs.
Options: [--json]`;

const sharedShownMax = 200;
const rewrapBatch = 1_000;

/**
 * Serves `purser vault …`, except `migrate`, which needs no key.
 * @param openCtx opens the vault; only what needs it does
 * @returns the exit code: 1 when the audit log was altered
 * @throws CommandError with a sentence for whoever typed it
 */
export async function vaultCommand(
  openCtx: () => Promise<VaultCtx>,
  input: { readonly argv: readonly string[]; readonly print: Print },
): Promise<number> {
  const { values, positionals } = parseCommand(input.argv, { texts: ['anchor', 'limit'] });
  const [verb, object] = positionals;
  const print = (value: unknown, text: string) =>
    input.print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) {
    input.print(vaultUsage);
    return 0;
  }
  if (verb === 'identity') {
    const seed = randomBytes(32);
    const pair = {
      seed: seed.toString('base64'),
      publicKey: Buffer.from(internalPublicKey(seed)).toString('base64'),
    };
    print(pair, `Seed (secret)  ${pair.seed}\nPublic key     ${pair.publicKey}`);
    return 0;
  }
  if (verb === 'audit' && object === 'check')
    return checkLog(await openCtx(), { anchor: readAnchor(values.anchor), print });
  switch (verb) {
    case 'keys':
      return showKeys(await openCtx(), print);
    case 'rewrap':
      return rewrapAll(await openCtx(), print);
    case 'log':
      await operationsCommand(await openCtx(), input);
      return 0;
    case 'fingerprints':
      return showShared(await openCtx(), print);
    default:
      throw new CommandError(`Unknown command "vault ${positionals.join(' ')}".\n\n${vaultUsage}`);
  }
}

type Show = (value: unknown, text: string) => void;

async function checkLog(
  ctx: VaultCtx,
  { anchor, print }: { readonly anchor: AuditHead | undefined; readonly print: Show },
): Promise<number> {
  const verdict = await checkAudit(ctx, { key: ctx.vault.keys.audit, anchor });
  if (verdict.ok) {
    const head = `${verdict.head.seq}:${verdict.head.hash.toString('hex')}`;
    print(
      { ok: true, entries: Number(verdict.count), head },
      `The audit log is whole: ${verdict.count} entries. Its head, for --anchor: ${head}`,
    );
    return 0;
  }
  print(
    { ok: false, entry: Number(verdict.seq), problem: verdict.problem },
    `Entry ${verdict.seq} of the audit log: ${verdict.problem}`,
  );
  return 1;
}

function readAnchor(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined;
  const [, seq, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new CommandError(
      '--anchor is a head as the vault writes it into its log, e.g. 4711:9f86d0…: a number, a colon and 64 hexadecimal digits.',
    );
  return { seq: BigInt(seq), hash: Buffer.from(hash, 'hex') };
}

async function showKeys(ctx: VaultCtx, print: Show): Promise<number> {
  const counts = await countKeys(ctx);
  const roleOf = (id: string) =>
    id === ctx.vault.ring.currentId
      ? 'wraps'
      : ctx.vault.ring.ids.includes(id)
        ? 'unwraps only'
        : 'NOT CONFIGURED';
  const all = [...new Set([...ctx.vault.ring.ids, ...counts.map(({ kekId }) => kekId)])].map(
    (id) => ({
      id,
      role: roleOf(id),
      keys: counts.find(({ kekId }) => kekId === id)?.count ?? 0,
    }),
  );
  print(
    all,
    formatTable(
      ['KEY-ENCRYPTION KEY', 'ROLE', 'WRAPPED KEYS'],
      all.map(({ id, role, keys }) => [id, role, String(keys)]),
    ),
  );
  return 0;
}

async function rewrapAll(ctx: VaultCtx, print: Show): Promise<number> {
  const { ring, audit } = ctx.vault;
  let total = 0;
  for (;;) {
    const { done, left } = await rewrapKeys(ctx, {
      ring,
      audit,
      actor: 'operator',
      limit: rewrapBatch,
    });
    total += done;
    if (left === 0 || done === 0) break;
  }
  print(
    { rewrapped: total, current: ring.currentId },
    `${total} keys rewrapped. Every key is under "${ring.currentId}" now.`,
  );
  return 0;
}

async function showShared(ctx: VaultCtx, print: Show): Promise<number> {
  const shared = await selectSharedAccounts(ctx.store, sharedShownMax);
  const rows = shared.map((one) => [
    one.projectId,
    one.type,
    one.newestAt.toISOString(),
    one.paymentMethodIds.join(' '),
  ]);
  print(
    shared,
    shared.length === 0
      ? 'No account is saved by several users of a project.'
      : formatTable(['PROJECT', 'TYPE', 'NEWEST', 'PAYMENT METHODS (OLDEST FIRST)'], rows),
  );
  return 0;
}
