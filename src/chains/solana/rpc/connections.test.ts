import http from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SolanaChain, startSolanaChain } from '../../../../devnet/solana/index.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { publicGenesisHashes } from '../config/networks.ts';
import { readAccounts, readLatestBlockhash, readRent, readSlot, readStatuses } from './calls.ts';
import { createConnections, type SolanaConnections } from './connections.ts';
import { parseExact } from './rpc.ts';
import { blockSchema } from './schemas.ts';

let chain: SolanaChain;
const ending: (() => void)[] = [];
beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
});
afterAll(async () => {
  for (const end of ending) end();
  await chain?.stop();
});

function connectionsTo(
  rpcUrl: string | undefined,
  environment: 'development' | 'staging' | 'production' = 'development',
) {
  const uses: string[] = [];
  const config = testConfig({
    environment,
    solana: { ...testConfig().solana, rpcUrl, rpcTimeoutMs: 2_000 },
  });
  const connections: SolanaConnections = createConnections({
    config,
    log: pino({ level: 'silent' }),
    onFirstUse: async (name) => void uses.push(name),
  });
  ending.push(() => connections.close());
  return { connections, uses };
}

/** A node that says of itself what it is told to. */
async function aNode(result: unknown): Promise<string> {
  const server = http.createServer(
    (_request, response) => void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ending.push(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe('the Solana node', () => {
  it('is asked for its cluster once, at the first use', async () => {
    const { connections, uses } = connectionsTo(chain.url);
    expect(uses).toEqual([]);
    const [one, other] = await Promise.all([
      connections.connect('solana'),
      connections.connect('solana'),
    ]);
    expect(one).toBe(other);
    expect(uses).toEqual(['solana']);
  });

  it('answers accounts, slots, blockhashes, rent and statuses in the forms of the chain', async () => {
    const connection = await connectionsTo(chain.url).connections.connect('solana');
    const native = 'So11111111111111111111111111111111111111112';
    const many = [
      ...Array.from({ length: 130 }, () => '11111111111111111111111111111111'),
      native,
      'Vote111111111111111111111111111111111111112',
    ];
    const { accounts, slot } = await readAccounts(connection, many, { commitment: 'processed' });
    expect(accounts).toHaveLength(132);
    expect(accounts[130]).toMatchObject({
      owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      executable: false,
    });
    expect(accounts[131]).toBeUndefined();
    expect(await readSlot(connection, 'processed')).toBeGreaterThanOrEqual(slot);
    expect((await readLatestBlockhash(connection, 'confirmed')).blockhash).toMatch(
      /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    );
    expect(await readRent(connection, 80)).toBe(1_447_680n);
    expect(await readStatuses(connection, { signatures: ['1'.repeat(64)], history: true })).toEqual(
      [null],
    );
  });

  it('of another cluster is refused with the name of its setting', async () => {
    await expect(
      connectionsTo(chain.url, 'production').connections.connect('solana'),
    ).rejects.toThrow(
      'serves another cluster instead of mainnet: its operator corrects SOLANA_RPC_URL',
    );
    const mainnet = await aNode(publicGenesisHashes.mainnet);
    await expect(connectionsTo(mainnet, 'staging').connections.connect('solana')).rejects.toThrow(
      'serves mainnet instead of devnet',
    );
    await expect(connectionsTo(mainnet).connections.connect('solana')).rejects.toThrow(
      'serves mainnet instead of local',
    );
    expect(
      (await connectionsTo(mainnet, 'production').connections.connect('solana')).network.testnet,
    ).toBe(false);
  });

  it('that is absent, silent or talks nonsense is named as such', async () => {
    await expect(connectionsTo(undefined).connections.connect('solana')).rejects.toMatchObject({
      code: 'chain-not-supported',
      message: expect.stringContaining('SOLANA_RPC_URL'),
    });
    await expect(
      connectionsTo(chain.url).connections.connect('solana-devnet'),
    ).rejects.toMatchObject({ code: 'chain-not-supported' });
    await expect(
      connectionsTo('http://127.0.0.1:9').connections.connect('solana'),
    ).rejects.toMatchObject({ code: 'provider-unavailable' });
    await expect(connectionsTo(await aNode(7)).connections.connect('solana')).rejects.toMatchObject(
      { code: 'upstream-error' },
    );
  });

  it('may write amounts that JavaScript would round', () => {
    expect(
      parseExact(
        '{"a":18446744073709551615,"b":"12345678901234567890 \\" 9","c":-1.5e3,"d":9007199254740991}',
      ),
    ).toEqual({
      a: '18446744073709551615',
      b: '12345678901234567890 " 9',
      c: -1500,
      d: '9007199254740991',
    });
  });

  it('may tell of a block what strangers put into it: it is not kept', () => {
    const data = '1'.repeat(14_000);
    const instruction = { programIdIndex: 0, accounts: [], data };
    const message = {
      accountKeys: [],
      instructions: [instruction],
      header: { numRequiredSignatures: 1 },
    };
    const meta = { err: null, fee: 5_000, preBalances: [], postBalances: [] };
    const block = blockSchema.parse({
      blockhash: '',
      parentSlot: 1,
      blockTime: null,
      transactions: [
        {
          transaction: { signatures: ['1'.repeat(64)], message },
          meta: {
            ...meta,
            logMessages: [data],
            innerInstructions: [{ index: 0, instructions: [instruction] }],
          },
        },
      ],
    });
    const kept = JSON.stringify(block, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(kept.length).toBeLessThan(1_000);
  });

  it('may write the largest account that there can be', () => {
    const data = Buffer.alloc(10 * 1024 * 1024).toString('base64');
    expect(parseExact(JSON.stringify([data, 1]))).toEqual([data, 1]);
  });
});
