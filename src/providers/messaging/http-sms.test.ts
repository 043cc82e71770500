import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Secret } from '../../lib/sealing/secret.ts';
import { createHttpSmsSender, type HttpSmsOptions } from './http-sms.ts';
import { aCodeMessage, testSender } from './messaging.contract.ts';

interface Asked {
  readonly request: IncomingMessage;
  readonly form: URLSearchParams;
}
type Handler = (asked: Asked, response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const sent: Handler = json(201, { sid: 'SM123', status: 'queued' });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A stand-in for an SMS company: it takes what it has not seen under this idempotency key. */
async function startCompany(handler: Handler = sent) {
  const company = {
    handler,
    asked: [] as Asked[],
    messages: [] as { to: string; text: string }[],
    url: '',
    close: async () => undefined as void,
  };
  const keys = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = { request, form: new URLSearchParams(Buffer.concat(chunks).toString()) };
      company.asked.push(asked);
      const key = String(request.headers['idempotency-key']);
      if (!keys.has(key))
        response.on('finish', () => response.statusCode === 201 && take(asked, key));
      company.handler(asked, response);
    });
  });
  const take = ({ form }: Asked, key: string) => {
    keys.add(key);
    company.messages.push({ to: form.get('To')!, text: form.get('Body')! });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  company.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/2010-04-01`;
  company.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return company;
}

function sender(company: { url: string }, over: Partial<HttpSmsOptions> = {}) {
  return createHttpSmsSender({
    url: company.url,
    accountId: 'AC 1',
    authToken: new Secret('very-secret'),
    from: '+14155550100',
    pauseMs: 1,
    ...over,
  });
}

async function start(handler?: Handler, over?: Partial<HttpSmsOptions>) {
  const company = await startCompany(handler);
  closers.push(company.close);
  const send = sender(company, over);
  return {
    company,
    sendOne: (to = '+14155550123') =>
      send({ to, message: aCodeMessage(), idempotencyKey: 'one-message' }),
  };
}

testSender('an SMS company', 'sms', async () => {
  const company = await startCompany((asked, response) => {
    const to = asked.form.get('To');
    if (to === '+14155559998')
      return json(400, { code: 21211, message: 'Not a valid phone number', status: 400 })(
        asked,
        response,
      );
    return to === '+14155559999'
      ? json(429, { code: 20429 }, { 'retry-after': '60' })(asked, response)
      : sent(asked, response);
  });
  return {
    send: sender(company),
    received: async () => company.messages,
    refused: '+14155559998',
    unavailable: '+14155559999',
    close: company.close,
  };
});

describe('the request', () => {
  test('is a signed form with number, sender, text and the key of the message', async () => {
    const { company, sendOne } = await start();
    expect(await sendOne()).toEqual({ status: 'sent', messageId: 'SM123' });
    const [{ request, form }] = company.asked as [Asked];
    expect(request.url).toBe('/2010-04-01/Accounts/AC%201/Messages.json');
    expect(request.headers.authorization).toBe(
      `Basic ${Buffer.from('AC 1:very-secret').toString('base64')}`,
    );
    expect(request.headers['content-type']).toContain('application/x-www-form-urlencoded');
    expect(request.headers['idempotency-key']).toBe('one-message');
    expect(Object.fromEntries(form)).toEqual({
      To: '+14155550123',
      From: '+14155550100',
      Body: '123456 is your code for Corner Shop, to send 5 USDC to 0x1 on base. It ends in 10 minutes. Never give it to anybody.',
    });
  });

  test('the token shows in no error', async () => {
    const { sendOne } = await start(json(401, { code: 20003, message: 'Authenticate' }));
    const error = (await sendOne().catch((thrown: unknown) => thrown)) as Error;
    expect(`${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toContain(
      'very-secret',
    );
  });
});

describe('refusals', () => {
  test.each([
    [21211, 'recipient'],
    [21408, 'recipient'],
    [21610, 'recipient'],
    [21614, 'recipient'],
    [21617, 'message'],
  ])('400 with code %i is a result: the %s', async (code, reason) => {
    const { company, sendOne } = await start(json(400, { code, message: 'No', status: 400 }));
    expect(await sendOne()).toEqual({
      status: 'refused',
      reason,
      detail: `status 400, code ${code}: No`,
    });
    expect(company.asked).toHaveLength(1);
  });

  test.each([401, 403, 404])('%i is trouble with our account, and tried once', async (status) => {
    const { company, sendOne } = await start(json(status, { code: 20003 }));
    await expect(sendOne()).rejects.toMatchObject({ name: 'MessagingError', maybeSent: false });
    expect(company.asked).toHaveLength(1);
  });

  test('429 with a long Retry-After is told to the caller, with a short one it is waited for once', async () => {
    const long = await start(json(429, {}, { 'retry-after': '60' }), { timeoutMs: 600_000 });
    await expect(long.sendOne()).rejects.toMatchObject({ retryAfterSeconds: 60, maybeSent: false });
    expect(long.company.asked).toHaveLength(1);
    const short = await start((asked, response) =>
      short.company.asked.length === 1
        ? json(429, {}, { 'retry-after': '0' })(asked, response)
        : sent(asked, response),
    );
    expect((await short.sendOne()).status).toBe('sent');
    expect(short.company.asked).toHaveLength(2);
  });
});

describe('trouble', () => {
  test('5xx is tried again once, under the same key, so that one message is sent', async () => {
    const { company, sendOne } = await start((asked, response) =>
      company.asked.length === 1
        ? json(503, { message: 'Busy' })(asked, response)
        : sent(asked, response),
    );
    expect((await sendOne()).status).toBe('sent');
    expect(company.asked.map(({ request }) => request.headers['idempotency-key'])).toEqual([
      'one-message',
      'one-message',
    ]);
    expect(company.messages).toHaveLength(1);
  });

  test('5xx twice ends with an error that says that nobody knows', async () => {
    const { company, sendOne } = await start(json(500, {}));
    await expect(sendOne()).rejects.toMatchObject({ name: 'MessagingError', maybeSent: true });
    expect(company.asked).toHaveLength(2);
  });

  test('a lost answer is asked for again under the same key', async () => {
    const { company, sendOne } = await start((asked, response) => {
      if (company.asked.length === 1) asked.request.socket.destroy();
      else sent(asked, response);
    });
    expect((await sendOne()).status).toBe('sent');
    expect(company.asked).toHaveLength(2);
  });

  test('silence is given up after the whole time and not asked again', async () => {
    const { company, sendOne } = await start(() => undefined, { timeoutMs: 100 });
    await expect(sendOne()).rejects.toMatchObject({
      maybeSent: true,
      message: 'The SMS company did not answer in time.',
    });
    expect(company.asked).toHaveLength(1);
  });

  test('a body that never ends is given up too', async () => {
    const { sendOne } = await start(
      (_, response) => void response.writeHead(201).write('{"sid":'),
      { timeoutMs: 100 },
    );
    await expect(sendOne()).rejects.toMatchObject({ maybeSent: true });
  });

  test('a body that grows without end is not held', async () => {
    const { sendOne } = await start(
      (_, response) => void response.writeHead(201).write('x'.repeat(200_000)),
      { timeoutMs: 600_000 },
    );
    await expect(sendOne()).rejects.toThrow('answered in a form that we do not know');
  });

  test('nobody listens: nothing was sent', async () => {
    const company = await startCompany();
    await company.close();
    const sending = sender(company)({
      to: '+14155550123',
      message: aCodeMessage(),
      idempotencyKey: 'one-message',
    });
    await expect(sending).rejects.toMatchObject({ maybeSent: false });
  });

  test.each([
    ['no JSON', (_: Asked, response: ServerResponse) => void response.writeHead(201).end('<html>')],
    ['no id', json(201, { status: 'queued' })],
    [
      'more than anybody reads',
      (_: Asked, response: ServerResponse) =>
        void response.writeHead(201).end(`{"sid":"${'x'.repeat(1e6)}"}`),
    ],
  ])('success with %s is not believed', async (_, handler) => {
    const { company, sendOne } = await start(handler);
    await expect(sendOne()).rejects.toMatchObject({ maybeSent: true });
    expect(company.asked).toHaveLength(1);
  });

  test('a redirect is not followed: the code and the token go to one place', async () => {
    const { company, sendOne } = await start(
      (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    await expect(sendOne()).rejects.toMatchObject({ name: 'MessagingError' });
    expect(company.asked.map(({ request }) => request.url)).not.toContain('/elsewhere');
  });
});
