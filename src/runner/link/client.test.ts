import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, createMovableClock, systemClock } from '../../lib/clock.ts';
import { sealLetter } from '../../lib/sealed-letter.ts';
import { Secret } from '../../lib/secret.ts';
import { internalHeaders, internalPublicKey, signAnswer } from '../../lib/signed-requests.ts';
import { cardLetterContext } from '../card-letter.ts';
import { createRunLink, LinkRefusedError } from './client.ts';

const aSeed = () => new Secret(new Uint8Array(randomBytes(32)));
const [runner, worker] = [aSeed(), aSeed()];
const hold = { checkoutId: randomUUID(), fence: '1' };
const content = { number: '4242424242424242', expirationMonth: 12, expirationYear: 2040, holder: 'Ann Saver', postalCode: '94105' };

/** What every request is answered, signed as the worker does. */
let answer: object = {};
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const body = Buffer.from(JSON.stringify({ done: answer }));
    const nonce = String(request.headers[internalHeaders.nonce]);
    request.resume().once('end', () => {
      response.setHeader(internalHeaders.signature, signAnswer(worker, { status: 200, body, nonce })).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const letterTo = async (seed: Secret<Uint8Array>, checkoutId = hold.checkoutId) =>
  (await sealLetter(internalPublicKey(seed.reveal()), JSON.stringify(content), cardLetterContext(checkoutId))).toString('base64');
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
  expect([clock.aheadMs(), clock.unmoved().getTime() - Date.now() < 1_000]).toEqual([3 * 86_400_000, true]);
});

test('a saved card reaches the run opened, with the code that its user entered', async () => {
  expect(await take({ paymentMethodId: 'x', cvc: '123', cardLetter: await letterTo(runner) })).toEqual({
    done: { action: 'submit', values: { paymentMethodId: 'x', cvc: '123', ...content } },
  });
});

test('values without a saved card reach the run as they are', async () => {
  expect(await take({ approved: true })).toEqual({ done: { action: 'submit', values: { approved: true } } });
});

test('a letter for another runner or checkout, or one that is none, ends the run with a sentence', async () => {
  for (const cardLetter of [await letterTo(worker), await letterTo(runner, randomUUID()), 'x'])
    await expect(take({ cvc: '123', cardLetter })).rejects.toThrow(LinkRefusedError);
});
