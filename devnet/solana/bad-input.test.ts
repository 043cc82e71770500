import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { toBase58 } from './base.ts';
import { type SolanaChain, startSolanaChain } from './index.ts';
import { accountMethods } from './rpc/accounts.ts';
import { blockMethods } from './rpc/blocks.ts';
import { controlMethods } from './rpc/control.ts';
import { transactionMethods } from './rpc/transactions.ts';
import { callMethod, callRaw } from './testing/clients.ts';

let chain: SolanaChain;
const methods = Object.keys({
  ...accountMethods,
  ...blockMethods,
  ...controlMethods,
  ...transactionMethods,
});
const address = toBase58(new Uint8Array(32).fill(7));

beforeAll(async () => {
  chain = await startSolanaChain({});
});

afterAll(() => chain?.stop());

/** Something that no method was made for, or nearly. */
function junk(depth = 0): unknown {
  const pick = [
    () => null,
    () => randomBytes(1)[0]! - 128,
    () => Number.MAX_VALUE,
    () => 1.5,
    () => true,
    () => '',
    () => address,
    () => toBase58(randomBytes(64)),
    () => randomBytes(randomBytes(1)[0]!).toString('base64'),
    () => 'a'.repeat(5_000),
    () => [],
    () => (depth > 2 ? 0 : [junk(depth + 1), junk(depth + 1)]),
    () =>
      depth > 2
        ? 0
        : {
            encoding: junk(depth + 1),
            commitment: junk(depth + 1),
            filters: [junk(depth + 1)],
            __proto__: null,
          },
    () => ({
      commitment: 'processed',
      encoding: 'base64',
      limit: -1,
      mint: address,
      dataSlice: { offset: 1e12, length: 1e12 },
    }),
  ];
  return pick[randomBytes(1)[0]! % pick.length]!();
}

describe('bad input', () => {
  it('of every method is answered, and no mistake of ours', async () => {
    for (const method of methods) {
      const batch = Array.from({ length: 60 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method,
        params: Array.from({ length: id % 4 }, () => junk()),
      }));
      const { body } = await callRaw(chain.url, batch);
      expect(body).toHaveLength(batch.length);
      for (const [id, reply] of body.entries()) {
        expect(reply.id).toBe(id);
        if (reply.error)
          expect([method, batch[id]!.params, reply.error.message]).not.toContainEqual(
            expect.stringMatching(/^Internal error/),
          );
      }
    }
    expect((await callMethod(chain.url, 'getHealth')).result).toBe('ok');
  });

  it('in a transaction is said in words', async () => {
    const send = (text: string, options: object = { encoding: 'base64' }) =>
      callMethod(chain.url, 'sendTransaction', text, options);
    expect((await send('AAAA')).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('failed to deserialize'),
    });
    expect((await send('not base64!')).error.message).toContain('invalid base64 encoding');
    expect((await send('0OIl', {})).error.message).toContain('invalid base58 encoding');
    expect((await send('A'.repeat(1_648))).error.message).toContain('too large');
    for (let count = 0; count < 200; count++) {
      const bytes = randomBytes(1 + ((count * 6) % 1_200));
      bytes[0] = 1;
      expect(
        (await send(bytes.toString('base64'), { encoding: 'base64', skipPreflight: true })).error
          ?.message ?? '',
      ).not.toMatch(/^Internal/);
    }
  });

  it('in the frame is refused with the codes of JSON-RPC', async () => {
    const ask = async (body: unknown) => (await callRaw(chain.url, body)).body;
    expect((await ask('{')).error.code).toBe(-32700);
    expect((await ask([])).error.code).toBe(-32600);
    expect((await ask(Array.from({ length: 101 }, () => ({}))))!.error.message).toContain(
      '1 to 100',
    );
    expect((await ask({ jsonrpc: '1.0', method: 'getSlot' })).error.code).toBe(-32600);
    expect(
      (await ask({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: { a: 1 } })).error.code,
    ).toBe(-32600);
    expect((await ask({ jsonrpc: '2.0', id: 1, method: 'toString' })).error.code).toBe(-32601);
    expect(await ask([{ jsonrpc: '2.0', id: 'x', method: 'getHealth' }, 5])).toEqual([
      { jsonrpc: '2.0', result: 'ok', id: 'x' },
      { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null },
    ]);
    expect((await fetch(chain.url)).status).toBe(405);
    expect((await fetch(chain.url, { method: 'POST', body: '{}' })).status).toBe(415);
    const large = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ' '.repeat(17 * 1024 * 1024),
    });
    expect(large.status).toBe(413);
  });

  it('methods and encodings that are not here are refused by name, with what to do', async () => {
    expect((await callMethod(chain.url, 'getVoteAccounts')).error).toEqual({
      code: -32601,
      message:
        'Method not found: getVoteAccounts is not served by this local emulator of Solana: there are no validators.',
    });
    expect(
      (await callMethod(chain.url, 'getTokenLargestAccounts', address)).error.message,
    ).toContain('use getProgramAccounts');
    const token = 'So11111111111111111111111111111111111111112';
    expect(
      (await callMethod(chain.url, 'getAccountInfo', token, { encoding: 'base64+zstd' })).error
        .message,
    ).toContain('ask for base64');
    expect((await callMethod(chain.url, 'getBalance', 'short')).error).toEqual({
      code: -32602,
      message: 'Invalid params: parameter 1: an address (32 bytes) in base58 is needed',
    });
    expect(
      (await callMethod(chain.url, 'getSignaturesForAddress', address, { limit: 1_001 })).error
        .message,
    ).toContain('Invalid limit; max 1000');
    expect(
      (await callMethod(chain.url, 'getSlot', { minContextSlot: 1_000_000 })).error,
    ).toMatchObject({ code: -32016 });
  });

  it('over a web socket is answered, and the socket stays', async () => {
    const socket = new WebSocket(chain.webSocketUrl);
    await once(socket, 'open');
    const ask = async (text: string) => {
      socket.send(text);
      const [data] = await once(socket, 'message');
      return JSON.parse(String(data));
    };
    const call = (method: string, ...params: unknown[]) =>
      ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect((await ask('{')).error.code).toBe(-32600);
    expect((await call('logsSubscribe', 'all')).error.message).toContain(
      'signatureSubscribe, accountSubscribe and slotSubscribe',
    );
    expect((await call('signatureSubscribe', 5)).error.code).toBe(-32602);
    expect((await call('constructorSubscribe')).error.code).toBe(-32601);
    const { result: id } = await call('accountSubscribe', address, {
      commitment: 'processed',
      encoding: 'base64',
    });
    expect((await call('accountUnsubscribe', id)).result).toBe(true);
    expect((await call('accountUnsubscribe', id)).error.message).toBe('Invalid subscription id.');
    socket.close();
  });
});
