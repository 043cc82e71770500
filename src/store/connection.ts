import { isIP } from 'node:net';
import pg from 'pg';

/** What stands between this process and a database. */
export interface DatabaseRoad {
  /** Name or address; the folder of a unix socket. */
  readonly host: string;
  /** `verified`: TLS, and its certificate is checked; `unverified`: TLS with whoever answers. */
  readonly tls: 'verified' | 'unverified' | 'none';
}

/**
 * Where a connection to this address goes, as the driver itself reads it. `verified` is what the
 * address says outright: of `sslmode=require` alone versions of the driver make different things.
 * @throws Error when it cannot be read, or names a file that cannot
 */
export function databaseRoad(url: string): DatabaseRoad {
  const client = new pg.Client({ connectionString: withCheckedMode(url) });
  const host = client.host;
  // Its type says less than it holds.
  const ssl = client.ssl as boolean | { readonly rejectUnauthorized?: boolean };
  const [mode, ca] = [lastOf(url, 'sslmode'), lastOf(url, 'sslrootcert')];
  if (!ssl) return { host, tls: 'none' };
  const isOpen = typeof ssl === 'object' && ssl.rejectUnauthorized === false;
  const isNamed =
    mode === 'verify-full' || (ca !== undefined && (mode === 'verify-ca' || mode === 'require'));
  return { host, tls: isNamed && !isOpen ? 'verified' : 'unverified' };
}

/** The driver warns of each `sslmode=require`; we say it ourselves. */
function withCheckedMode(url: string): string {
  return lastOf(url, 'uselibpqcompat') === 'true'
    ? url
    : url.replaceAll(/([?&]sslmode=)(?:require|prefer|verify-ca)(?=&|$)/g, '$1verify-full');
}

/** As the driver takes a parameter that stands there twice. */
function lastOf(url: string, name: string): string | undefined {
  const at = url.indexOf('?');
  return at === -1 ? undefined : new URLSearchParams(url.slice(at + 1)).getAll(name).at(-1);
}

/** Whether a connection stays on this machine: a unix socket, or its own loopback. */
export function isOwnMachine(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    name.startsWith('/') ||
    name === 'localhost' ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}
