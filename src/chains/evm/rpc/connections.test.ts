import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addresses } from '../../../../contracts/index.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import type { Environment } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { evmNetworks } from '../config/networks.ts';
import { createConnections, type EvmConnections, rpcSettingOf } from './connections.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that answers as told; every HTTP request is kept. */
interface FakeNode {
  readonly url: string;
  readonly requests: Call[][];
}

const servers: Server[] = [];
const opened: EvmConnections[] = [];
afterEach(async () => {
  for (const connections of opened.splice(0)) connections.close();
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(resolve);
        }),
    ),
  );
});

async function startNode(
  answer: (call: Call) => unknown,
  pause: () => Promise<void> = async () => undefined,
): Promise<FakeNode> {
  const requests: Call[][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', async () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
        const calls = Array.isArray(body) ? body : [body];
        requests.push(calls);
        await pause();
        const answers = calls.map((call) => ({
          jsonrpc: '2.0',
          id: call.id,
          result: answer(call),
        }));
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
      });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const rightAnswer = ({ method }: Call) => (method === 'eth_chainId' ? '0x14a34' : '0x6001');

function connect(input: {
  rpcUrls?: Record<string, string>;
  environment?: Environment;
  onFirstUse?: (chain: string) => Promise<void>;
}): EvmConnections {
  const config = testConfig();
  const connections = createConnections({
    config: {
      ...config,
      environment: input.environment ?? 'development',
      evm: {
        ...config.evm,
        rpcUrls: new Map(Object.entries(input.rpcUrls ?? {})),
        rpcTimeoutMs: 2_000,
      },
    },
    networks: evmNetworks,
    log: createLogger({ level: 'silent', process: 'test' }),
    onFirstUse: input.onFirstUse ?? (async () => undefined),
  });
  opened.push(connections);
  return connections;
}

async function refusal(run: () => unknown): Promise<ServiceError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('a chain name', () => {
  it('stands for itself where it fits the environment and has a node', () => {
    expect(
      connect({ rpcUrls: { 'base-sepolia': 'http://localhost' } }).requireNetwork('base-sepolia')
        .name,
    ).toBe('base-sepolia');
    expect(
      connect({ rpcUrls: { base: 'http://localhost' }, environment: 'production' }).requireNetwork(
        'base',
      ).name,
    ).toBe('base');
  });

  it('of a main network stands for its test network outside production', () => {
    const { requireNetwork } = connect({
      rpcUrls: {
        'base-sepolia': 'http://localhost',
        curtis: 'http://localhost',
        'polygon-amoy': 'http://localhost',
      },
      environment: 'staging',
    });
    expect(requireNetwork('base').name).toBe('base-sepolia');
    expect(requireNetwork('apechain').name).toBe('curtis');
    expect(requireNetwork('polygon').name).toBe('polygon-amoy');
  });

  it('of a main network without a test network is refused outside production', async () => {
    const { requireNetwork } = connect({ rpcUrls: { 'base-sepolia': 'http://localhost' } });
    for (const name of ['arbitrumnova', 'bsc', 'shape']) {
      const { code, message } = await refusal(() => requireNetwork(name));
      expect(code).toBe('chain-not-supported');
      expect(message).toMatch(/main network .*Available: base-sepolia\.$/);
    }
  });

  it('of a test network is refused in production', async () => {
    const { code, message } = await refusal(() =>
      connect({ rpcUrls: { base: 'http://localhost' }, environment: 'production' }).requireNetwork(
        'base-sepolia',
      ),
    );
    expect(code).toBe('chain-not-supported');
    expect(message).toBe(
      'The chain "base-sepolia" is a test network, and this is a production instance. Available: base.',
    );
  });

  it('without a node is refused with the name of the setting', async () => {
    expect(rpcSettingOf('sei-atlantic-2-testnet')).toBe('EVM_RPC_URL_SEI_ATLANTIC_2_TESTNET');
    const { code, message } = await refusal(() => connect({}).requireNetwork('base'));
    expect(code).toBe('chain-not-supported');
    expect(message).toBe(
      'The chain "base-sepolia" has no node on this instance: its operator sets EVM_RPC_URL_BASE_SEPOLIA. No EVM chain is configured here.',
    );
  });
});

describe('the first use of a node', () => {
  it('verifies chain id and contracts in one request, and never again', async () => {
    const node = await startNode(rightAnswer);
    const used: string[] = [];
    const connections = connect({
      rpcUrls: { 'base-sepolia': node.url },
      onFirstUse: async (chain) => void used.push(chain),
    });
    const [one, two] = await Promise.all([
      connections.connect('base-sepolia'),
      connections.connect('base'),
    ]);
    expect(one).toBe(two);
    expect(one.chainId).toBe(84_532);
    await connections.connect('base-sepolia');
    expect(node.requests).toHaveLength(1);
    expect(node.requests[0]!.map(({ method, params }) => [method, params[0]])).toEqual(
      expect.arrayContaining([
        ['eth_chainId', undefined],
        ['eth_getCode', addresses.walletModule],
        ['eth_getCode', addresses.batchExecutor],
      ]),
    );
    expect(used).toEqual(['base-sepolia']);
  });

  it('refuses a node of another chain, naming both ids and the setting', async () => {
    const node = await startNode((call) =>
      call.method === 'eth_chainId' ? '0x1' : rightAnswer(call),
    );
    const { code, message } = await refusal(() =>
      connect({ rpcUrls: { 'base-sepolia': node.url } }).connect('base-sepolia'),
    );
    expect(code).toBe('upstream-error');
    expect(message).toBe(
      'The node of "base-sepolia" serves chain id 1 instead of 84532: its operator corrects EVM_RPC_URL_BASE_SEPOLIA.',
    );
  });

  it('refuses a chain without the contracts, naming the command that deploys them, and works once they stand', async () => {
    let deployed = false;
    const node = await startNode((call) =>
      call.method === 'eth_getCode' && call.params[0] === addresses.walletModule && !deployed
        ? '0x'
        : rightAnswer(call),
    );
    const connections = connect({ rpcUrls: { 'base-sepolia': node.url } });
    const { code, message } = await refusal(() => connections.connect('base-sepolia'));
    expect(code).toBe('chain-not-supported');
    expect(message).toBe(
      'The contracts of this service are not deployed on "base-sepolia" yet (missing: WalletModule): its operator runs `purser chains deploy base-sepolia`.',
    );
    deployed = true;
    expect((await connections.connect('base-sepolia')).chainId).toBe(84_532);
  });

  it('of a node that is away is provider-unavailable, and of one that talks nonsense upstream-error', async () => {
    expect(
      (
        await refusal(() =>
          connect({ rpcUrls: { 'base-sepolia': 'http://127.0.0.1:9' } }).connect('base-sepolia'),
        )
      ).code,
    ).toBe('provider-unavailable');
    const node = await startNode(() => ({ nonsense: true }));
    expect(
      (
        await refusal(() =>
          connect({ rpcUrls: { 'base-sepolia': node.url } }).connect('base-sepolia'),
        )
      ).code,
    ).toBe('upstream-error');
  });

  it("takes the node's word where no chain id is established", async () => {
    const node = await startNode(rightAnswer);
    const name = evmNetworks.find(
      (network) => network.testnet && network.chainId === undefined,
    )!.name;
    const connections = connect({ rpcUrls: { [name]: node.url } });
    expect((await refusal(() => connections.chainIdOf(name))).code).toBe('provider-unavailable');
    expect((await connections.connect(name)).chainId).toBe(84_532);
    expect(connections.chainIdOf(name)).toBe(84_532);
  });
});

describe('questions to a node', () => {
  it('that come while others are under way leave together, and every one gets its own answers', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isOpen = true;
    const node = await startNode(
      (call) => (call.method === 'eth_getBalance' ? call.params[0] : rightAnswer(call)),
      () => (isOpen ? Promise.resolve() : gate),
    );
    const connection = await connect({ rpcUrls: { 'base-sepolia': node.url } }).connect(
      'base-sepolia',
    );
    isOpen = false;
    const asked = Array.from({ length: 200 }, (_, index) =>
      connection.ask([
        { method: 'eth_getBalance', params: [`0x${index}`] },
        { method: 'eth_getBalance', params: [`0x${index}b`] },
      ]),
    );
    await expect.poll(() => node.requests.length).toBe(5);
    release();
    const answers = await Promise.all(asked);
    answers.forEach((results, index) =>
      expect(results.map((result) => result.ok && result.value)).toEqual([
        `0x${index}`,
        `0x${index}b`,
      ]),
    );
    // 400 questions, at most 60 in a request; the first was the verification.
    expect(node.requests).toHaveLength(1 + 7);
  });

  it('fail together when the node goes away', async () => {
    const node = await startNode(rightAnswer);
    const connection = await connect({ rpcUrls: { 'base-sepolia': node.url } }).connect(
      'base-sepolia',
    );
    const server = servers.pop()!;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const results = await Promise.allSettled([
      connection.ask([{ method: 'eth_chainId', params: [] }]),
      connection.ask([{ method: 'eth_gasPrice', params: [] }]),
    ]);
    for (const result of results)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'provider-unavailable' },
      });
  });
});
