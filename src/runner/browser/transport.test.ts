import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTransport } from './transport.ts';

function start() {
  const output = new PassThrough();
  const heard: unknown[] = [];
  const givenUp: string[] = [];
  let kills = 0;
  const browser = { input: new PassThrough(), output, kill: async () => void (kills += 1) };
  const transport = createTransport(browser, {
    onRefused: () => undefined,
    onGivenUp: (why) => givenUp.push(why),
  });
  Object.assign(transport, { onmessage: (message: object) => void heard.push(message) });
  return { output, heard, givenUp, transport, kills: () => kills };
}

test('messages are heard in their order, however they are cut', async () => {
  const { output, heard, givenUp } = start();
  for (const part of ['{"id":1}\0{"i', 'd":', '2}', '\0', '{"id":3}\0']) output.write(part);
  await expect.poll(() => heard).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(givenUp).toEqual([]);
});

test('a browser whose words cannot be read is ended, and nothing else is', async () => {
  const { output, givenUp, kills } = start();
  output.write('no JSON\0');
  await expect.poll(kills).toBe(1);
  expect(givenUp).toEqual([expect.stringContaining('cannot be read (SyntaxError)')]);
});

test('a message that its reader cannot bear ends the browser, and nothing else', async () => {
  const { output, transport, givenUp, kills } = start();
  const onmessage = () => {
    throw new TypeError('Not this one.');
  };
  Object.assign(transport, { onmessage });
  output.write('{"id":1}\0');
  await expect.poll(kills).toBe(1);
  expect(givenUp).toHaveLength(1);
});

/** More than is read of one message. */
function writeMuch(output: PassThrough, start: string): void {
  output.write(start);
  const chunk = Buffer.alloc(1_048_576, 'x');
  for (let count = 0; count < 70; count++) output.write(chunk);
}

test('a message without end ends the browser before it fills the memory', async () => {
  const { output, heard, givenUp, kills } = start();
  writeMuch(output, '{"method":"Network.requestWillBeSent",');
  await expect.poll(kills).toBe(1);
  output.write('"}\0');
  await new Promise((resolve) => setImmediate(resolve));
  expect([heard, givenUp.length]).toEqual([[], 1]);
});

test('an answer that is too large fails what was asked, and nothing else', async () => {
  const { output, heard, transport, givenUp } = start();
  transport.send({ id: 7, sessionId: 'page', method: 'Runtime.evaluate' });
  writeMuch(output, '{"id":7,"result":"');
  output.write('"}\0{"id":8}\0');
  const error = { code: -32_000, message: 'The answer is larger than is read.' };
  await expect.poll(() => heard).toEqual([{ id: 7, sessionId: 'page', error }, { id: 8 }]);
  expect(givenUp).toEqual([]);
});

test('of what a page posts all the time no more is kept than a beginning', async () => {
  const { output, heard } = start();
  const request = { postData: '', postDataEntries: [{ bytes: 'x'.repeat(1_048_576) }] };
  for (let count = 0; count < 40; count++)
    output.write(`${JSON.stringify({ method: 'Fetch.requestPaused', params: { request } })}\0`);
  await expect.poll(() => heard.length).toBe(40);
  const lengths = heard.map(
    (one) =>
      (one as { params: { request: typeof request } }).params.request.postDataEntries[0]!.bytes
        .length,
  );
  expect([lengths.slice(0, 32), lengths.slice(32)]).toEqual([
    Array(32).fill(1_048_576),
    Array(8).fill(8_192),
  ]);
});
