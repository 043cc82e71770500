import { Agent, request } from 'node:http';
import { prepareGenesis, startAnvil } from '../devnet/index.ts';
import { makeProductionSecrets, planMainNetwork } from '../test/harness/production.ts';
import { createSender } from './chain.ts';
import { type BenchOptions, type Measure, median } from './measure.ts';
import { type BenchService, startBenchService } from './service.ts';

const chain = 'base';
const goalMs = 15;

/**
 * One caller that asks for signatures of a wallet with a server-held signer, each after the other,
 * from request to answer.
 */
export async function benchSignatures(options: BenchOptions): Promise<Measure[]> {
  const count = options.quick ? 100 : 1_000;
  const secrets = makeProductionSecrets(1);
  const plan = planMainNetwork(chain, secrets, [createSender().account.address]);
  const node = await startAnvil({ chainId: plan.chainId, log: () => undefined });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let service: BenchService | undefined;
  try {
    await prepareGenesis(node.url, plan.genesis);
    service = await startBenchService({ options, secrets, rpcUrls: { [chain]: node.url } });
    const caller = { agent, baseUrl: await service.startApi(), key: service.serverKey };
    const config = { adminSigner: { type: 'api-key' } };
    const wallet = await post(caller, '/2025-06-09/wallets', {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:bench',
      config,
    });
    const path = `/2025-06-09/wallets/${String(wallet['address'])}/signatures`;
    const sign = async (index: number) => {
      const startMs = performance.now();
      const answer = await post(caller, path, {
        type: 'message',
        params: { chain, message: `message ${index}` },
      });
      if (answer['status'] !== 'success')
        throw new Error(`create signature: ${JSON.stringify(answer)}`);
      return performance.now() - startMs;
    };
    options.progress(`signatures: ${count} one after the other`);
    const timesMs: number[] = [];
    for (let index = -50; index < count; index++) {
      const ms = await sign(index);
      if (index >= 0) timesMs.push(ms);
    }
    const value = median(timesMs);
    return [
      {
        name: 'signature by a server-held signer, p50',
        value,
        unit: 'ms',
        beside: { what: 'promised', value: goalMs },
        ratio: value / goalMs,
        goal: { atMost: 1 },
      },
    ];
  } finally {
    agent.destroy();
    await service?.close();
    await node.stop();
  }
}

interface Caller {
  readonly agent: Agent;
  readonly baseUrl: string;
  readonly key: string;
}

/**
 * `fetch` alone would cost a third of what is measured.
 * @throws Error for every other answer than 201
 */
function post(
  { agent, baseUrl, key }: Caller,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${baseUrl}${path}`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        timeout: 30_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 201) resolve(JSON.parse(text) as Record<string, unknown>);
          else reject(new Error(`${path}: ${response.statusCode} ${text}`));
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`${path}: no answer in 30 s`)));
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
