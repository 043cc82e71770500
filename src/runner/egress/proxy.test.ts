import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestInternet,
  type LocalServer,
  startLocalServer,
  type TestInternet,
} from '../testing/local-servers.ts';
import {
  type EgressProxy,
  type EgressProxyOptions,
  openEgressProxy,
  readOriginPattern,
} from './index.ts';

let shop: LocalServer;
let internet: TestInternet;
let proxy: EgressProxy;

const patterns = (...texts: string[]) => texts.map((text) => readOriginPattern(text)!);

async function open(options: EgressProxyOptions = {}): Promise<void> {
  await proxy?.close();
  proxy = await openEgressProxy({
    resolve: internet.resolve,
    connect: internet.connect,
    ...options,
  });
}

beforeEach(async () => {
  shop = await startLocalServer();
  internet = createTestInternet();
  internet.names.set('shop.example', ['93.184.216.34']);
  internet.machines.set('93.184.216.34:80', shop.port);
  internet.machines.set('93.184.216.34:443', shop.port);
  await open();
});
afterEach(async () => {
  await proxy.close();
  await shop.close();
});

const credential = () =>
  `Basic ${Buffer.from(`${proxy.username}:${proxy.password.reveal()}`).toString('base64')}`;

/**
 * The raw first line and rest that a client sends, and all that comes back until the proxy hangs
 * up.
 */
function speak(text: string): Promise<string> {
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(proxy.server).port) });
  socket.write(text);
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const get = async (address: string, auth = credential()) =>
  statusOf(
    await speak(
      `GET ${address} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${auth}\r\nConnection: close\r\n\r\n`,
    ),
  );
const tunnel = async (authority: string, auth = credential()) =>
  statusOf(
    await speak(
      `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${auth}\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ),
  );
const lastReason = () => proxy.decisions().at(-1)?.reason;

const privateHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.01',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '0xA9FEA9FE',
  '2852039166',
  '172.16.0.1',
  '192.168.1.1',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
];
const privateNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'a.localhost',
  'router',
  'metadata.google.internal',
  'db.local',
  'ｌｏｃａｌｈｏｓｔ',
];

describe('the way out of a browser', () => {
  it('leads to public http and https, for whoever has the credential of the run', async () => {
    expect(await get('http://shop.example/cart?secret=1')).toBe(200);
    expect(await tunnel('shop.example:443')).toBe(200);
    expect(await tunnel('shop.example:80')).toBe(200);
    expect(internet.connections).toEqual([
      '93.184.216.34:80',
      '93.184.216.34:443',
      '93.184.216.34:80',
    ]);
    for (const auth of ['', 'Basic cnVuOg==', `${credential()}x`, 'Bearer x']) {
      expect(await get('http://shop.example/', auth)).toBe(407);
      expect(await tunnel('shop.example:443', auth)).toBe(407);
    }
    expect(internet.connections).toHaveLength(3);
  });

  it.each(privateHosts)('never leads to %s', async (host) => {
    // No character above ASCII travels in a request line as it is.
    const spelled = host.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
    expect(await get(`http://${spelled}/`)).toBe(403);
    expect(lastReason()).toBe('private-address');
    expect(await tunnel(`${spelled}:443`)).toBe(403);
    expect(lastReason()).toBe('private-address');
    expect([internet.connections, internet.lookups]).toEqual([[], []]);
  });

  it.each(privateNames)('does not even ask for %s', async (name) => {
    const spelled = name.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
    expect(await get(`http://${spelled}/`)).toBe(403);
    expect(await tunnel(`${spelled}:443`)).toBe(403);
    expect(proxy.decisions().map((one) => one.reason)).toEqual(['private-name', 'private-name']);
    expect([internet.connections, internet.lookups]).toEqual([[], []]);
  });

  it.each([
    ['http://shop.example@127.0.0.1/', 'credentials-in-address'],
    ['http://user:word@shop.example/', 'credentials-in-address'],
    ['https://shop.example/', 'scheme'],
    ['ftp://shop.example/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['/etc/passwd', 'not-readable'],
    ['http://shop.example:22/', 'port'],
    ['http://shop.example:6379/', 'port'],
  ])('refuses %s: %s', async (address, reason) => {
    expect(await get(address)).toBe(403);
    expect(lastReason()).toBe(reason);
    expect(internet.connections).toEqual([]);
  });

  it.each([
    ['shop.example:22', 'port'],
    ['shop.example', 'not-readable'],
    ['shop.example:443/x', 'not-readable'],
    ['shop.example:99999', 'not-readable'],
    ['user@shop.example:443', 'credentials-in-address'],
    ['shop.example:443@127.0.0.1:443', 'credentials-in-address'],
    [':443', 'not-readable'],
  ])('opens no tunnel to %s: %s', async (authority, reason) => {
    expect(await tunnel(authority)).toBe(403);
    expect(lastReason()).toBe(reason);
    expect(internet.connections).toEqual([]);
  });

  it('upgrades nothing outside a tunnel', async () => {
    const answer = await speak(
      `GET http://shop.example/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credential()}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(403);
    expect(shop.requests).toEqual([]);
  });
});

describe('a name', () => {
  it.each([
    [['10.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['93.184.216.34', '::1']],
    [['::ffff:127.0.0.1']],
    [['fd00:ec2::254']],
  ])('that means %j is refused, for one bad answer among good ones', async (addresses) => {
    internet.names.set('evil.example', addresses);
    expect(await get('http://evil.example/')).toBe(403);
    expect(lastReason()).toBe('private-address');
    expect(internet.connections).toEqual([]);
  });

  it('is resolved once for each request, and what was checked is what is connected to', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    internet.names.set('rebind.example', () => answers.shift()!);
    expect(await get('http://rebind.example/')).toBe(200);
    expect(internet.connections).toEqual(['93.184.216.34:80']);
    expect(await get('http://rebind.example/')).toBe(403);
    expect(internet.connections).toHaveLength(1);
    expect(internet.lookups).toEqual(['rebind.example', 'rebind.example']);
  });

  it('that nobody knows, or whose answer is no address, looks the same from outside as one that is private', async () => {
    internet.names.set('odd.example', ['localhost']);
    internet.names.set('inside.example', ['10.0.0.1']);
    const request = (host: string) =>
      speak(
        `GET http://${host}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credential()}\r\n\r\n`,
      );
    const withoutDate = async (host: string) => (await request(host)).replace(/Date: .*\r\n/, '');
    expect(await withoutDate('nowhere.example')).toBe(await withoutDate('inside.example'));
    expect(await withoutDate('odd.example')).toBe(await withoutDate('inside.example'));
    expect(internet.connections).toEqual([]);
  });

  it('is tried at its other checked addresses when one does not answer', async () => {
    internet.names.set('two.example', ['93.184.216.99', '93.184.216.34']);
    expect(await get('http://two.example/')).toBe(200);
    internet.names.set('down.example', ['93.184.216.99']);
    expect(await get('http://down.example/')).toBe(502);
  });
});

describe('lists', () => {
  it('of merchants that opted out win over everything', async () => {
    await open({
      blocked: patterns(
        'https://shop.example',
        '*.closed.example',
        `http://127.0.0.1:${shop.port}`,
      ),
      allowed: patterns('https://shop.example', '*.closed.example'),
      allowedPrivate: patterns(`http://127.0.0.1:${shop.port}`),
    });
    for (const host of [
      'shop.example',
      'SHOP.example.',
      'shop.example..',
      'closed.example',
      'a.b.closed.example',
    ]) {
      expect(await tunnel(`${host}:443`)).toBe(403);
      expect(await get(`http://${host}/`)).toBe(403);
    }
    expect(await get(`http://127.0.0.1:${shop.port}/`)).toBe(403);
    expect(new Set(proxy.decisions().map((one) => one.reason))).toEqual(new Set(['blocked']));
    expect(internet.lookups).toEqual([]);
  });

  it('of what is allowed leave nothing else, and no neighbour with a similar name', async () => {
    internet.names.set('cdn.shop.example', ['93.184.216.34']);
    await open({ allowed: patterns('*.shop.example') });
    expect([await tunnel('shop.example:443'), await tunnel('cdn.shop.example:443')]).toEqual([
      200, 200,
    ]);
    expect([
      await tunnel('evilshop.example:443'),
      await tunnel('shop.example.evil.example:443'),
    ]).toEqual([403, 403]);
    expect(lastReason()).toBe('not-allowed');
  });

  it('of private origins open exactly those: this scheme, this host, this port', async () => {
    await open({ allowedPrivate: patterns(shop.origin) });
    expect(await get(`${shop.origin}/product`)).toBe(200);
    expect(await tunnel(`127.0.0.1:${shop.port}`)).toBe(200);
    const other = await startLocalServer();
    expect(await get(`${other.origin}/`)).toBe(403);
    expect(await get(`http://localhost:${shop.port}/`)).toBe(403);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it.each([
    'ftp://shop.example',
    'shop.example',
    'https://shop.example/path',
    'https://u@shop.example',
    '*.',
    '*.a/b',
    '',
  ])('do not take %j', (text) => {
    expect(readOriginPattern(text)).toBeUndefined();
  });
});

describe('limits', () => {
  it('on bytes end what is open and refuse the rest', async () => {
    shop.answer = (_, response) => void response.end('x'.repeat(200_000));
    await open({ limits: { bytesMax: 100_000 } });
    await get('http://shop.example/');
    expect(await get('http://shop.example/')).toBe(403);
    expect(lastReason()).toBe('bytes-used-up');
    expect(proxy.bytesUsed()).toBeGreaterThan(100_000);
  });

  it('on connections turn further ones away', async () => {
    await open({ limits: { connectionsMax: 1 } });
    const waiting = net.connect({ host: '127.0.0.1', port: Number(new URL(proxy.server).port) });
    await new Promise((resolve) => waiting.once('connect', resolve));
    expect(await get('http://shop.example/')).toBeNaN();
    expect(lastReason()).toBe('connections-used-up');
    waiting.destroy();
  });

  it.each([{ idleTimeoutMs: 50 }, { totalTimeoutMs: 50 }])(
    'on time end a connection: %j',
    async (limits) => {
      shop.answer = () => undefined;
      await open({ limits });
      expect(await tunnel('shop.example:443')).toBe(200);
    },
  );

  it('end with the run: close leaves no connection', async () => {
    shop.answer = () => undefined;
    const open = tunnel('shop.example:443');
    await expect.poll(() => shop.requests.length).toBe(1);
    await proxy.close();
    expect(await open).toBe(200);
  });
});

describe('a hostile shop', () => {
  /** A machine that says what no server of Node's would. */
  async function says(bytes: string): Promise<net.Server> {
    const machine = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1')));
    });
    await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
    internet.machines.set('93.184.216.34:80', (machine.address() as net.AddressInfo).port);
    return machine;
  }

  it.each([
    'HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\nhi',
    'HTTP/1.1 099 Less\r\nContent-Length: 2\r\n\r\nhi',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhi',
    'HTTP/1.1 101 Switching Protocols\r\n\r\nhi',
    'SSH-2.0-OpenSSH_9.6\r\n',
  ])('that answers %j gets nowhere, and the others are served as before', async (answer) => {
    const machine = await says(answer);
    expect(await get('http://shop.example/')).toBe(502);
    machine.close();
    internet.machines.set('93.184.216.34:80', shop.port);
    expect(await get('http://shop.example/')).toBe(200);
  });
});

describe('what is passed on', () => {
  it('is the request under its own name without the credential, and what is written down has no path', async () => {
    const seen = new Promise<http.IncomingMessage>((resolve) => {
      shop.answer = (request, response) => {
        resolve(request);
        response.setHeader('set-cookie', ['a=1', 'b=2']).end();
      };
    });
    const answer = await speak(
      `POST http://shop.example/pay?card=4242 HTTP/1.1\r\nHost: inside.example\r\nProxy-Authorization: ${credential()}\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nContent-Length: 2\r\n\r\nhi`,
    );
    const { headers, url, method } = await seen;
    expect({ headers, url, method }).toEqual({
      headers: { host: 'shop.example', 'content-length': '2', connection: 'close' },
      url: '/pay?card=4242',
      method: 'POST',
    });
    expect(answer).toMatch(/set-cookie: a=1\r\nset-cookie: b=2/i);
    expect(proxy.decisions()).toEqual([
      { host: 'shop.example', port: 80, allowed: true, reason: 'allowed' },
    ]);
  });

  it('is passed on once, even when the answer never comes', async () => {
    shop.answer = (request) => request.socket.destroy();
    expect(
      statusOf(
        await speak(
          `POST http://shop.example/order HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credential()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        ),
      ),
    ).toBe(502);
    expect(shop.requests).toEqual(['POST /order']);
  });
});
