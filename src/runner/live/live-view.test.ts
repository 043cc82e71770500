import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveInput } from '../link/live-wire.ts';
import { type RunWorld, servePages, startRunWorld } from '../testing/run-world.ts';
import { type LiveFrame, type LiveView, openLiveView } from './live-view.ts';
import { neutralPicture } from './neutral-picture.ts';

let world: RunWorld;
let browser: Awaited<ReturnType<RunWorld['openBrowser']>>;
let view: LiveView;

beforeAll(async () => {
  world = await startRunWorld();
  browser = await world.openBrowser();
});
afterAll(() => world.close());
beforeEach(async () => {
  servePages(world.shop, {
    '/': '<body style="margin:0"><input autofocus style="width:200px;height:50px"><button onclick="document.title=1">x</button>',
  });
  await browser.page.goto('http://shop.example/');
  view = await openLiveView(browser.page);
});

const repaint = (color: string) =>
  browser.page.evaluate(`document.body.style.background = '${color}'`);

describe('the live picture', () => {
  it('is a stream of JPEGs while somebody watches', async () => {
    const frames: LiveFrame[] = [];
    const stop = view.watch((frame) => void frames.push(frame));
    await expect.poll(() => frames.length).toBeGreaterThan(0);
    await repaint('red');
    await expect.poll(() => frames.length).toBeGreaterThan(1);
    expect(frames[0]!.jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(frames.every((frame) => !frame.isMasked)).toBe(true);
    stop();
    await view.close();
  });

  it('waits for a slow watcher, who gets the newest and not all of them', async () => {
    const frames: LiveFrame[] = [];
    let go: () => void = () => undefined;
    view.watch((frame) => {
      frames.push(frame);
      return frames.length === 1 ? new Promise<void>((resolve) => (go = resolve)) : undefined;
    });
    await expect.poll(() => frames.length).toBe(1);
    for (const color of ['red', 'blue', 'green', 'white', 'black']) await repaint(color);
    expect(frames).toHaveLength(1);
    go();
    await expect.poll(() => frames.length).toBeGreaterThan(1);
    await view.close();
  });

  it('shows nothing of the page while it is masked, to old and new watchers, and the page again afterwards', async () => {
    const frames: LiveFrame[] = [];
    view.watch((frame) => void frames.push(frame));
    await expect.poll(() => frames.length).toBeGreaterThan(0);
    await view.mask(true);
    const from = frames.length;
    await browser.page.fill('input', '4242 4242 4242 4242');
    await repaint('yellow');
    const late: LiveFrame[] = [];
    view.watch((frame) => void late.push(frame));
    await expect.poll(() => late.length).toBe(1);
    await browser.page.fill('input', '');
    expect(
      [...frames.slice(from), ...late].every(
        (frame) => frame.isMasked && frame.jpeg.equals(neutralPicture),
      ),
    ).toBe(true);
    await view.mask(false);
    await expect.poll(() => frames.at(-1)!.isMasked).toBe(false);
    await view.close();
  });
});

describe('take-over', () => {
  it('does nothing before it is permitted, nor after it ended', async () => {
    const events: LiveInput[] = [
      { kind: 'text', text: 'a' },
      { kind: 'key', key: 'Enter' },
      { kind: 'mouse', type: 'down', x: 1, y: 1 },
    ];
    for (const event of events) expect(await view.input(event)).toBe(false);
    view.permitInput(true);
    view.permitInput(false);
    expect(await view.input(events[0]!)).toBe(false);
    expect(await browser.page.inputValue('input')).toBe('');
    await view.close();
  });

  it('types, presses keys and clicks where the user does', async () => {
    view.permitInput(true);
    for (const type of ['down', 'up'] as const)
      await view.input({ kind: 'mouse', type, x: 20, y: 20 });
    await view.input({ kind: 'text', text: 'ab€' });
    await view.input({ kind: 'key', key: 'Backspace' });
    expect(await browser.page.inputValue('input')).toBe('ab');
    const box = (await browser.page.locator('button').boundingBox())!;
    for (const type of ['move', 'down', 'up'] as const)
      await view.input({ kind: 'mouse', type, x: box.x + 3, y: box.y + 3 });
    expect(await browser.page.title()).toBe('1');
    await view.close();
  });

  it.each<LiveInput>([
    { kind: 'mouse', type: 'down', x: -1, y: 0 },
    { kind: 'mouse', type: 'down', x: Number.NaN, y: 0 },
    { kind: 'mouse', type: 'down', x: 5_000, y: 0 },
    { kind: 'wheel', deltaX: 0, deltaY: 1e9 },
    { kind: 'text', text: 'x'.repeat(201) },
    { kind: 'key', key: 'Control+O' as 'Enter' },
  ])('does not take %j', async (event) => {
    view.permitInput(true);
    expect(await view.input(event)).toBe(false);
    await view.close();
  });
});
