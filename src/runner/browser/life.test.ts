import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunWorld, servePages, startRunWorld } from '../testing/run-world.ts';
import { findExecutable, type RunBrowserError } from './index.ts';
import { processesOf } from './memory.ts';
import { startBrowserProcess } from './process.ts';

let world: RunWorld;
beforeEach(async () => {
  world = await startRunWorld();
  servePages(world.shop, { '/': '<title>shop</title>', '/worker.js': '' });
});
afterEach(() => world.close());

const folders = () =>
  readdirSync(tmpdir()).filter(
    (name) => name.startsWith('purser-run-') && existsSync(`${tmpdir()}/${name}`),
  );

/**
 * Main process of the browser whose profile this is: processes of ours that name the folder, and
 * lead a group.
 */
async function groupOf(folder: string): Promise<number> {
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(folder) && !command.includes('--type=')) return Number(name);
  }
  return 0;
}

/** Whether this machine lets us make a file that nobody can remove. */
const canPinFiles = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-pin-'));
  try {
    execFileSync('chattr', ['+i', folder], { stdio: 'ignore' });
    execFileSync('chattr', ['-i', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();

/** A browser, and what it left on the machine: found by the folder that was not there before. */
async function openKnown(options = {}) {
  const before = new Set(folders());
  const browser = await world.openBrowser(options);
  const candidates = folders().filter((name) => !before.has(name));
  for (const folder of candidates) {
    const pid = await groupOf(folder);
    const parent = /^PPid:\s+(\d+)/m.exec(
      await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
    )?.[1];
    if (Number(parent) === process.pid) return { browser, folder: `${tmpdir()}/${folder}`, pid };
  }
  throw new Error('The browser’s process was not found.');
}

const faultOf = (health: Promise<never>) => health.catch((error: RunBrowserError) => error.fault);

/** The renderer of the group that works hardest, i.e. of a page and not a spare one. */
async function renderersOf(group: number): Promise<number[]> {
  const ids = await processesOf(group);
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  return ids.filter((_, index) => commands[index]!.includes('--type=renderer'));
}

describe('a browser of a run', () => {
  it('runs unprivileged in a folder of its own, and leaves no process and no folder', {
    tags: 'slow',
  }, async () => {
    const { browser, folder, pid } = await openKnown();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const ids = /^Uid:\s+(.*)$/m
      .exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]!
      .split('\t')
      .map(Number);
    expect(ids).not.toContain(0);
    expect(new Set(ids)).toEqual(new Set([(await stat(folder)).uid]));
    expect(
      (await readFile(`/proc/${pid}/environ`, 'utf8'))
        .split('\0')
        .map((one) => one.split('=')[0])
        .filter(Boolean),
    ).toEqual(expect.not.arrayContaining(['PATH', 'DATABASE_URL']));
    expect(world.warnings.length).toBe(browser.isSandboxed ? 0 : 1);
    expect(await processesOf(pid)).not.toEqual([]);
    await browser.close();
    await browser.close();
    await expect.poll(() => processesOf(pid)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it.skipIf(!canPinFiles)(
    'whose folder cannot be removed is closed all the same',
    { tags: 'slow' },
    async () => {
      const { browser, folder, pid } = await openKnown();
      writeFileSync(`${folder}/stays`, '');
      execFileSync('chattr', ['+i', `${folder}/stays`]);
      try {
        await expect(browser.close()).resolves.toBeUndefined();
        await expect.poll(() => processesOf(pid)).toEqual([]);
        expect(world.warnings.join('\n')).toContain(folder);
      } finally {
        execFileSync('chattr', ['-i', `${folder}/stays`]);
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('killed from outside is noticed, and nothing of it stays', { tags: 'slow' }, async () => {
    const { browser, folder, pid } = await openKnown();
    const fault = faultOf(browser.health);
    process.kill(pid, 'SIGKILL');
    expect(await fault).toBe('browser-crashed');
    await expect(browser.saveState()).rejects.toThrow();
    await browser.close();
    await expect.poll(() => processesOf(pid)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('whose page’s process is killed is noticed', { tags: 'slow' }, async () => {
    const { browser, pid } = await openKnown();
    await browser.page.goto('http://shop.example/');
    const fault = faultOf(browser.health);
    for (const id of await renderersOf(pid)) process.kill(id, 'SIGKILL');
    expect(await fault).toBe('page-crashed');
    await expect.poll(() => processesOf(pid)).toEqual([]);
  });

  it('whose page loops for ever is noticed', { tags: 'slow' }, async () => {
    const { browser, pid } = await openKnown({ hangTimeoutMs: 1_500, pingIntervalMs: 100 });
    await browser.page.goto('http://shop.example/');
    const fault = faultOf(browser.health);
    browser.page.evaluate('for (;;);').catch(() => undefined);
    expect(await fault).toBe('hung');
    await expect.poll(() => processesOf(pid)).toEqual([]);
  });

  it('whose page waits for a slow shop is not given up, also when it sent a form', {
    tags: 'slow',
  }, async () => {
    const { browser } = await openKnown({ hangTimeoutMs: 800, pingIntervalMs: 50 });
    world.shop.answer = (request, response) => {
      const body =
        request.method === 'POST'
          ? 'done'
          : '<form method="post" action="/order"><button>Buy</button></form>';
      setTimeout(
        () => response.setHeader('content-type', 'text/html').end(body),
        request.url === '/' ? 0 : 3_000,
      );
    };
    await browser.page.goto('http://shop.example/');
    const fault = faultOf(browser.health);
    await browser.page.getByRole('button').click({ noWaitAfter: true });
    const answered = browser.page.getByText('done').waitFor();
    expect(await Promise.race([fault, answered.then(() => 'answered')])).toBe('answered');
    browser.page.evaluate('for (;;);').catch(() => undefined);
    expect(await fault).toBe('hung');
  });

  it('that eats memory is ended at its limit', { tags: 'slow' }, async () => {
    const { browser, pid } = await openKnown({
      memoryBytesMax: 500 * 1_048_576,
      pingIntervalMs: 200,
    });
    await browser.page.goto('http://shop.example/');
    const fault = faultOf(browser.health);
    browser.page
      .evaluate(
        `(async () => { const all = []; for (let i = 0; i < 100; i++) { all.push(new Uint8Array(16e6).fill(1)); await new Promise((r) => setTimeout(r, 20)); } })()`,
      )
      .catch(() => undefined);
    expect(await fault).toBe('memory-exceeded');
    await expect.poll(() => processesOf(pid)).toEqual([]);
  });

  it('whose page talks to itself without end fills no memory of the runner', {
    tags: 'slow',
  }, async () => {
    const { page } = await world.openBrowser();
    await page.goto('http://shop.example/');
    await page.evaluate(`(() => {
      const much = 'x'.repeat(2e6);
      console.log('little');
      for (let i = 0; i < 5; i++) { console.log(much); setTimeout(() => { throw new Error(much); }); }
    })()`);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    expect((await page.consoleMessages()).map((one) => one.text())).toEqual(['little']);
    expect(await page.pageErrors()).toEqual([]);
    expect(await page.title()).toBe('shop');
  });

  it('shares nothing with the one of another run', async () => {
    const [one, two] = [await world.openBrowser(), await world.openBrowser()];
    for (const { page } of [one, two]) await page.goto('http://shop.example/');
    await one.page.evaluate(
      `document.cookie = 'a=1; max-age=1000'; localStorage.a = 1; sessionStorage.a = 1`,
    );
    await two.page.reload();
    expect(
      await two.page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'),
    ).toEqual(['', 0, 0]);
    expect(one.proxy.password.reveal()).not.toBe(two.proxy.password.reveal());
    await one.close();
    expect(await two.page.title()).toBe('shop');
  });
});

describe('what a browser remembers', { tags: 'slow' }, () => {
  it('comes back in the next one: cookies, localStorage, IndexedDB, and the sessionStorage of origins that it left', async () => {
    const first = await world.openBrowser();
    await first.page.goto('http://shop.example/');
    await first.page.evaluate(`new Promise((resolve) => {
      document.cookie = 'login=yes; max-age=1000'; localStorage.cart = '2'; sessionStorage.basket = 'blue'; sessionStorage.gone = '1'; delete sessionStorage.gone;
      const open = indexedDB.open('shop', 1);
      open.onupgradeneeded = () => open.result.createObjectStore('items').put({ size: 'M' }, 'first');
      open.onsuccess = () => { open.result.close(); resolve(); };
    })`);
    await first.page.goto('http://other.example/');
    await first.page.evaluate(`sessionStorage.here = 'other'`);
    const state = JSON.parse(JSON.stringify(await first.saveState()));
    await first.close();

    const second = await world.openBrowser({ state });
    await second.page.goto('http://shop.example/');
    const read = `new Promise((resolve) => {
      const open = indexedDB.open('shop', 1);
      open.onsuccess = () => { const get = open.result.transaction('items').objectStore('items').get('first'); get.onsuccess = () => resolve([document.cookie, localStorage.cart, { ...sessionStorage }, get.result]); };
    })`;
    expect(await second.page.evaluate(read)).toEqual([
      'login=yes',
      '2',
      { basket: 'blue' },
      { size: 'M' },
    ]);
    // What the shop removed stays removed, and another origin sees nothing of it.
    await second.page.evaluate('sessionStorage.clear()');
    await second.page.reload();
    expect(await second.page.evaluate('sessionStorage.length')).toBe(0);
    await second.page.goto('http://other.example/');
    expect(await second.page.evaluate('({ ...sessionStorage })')).toEqual({ here: 'other' });
    const again = await second.saveState();
    expect(again.origins.find((one) => one.origin === 'http://shop.example')).toMatchObject({
      sessionStorage: [],
      localStorage: [{ name: 'cart', value: '2' }],
    });
  });
});

it('a login is remembered although a page’s database cannot be read', {
  tags: 'slow',
}, async () => {
  const { page, saveState } = await world.openBrowser();
  await page.goto('http://shop.example/');
  await page.evaluate(`new Promise((resolve) => {
    document.cookie = 'login=yes; max-age=1000'; localStorage.cart = '2';
    let deep = 1;
    for (let level = 0; level < 3000; level++) deep = [deep];
    const open = indexedDB.open('shop', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('items').put(deep, 'first');
    open.onsuccess = () => { open.result.close(); resolve(); };
  })`);
  const { cookies, origins } = await saveState();
  expect(cookies).toMatchObject([{ name: 'login', value: 'yes' }]);
  expect(origins).toEqual([
    {
      origin: 'http://shop.example',
      localStorage: [{ name: 'cart', value: '2' }],
      sessionStorage: [],
    },
  ]);
});

describe('which browser is used', () => {
  it('is the named one, then the one of the package, then an installed one; none at all is an error, as is a name that leads nowhere', async () => {
    const without = { packageEntry: undefined };
    expect(await findExecutable({ chromiumPath: process.execPath })).toEqual({
      path: process.execPath,
      source: 'named',
    });
    expect(await findExecutable({ installedPaths: ['/bin/sh'] })).toMatchObject({
      source: 'package',
    });
    expect(await findExecutable({ installedPaths: ['/nowhere', '/bin/sh'], ...without })).toEqual({
      path: '/bin/sh',
      source: 'installed',
    });
    await expect(
      findExecutable({ installedPaths: ['/nowhere'], ...without }),
    ).rejects.toMatchObject({ fault: 'no-browser' });
    await expect(findExecutable({ chromiumPath: '/nowhere' })).rejects.toMatchObject({
      fault: 'no-browser',
    });
  });

  it('finds the fonts of its package where they are, whatever else lies on the machine', async () => {
    const { fontsFolder } = await findExecutable({});
    const config = await readFile(join(fontsFolder!, 'fonts.conf'), 'utf8');
    const folders = [...config.matchAll(/<dir>(.+?)<\/dir>/g)].map(([, folder]) => folder!);
    expect(folders[0]).toBe(fontsFolder);
    expect(config).not.toContain('/tmp/fonts');
    const files = await readdir(folders[0]!, { recursive: true });
    expect(files.filter((name) => name.endsWith('.ttf')).length).toBeGreaterThan(0);
  });

  it.each(['/bin/false', '/nowhere', '/no\0where'])(
    'that does not start (%j) is a typed error without a folder left behind',
    async (path) => {
      const before = folders();
      const start = startBrowserProcess({
        executable: { path, source: 'named' },
        egress: { server: 'http://127.0.0.1:1', adopt: () => undefined },
        sandbox: 'when-possible',
        warn: () => undefined,
      });
      await expect(start).rejects.toMatchObject({ fault: 'not-startable' });
      // Browsers of other tests have folders of their own meanwhile.
      await expect.poll(() => folders().filter((name) => !before.includes(name))).toEqual([]);
    },
  );
});
