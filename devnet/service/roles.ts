import pg from 'pg';
import { apiRole, asRole, workerRole } from '../../src/store/grants.ts';
import { vaultServiceRole } from '../../src/vault/grants.ts';
import { createDatabaseIfMissing, type Postgres } from '../postgres.ts';

const main = { database: 'purser', role: 'purser_main' } as const;
const vault = { database: 'purser_vault', role: 'purser_vault' } as const;
/** What the test shops write down is none of the service's business. */
const shops = { database: 'purser_shops', role: 'purser_shops' } as const;

/**
 * Databases on the embedded server, each with a role of its own that cannot enter the other one.
 * Both are this machine's user in the end: it shows that nothing needs more, and protects nothing
 * against whoever owns the data folder.
 */
export async function separateDatabases(server: Pick<Postgres, 'url'>): Promise<{
  readonly url: string;
  /** The main database as the API and as the worker. */
  readonly apiUrl: string;
  readonly workerUrl: string;
  /** The vault's database as its owner, and as the running vault. */
  readonly vaultUrl: string;
  readonly vaultServiceUrl: string;
  readonly shopsUrl: string;
}> {
  for (const { database, role } of [main, vault, shops]) {
    await createDatabaseIfMissing(server.url('postgres'), database);
    await run(server.url(database), [
      `do $$ begin create role ${role} login; exception when duplicate_object then null; end $$`,
      `alter database ${database} owner to ${role}`,
      `revoke all on database ${database} from public`,
      handOver(role),
    ]);
  }
  const services = [
    [main, apiRole] as const,
    [main, workerRole] as const,
    [vault, vaultServiceRole] as const,
  ];
  for (const [{ database }, role] of services)
    await run(server.url(database), [
      `do $$ begin create role ${role} login; exception when duplicate_object then null; end $$`,
      `grant connect on database ${database} to ${role}`,
    ]);
  const urlOf = ({ database, role }: { readonly database: string; readonly role: string }) =>
    asRole(server.url(database), role);
  const [apiUrl, workerUrl] = [apiRole, workerRole].map((role) => urlOf({ ...main, role })) as [
    string,
    string,
  ];
  const vaultServiceUrl = urlOf({ ...vault, role: vaultServiceRole });
  return {
    url: urlOf(main),
    apiUrl,
    workerUrl,
    vaultUrl: urlOf(vault),
    vaultServiceUrl,
    shopsUrl: urlOf(shops),
  };
}

/** What an earlier version made as the superuser belongs to the role from now on. */
function handOver(role: string): string {
  return `do $$
    declare
      one record;
    begin
      for one in select format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'S') and c.relowner <> '${role}'::regrole
                 order by c.relkind = 'S'
      loop
        -- A sequence of an identity column follows its table.
        begin
          execute format('alter %s %s owner to ${role}', case one.kind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, one.name);
        exception when feature_not_supported then null;
        end;
      end loop;
      for one in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                 where n.nspname = 'public' and p.proowner <> '${role}'::regrole
      loop
        execute format('alter routine %s owner to ${role}', one.name);
      end loop;
    end $$`;
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
