import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import {
  type DevPlace,
  type DevProcess,
  freePort,
  isRunning,
  runProgram,
  spawnDev,
  startDev,
  vaultPortOf,
} from '../harness/dev-process.ts';
import { sendCall } from '../harness/http.ts';

// /proc tells what runs; everything else here works on any system.
describe.runIf(process.platform === 'linux')('npm start', () => {
  let folder: string;
  let place: DevPlace;
  let dev: DevProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purser-start-'));
    place = { dataDir: join(folder, 'var'), port: await freePort(), chainsPort: await freePort() };
    dev = await startDev(place);
  });
  afterAll(async () => {
    dev?.child.kill('SIGTERM');
    await dev?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const devFile = () =>
    JSON.parse(readFileSync(join(place.dataDir, 'dev.json'), 'utf8')) as {
      baseUrl: string;
      vaultUrl: string;
      databaseUrl: string;
      vaultDatabaseUrl: string;
      serverKey: string;
      clientKey: string;
      chains: Record<string, { rpcUrl: string; chainId: number }>;
      shops: { name: string; url: string; product: string }[];
      shopsDatabaseUrl: string;
    };
  const call = (method: string, path: string, body?: object) =>
    sendCall(`${devFile().baseUrl}${path}`, method, { key: devFile().serverKey, body });
  const transferOut = (amount: string) =>
    call('POST', '/2025-06-09/wallets/userId:kim:evm/tokens/base-sepolia:usdxm/transfers', {
      recipient: 'userId:lou',
      amount,
    });
  const balanceOf = async (user: string) =>
    (
      await call(
        'GET',
        `/2025-06-09/wallets/userId:${user}:evm/balances?tokens=usdxm&chains=base-sepolia`,
      )
    ).body.tokens[0].balance;

  async function waitForEnd(id: string) {
    for (let tries = 0; tries < 300; tries++) {
      const { body } = await call('GET', `/2025-06-09/wallets/userId:kim:evm/transactions/${id}`);
      if (body.status === 'success' || body.status === 'failed') return body.status;
      await delay(100);
    }
    return 'still pending';
  }

  const pidOf = (program: string) =>
    dev.pids().find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
      } catch {
        // It has ended since it was listed.
        return false;
      }
    });

  const databasePid = () =>
    Number(
      readFileSync(join(place.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split(
        '\n',
      )[0],
    );

  async function waitForOutput(text: string) {
    for (let tries = 0; tries < 600 && !dev.output().includes(text); tries++) await delay(100);
    expect(dev.output()).toContain(text);
  }

  async function stop(signal: NodeJS.Signals) {
    const pids = dev.pids();
    dev.child.kill(signal);
    const end = await dev.ended;
    return { end, left: pids.filter(isRunning) };
  }

  it('prints a summary and writes var/dev.json for its owner only', () => {
    expect(dev.output()).toContain(`http://127.0.0.1:${place.port}/api`);
    expect(dev.output()).toContain(devFile().serverKey);
    expect(devFile()).toMatchObject({
      baseUrl: `http://127.0.0.1:${place.port}/api`,
      serverKey: expect.stringMatching(/^sk_development_/),
      clientKey: expect.stringMatching(/^ck_development_/),
      chains: {
        'base-sepolia': {
          rpcUrl: expect.stringContaining(String(place.chainsPort)),
          chainId: 84532,
        },
      },
    });
    expect(statSync(join(place.dataDir, 'dev.json')).mode & 0o777).toBe(0o600);
  });

  it('serves a small page, the documentation and its health, and no metrics on the public port', async () => {
    const origin = new URL(devFile().baseUrl).origin;
    for (const path of ['/', '/docs', '/openapi.json', '/health', '/ready'])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
    const home = await (await fetch(`${origin}/`)).text();
    expect(home).toContain('/docs');
    const page = await fetch(`${origin}/`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain(`<a href="${origin}/mcp">`);
    expect(home).not.toContain(devFile().serverKey);
    expect((await fetch(`${origin}/metrics`)).status).toBe(404);
  });

  it.each([
    ['its first chain', []],
    ['solana', ['--chain', 'solana']],
    ['stellar', ['--chain', 'stellar']],
    ['stellar, with wallets that are keys', ['--chain', 'stellar', '--type', 'mpc']],
    ['aptos', ['--chain', 'aptos']],
    ['sui', ['--chain', 'sui']],
  ])(
    'runs the quickstart to a confirmed transfer on %s',
    { tags: 'slow' },
    async (_chain, args) => {
      const { code, output } = await runProgram('examples/quickstart.mjs', [
        '--data',
        place.dataDir,
        ...args,
      ]);
      expect(output).toContain('Done.');
      expect(output).toContain('POST /2025-06-09/wallets');
      expect(code).toBe(0);
    },
  );

  it('refuses a second start on the same folder, and on a port in use, with one sentence and exit code 1', async () => {
    const second = spawnDev({ ...place, port: await freePort(), chainsPort: await freePort() });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('in use by another Purser');
    const other = {
      dataDir: join(folder, 'other'),
      port: place.port,
      chainsPort: await freePort(),
    };
    const busy = spawnDev(other);
    expect(await busy.ended).toBe(1);
    expect(busy.output()).toContain(`Port ${place.port} on 127.0.0.1 is in use`);
    expect(busy.output()).not.toContain('    at ');
    expect(existsSync(join(other.dataDir, 'postgres'))).toBe(false);
  });

  it('runs the vault beside the API: methods are created there and read on both, and it comes back when it dies alone', {
    tags: 'slow',
  }, async () => {
    const { vaultUrl, serverKey: key } = devFile();
    const body = aUsBody({ userLocator: 'userId:kim' });
    const created = await sendCall(`${vaultUrl}/unstable/payment-methods`, 'POST', { key, body });
    expect([created.status, created.body.displayName]).toEqual([201, 'Example Bank ••6259']);
    const path = `/unstable/payment-methods/${created.body.paymentMethodId}`;
    expect((await call('GET', path)).body).toEqual(created.body);

    process.kill(pidOf('vault.ts')!, 'SIGKILL');
    await waitForOutput('The vault ended by itself; starting it again.');
    const refused = await call('GET', path);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'provider-unavailable',
      '5',
    ]);
    for (let tries = 0; tries < 300 && (await call('GET', path)).status !== 200; tries++)
      await delay(100);
    expect((await sendCall(`${vaultUrl}${path}`, 'GET', { key })).body).toEqual(created.body);

    const checked = await runProgram('bin/purser.mjs', [
      'vault',
      'audit',
      'check',
      '--data',
      place.dataDir,
    ]);
    expect(checked).toMatchObject({
      code: 0,
      output: expect.stringContaining('The audit log is whole: 1 entries.'),
    });
  });

  it('has test shops, and a runner from the first agent checkout on, which comes back when it dies alone', {
    tags: 'slow',
    timeout: 300_000,
  }, async () => {
    const { shops, shopsDatabaseUrl } = devFile();
    expect(shops.map(({ name }) => name)).toContain('plain');
    for (const { product } of shops)
      expect([product, (await fetch(product)).status]).toEqual([product, 200]);
    expect(dev.output()).toContain(shops[0]!.product);
    expect(pidOf('runner.ts')).toBeUndefined();

    const { code, output } = await runProgram('examples/demo-checkout.mjs', [
      '--data',
      place.dataDir,
    ]);
    expect(output).toMatch(
      /Watch it: http:[\s\S]*who buys and where to deliver[\s\S]*Buy for 47\.71 USD[\s\S]*It is bought, once/,
    );
    expect(code).toBe(0);
    const client = new pg.Client({ connectionString: shopsDatabaseUrl });
    await client.connect();
    const { rows } = await client
      .query('select count(*)::int as count from shops.orders')
      .finally(() => client.end());
    expect(rows).toEqual([{ count: 1 }]);

    process.kill(pidOf('runner.ts')!, 'SIGKILL');
    await waitForOutput('The runner ended by itself; starting it again.');
    for (let tries = 0; tries < 100 && pidOf('runner.ts') === undefined; tries++) await delay(100);
    expect(pidOf('runner.ts')).toBeDefined();
  });

  it('gives main side and vault a database each, that the other one’s role cannot enter', async () => {
    const { databaseUrl, vaultDatabaseUrl } = devFile();
    const enter = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      try {
        await client.connect();
        return (await client.query('select current_user')).rows[0].current_user;
      } catch (error) {
        return (error as Error).message;
      } finally {
        await client.end().catch(() => undefined);
      }
    };
    const roleOf = (url: string) => /:\/\/([^@]+)@/.exec(url)![1]!;
    const swapped = (url: string, role: string) => url.replace(/:\/\/[^@]+@/, `://${role}@`);
    expect([await enter(databaseUrl), await enter(vaultDatabaseUrl)]).toEqual([
      'purser_main',
      'purser_vault',
    ]);
    expect(await enter(swapped(databaseUrl, roleOf(vaultDatabaseUrl)))).toMatch(
      /permission denied for database/,
    );
    expect(await enter(swapped(vaultDatabaseUrl, roleOf(databaseUrl)))).toMatch(
      /permission denied for database/,
    );
    const client = new pg.Client({ connectionString: vaultDatabaseUrl });
    await client.connect();
    const running = `select distinct usename from pg_stat_activity where application_name = 'purser-vault'`;
    expect((await client.query(running).finally(() => client.end())).rows).toEqual([
      { usename: 'purser_vault_service' },
    ]);
  });

  it('answers requests with the API’s rights and works with the worker’s, and keeps no connection of the owner', async () => {
    expect((await call('GET', '/2025-06-09/wallets/userId:nobody:evm')).status).toBe(404);
    const client = new pg.Client({ connectionString: devFile().databaseUrl });
    await client.connect();
    const connected = `select distinct application_name as part, usename as role from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() order by 1, 2`;
    const { rows } = await client.query(connected).finally(() => client.end());
    const roleOfPart = {
      dev: 'purser_worker',
      'dev listen': 'purser_worker',
      'dev-api': 'purser_api',
    };
    expect(rows).toEqual(
      Object.entries(roleOfPart).map(([part, role]) => ({ part: `purser-${part}`, role })),
    );
  });

  it('stops with Ctrl-C and leaves no process behind; the next start finds wallets, keys and chains as they were', {
    tags: 'slow',
  }, async () => {
    await call('POST', '/2025-06-09/wallets', {
      chainType: 'evm',
      owner: 'userId:kim',
      config: { adminSigner: { type: 'api-key' } },
    });
    expect(
      (
        await call('POST', '/v1-alpha2/wallets/userId:kim:smart/balances', {
          amount: 50,
          token: 'usdxm',
          chain: 'base-sepolia',
        })
      ).status,
    ).toBe(201);
    const before = devFile();
    expect(await stop('SIGINT')).toEqual({ end: 0, left: [] });
    const vaultPort = vaultPortOf(place.dataDir) + 1;
    dev = await startDev({ ...place, vaultPort });
    // Where the vault is stands in the command, and is not what the file had of the last start.
    expect(devFile()).toEqual({ ...before, vaultUrl: `http://127.0.0.1:${vaultPort}/api` });
    expect(dev.output()).toContain(`http://127.0.0.1:${vaultPort}/api`);
    expect(await balanceOf('kim')).toBe('50000000');
  });

  it('loses nothing that was answered when it is killed with -9', { tags: 'slow' }, async () => {
    const { status, body } = await transferOut('8');
    expect(status).toBe(201);
    dev.child.kill('SIGKILL');
    await dev.ended;
    dev = await startDev(place);
    expect(await waitForEnd(body.id)).toBe('success');
    const next = await transferOut('1');
    expect(await waitForEnd(next.body.id)).toBe('success');
    expect([await balanceOf('kim'), await balanceOf('lou')]).toEqual(['41000000', '9000000']);
  });

  it('brings back a database that died alone, and goes on with what was accepted', {
    tags: 'slow',
  }, async () => {
    const accepted = await transferOut('1');
    process.kill(databasePid(), 'SIGKILL');
    await waitForOutput('The database is back.');
    expect(await waitForEnd(accepted.body.id)).toBe('success');
    const next = await transferOut('1');
    expect(await waitForEnd(next.body.id)).toBe('success');
    expect((await fetch(`${new URL(devFile().baseUrl).origin}/ready`)).status).toBe(200);
  });

  it('starts empty with --reset, also after a kill -9', { tags: 'slow' }, async () => {
    const before = devFile();
    const stranger = join(place.dataDir, 'notes.txt');
    writeFileSync(stranger, 'mine');
    dev.child.kill('SIGKILL');
    await dev.ended;
    dev = await startDev(place, ['--reset']);
    expect(readFileSync(stranger, 'utf8')).toBe('mine');
    expect(devFile().serverKey).not.toBe(before.serverKey);
    expect((await call('GET', '/2025-06-09/wallets/userId:kim:evm')).status).toBe(404);
  });

  it.each([
    ['a file', () => join(folder, 'a-file'), []],
    ['a file, and --reset', () => join(folder, 'a-file'), ['--reset']],
    ['below a file', () => join(folder, 'a-file', 'var'), []],
    ['below /proc', () => '/proc/x', []],
  ])(
    'says in one sentence that the data folder cannot be used: %s',
    { tags: 'slow' },
    async (_what, dataDirOf, args) => {
      writeFileSync(join(folder, 'a-file'), 'kept');
      const broken = spawnDev(
        { dataDir: dataDirOf(), port: await freePort(), chainsPort: await freePort() },
        args,
      );
      expect(await broken.ended).toBe(1);
      expect(broken.output()).toMatch(
        new RegExp(
          `^The data folder ${dataDirOf()} cannot be used \\(.+\\): name a folder that this user can write with --data\\.\\n$`,
        ),
      );
      expect(readFileSync(join(folder, 'a-file'), 'utf8')).toBe('kept');
    },
  );

  it('says what is wrong with an argument', { tags: 'slow' }, async () => {
    const cases: [DevPlace, string[], string][] = [
      [place, ['--colour', 'red'], '--colour'],
      [{ ...place, chainsPort: place.port }, [], `--port and --chains-port are both ${place.port}`],
      [
        place,
        ['--shop', '127.0.0.1:8102'],
        'RUNNER_ALLOWED_PRIVATE_ORIGINS is a list of origins such as http://127.0.0.1:4001',
      ],
      [
        place,
        ['--shop', 'http://169.254.169.254/latest'],
        'RUNNER_ALLOWED_PRIVATE_ORIGINS names the metadata service of a cloud',
      ],
      [place, ['--shop', 'http://127.0.0.1:8102', '--no-runner'], '--shop needs a runner'],
      [place, ['--card', 'cash'], 'CARD_SOURCE is one of sandbox, user, off'],
      [place, ['--families', 'evm,tezos'], 'no local chains of the family "tezos": evm, solana'],
      [
        { ...place, shopsPort: place.port - 3 },
        [],
        `--port is ${place.port}, which is one of the ports of the test shops`,
      ],
    ];
    for (const [at, args, sentence] of cases) {
      const wrong = spawnDev(at, args);
      expect(await wrong.ended).toBe(1);
      expect(wrong.output()).toContain(sentence);
      expect(wrong.output()).not.toContain('    at ');
    }
  });

  it('says so when the port of the chains is in use', { tags: 'slow' }, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const busy = spawnDev({
      dataDir: join(folder, 'third'),
      port: await freePort(),
      chainsPort: port,
    });
    expect(await busy.ended).toBe(1);
    expect(busy.output()).toContain(`Port ${port} for the local chains is in use`);
    expect(existsSync(join(folder, 'third', 'postgres'))).toBe(false);
    server.close();
  });

  it('says so when a port of the test shops is in use; without a runner it needs none of them', {
    tags: 'slow',
  }, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const at = {
      dataDir: join(folder, 'fourth'),
      port: await freePort(),
      chainsPort: await freePort(),
      shopsPort: port,
    };
    const busy = spawnDev(at);
    expect(await busy.ended).toBe(1);
    expect(busy.output()).toContain(`Port ${port} for the test shops is in use`);
    expect(existsSync(join(folder, 'fourth', 'postgres'))).toBe(false);
    const bare = await startDev(at, ['--no-runner']);
    expect(bare.output()).not.toMatch(/shop/);
    bare.child.kill('SIGTERM');
    expect(await bare.ended).toBe(0);
    server.close();
  });

  it('ends with one sentence when its database died and cannot be started again', {
    tags: 'slow',
  }, async () => {
    const version = join(place.dataDir, 'postgres', 'data', 'PG_VERSION');
    const kept = readFileSync(version);
    writeFileSync(version, '9');
    process.kill(databasePid(), 'SIGKILL');
    expect(await dev.ended).toBe(1);
    expect(dev.output()).toMatch(
      /^The database ended by itself and could not be started again: .*PostgreSQL 9/m,
    );
    expect(dev.output()).not.toContain('    at ');
    writeFileSync(version, kept);
  });

  it.each(['key-encryption-key', 'key-signing-seed'])(
    'does not start without the %s of its database',
    { tags: 'slow' },
    async (name) => {
      const path = join(place.dataDir, 'secrets', name);
      renameSync(path, `${path}.away`);
      const broken = spawnDev(place);
      expect(await broken.ended).toBe(1);
      expect(broken.output()).toContain(`The file ${path} is missing`);
      expect(broken.output()).toContain('npm start -- --reset');
      expect(existsSync(path)).toBe(false);
      renameSync(`${path}.away`, path);
    },
  );

  it.each([
    ['--data has no value', ['--data'], '--data'],
    ['there is no such option', ['--colour'], '--colour'],
    ['the folder has no instance', ['--data', '/nowhere'], '/nowhere/dev.json is not there'],
  ])('the quickstart says so in one sentence when %s', async (_what, args, sentence) => {
    const { code, output } = await runProgram('examples/quickstart.mjs', args);
    expect(output).toContain(sentence);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('the quickstart says that dev.json is damaged, or that something else answers', {
    tags: 'slow',
  }, async () => {
    const dataDir = join(folder, 'quick');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'dev.json'), '{');
    expect((await runProgram('examples/quickstart.mjs', ['--data', dataDir])).output).toMatch(
      /dev\.json is damaged: .*\n$/,
    );
    const other = createHttpServer((_request, response) => response.end('hello')).listen(
      0,
      '127.0.0.1',
    );
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    writeFileSync(
      join(dataDir, 'dev.json'),
      JSON.stringify({ baseUrl: `http://127.0.0.1:${port}/api`, serverKey: 'sk' }),
    );
    const { code, output } = await runProgram('examples/quickstart.mjs', ['--data', dataDir]);
    expect(output).toContain('answers 200 without JSON');
    expect(output).not.toContain('    at ');
    expect(code).toBe(1);
    other.close();
  });
});
