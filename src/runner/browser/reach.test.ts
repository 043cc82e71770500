import dgram from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browsersHere } from '../testing/browsers-here.ts';
import { type RunWorld, servePages, startRunWorld } from '../testing/run-world.ts';
import type { RunBrowser } from './index.ts';

let world: RunWorld;
let browser: Awaited<ReturnType<RunWorld['openBrowser']>>;
let page: RunBrowser['page'];
beforeAll(async () => {
  world = await startRunWorld();
});
afterAll(() => world.close());

/** What the shop answers at `/`, and that `/away` sends on to a machine of ours. */
function shopSays(html: string, status = 302): void {
  world.shop.answer = (request, response) => {
    if (request.url?.startsWith('/away'))
      return void response.writeHead(status, { location: `${world.inside.origin}/admin` }).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>shop</title>${html}`);
  };
}

describe.each(await browsersHere())('in the browser $path', (executable) => {
  beforeAll(async () => {
    browser = await world.openBrowser({
      pagesMax: 100,
      ...(executable.source !== 'package' && { chromiumPath: executable.path }),
    });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    world.inside.requests.length = 0;
    page = await browser.context.newPage();
  });
  // Chromium may keep a page that is closed in the middle of a navigation for a while; nobody waits
  // for it.
  afterEach(() => void page.close().catch(() => undefined));

  describe('a page on the public internet reaches no machine of ours', () => {
    const here = () => world.inside.origin;
    it.each<[string, () => string]>([
      ['redirects a page', () => '<script>location = "/away"</script>'],
      ['redirects an iframe', () => '<iframe src="/away"></iframe>'],
      ['redirects a fetch', () => '<script>fetch("/away", { mode: "no-cors" })</script>'],
      ['redirects an image', () => '<img src="/away">'],
      [
        'redirects a form post',
        () =>
          '<form method="post" action="/away"></form><script>document.forms[0].submit()</script>',
      ],
      ['refreshes to one', () => `<meta http-equiv="refresh" content="0; url=${here()}/admin">`],
      [
        'opens a WebSocket to one',
        () => `<script>new WebSocket("${here().replace('http', 'ws')}/admin")</script>`,
      ],
      ['loads a script of one', () => `<script src="${here()}/admin"></script>`],
      [
        'sends a beacon to one',
        () => `<script>navigator.sendBeacon("${here()}/admin", "x")</script>`,
      ],
      ['prefetches one', () => `<link rel="preload" as="image" href="${here()}/admin">`],
      ['opens an event stream of one', () => `<script>new EventSource("${here()}/admin")</script>`],
      [
        'asks one from a worker',
        () =>
          `<script>new Worker(URL.createObjectURL(new Blob(['fetch("${here()}/admin", {mode:"no-cors"})'])))</script>`,
      ],
      [
        'opens one in a popup',
        () => `<script>addEventListener('mousedown', () => open("${here()}/admin"))</script>`,
      ],
      [
        'spells one in another way',
        () =>
          `<img src="${here().replace('127.0.0.1', '0x7f.1')}/admin"><img src="${here().replace('127.0.0.1', '[::ffff:7f00:1]')}/">`,
      ],
    ])('when it %s', async (_, html) => {
      const before = browser.proxy.decisions().length;
      shopSays(html());
      await page.goto('http://shop.example/', { waitUntil: 'commit' });
      if (html().includes('mousedown')) {
        // Installed browsers open a window only for a user.
        await page.waitForLoadState();
        await page.mouse.click(9, 9);
      }
      await expect
        .poll(() =>
          browser.proxy
            .decisions()
            .slice(before)
            .some((one) => one.port === world.inside.port && !one.allowed),
        )
        .toBe(true);
      expect(world.inside.requests).toEqual([]);
    });

    it('whose redirect keeps the method: 307 of a form post', async () => {
      shopSays('<form method="post" action="/away"></form>', 307);
      await page.goto('http://shop.example/');
      await page.evaluate('document.forms[0].submit()');
      await page.waitForURL(/admin/).catch(() => undefined);
      expect(world.inside.requests).toEqual([]);
    });

    it('by a name whose answer changes after the first look', async () => {
      const answers = [['93.184.216.34']];
      world.internet.names.set('rebind.example', () => answers.shift() ?? ['127.0.0.1']);
      shopSays('');
      await page.goto('http://rebind.example/');
      expect(await page.title()).toBe('shop');
      expect((await page.goto('http://rebind.example/'))?.status()).toBe(403);
      expect(world.internet.connections).not.toContain('127.0.0.1:80');
    });

    it('over UDP, be it WebRTC or WebTransport', async () => {
      const heard: string[] = [];
      const socket = dgram.createSocket('udp4', (message) => heard.push(message.toString('hex')));
      await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
      const { port } = socket.address() as AddressInfo;
      shopSays('');
      await page.goto('http://shop.example/');
      // Gathering ends by itself; a candidate would have needed an answer.
      const ice = await page.evaluate<string>(`new Promise(async (resolve) => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
      peer.createDataChannel('x');
      peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve('complete');
      await peer.setLocalDescription(await peer.createOffer());
      setTimeout(() => resolve('waited'), 5000);
    })`);
      expect(['complete', 'waited']).toContain(ice);
      await page.evaluate(
        `typeof WebTransport === 'undefined' ? 'none' : new WebTransport('https://127.0.0.1:${port}/').ready.catch(() => 'refused')`,
      );
      expect(heard).toEqual([]);
      socket.close();
    });
  });

  describe('an address that is none of the web', () => {
    it.each([
      'file:///etc/hostname',
      'data:text/html,<p>x',
      'chrome://version',
      'view-source:http://shop.example/',
      'javascript:document.write(1)',
    ])('%s is not opened', async (address) => {
      await expect(page.goto(address)).rejects.toThrow('only http and https');
      expect(page.url()).toBe('about:blank');
      expect(browser.incidents().at(-1)).toEqual({
        kind: 'address',
        scheme: address.split(':')[0],
      });
    });

    it.each([
      'file:///etc/hostname',
      'chrome://version',
      'view-source:http://shop.example/',
      'data:text/html,<title>bad</title>',
    ])('%s is not opened by a page either', async (address) => {
      shopSays('');
      await page.goto('http://shop.example/');
      await page.evaluate(
        `location.href = ${JSON.stringify(address)}; setTimeout(() => { document.title = 'still here' }, 50)`,
      );
      await expect.poll(() => page.title()).toBe('still here');
    });
  });

  describe('what a page may not do', () => {
    it('is hold the run with a dialog: each is dismissed and written down', async () => {
      shopSays('');
      await page.goto('http://shop.example/');
      expect(
        await page.evaluate('[alert("buy now"), confirm("subscribe?"), prompt("name?", "x")]'),
      ).toEqual([undefined, false, null]);
      expect(browser.incidents().slice(-3)).toEqual([
        { kind: 'dialog', type: 'alert', message: 'buy now' },
        { kind: 'dialog', type: 'confirm', message: 'subscribe?' },
        { kind: 'dialog', type: 'prompt', message: 'name?' },
      ]);
    });

    it('is leave a file behind', async () => {
      world.shop.answer = (request, response) => {
        if (request.url !== '/file')
          return void response
            .writeHead(200, { 'content-type': 'text/html' })
            .end('<a href="/file">x</a>');
        response
          .writeHead(200, { 'content-disposition': 'attachment; filename="a.exe"' })
          .end('MZ');
      };
      await page.goto('http://shop.example/');
      await page.click('a');
      await expect.poll(() => browser.incidents().at(-1)).toEqual({ kind: 'download' });
    });

    it('is get a permission, a service worker, or the environment of the service', async () => {
      servePages(world.shop, { '/': '<title>x</title>' });
      await page.goto('http://shop.example/');
      const asked = await page.evaluate(`(async () => ({
      notification: (await navigator.permissions.query({ name: 'notifications' })).state,
      geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
      worker: 'serviceWorker' in navigator ? await navigator.serviceWorker.register('/w.js').then((r) => r ? 'there' : 'none', () => 'none') : 'none',
    }))()`);
      expect(asked).toEqual({ notification: 'denied', geolocation: 'denied', worker: 'none' });
    });
  });
});

it('the browser has the language and the clock of the buyer’s country', {
  tags: 'slow',
}, async () => {
  const german = await world.openBrowser({ countryCode: 'DE' });
  shopSays('');
  await german.page.goto('http://shop.example/');
  const seen = await german.page.evaluate(
    '[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]',
  );
  expect(seen).toEqual(['de-DE', 'Europe/Berlin']);
  await german.close();
});
