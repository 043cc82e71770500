import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCertificate } from '../../../test/harness/test-certificate.ts';
import { readMetadata } from './metadata.ts';

const { hostname, cert, key } = testCertificate;
let server: https.Server;
let port: number;
beforeAll(async () => {
  server = https.createServer({ cert, key }, (request, response) =>
    response.end(
      request.url === '/large'
        ? 'x'.repeat(300_000)
        : JSON.stringify({ name: `at ${request.url}` }),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const local = (uri: string) => readMetadata(uri, { remote: false, timeoutMs: 1_000 });
const remote = (path: string) =>
  readMetadata(`https://${hostname}:${port}${path}`, {
    remote: true,
    timeoutMs: 2_000,
    fetch: {
      ca: cert,
      portAllowed: port,
      resolve: async () => ['127.0.0.1'],
      isPublic: () => true,
    },
  });

describe('the metadata of a collectible', () => {
  it('is read from a data address, encoded in any of the usual ways', async () => {
    const document = { name: 'Jörg 100%', description: 'a,b' };
    const json = JSON.stringify(document);
    expect(
      await local(`data:application/json;base64,${Buffer.from(json).toString('base64')}`),
    ).toEqual(document);
    expect(await local(`data:application/json,${encodeURIComponent(json)}`)).toEqual(document);
    expect(await local(`data:application/json;charset=utf-8,${json}`)).toEqual(document);
    expect(
      await local(
        `DATA:application/json;charset=utf-8;base64,${Buffer.from(json).toString('base64')}`,
      ),
    ).toEqual(document);
  });

  it('has no field that is of another type or longer than anybody shows', async () => {
    const read = (document: unknown) =>
      local(`data:application/json,${encodeURIComponent(JSON.stringify(document))}`);
    expect(
      await read({
        name: 'n'.repeat(301),
        description: 'd'.repeat(5_001),
        image: 'i'.repeat(65_537),
        extra: 1,
      }),
    ).toEqual({});
    expect(await read({ name: 'n'.repeat(300), description: ['x'], image: null })).toEqual({
      name: 'n'.repeat(300),
    });
    expect(await read('text')).toBeUndefined();
    expect(await read(null)).toBeUndefined();
  });

  it.each([
    ['https://example.com/1.png', true],
    ['ipfs://bafy/1.png', true],
    ['ar://abc', true],
    ['data:image/svg+xml;base64,PHN2Zy8+', true],
    ['javascript:alert(1)', false],
    ['data:text/html,<script>alert(1)</script>', false],
    ['file:///etc/passwd', false],
    ['http://192.168.0.1/camera.png', false],
    ['//evil.example/1.png', false],
  ])('has a picture at an address that an app can put into its page: %s', async (image, isKept) => {
    const document = await local(
      `data:application/json,${encodeURIComponent(JSON.stringify({ name: 'One', image }))}`,
    );
    expect(document).toEqual(isKept ? { name: 'One', image } : { name: 'One' });
  });

  it('is fetched from a public https address only where that is allowed', async () => {
    expect(await remote('/7.json')).toEqual({ name: 'at /7.json' });
    expect(await local(`https://${hostname}:${port}/7.json`)).toBeUndefined();
    await expect(
      readMetadata('https://127.0.0.1/7.json', { remote: true, timeoutMs: 1_000 }),
    ).rejects.toThrow('no public machine');
    await expect(remote('/large')).rejects.toThrow(/more than/);
  });

  it.each([
    'ipfs://abc',
    'http://metadata.test/1',
    'file:///etc/passwd',
    'data:text/html,{}',
    'nonsense',
    '',
  ])('is not looked for at "%s"', async (uri) => {
    expect(await readMetadata(uri, { remote: true, timeoutMs: 1_000 })).toBeUndefined();
  });
});
