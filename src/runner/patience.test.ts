import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainRefusal } from './egress/index.ts';
import { aTask, runInShop } from './engine/testing/test-shop-kit.ts';
import { type RunWorld, servePages, startRunWorld } from './testing/run-world.ts';
import { buySlowly } from './testing/slow-shop.ts';

let world: RunWorld;
beforeEach(async () => {
  world = await startRunWorld();
});
afterEach(() => world.close());

describe('a shop that takes its time for the answer to the order', { tags: 'slow' }, () => {
  // With limits a twentieth of the real ones; `patience.long.test.ts` has those.
  const patience = { outcomeMs: 1_250, answerMs: 6_000 };

  it.each(['form', 'script'] as const)(
    'gets it, sent by a %s, and nothing is pressed twice',
    async (sending) => {
      const { run, ...truth } = await buySlowly(world, {
        sending,
        afterMs: 4_000,
        patience,
        hangTimeoutMs: 1_000,
      });
      expect(truth).toEqual({ orders: 1, requests: 1 });
      expect(run).toMatchObject({
        end: { outcome: 'succeeded', merchantOrderId: 'ORD-1001' },
        armed: 1,
      });
      expect(run.asked.map(({ kind }) => kind)).toEqual(['approve-purchase']);
    },
  );

  it.each(['form', 'script'] as const)(
    'that never comes, sent by a %s, is asked of the user',
    async (sending) => {
      const { run, ...truth } = await buySlowly(
        world,
        { sending, patience, hangTimeoutMs: 1_000 },
        {
          answer: ({ kind }) =>
            kind === 'confirm-outcome' ? { outcome: 'placed', merchantOrderId: 'told' } : undefined,
        },
      );
      expect(truth).toEqual({ orders: 1, requests: 1 });
      expect(run).toMatchObject({
        end: { outcome: 'succeeded', merchantOrderId: 'told' },
        armed: 1,
      });
      expect(run.asked.map(({ kind }) => kind)).toEqual(['approve-purchase', 'confirm-outcome']);
    },
  );
});

describe('a page that does not open', () => {
  /** The sentence with which a run ends, after the user has read it on the way. */
  async function whyNot(url: string): Promise<string> {
    const browser = await world.openBrowser();
    const { end, progress } = await runInShop(browser, aTask(url), {
      patience: { openMs: 2_000 },
      refusalOf: (address) => explainRefusal(browser.proxy.decisions(), address),
    });
    // A page that still waited would count as hung; one whose error page is on its way answers
    // after it.
    await expect.poll(() => browser.page.evaluate('1').catch(String)).toBe(1);
    await browser.close();
    expect(end).toMatchObject({ outcome: 'failed', reason: 'automation_failed', placed: 'no' });
    const said = end.outcome === 'failed' ? end.message : '';
    expect(progress).toEqual([{ title: 'The shop’s page was not opened', message: said }]);
    return said;
  }

  it('because the shop does not answer says so', async () => {
    world.shop.answer = () => undefined;
    expect(await whyNot('http://shop.example/mug')).toBe(
      'The shop did not answer within 2 seconds.',
    );
  });

  it('because the shop refuses it is told from an address that we refuse', {
    tags: 'slow',
  }, async () => {
    servePages(world.shop, {});
    world.shop.answer = (request, response) =>
      request.url === '/away'
        ? response.writeHead(302, { location: `${world.inside.origin}/mug` }).end()
        : response.writeHead(403, { 'content-type': 'text/html' }).end('no robots');
    expect(await whyNot('http://shop.example/mug')).toBe(
      'The shop’s page could not be opened (403).',
    );
    expect(await whyNot('http://10.0.0.7/mug')).toBe(
      'The page’s address (10.0.0.7) is not allowed, or does not exist.',
    );
    expect(await whyNot('https://10.0.0.7/mug')).toBe(
      'The page’s address (10.0.0.7) is not allowed, or does not exist.',
    );
    // A name that nobody has, and one that leads inside, are told apart by nobody.
    world.internet.names.set('inside.example', ['10.0.0.7']);
    expect(await whyNot('http://nowhere.example/')).toBe(
      'The page’s address (nowhere.example) is not allowed, or does not exist.',
    );
    expect(await whyNot('https://inside.example/')).toBe(
      'The page’s address (inside.example) is not allowed, or does not exist.',
    );
    expect(await whyNot('http://shop.example/away')).toBe(
      `The page’s address (127.0.0.1:${world.inside.port}) is not allowed: only the usual ports of the web are.`,
    );
    world.internet.names.set('down.example', ['93.184.216.99']);
    expect(await whyNot('http://down.example/')).toBe(
      'The shop cannot be reached: nothing answers at down.example.',
    );
    expect(world.inside.requests).toEqual([]);
  });
});
