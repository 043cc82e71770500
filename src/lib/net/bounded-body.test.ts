import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodyTooLongError, boundResponse, readBounded } from './bounded-body.ts';

const sent = { bytes: 0, isClosed: false };
/** Answers without an end. */
const server = createServer((_, response) => {
  response.on('close', () => {
    sent.isClosed = true;
  });
  const more = () => {
    while (!response.destroyed) {
      sent.bytes += 65_536;
      if (!response.write(Buffer.alloc(65_536, 'a'))) return void response.once('drain', more);
    }
  };
  more();
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test('a body is read to its last byte, and an answer without one is empty', async () => {
  expect(String(await readBounded(new Response('äb').body, 3))).toBe('äb');
  expect(await readBounded(null, 0)).toHaveLength(0);
  const bounded = await boundResponse(
    new Response('{"a":1}', { status: 409, headers: { 'x-a': 'b' } }),
    7,
  );
  expect([bounded.status, bounded.headers.get('x-a'), await bounded.json()]).toEqual([
    409,
    'b',
    { a: 1 },
  ]);
});

test('a body that does not end is given up, and its connection closed', async () => {
  const { body } = await fetch(url);
  await expect(readBounded(body, 100_000)).rejects.toEqual(new BodyTooLongError(100_000));
  await expect.poll(() => sent.isClosed).toBe(true);
  expect(sent.bytes).toBeLessThan(16 * 1024 * 1024);
});
