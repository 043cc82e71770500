import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, createMovableClock, systemClock } from '../../lib/clock.ts';
import { internalHeaders, internalPublicKey, signAnswer } from '../../lib/net/signed-requests.ts';
import { sealLetter } from '../../lib/sealing/sealed-letter.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { cardLetterContext } from '../card-letter.ts';
import { createRunLink, LinkAwayError, LinkRefusedError } from './client.ts';
import { openLinkRequest, sealLinkAnswer } from './envelope.ts';
import type { LinkOperation } from './wire.ts';

const aSeed = () => new Secret(new Uint8Array(randomBytes(32)));
const [runner, worker] = [aSeed(), aSeed()];
const hold = { checkoutId: randomUUID(), fence: '1' };
const content = {
  number: '4242424242424242',
  expirationMonth: 12,
  expirationYear: 2040,
  holder: 'Ann Saver',
  postalCode: '94105',
};

/** What every request is answered, signed as the worker does. */
let answer: object = {};
/** What the requests said, and every byte of a body that went over the wire. */
const asked: string[] = [];
const carried: Buffer[] = [];
/** Seals answers as if another operation had been asked for. */
let answerAs: LinkOperation | undefined;
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const nonce = String(request.headers[internalHeaders.nonce]);
    const name = request.url!.split('/').at(-1) as LinkOperation;
    void buffer(request).then(async (sent) => {
      carried.push(sent);
      asked.push(await openLinkRequest(worker, name, sent));
      const body = await sealLinkAnswer(
        internalPublicKey(runner.reveal()),
        answerAs ?? name,
        JSON.stringify({ done: answer }),
      );
      carried.push(body);
      response
        .setHeader(internalHeaders.signature, signAnswer(worker, { status: 200, body, nonce }))
        .end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const letterTo = async (seed: Secret<Uint8Array>, checkoutId = hold.checkoutId) =>
  (
    await sealLetter(
      internalPublicKey(seed.reveal()),
      JSON.stringify(content),
      cardLetterContext(checkoutId),
    )
  ).toString('base64');
const aLink = (clock: Clock = systemClock) =>
  createRunLink({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identity: { name: 'runner', seed: runner },
    workerPublicKey: internalPublicKey(worker.reveal()),
    clock,
    log: pino({ level: 'silent' }),
  });
const take = (values: object) => {
  answer = { action: 'submit', values };
  return aLink()['take-answer']({ hold, actionId: randomUUID(), waitMs: 0 }, { againMs: 0 });
};

test('the clock of a runner follows that of the service, which can be moved in development', async () => {
  const clock = createMovableClock();
  answer = { clockAheadMs: 3 * 86_400_000 };
  await aLink(clock).renew({ hold, leaseMs: 20_000 }, { againMs: 0 });
  expect([clock.aheadMs(), clock.unmoved().getTime() - Date.now() < 1_000]).toEqual([
    3 * 86_400_000,
    true,
  ]);
});

test('a saved card reaches the run opened, with the code that its user entered', async () => {
  expect(
    await take({ paymentMethodId: 'x', cvc: '123', cardLetter: await letterTo(runner) }),
  ).toEqual({
    done: { action: 'submit', values: { paymentMethodId: 'x', cvc: '123', ...content } },
  });
});

test('whoever carries what a runner and its worker say reads no password, code, card or session of a browser', async () => {
  const link = aLink();
  const canaries = [
    'canary-password',
    'canary-code',
    '4242424242424242',
    'canary-session',
    'canary-street',
  ];
  expect(
    await take({ username: 'ann', password: 'canary-password', code: 'canary-code' }),
  ).toMatchObject({
    done: { values: { password: 'canary-password' } },
  });
  answer = {
    number: '4242424242424242',
    expirationMonth: 12,
    expirationYear: 2040,
    cvc: '123',
    holder: 'canary-street',
  };
  const total = { amountMinor: 1n, currency: 'USD' };
  expect(await link.card({ hold, total, origin: 'https://shop.example' }, { againMs: 0 })).toEqual({
    done: answer,
  });
  answer = true as unknown as object;
  const state = { cookies: [{ name: 'sid', value: 'canary-session' }], origins: [] };
  await link['save-state']({ hold, state }, { againMs: 0 });
  expect(asked.join('')).toContain('canary-session');
  const wire = Buffer.concat(carried).toString('latin1');
  expect(wire.length).toBeGreaterThan(500);
  expect(canaries.filter((canary) => wire.includes(canary))).toEqual([]);
});

test('an answer that is signed, and not sealed to this runner or for this question, is none', async () => {
  answer = { clockAheadMs: 0 };
  answerAs = 'claim';
  await expect(aLink().renew({ hold, leaseMs: 20_000 }, { againMs: 0 })).rejects.toThrow(
    LinkAwayError,
  );
  answerAs = undefined;
});

test('values without a saved card reach the run as they are', async () => {
  expect(await take({ approved: true })).toEqual({
    done: { action: 'submit', values: { approved: true } },
  });
});

test('a letter for another runner or checkout, or one that is none, ends the run with a sentence', async () => {
  for (const cardLetter of [await letterTo(worker), await letterTo(runner, randomUUID()), 'x'])
    await expect(take({ cvc: '123', cardLetter })).rejects.toThrow(LinkRefusedError);
});
