import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadlineSignal, isLate } from './deadline.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

describe('a deadline', () => {
  // Answers its head and one letter, and never ends.
  const server = createServer((_, response) => response.writeHead(200).write('x'));
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('ends a call whose answer never ends, also when memory is collected meanwhile', {
    tags: 'slow',
  }, async () => {
    const caller = new AbortController();
    const call = (async () =>
      (await fetch(url, { signal: deadlineSignal(500, caller.signal) })).text())();
    const failed = expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    await failed;
  });

  it('leaves the other signals their say, and tells which it was', async () => {
    const caller = new AbortController();
    const given = deadlineSignal(60_000, caller.signal, undefined, null);
    expect([given.aborted, isLate(given)]).toEqual([false, false]);
    caller.abort(new Error('enough'));
    expect([given.aborted, isLate(given), given.reason.message]).toEqual([true, false, 'enough']);
    const late = deadlineSignal(1);
    await new Promise((resolve) => late.addEventListener('abort', resolve));
    expect(isLate(late)).toBe(true);
  });
});
