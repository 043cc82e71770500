/** @module-tag slow */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../lib/clock.ts';
import {
  internalHeaders,
  internalPublicKey,
  readInternalPublicKey,
  signRequest,
} from '../../lib/net/signed-requests.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { type LiveRequest, type LiveStatus, pictureFlags } from '../link/live-wire.ts';
import { livePath } from '../link/wire.ts';
import { type RunWorld, servePages, startRunWorld } from '../testing/run-world.ts';
import { type LiveServer, type ShownRun, startLiveServer } from './index.ts';
import { neutralPicture } from './neutral-picture.ts';
import type { TypedSecret } from './typed-secrets.ts';

const seed = (name: string) => new Secret<Uint8Array>(createHash('sha256').update(name).digest());
const api = { name: 'api', seed: seed('api') };
const checkoutId = '0199c0de-0000-7000-8000-000000000001';
const password = 'hunter2-canary';

/** What is looked for may take a while on a busy machine. */
const soon = <T>(read: () => T, timeout = 20_000) => expect.poll(read, { timeout });

let world: RunWorld;
let browser: Awaited<ReturnType<RunWorld['openBrowser']>>;
let server: LiveServer;
let shown: ShownRun;
const logged: string[] = [];
const open: WebSocket[] = [];

beforeAll(async () => {
  world = await startRunWorld();
  browser = await world.openBrowser();
  server = await startLiveServer({
    host: '127.0.0.1',
    port: 0,
    peers: new Map([['api', readInternalPublicKey(internalPublicKey(api.seed.reveal()))]]),
    clock: systemClock,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
});
afterAll(async () => {
  await server?.stop();
  await world?.close();
});
beforeEach(async () => {
  servePages(world.shop, {
    '/': '<body style="margin:0"><input autofocus style="width:200px;height:50px"><input style="width:200px;height:50px">',
  });
  await browser.page.goto('http://shop.example/');
  typedSecrets.length = 0;
  shown = await server.show(checkoutId, browser.page, (secret) => void typedSecrets.push(secret));
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await shown.close();
});

const typedSecrets: TypedSecret[] = [];

interface Watcher {
  readonly socket: WebSocket;
  readonly pictures: { readonly flag: number; readonly jpeg: Buffer }[];
  readonly told: LiveStatus[];
  readonly closed: Promise<number>;
  say(request: LiveRequest): void;
}

function headersFor(path: string, { by = api, at = new Date() } = {}) {
  return signRequest(by, { method: 'GET', path, body: new Uint8Array() }, at).headers;
}

function connect(path = livePath(checkoutId), headers = headersFor(path)): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, {
    headers,
    perMessageDeflate: false,
  });
  open.push(socket);
  return socket;
}

/** Status of the refusal. */
const refusalOf = (socket: WebSocket) =>
  new Promise<number>((resolve, reject) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode!));
    socket.on('open', () => reject(new Error('it was let in')));
    socket.on('error', () => undefined);
  });

async function watch({ confirms = true } = {}): Promise<Watcher> {
  const socket = connect();
  const watcher: Watcher = {
    socket,
    pictures: [],
    told: [],
    closed: new Promise((resolve) => socket.on('close', resolve)),
    say: (request) => socket.send(JSON.stringify(request)),
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return void watcher.told.push(JSON.parse(data.toString()) as LiveStatus);
    watcher.pictures.push({ flag: data[0]!, jpeg: data.subarray(1) });
    if (confirms) watcher.say({ kind: 'seen' });
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return watcher;
}

const paint = (color: string) =>
  browser.page.evaluate(`document.body.style.background = '${color}'`);
/** The body changes its colour with every picture that is drawn. */
const flicker = (colors: readonly string[]) =>
  browser.page.evaluate(`{ let n = 0; const colors = ${JSON.stringify(colors)}; cancelAnimationFrame(window.going);
    const turn = () => { document.body.style.background = colors[n++ % colors.length]; window.going = requestAnimationFrame(turn); }; turn(); }`);

describe('who may watch', () => {
  const path = livePath(checkoutId);
  const old = new Date(Date.now() - 120_000);
  it.each([
    ['without a signature', () => ({})],
    [
      'with the signature of another key',
      () => headersFor(path, { by: { name: 'api', seed: seed('other') } }),
    ],
    [
      'by a peer that is not known',
      () => headersFor(path, { by: { name: 'worker', seed: api.seed } }),
    ],
    ['for another checkout', () => headersFor(livePath('other'))],
    ['two minutes old', () => headersFor(path, { at: old })],
    [
      'with a changed nonce',
      () => ({ ...headersFor(path), [internalHeaders.nonce]: 'A'.repeat(22) }),
    ],
  ])('not one who asks %s', async (_, headers) => {
    expect(await refusalOf(connect(path, headers()))).toBe(401);
  });

  it('one who is refused and does not hang up is cut off', async () => {
    const socket = net.connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await once(socket.resume(), 'end');
    // What is written to a connection that is no more is answered with a reset.
    const writing = setInterval(() => socket.write('x'), 20);
    const [error] = (await once(socket, 'error').catch((thrown: unknown) => [thrown])) as [
      NodeJS.ErrnoException,
    ];
    clearInterval(writing);
    expect(error.code).toMatch(/^(?:ECONNRESET|EPIPE)$/);
  });

  it('a signed request opens it once', async () => {
    const headers = headersFor(path);
    await new Promise((resolve) => connect(path, headers).on('open', resolve));
    expect(await refusalOf(connect(path, headers))).toBe(401);
  });

  it('a run that is not here is 404; an eighth watcher is in, a ninth gets 503', async () => {
    expect(await refusalOf(connect(livePath('0199c0de-0000-7000-8000-000000000002')))).toBe(404);
    for (let index = 0; index < 8; index++) await watch();
    expect(await refusalOf(connect())).toBe(503);
  });
});

describe('a watcher', () => {
  it('gets the size of the page, and pictures of it while it changes', async () => {
    const watcher = await watch();
    await soon(() => watcher.pictures.length).toBeGreaterThan(0);
    expect(watcher.told).toEqual([
      { kind: 'screen', width: 1_280, height: 900, isInputPermitted: false },
    ]);
    await paint('red');
    await soon(() => watcher.pictures.length).toBeGreaterThan(1);
    expect(watcher.pictures[0]!.flag).toBe(pictureFlags.shown);
    expect(watcher.pictures[0]!.jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('that confirms no picture gets two and then the newest, and holds nobody up', async () => {
    const [slow, quick] = [await watch({ confirms: false }), await watch()];
    await flicker(['red', 'blue']);
    await soon(() => quick.pictures.length).toBeGreaterThan(10);
    expect(slow.pictures).toHaveLength(2);
    await browser.page.evaluate('cancelAnimationFrame(window.going)');
    await paint('lime');
    await soon(() => colorOf(quick.pictures.at(-1)!.jpeg)).toBe('lime');
    slow.say({ kind: 'seen' });
    await soon(() => slow.pictures.length).toBe(3);
    expect(await colorOf(slow.pictures[2]!.jpeg)).toBe('lime');
  });

  it('is told when the run is over, and when another page is shown instead', async () => {
    const watcher = await watch();
    shown = await server.show(checkoutId, browser.page);
    expect(await watcher.closed).toBe(1_000);
    expect(watcher.told.at(-1)).toEqual({ kind: 'ended' });
    const next = await watch();
    await shown.close();
    expect(await next.closed).toBe(1_000);
    expect(await refusalOf(connect())).toBe(404);
  });
});

/** What a picture shows at its middle. */
async function colorOf(jpeg: Buffer): Promise<string> {
  // Beside the run: a page of its own would come to the front.
  const page = reader ?? (reader = await (await browser.context.browser()!.newContext()).newPage());
  const [red, green, blue] = (await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(jpeg.toString('base64'))}), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const canvas = new OffscreenCanvas(1, 1);
    const pen = canvas.getContext('2d');
    pen.drawImage(picture, picture.width / 2, picture.height / 2, 1, 1, 0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  })()`)) as number[];
  const isHigh = [red, green, blue].map((part) => part! > 128).join();
  return (
    {
      'true,false,false': 'red',
      'false,true,false': 'lime',
      'false,false,true': 'blue',
      'true,true,true': 'white',
    }[isHigh] ?? 'other'
  );
}
let reader: Awaited<ReturnType<typeof browser.context.newPage>> | undefined;

describe('while a secret is on the page', () => {
  it('no picture of the page leaves the runner, nor one that was under way, nor afterwards one from before it was gone', async () => {
    const watcher = await watch();
    for (let round = 0; round < 6; round++) {
      // Pictures are under way all the time; red is the secret.
      await flicker(['lime', 'blue']);
      await soon(() => watcher.pictures.at(-1)?.flag).toBe(pictureFlags.shown);
      const masked = shown.screen.mask(true);
      const from = watcher.pictures.length;
      await flicker(['red']);
      await masked;
      const late = await watch();
      await soon(() => late.pictures.length).toBe(1);
      await soon(() => watcher.pictures.at(-1)!.flag).toBe(pictureFlags.masked);
      await flicker(['red', 'rgb(255,1,1)']);
      await browser.page.waitForTimeout(60);
      expect(
        late.pictures.every(
          ({ flag, jpeg }) => flag === pictureFlags.masked && jpeg.equals(neutralPicture),
        ),
      ).toBe(true);
      const maskedAt = watcher.pictures.findIndex(
        ({ flag }, index) => index >= from && flag === pictureFlags.masked,
      );
      expect(
        watcher.pictures.slice(maskedAt).every(({ jpeg }) => jpeg.equals(neutralPicture)),
      ).toBe(true);
      await flicker(['white']);
      await shown.screen.mask(false);
      await soon(() => watcher.pictures.at(-1)!.flag).toBe(pictureFlags.shown);
      late.socket.terminate();
    }
    const colors = new Set<string>();
    for (const { flag, jpeg } of watcher.pictures)
      if (flag === pictureFlags.shown) colors.add(await colorOf(jpeg));
    expect([...colors]).not.toContain('red');
    expect([...colors]).toContain('white');
  });

  it('is masked again at once when the mask comes back before the page was drawn', async () => {
    const watcher = await watch();
    await soon(() => watcher.pictures.length).toBeGreaterThan(0);
    await shown.screen.mask(true);
    const from = watcher.pictures.length;
    const off = shown.screen.mask(false);
    await shown.screen.mask(true);
    await flicker(['red', 'blue']);
    await off;
    await browser.page.waitForTimeout(100);
    expect(watcher.pictures.slice(from).every(({ flag }) => flag === pictureFlags.masked)).toBe(
      true,
    );
    await shown.screen.mask(false);
  });
});

describe('a window that the page opens', () => {
  const opens = async (color: string) => {
    const opened = browser.context.waitForEvent('page');
    await browser.page.evaluate(`void window.open('/window-${color}')`);
    const popup = await opened;
    await popup.waitForLoadState();
    return popup;
  };
  beforeEach(async () => {
    const look = (color: string) =>
      `<body style="margin:0;background:${color}"><input autofocus style="width:200px;height:50px">`;
    servePages(world.shop, {
      '/': look('red'),
      '/window-blue': look('blue'),
      '/window-lime': look('lime'),
    });
    await browser.page.goto('http://shop.example/');
  });

  it('is shown and used while it is open, and then the page again', async () => {
    const watcher = await watch();
    shown.permitInput(true);
    const popup = await opens('blue');
    const last = async () =>
      watcher.pictures.length > 0 ? colorOf(watcher.pictures.at(-1)!.jpeg) : 'none';
    await soon(last).toBe('blue');
    for (const type of ['down', 'up'] as const) watcher.say({ kind: 'mouse', type, x: 20, y: 20 });
    watcher.say({ kind: 'text', text: 'abc' });
    await soon(() => popup.inputValue('input')).toBe('abc');
    expect(await browser.page.inputValue('input')).toBe('');
    await popup.close();
    await soon(last).toBe('red');
  });

  it('is hidden while a secret is typed, also when it opens then', async () => {
    const watcher = await watch();
    await soon(() => watcher.pictures.length).toBeGreaterThan(0);
    await shown.screen.mask(true);
    const from = watcher.pictures.length;
    const popup = await opens('lime');
    await popup.evaluate(`document.body.style.background = 'blue'`);
    await popup.waitForTimeout(1_000);
    expect(watcher.pictures.slice(from).every(({ jpeg }) => jpeg.equals(neutralPicture))).toBe(
      true,
    );
    await shown.screen.mask(false);
    await soon(() => watcher.pictures.at(-1)!.flag).toBe(pictureFlags.shown);
    await popup.close();
  });
});

describe('take-over', () => {
  const typed = () => browser.page.inputValue('input');
  const type = (watcher: Watcher, text: string) => watcher.say({ kind: 'text', text });
  /** What was said before is done when this is answered. */
  const settled = async (watcher: Watcher) => {
    await new Promise<void>((resolve) => {
      watcher.socket.once('pong', () => resolve());
      watcher.socket.ping();
    });
    await browser.page.evaluate('1');
  };

  it('is refused at first, works while it is permitted, and is refused after the question was answered', async () => {
    const watcher = await watch();
    type(watcher, 'early');
    await settled(watcher);
    expect(await typed()).toBe('');
    shown.permitInput(true);
    for (const event of ['move', 'down', 'up'] as const)
      watcher.say({ kind: 'mouse', type: event, x: 20, y: 20 });
    type(watcher, password);
    watcher.say({ kind: 'key', key: 'Backspace' });
    await soon(typed).toBe(password.slice(0, -1));
    shown.permitInput(false);
    type(watcher, 'late');
    watcher.say({ kind: 'key', key: 'Backspace' });
    await settled(watcher);
    expect(await typed()).toBe(password.slice(0, -1));
    expect(
      watcher.told.map((status) => status.kind === 'screen' && status.isInputPermitted),
    ).toEqual([false, true, false]);
  });

  it('tells the run what was typed into a password’s field, and that its pictures have to hide every field', async () => {
    await browser.page.evaluate(`document.querySelector('input').type = 'password'`);
    const watcher = await watch();
    shown.permitInput(true);
    expect(shown.screen.wasTyped!()).toBe(false);
    for (const event of ['move', 'down', 'up'] as const)
      watcher.say({ kind: 'mouse', type: event, x: 20, y: 20 });
    await settled(watcher);
    expect(shown.screen.wasTyped!()).toBe(false);
    type(watcher, password);
    await soon(typed).toBe(password);
    await expect.poll(() => shown.screen.wasTyped!()).toBe(true);
    shown.permitInput(false);
    expect(typedSecrets).toEqual([{ kind: 'password', value: password }]);
    expect(logged.join()).not.toContain(password);
  });

  it('is refused on a page that is masked, also when it is permitted', async () => {
    const watcher = await watch();
    shown.permitInput(true);
    await shown.screen.mask(true);
    type(watcher, '4242');
    for (const event of ['down', 'up'] as const)
      watcher.say({ kind: 'mouse', type: event, x: 250, y: 20 });
    await settled(watcher);
    await shown.screen.mask(false);
    expect([
      await typed(),
      await browser.page.evaluate(
        `document.activeElement === document.querySelectorAll('input')[1]`,
      ),
    ]).toEqual(['', false]);
  });

  it('a button that is held down is let go when the permission ends', async () => {
    await browser.page.evaluate(
      `{ onmousedown = () => (document.title = 'down'); onmouseup = () => (document.title = 'up') }`,
    );
    const watcher = await watch();
    shown.permitInput(true);
    watcher.say({ kind: 'mouse', type: 'down', x: 20, y: 20 });
    await soon(() => browser.page.title()).toBe('down');
    shown.permitInput(false);
    await soon(() => browser.page.title()).toBe('up');
  });

  it.each([
    ['no JSON', '{'],
    ['an unknown kind', '{"kind":"goto","url":"http://shop.example"}'],
    ['a field too many', '{"kind":"seen","x":1}'],
    ['a key chord', '{"kind":"key","key":"Control+O"}'],
    ['a position that is none', '{"kind":"mouse","type":"down","x":-1,"y":0}'],
    ['a long text', JSON.stringify({ kind: 'text', text: 'x'.repeat(201) })],
  ])('%s ends the connection', async (_, text) => {
    const watcher = await watch();
    watcher.socket.send(text);
    expect(await watcher.closed).toBe(1_008);
  });

  it('a message of more than 2 KiB ends the connection, and what comes faster than people type is dropped', async () => {
    const watcher = await watch();
    watcher.socket.send('x'.repeat(2_049));
    expect(await watcher.closed).toBe(1_009);
    const quick = await watch();
    shown.permitInput(true);
    await browser.page.focus('input');
    for (let index = 0; index < 400; index++) type(quick, 'a');
    // On a busy machine a browser takes a fifth of a second for a letter.
    await soon(async () => (await typed()).length, 60_000).toBeGreaterThan(100);
    type(quick, 'b');
    await soon(async () => (await typed()).endsWith('b'), 60_000).toBe(true);
    expect((await typed()).length).toBeLessThan(300);
  }, 150_000);

  it('what was typed is in no log', () => {
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.filter((line) => line.includes(password) || line.includes('4242'))).toEqual([]);
  });
});
