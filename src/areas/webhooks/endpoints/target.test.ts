import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testCertificate } from '../../../../test/harness/test-certificate.ts';
import { isPublicAddress } from '../../../lib/net/public-fetch.ts';
import { createPoster, type Poster } from '../deliveries/post.ts';
import { answerWith, type Receiver, startReceiver } from '../testing/test-kit.ts';
import { readTargetUrl, type TargetRule, targetRuleOf } from './target.ts';

const { hostname, cert, key } = testCertificate;
let server: https.Server;
let port: number;
let hosts: (string | undefined)[] = [];
let receiver: Receiver;
let posters: Poster[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  server = https.createServer({ cert, key }, (request, response) => {
    hosts.push(request.headers.host);
    response.end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await receiver.close();
});
afterEach(() => {
  for (const poster of posters.splice(0)) poster.close();
  hosts = [];
  receiver.received.length = 0;
});

/** As production sends, with names that the test resolves. */
function post(
  url: string,
  rule: Partial<TargetRule> = {},
  options: { timeoutMs?: number; ca?: string } = {},
) {
  const production: TargetRule = {
    ...targetRuleOf('production'),
    resolve: async () => ['127.0.0.1'],
  };
  const poster = createPoster({
    rule: { ...production, ...rule },
    ca: cert,
    timeoutMs: 5_000,
    ...options,
  });
  posters.push(poster);
  return poster.post({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
}
const isTestMachine = (address: string) => address === '127.0.0.1';

describe('in production', () => {
  it('the connection goes to the address that was checked, under the receiver’s own name', async () => {
    expect(await post(`https://${hostname}:${port}/`, { isAllowed: isTestMachine })).toMatchObject({
      statusCode: 200,
      answer: 'thanks',
    });
    expect(hosts).toEqual([`${hostname}:${port}`]);
  });

  it('a name that leads to a machine of ours is not connected to, be it one address among others', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '10.0.0.1'],
      ['::1'],
      ['169.254.169.254'],
      ['::ffff:10.0.0.1'],
      [],
    ]) {
      const outcome = await post(`https://${hostname}:${port}/`, {
        resolve: async () => addresses,
        isAllowed: isPublicAddress,
      });
      expect(outcome).toMatchObject({
        error: 'The name does not lead to a machine of the public internet.',
      });
    }
    expect(hosts).toEqual([]);
  });

  it('a name that changes its mind between the check and the connection gains nothing: each connection asks once', async () => {
    const url = `https://${hostname}:${port}/`;
    const asked: string[][] = [];
    // The first answer is what the test calls public; whoever asked again to connect would get the
    // other one.
    const rebinding = (...answers: string[][]): Partial<TargetRule> => ({
      resolve: async () => {
        asked.push(answers[Math.min(asked.length, answers.length - 1)]!);
        return asked.at(-1)!;
      },
      isAllowed: isTestMachine,
    });
    expect(await post(url, rebinding(['127.0.0.1'], ['127.0.0.2']))).toMatchObject({
      statusCode: 200,
    });
    expect([asked, hosts.length]).toEqual([[['127.0.0.1']], 1]);
    // Registered and sent to while it was public; the next connection is checked like the first.
    const poster = createPoster({
      rule: { ...targetRuleOf('production'), ...rebinding(['127.0.0.1'], ['127.0.0.2']) },
      ca: cert,
    });
    posters.push(poster);
    asked.length = 0;
    const again = () => poster.post({ url, headers: { connection: 'close' }, body: '{}' });
    expect(await again()).toMatchObject({ statusCode: 200 });
    expect(await again()).toMatchObject({
      error: 'The name does not lead to a machine of the public internet.',
    });
    expect([asked.length, hosts.length]).toEqual([2, 2]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.1/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://10.0.0.1/',
    'https://[64:ff9b::a00:1]/',
    'http://example.com/',
  ])('%s is neither registered nor sent to', async (url) => {
    expect(() => readTargetUrl(url, targetRuleOf('production'))).toThrow(/^url:/);
    expect((await post(url)).error).toMatch(/no machine of the public internet|Only https/);
  });

  it('a certificate of somebody else is refused', async () => {
    const outcome = await post(`https://other.test:${port}/`, { isAllowed: isTestMachine });
    expect(outcome.error).toMatch(/^The secure connection failed/);
    expect(
      (await post(`https://${hostname}:${port}/`, { isAllowed: isTestMachine }, { ca: undefined }))
        .error,
    ).toMatch(/secure connection/);
  });

  it('staging is as strict', () => {
    expect(() => readTargetUrl('http://example.com/', targetRuleOf('staging'))).toThrow('https');
    expect(targetRuleOf('staging').isAllowed('127.0.0.1')).toBe(false);
  });
});

describe('in development', () => {
  it('http and this machine are allowed, its neighbours are not', async () => {
    const rule = targetRuleOf('development');
    expect(await post(receiver.url.replace('127.0.0.1', 'localhost'), rule)).toMatchObject({
      statusCode: 204,
    });
    expect(await post(receiver.url, rule)).toMatchObject({ statusCode: 204 });
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://192.168.1.1/'])
      expect((await post(url, rule)).error).toMatch(/no machine of the public internet/);
  });
});

describe('an answer', () => {
  const dev = targetRuleOf('development');

  it('that redirects is not followed', async () => {
    receiver.answer = answerWith(302, { location: receiver.url });
    expect(await post(receiver.url, dev)).toMatchObject({ statusCode: 302 });
    expect(receiver.received).toHaveLength(1);
  });

  it('is kept up to 1 KiB, whatever follows', async () => {
    receiver.answer = answerWith(200, {}, `\0${'x'.repeat(5_000)}`);
    expect((await post(receiver.url, dev)).answer).toBe('x'.repeat(1_023));
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const flood = () =>
        response.destroyed || (response.write('y'.repeat(10_000)), setImmediate(flood));
      flood();
    };
    expect(await post(receiver.url, dev)).toMatchObject({
      statusCode: 200,
      answer: 'y'.repeat(1_024),
    });
  });

  it('counts by its status when its body does not end in time', async () => {
    receiver.answer = (_, response) => void response.writeHead(200).write('slow');
    expect(await post(receiver.url, dev, { timeoutMs: 1_000 })).toMatchObject({
      statusCode: 200,
      answer: 'slow',
    });
  });

  it('that is about another protocol is one like any other: nobody waits for ever, nor for a connection that stays open', async () => {
    const closed = new Promise((resolve) => {
      receiver.answer = (_, response) => {
        response
          .socket!.once('close', resolve)
          .write(
            'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
          );
      };
    });
    expect(await post(receiver.url, dev, { timeoutMs: 300 })).toMatchObject({ statusCode: 101 });
    await closed;
  }, 5_000);

  it('that does not come in time, or cannot come, is none', async () => {
    receiver.answer = () => undefined;
    expect(await post(receiver.url, dev, { timeoutMs: 100 })).toMatchObject({
      error: 'No answer within 0.1 s.',
    });
    expect(await post('http://127.0.0.1:1/', dev)).toMatchObject({
      error: 'The connection was refused.',
    });
    expect(await post('http://nowhere.invalid/', dev)).toMatchObject({
      error: expect.stringMatching(/^The name/),
    });
    receiver.answer = (_, response) => void response.socket?.destroy();
    expect(await post(receiver.url, dev)).toMatchObject({
      error: 'The connection was closed before an answer came.',
    });
    receiver.answer = (_, response) => void response.socket?.end('gibberish\r\n\r\n');
    expect(await post(receiver.url, dev)).toMatchObject({ error: 'What came back was not HTTP.' });
  });
});
