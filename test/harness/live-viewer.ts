import { once } from 'node:events';
import type { Browser, BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import { WebSocket } from 'ws';
import { pictureFlags } from '../../src/runner/link/live-wire.ts';
import { neutralPicture } from '../../src/runner/live/neutral-picture.ts';

/** Everything that a watcher was sent. */
interface Seen {
  /** Pictures of the shop's page, in their order. */
  readonly pictures: Buffer[];
  /**
   * Pictures that were sent while the run was hidden, and how many of them were not the neutral
   * one.
   */
  readonly masked: { count: number; wrongCount: number };
}

/** A user's browser at the live page of a checkout. */
export interface LiveViewer extends Seen {
  readonly page: Page;
  connectionCount(): number;
  /** Breaks the connection, as a network does. */
  breakConnection(): Promise<void>;
  /** What went wrong in the page. */
  readonly mistakes: string[];
  /** Where a place of the shop's page is on the screen. */
  placeOf(place: Place): Promise<Place>;
  close(): Promise<void>;
}

/** A watcher without a page, who says what no page would say. */
export interface LiveStream extends Seen {
  /** Resolves when the service has it. */
  say(message: object): Promise<void>;
  close(): Promise<void>;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}
/** As runs open their pages. */
export const shopViewport = { width: 1_280, height: 900 };

/** Opens the live page. */
export async function openLiveViewer(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<LiveViewer> {
  const context = await browser.newContext({ viewport: { width: 1_200, height: 850 }, ...options });
  const page = await context.newPage();
  const { seen, note } = createSeen();
  const mistakes: string[] = [];
  page.on('pageerror', (error) => mistakes.push(String(error)));
  const routes: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/stream$/, (route) => {
    routes.push(route);
    const server = route.connectToServer();
    server.onMessage((message) => {
      route.send(message);
      if (typeof message !== 'string') note(message);
    });
  });
  await page.goto(url);
  return {
    ...seen,
    page,
    mistakes,
    connectionCount: () => routes.length,
    breakConnection: () => routes.at(-1)!.close({ code: 1_012 }),
    async placeOf({ x, y }) {
      const box = (await page.locator('#picture').boundingBox())!;
      return {
        x: box.x + (x / shopViewport.width) * box.width,
        y: box.y + (y / shopViewport.height) * box.height,
      };
    },
    close: () => context.close(),
  };
}

/** Watches without a page, and confirms each picture at once. @param url of the live page */
export async function openLiveStream(url: string): Promise<LiveStream> {
  const { host, pathname, hash } = new URL(url);
  const socket = new WebSocket(`ws://${host}${pathname}/stream`);
  const { seen, note } = createSeen();
  const say = (message: object) => socket.send(JSON.stringify(message));
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return;
    note(data);
    say({ kind: 'seen' });
  });
  await once(socket, 'open');
  say({ kind: 'hello', token: hash.slice(1) });
  // What it is told first is the state: it has been let in.
  await once(socket, 'message');
  return {
    ...seen,
    async say(message) {
      say(message);
      socket.ping();
      await once(socket, 'pong');
    },
    close: async () => socket.terminate(),
  };
}

function createSeen() {
  const seen: Seen = { pictures: [], masked: { count: 0, wrongCount: 0 } };
  const note = (message: Buffer) => {
    const picture = message.subarray(1);
    if (message[0] === pictureFlags.shown) return void seen.pictures.push(picture);
    seen.masked.count += 1;
    if (!picture.equals(neutralPicture)) seen.masked.wrongCount += 1;
  };
  return { seen, note };
}

/**
 * How many of the pictures show what `template` (a PNG) shows, at `x` and at any height.
 * @param page any page; the pictures are read in it
 */
export async function countShowing(
  page: Page,
  pictures: readonly Buffer[],
  template: { readonly png: Buffer; readonly x: number },
): Promise<number> {
  const [wanted, ...given] = [template.png, ...pictures].map((bytes) => bytes.toString('base64'));
  return page.evaluate(`(async () => {
    const read = async (text, type) => {
      const image = await createImageBitmap(await (await fetch('data:' + type + ';base64,' + text)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data, width, height } = context.getImageData(0, 0, image.width, image.height), grey = new Uint8Array(width * height);
      for (let at = 0; at < grey.length; at++) grey[at] = (data[4 * at] + data[4 * at + 1] + data[4 * at + 2]) / 3;
      return { grey, width, height };
    };
    const wanted = await read(${JSON.stringify(wanted)}, 'image/png'), x = ${Math.round(template.x)};
    const shows = (picture) => {
      for (let y = 0; y + wanted.height <= picture.height; y++) {
        let difference = 0;
        for (let row = 0; row < wanted.height && difference < 8 * wanted.grey.length; row++) for (let column = 0; column < wanted.width; column++)
          difference += Math.abs(wanted.grey[row * wanted.width + column] - picture.grey[(y + row) * picture.width + x + column]);
        if (difference / wanted.grey.length < 8) return true;
      }
      return false;
    };
    let count = 0;
    for (const text of ${JSON.stringify(given)}) if (shows(await read(text, 'image/jpeg'))) count++;
    return count;
  })()`);
}
