import type { RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCertificate } from '../../../test/harness/test-certificate.ts';
import { fetchPublic, isPublicAddress, type PublicFetchOptions } from './public-fetch.ts';

const { hostname, cert, key } = testCertificate;

let server: https.Server;
let port: number;
let answer: RequestListener;
let hosts: (string | undefined)[];

beforeAll(async () => {
  server = https.createServer({ cert, key }, (request, response) => {
    hosts.push(request.headers.host);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** As production reads, but that the test's own machine counts as public. */
function read(path: string, overrides: Partial<PublicFetchOptions> = {}): Promise<string> {
  hosts = [];
  const options = {
    timeoutMs: 5_000,
    bytesMax: 1_000,
    ca: cert,
    portAllowed: port,
    resolve: async () => ['127.0.0.1'],
    isPublic: (address: string) => address === '127.0.0.1',
  };
  return fetchPublic(path.startsWith('https:') ? path : `https://${hostname}:${port}${path}`, {
    ...options,
    ...overrides,
  }).then((body) => body.toString('utf8'));
}

describe('an address that a stranger wrote', () => {
  it('is read at the machine that was checked, under its own name', async () => {
    answer = (request, response) => response.end(`you asked for ${request.url}`);
    expect(await read('/a?b=c')).toBe('you asked for /a?b=c');
    expect(hosts).toEqual([`${hostname}:${port}`]);
  });

  it('may redirect a few times, each place being checked like the first', async () => {
    answer = (request, response) =>
      request.url === '/end'
        ? response.end('here')
        : response.writeHead(302, { location: '/end' }).end();
    expect(await read('/start')).toBe('here');
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
    await expect(read('/again')).rejects.toThrow('redirects too often');
    answer = (_, response) => response.writeHead(302, { location: 'http://example.com/' }).end();
    await expect(read('/start')).rejects.toThrow('Only https');
    answer = (_, response) =>
      response.writeHead(302, { location: `https://10.0.0.1:${port}/` }).end();
    await expect(read('/start')).rejects.toThrow('no public machine');
  });

  it('is not read when its name means a machine of ours, be it one address among others', async () => {
    answer = (_, response) => response.end('secret');
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1'], []]) {
      await expect(
        read('/', { resolve: async () => addresses, isPublic: isPublicAddress }),
      ).rejects.toThrow('no public machine');
    }
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
      '2130706433',
      '169.254.169.254',
    ]) {
      await expect(read(`https://${host}:${port}/`, { isPublic: isPublicAddress })).rejects.toThrow(
        'no public machine',
      );
    }
    expect(hosts).toEqual([]);
  });

  it.each([
    'http://metadata.test/',
    'file:///etc/passwd',
    'ftp://metadata.test/',
    'https://user:password@metadata.test/',
    'https://metadata.test:22/',
    'nonsense',
  ])('%s is not even looked up', async (url) => {
    const resolve = () => Promise.reject(new Error('must not be asked'));
    await expect(fetchPublic(url, { timeoutMs: 1_000, bytesMax: 10, resolve })).rejects.toThrow(
      /^Only /,
    );
  });

  it('is given up when it speaks of another protocol, which nobody asked for', async () => {
    answer = (_, response) =>
      void response.socket!.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
      );
    await expect(read('/', { timeoutMs: 1_000 })).rejects.toThrow('answered 101');
  }, 5_000);

  it('is given up when it refuses, sends too much, too slowly, or is somebody else', async () => {
    answer = (_, response) => response.writeHead(404).end('no');
    await expect(read('/')).rejects.toThrow('answered 404');
    answer = (_, response) => response.end('x'.repeat(1_001));
    await expect(read('/')).rejects.toThrow('more than 1000 bytes');
    answer = (_, response) => void response.write('slow');
    await expect(read('/', { timeoutMs: 100 })).rejects.toThrow(/in time|finish/);
    await expect(
      read('/', { resolve: () => new Promise(() => undefined), timeoutMs: 50 }),
    ).rejects.toThrow('did not answer in time');
    await expect(read(`https://other.test:${port}/`)).rejects.toThrow('cannot be reached');
  });
});

describe('public addresses', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '172.32.0.1', '100.128.0.1'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    'localhost',
    '',
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
