import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeFunctionData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testTokenAbi } from '../../contracts/index.ts';
import { type Anvil, prepareGenesis, startAnvil } from '../../devnet/index.ts';
import { createRpc, type RpcClient } from '../../src/chains/evm/rpc/rpc.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';
import { sendCall } from '../harness/http.ts';
import { startProcess } from '../harness/processes.ts';
import { makeProductionSecrets, planMainNetwork } from '../harness/production.ts';
import {
  createProductionParts,
  type Part,
  type ProductionParts,
} from '../harness/production-parts.ts';

const chain = 'base';
const databasePassword = 'correct-horse-battery-staple';
const secrets = makeProductionSecrets();
const minter = privateKeyToAccount(generatePrivateKey());
const { chainId, genesis, network } = planMainNetwork(chain, secrets, [minter.address]);
const usdc = network.tokens.find(({ symbol }) => symbol === 'usdc')!.address as Hex;
const waitMaxMs = 45_000;

let database: TestDatabase;
let node: Anvil;
let rpc: RpcClient;
let apis: Part[];
let workers: Part[];
let serverKey: string;
let parts: ProductionParts;

/** The operator's command line, as a process of its own. */
async function purser(...args: string[]): Promise<{ code: number | null; output: string }> {
  const process = startProcess({
    name: 'purser',
    program: 'bin/purser.mjs',
    args,
    env: parts.environment(args[0] === 'migrate' ? 'migrate' : 'purser'),
  });
  const { code } = await process.ended;
  return { code, output: process.output() };
}

beforeAll(async () => {
  database = await startTestDatabase({ empty: true, poolSize: 2 });
  node = await startAnvil({ chainId, log: () => undefined });
  rpc = createRpc({ url: node.url, timeoutMs: 20_000 });
  await prepareGenesis(node.url, genesis);
  parts = createProductionParts({
    databaseUrl: database.url,
    secrets,
    rpcUrls: { [chain]: node.url },
    password: databasePassword,
  });
  const migrated = await purser('migrate');
  expect(migrated).toMatchObject({
    code: 0,
    output: expect.stringContaining('migrations applied'),
  });
  expect((await purser('projects', 'create', '--name', 'Shop')).code).toBe(0);
  const key = await purser(
    'keys',
    'create',
    '--kind',
    'server',
    '--scopes',
    'wallets.create,wallets.read,wallets:transactions.create,wallets:transactions.read,wallets:nfts.transfer',
    '--json',
  );
  serverKey = (JSON.parse(key.output) as { key: string }).key;
  [apis, workers] = await Promise.all([
    Promise.all([parts.start('api'), parts.start('api')]),
    Promise.all([parts.start('worker'), parts.start('worker')]),
  ]);
}, 120_000);

afterAll(async () => {
  await parts?.stop();
  rpc?.close();
  await node?.stop();
  await database?.close();
});

const call = (part: Part, method: string, path: string, body?: unknown) =>
  sendCall(`${part.origin}/api${path}`, method, { key: serverKey, body });
const walletBody = (user: string) => ({
  chainType: 'evm',
  type: 'smart',
  owner: `userId:${user}`,
  config: { adminSigner: { type: 'api-key' } },
});

async function mint(to: string, amountMinor: bigint): Promise<void> {
  const nonce = Number(await rpc.request('eth_getTransactionCount', [minter.address, 'pending']));
  const data = encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'mint',
    args: [to as Hex, amountMinor],
  });
  const raw = await minter.signTransaction({
    chainId,
    type: 'eip1559',
    nonce,
    to: usdc,
    data,
    gas: 200_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  const hash = await rpc.request('eth_sendRawTransaction', [raw]);
  await expect
    .poll(() => rpc.request('eth_getTransactionReceipt', [hash]), { timeout: waitMaxMs })
    .toMatchObject({ status: '0x1' });
}

async function waitForSuccess(part: Part, address: string, id: string) {
  for (const endAt = Date.now() + waitMaxMs; ; await delay(100)) {
    const { body } = await call(part, 'GET', `/2025-06-09/wallets/${address}/transactions/${id}`);
    if (body.status === 'success') return body;
    if (body.status === 'failed' || Date.now() > endAt)
      throw new Error(
        `transaction ${id} is ${body.status}: ${JSON.stringify(body.error)}\n${workers.map(({ process }) => process.output().slice(-2_000)).join('\n')}`,
      );
  }
}

/** A POST whose body is on its way: the rest is sent by `finish`, which gives what came back. */
async function beginPost(
  part: Part,
  path: string,
  body: string,
): Promise<{ finish(): Promise<string> }> {
  const socket = connect(Number(new URL(part.origin).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  const half = Math.floor(body.length / 2);
  socket.write(
    `POST /api${path} HTTP/1.1\r\nhost: purser\r\nx-api-key: ${serverKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body.slice(0, half)}`,
  );
  // The server has seen the head once it has asked for nothing more than the rest: a second request
  // is answered meanwhile.
  await call(part, 'GET', '/2025-06-09/wallets/none');
  return {
    finish: () => {
      socket.write(body.slice(half));
      return closed;
    },
  };
}

describe('in production, with two API processes and two workers', () => {
  it('health and readiness are answered without a key, and metrics only on a port of their own', {
    tags: 'slow',
  }, async () => {
    for (const { origin, metricsUrl } of apis) {
      expect(await (await fetch(`${origin}/health`)).json()).toEqual({ status: 'ok' });
      expect(await (await fetch(`${origin}/ready`)).json()).toMatchObject({
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok' },
      });
      expect(await (await fetch(metricsUrl)).text()).toContain('purser_http_requests_total');
      expect((await fetch(`${origin}/metrics`)).status).toBe(404);
    }
    for (const { metricsUrl } of workers) {
      const text = await (await fetch(metricsUrl)).text();
      for (const name of ['process_cpu_seconds_total', 'purser_screening_list_alarm'])
        expect(text).toContain(name);
    }
  });

  it('a wallet made at one process is found at the other, and its transfer reaches the main network once', {
    tags: 'slow',
  }, async () => {
    const created = await call(apis[0]!, 'POST', '/2025-06-09/wallets', walletBody('alice'));
    expect(created.status).toBe(201);
    const { address } = created.body;
    expect((await call(apis[1]!, 'GET', `/2025-06-09/wallets/userId:alice:evm`)).body.address).toBe(
      address,
    );
    await mint(address, 5_000_000n);
    const recipient = '0x00000000000000000000000000000000000a11ce';
    const transfer = await call(
      apis[1]!,
      'POST',
      `/2025-06-09/wallets/${address}/tokens/${chain}:usdc/transfers`,
      {
        recipient,
        amount: '2.5',
      },
    );
    expect([transfer.status, transfer.text]).toEqual([201, expect.any(String)]);
    const done = await waitForSuccess(apis[0]!, address, transfer.body.id);
    expect(done.onChain.txId).toMatch(/^0x[0-9a-f]{64}$/);
    const balance = await rpc.request('eth_call', [
      {
        to: usdc,
        data: encodeFunctionData({
          abi: testTokenAbi,
          functionName: 'balanceOf',
          args: [recipient],
        }),
      },
      'latest',
    ]);
    expect(BigInt(balance as Hex)).toBe(2_500_000n);
  });

  it('a test network and a key of another environment are refused', async () => {
    const { body: wallet } = await call(apis[0]!, 'POST', '/2025-06-09/wallets', walletBody('bob'));
    const transfer = await call(
      apis[0]!,
      'POST',
      `/2025-06-09/wallets/${wallet.address}/tokens/base-sepolia:usdc/transfers`,
      {
        recipient: wallet.address,
        amount: '1',
      },
    );
    expect([transfer.status, transfer.body.message]).toEqual([
      expect.any(Number),
      expect.stringContaining('production'),
    ]);
    expect(transfer.status).toBeLessThan(500);
    const other = await sendCall(
      `${apis[0]!.origin}/api/2025-06-09/wallets/${wallet.address}`,
      'GET',
      {
        key: serverKey.replace('sk_production_', 'sk_staging_'),
      },
    );
    expect(other.status).toBe(401);
  });

  it('the request id of a log line comes back as a header', async () => {
    const { headers } = await sendCall(`${apis[0]!.origin}/api/2025-06-09/wallets/none`, 'GET', {
      key: serverKey,
      headers: { 'x-request-id': 'order-4711' },
    });
    expect(headers.get('x-request-id')).toBe('order-4711');
    // The line is written when the answer has been, so it may come a moment later.
    const findLine = () =>
      apis[0]!.process
        .output()
        .split('\n')
        .find((line) => line.includes('order-4711'));
    for (const endAt = Date.now() + waitMaxMs; findLine() === undefined && Date.now() < endAt; )
      await delay(10);
    expect(JSON.parse(findLine() ?? '{}')).toMatchObject({
      requestId: 'order-4711',
      method: 'GET',
      level: 'info',
      process: 'api',
      code: 'invalid-locator',
    });
  });

  it('no process starts with settings of development, and one start names them all', {
    tags: 'slow',
  }, async () => {
    const wrong = {
      BASE_URL: 'http://purser.example/api',
      PRICING: 'sandbox',
      EVM_RPC_URL_BASE_SEPOLIA: 'https://node.example',
      EVM_TEST_TOKEN_ADDRESS: usdc,
      METRICS_PORT: '3000',
      // The first account of every local node.
      EVM_TREASURY_KEY: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    };
    const processes = (['api', 'worker'] as const).map((name) =>
      startProcess({
        name,
        program: `bin/${name}.ts`,
        env: { ...parts.environment(name), ...wrong },
      }),
    );
    parts.ran.push(...processes);
    expect(await Promise.all(processes.map((process) => process.ended))).toEqual([
      { code: 1, signal: null },
      { code: 1, signal: null },
    ]);
    for (const process of processes) {
      for (const name of Object.keys(wrong)) expect(process.output()).toContain(`- ${name}`);
      expect(process.output()).not.toMatch(/^\s+at /m);
      expect(process.output()).not.toContain(wrong.EVM_TREASURY_KEY.slice(2));
    }
  });

  it('no process opens a debugger for whoever may send it a signal', async () => {
    for (const { process: child } of [...apis, ...workers]) process.kill(child.pid, 'SIGUSR1');
    // Whoever answers after the signal has met it.
    for (const { metricsUrl } of [...apis, ...workers])
      expect((await fetch(metricsUrl)).status).toBe(200);
    for (const { process: child } of [...apis, ...workers])
      expect(child.output()).not.toContain('Debugger listening');
  });

  it('SIGTERM lets a running request finish and ends with 0, while the other processes go on', {
    tags: 'slow',
  }, async () => {
    const running = await beginPost(
      apis[0]!,
      '/2025-06-09/wallets',
      JSON.stringify(walletBody('carol')),
    );
    const stopping = apis[0]!.process.stop('SIGTERM');
    while (
      await fetch(`${apis[0]!.origin}/health`).then(
        () => true,
        () => false,
      )
    )
      await delay(20);
    expect(await running.finish()).toMatch(/^HTTP\/1\.1 201 /);
    expect(await stopping).toEqual({ code: 0, signal: null });

    expect(await workers[0]!.process.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    const { body: wallet } = await call(apis[1]!, 'GET', '/2025-06-09/wallets/userId:carol:evm');
    await mint(wallet.address, 1_000_000n);
    const transfer = await call(
      apis[1]!,
      'POST',
      `/2025-06-09/wallets/${wallet.address}/tokens/${chain}:usdc/transfers`,
      {
        recipient: minter.address,
        amount: '1',
      },
    );
    expect(transfer.status).toBe(201);
    expect((await waitForSuccess(apis[1]!, wallet.address, transfer.body.id)).status).toBe(
      'success',
    );

    expect(await apis[1]!.process.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect(await workers[1]!.process.stop('SIGINT')).toEqual({ code: 0, signal: null });
  });

  it('nothing that any process has written holds a secret', () => {
    const output = parts.ran.map((process) => process.output()).join('\n');
    expect(output).toContain('"route":"/api/2025-06-09/wallets"');
    const hidden = {
      serverKey,
      databasePassword,
      ...secrets,
      executorKeys: undefined,
      ...Object.fromEntries(secrets.executorKeys.map((key, index) => [`executor ${index}`, key])),
    };
    for (const [name, secret] of Object.entries(hidden)) {
      if (secret === undefined) continue;
      for (const form of [
        secret,
        secret.replace(/^0x/, ''),
        Buffer.from(secret, 'base64').toString('hex'),
      ])
        expect(output.includes(form), name).toBe(false);
    }
  });
});
