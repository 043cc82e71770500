/** @module-tag slow */

import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aPerson } from '../../src/areas/users/test-kit.ts';
import { developmentSecrets } from '../../src/config/development-config.ts';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import { startProcess } from '../harness/processes.ts';
import { type Stack, startStack } from '../harness/stack.ts';

let stack: Stack;
/**
 * Stands before the vault: the vault does what is asked, and who asked may be told of it or not.
 */
let gate: Server;
/** Called when the vault has done an operation, before its answer goes on. */
let onDone: ((operation: string) => void) | undefined;
beforeAll(async () => {
  stack = await startStack({ vault: true, worker: false });
  const { port } = new URL(stack.vault!.origin);
  gate = createServer((incoming, outgoing) => {
    const onward = request(
      {
        port,
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (answer) => {
        onDone?.(incoming.url!.split('/').at(-1)!);
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
}, 120_000);
afterAll(async () => {
  gate?.closeAllConnections();
  gate?.close();
  await stack?.close();
});

/** The operator's command line as a process of its own. */
function purser(...args: string[]) {
  const { config } = stack.ctx;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const env = {
    PURSER_ENVIRONMENT: 'development',
    DATABASE_URL: config.database.url.reveal(),
    KEY_ENCRYPTION_KEYS: `development=${hex(developmentSecrets(stack.dataDir).keyEncryptionKey.reveal())}`,
    KEY_SIGNING_PUBLIC_KEY: hex(config.keySigning.publicKey),
    VAULT_ORIGIN: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    VAULT_PUBLIC_KEY: hex(config.vault!.vaultPublicKey),
    VAULT_WORKER_SEED: hex(config.vault!.seed.reveal()),
  };
  return startProcess({
    name: 'purser',
    program: 'bin/purser.mjs',
    args: [...args, '--project', stack.api.projectId],
    env,
  });
}

/**
 * Runs a command that is killed once the vault has done its part and before anything is done here.
 */
async function killedBetween(...args: string[]): Promise<void> {
  let operation: string | undefined;
  const child = purser(...args);
  onDone = (done) => {
    operation = done;
    process.kill(child.pid, 'SIGKILL');
  };
  expect(await child.ended, child.output()).toEqual({ code: null, signal: 'SIGKILL' });
  expect(operation).toMatch(/erase|sign/i);
  onDone = undefined;
}

async function finished(...args: string[]): Promise<string> {
  const child = purser(...args);
  expect([(await child.ended).code, child.output()]).toEqual([0, expect.any(String)]);
  return child.output();
}

const userPath = (locator: string) => `/2025-06-09/users/${encodeURIComponent(locator)}`;
const user = async (locator: string) => (await stack.call('GET', userPath(locator))).status;
const methods = async (userLocator: string) => {
  const path = `/unstable/payment-methods?userLocator=${encodeURIComponent(userLocator)}`;
  const { body } = await stack.vault!.call('GET', path, { key: stack.api.serverKey });
  return (body.data ?? body.paymentMethods ?? body) as unknown[];
};
async function aPersonWithAccount(locator: string): Promise<void> {
  expect((await stack.call('PUT', userPath(locator), { body: aPerson({}) })).status).toBe(200);
  const saved = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: aUsBody({ userLocator: locator }),
  });
  expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
}

it('an erasure that is killed between vault and main is finished by the same command again, which tells and audits what the vault had erased', async () => {
  await aPersonWithAccount('userId:erased');
  expect(await methods('userId:erased')).toHaveLength(1);
  await killedBetween('users', 'erase', 'userId:erased', '--yes');
  expect([await methods('userId:erased'), await user('userId:erased')]).toEqual([[], 200]);
  const told = await finished('users', 'erase', 'userId:erased', '--yes');
  expect(told).toContain('1 payment methods were erased in the vault.');
  const { rows } = await stack.ctx.store.query<{ entry: string }>({
    text: `select entry from audit_entries where entry::jsonb->>'action' = 'users.erase'`,
  });
  expect(rows.map(({ entry }) => JSON.parse(entry))).toMatchObject([
    { changed: { users: 1, paymentMethods: 1 } },
  ]);
  expect([await methods('userId:erased'), await user('userId:erased')]).toEqual([[], 404]);
});

it('a sign-out that is killed between vault and main is finished by the same command again', async () => {
  await aPersonWithAccount('userId:signed-out');
  const old = {
    key: stack.api.clientKey,
    jwt: await stack.api.userJwt('signed-out', { iat: Math.floor(Date.now() / 1_000) - 60 }),
  };
  const here = async () => (await stack.call('GET', userPath('userId:signed-out'), old)).status;
  await killedBetween('users', 'sign-out', 'userId:signed-out');
  expect(await here()).toBe(200);
  await finished('users', 'sign-out', 'userId:signed-out');
  // The API has looked at most five seconds ago.
  stack.advanceClock(6_000);
  expect(await here()).toBe(401);
});
