import { randomBytes } from 'node:crypto';
import { Webhook as Standard } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook } from '../../src/areas/webhooks/endpoints/sign.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;
const body = JSON.stringify({
  actionId: 'o-1',
  type: 'orders.payment.succeeded',
  data: { orderId: 'o-1', note: 'für Ömer' },
});
const now = new Date();

/** Headers as another implementation of the scheme makes them. */
function headersBy(secrets: readonly string[], at = now, text = body) {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signatures = secrets.map((one) => new Standard(one).sign('event-1', at, text));
  return {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

describe('verifyWebhook', () => {
  it('reads what the library of Standard Webhooks has signed, from text, bytes, Headers and the headers of Node.js', async () => {
    const headers = headersBy([secret]);
    const read = await verifyWebhook({
      secret,
      body,
      headers: { ...headers, 'purser-event-position': '7' },
    });
    expect(read).toEqual({
      id: 'event-1',
      position: '7',
      sentAt: new Date(Math.floor(now.getTime() / 1_000) * 1_000),
      event: JSON.parse(body),
    });
    if (read.event.type === 'orders.payment.succeeded') expect(read.event.data.orderId).toBe('o-1');
    const bytes = new TextEncoder().encode(body);
    expect(
      (await verifyWebhook({ secret, body: bytes, headers: new Headers(headers) })).event,
    ).toEqual(JSON.parse(body));
  });

  it('reads what the service signs, with either secret while one is rotated', async () => {
    const secrets = [secret, otherSecret].map(
      (one) => new Secret<Uint8Array>(Buffer.from(one.slice(6), 'base64')),
    );
    const headers = signWebhook({ id: 'event-1', at: now, body, secrets });
    for (const one of [secret, otherSecret, ['whsec_AAAA', otherSecret]])
      expect((await verifyWebhook({ secret: one, body, headers })).id).toBe('event-1');
  });

  it.each([
    ['another body', { headers: headersBy([secret]), body: `${body} ` }],
    ['another secret', { headers: headersBy([otherSecret]), body }],
    ['another id', { headers: { ...headersBy([secret]), 'webhook-id': 'event-2' }, body }],
    [
      'six minutes ago',
      { headers: headersBy([secret], new Date(now.getTime() - 6 * 60_000)), body },
    ],
    [
      'in six minutes',
      { headers: headersBy([secret], new Date(now.getTime() + 6 * 60_000)), body },
    ],
    [
      'a time that is none',
      { headers: { ...headersBy([secret]), 'webhook-timestamp': 'soon' }, body },
    ],
    ['no signature', { headers: { ...headersBy([secret]), 'webhook-signature': undefined }, body }],
    [
      'a signature that is none',
      { headers: { ...headersBy([secret]), 'webhook-signature': 'v1,%%% v1 v2,AAAA' }, body },
    ],
  ])('refuses %s', async (_name, request) => {
    await expect(verifyWebhook({ secret, now, ...request })).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  it('reads bytes that begin with a byte order mark as they were signed', async () => {
    const text = `\uFEFF${body}`;
    const request = {
      secret,
      now,
      headers: headersBy([secret], now, text),
      body: new TextEncoder().encode(text),
    };
    expect((await verifyWebhook(request)).event).toEqual(JSON.parse(body));
  });

  it('says what a secret or a body looks like when it gets something else', async () => {
    const headers = headersBy([secret]);
    await expect(verifyWebhook({ secret, headers, body: JSON.parse(body) })).rejects.toThrow(
      'raw body',
    );
    for (const none of [undefined, []])
      await expect(verifyWebhook({ secret: none!, headers, body })).rejects.toThrow(
        '`secret` is missing',
      );
  });

  it('says what a secret looks like when it gets none', async () => {
    await expect(verifyWebhook({ secret: '', body, headers: headersBy([secret]) })).rejects.toThrow(
      '`whsec_` and base64',
    );
  });
});
