import { afterEach, describe, expect, test } from 'vitest';
import { testCertificate } from '../../../test/harness/test-certificate.ts';
import { createManualClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { aCodeMessage, testSender } from './messaging.contract.ts';
import { createSmtpSender, type SmtpOptions } from './smtp.ts';
import { type MailServer, type MailServerOptions, startMailServer } from './smtp-kit.ts';

const clock = createManualClock();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function sender(server: Pick<MailServer, 'port'>, over: Partial<SmtpOptions> = {}) {
  return createSmtpSender({
    host: '127.0.0.1',
    port: server.port,
    security: 'none',
    from: 'Corner Shop <codes@shop.example>',
    clock,
    pauseMs: 1,
    ...over,
  });
}

async function start(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  closers.push(server.close);
  return server;
}

const sendOne = (send: ReturnType<typeof sender>, to = 'ada@example.com') =>
  send({ to, message: aCodeMessage(), idempotencyKey: '3f0c2f0e-6f0e-4b5e-9d7b-0d8a2f4c1b11' });

testSender('SMTP', 'email', async () => {
  const server = await startMailServer({
    reply: ({ command }) => {
      if (command.startsWith('RCPT TO:<nobody@')) return '550 5.1.1 No such mailbox';
      return command.startsWith('RCPT TO:<later@') ? '451 4.7.1 Later' : undefined;
    },
  });
  return {
    send: sender(server),
    received: async () =>
      server.messages.map(({ to, subject, text }) => ({ to: to[0]!, subject, text })),
    refused: 'nobody@example.com',
    unavailable: 'later@example.com',
    close: server.close,
  };
});

describe('the message', () => {
  test('has sender, recipient, subject, time and an id made of its key', async () => {
    const server = await start();
    const outcome = await sendOne(sender(server));
    expect(outcome).toEqual({
      status: 'sent',
      messageId: '<3f0c2f0e-6f0e-4b5e-9d7b-0d8a2f4c1b11@shop.example>',
    });
    const [message] = server.messages;
    expect(message).toMatchObject({
      from: 'codes@shop.example',
      to: ['ada@example.com'],
      subject: 'Your code for Corner Shop',
    });
    expect(message!.raw).toContain('From: Corner Shop <codes@shop.example>\r\n');
    expect(message!.raw).toContain('To: ada@example.com\r\n');
    expect(message!.raw).toContain('Date: Thu, 15 Jan 2026 12:00:00 +0000\r\n');
    expect(message!.raw).toContain('Auto-Submitted: auto-generated\r\n');
  });

  test('a domain of any script is addressed in the form of mail systems', async () => {
    const server = await start();
    await sendOne(sender(server), 'ada@bücher.example');
    expect(server.messages[0]!.to).toEqual(['ada@xn--bcher-kva.example']);
  });
});

describe('encryption', () => {
  // The certificate names a host that no name server knows.
  const overTls = { servername: testCertificate.hostname, ca: testCertificate.cert };

  test('STARTTLS: everything behind the first greeting is encrypted', async () => {
    const server = await start({ startTls: true });
    expect((await sendOne(sender(server, { security: 'starttls', ...overTls }))).status).toBe(
      'sent',
    );
    expect(server.messages).toMatchObject([{ encrypted: true }]);
    expect(
      server.commands
        .filter(({ encrypted }) => !encrypted)
        .map(({ command }) => command.split(' ')[0]),
    ).toEqual(['EHLO', 'STARTTLS']);
  });

  test('STARTTLS asked for and not offered: nothing is sent, no password either', async () => {
    const server = await start({ startTls: false, auth: true });
    const send = sender(server, {
      security: 'starttls',
      ...overTls,
      user: 'purser',
      password: new Secret('hunter2'),
    });
    await expect(sendOne(send)).rejects.toMatchObject({ name: 'MessagingError', maybeSent: false });
    expect(server.messages).toEqual([]);
    expect(server.commands.map(({ command }) => command).join()).not.toMatch(/AUTH|MAIL|hunter2/);
  });

  test('a certificate of somebody else: nothing is sent', async () => {
    const server = await start({ startTls: true });
    await expect(sendOne(sender(server, { security: 'starttls' }))).rejects.toMatchObject({
      maybeSent: false,
    });
    expect(server.messages).toEqual([]);
    expect(server.commands.some(({ encrypted }) => encrypted)).toBe(false);
  });

  test('TLS from the first byte', async () => {
    const server = await start({ tls: true });
    expect((await sendOne(sender(server, { security: 'tls', ...overTls }))).status).toBe('sent');
    expect(server.messages).toMatchObject([{ encrypted: true }]);
  });
});

describe('signing in', () => {
  const user = { user: 'purser', password: new Secret('hunter2') };

  test('user and password are given before the message', async () => {
    const server = await start({ auth: true });
    expect((await sendOne(sender(server, user))).status).toBe('sent');
    expect(server.logins).toEqual(['purser:hunter2']);
  });

  test('a wrong password is our fault, not the recipient’s; it is tried once and shown nowhere', async () => {
    const server = await start({
      auth: true,
      reply: ({ command }) =>
        command.startsWith('AUTH') ? '535 5.7.8 Bad credentials' : undefined,
    });
    const error = await sendOne(sender(server, user)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MessagingError', maybeSent: false });
    expect(server.connectionCount()).toBe(1);
    expect(JSON.stringify([error, String((error as Error).cause)])).not.toContain('hunter2');
  });

  test('a sender that the server does not take is our fault too', async () => {
    const server = await start({
      reply: ({ command }) =>
        command.startsWith('MAIL') ? '550 5.7.1 Not your domain' : undefined,
    });
    await expect(sendOne(sender(server))).rejects.toThrow('account or sender');
    expect(server.connectionCount()).toBe(1);
  });
});

describe('trouble', () => {
  test('nobody listens: two tries, then an error that says that nothing was sent', async () => {
    const server = await startMailServer();
    await server.close();
    await expect(sendOne(sender(server))).rejects.toMatchObject({
      name: 'MessagingError',
      maybeSent: false,
    });
  });

  test('a connection lost before the message is tried again, once', async () => {
    const flaky = await start({
      reply: ({ command, connection }) =>
        connection === 1 && command.startsWith('MAIL') ? 'hang up' : undefined,
    });
    expect((await sendOne(sender(flaky))).status).toBe('sent');
    expect(flaky.connectionCount()).toBe(2);
    const dead = await start({
      reply: ({ command }) => (command.startsWith('MAIL') ? 'hang up' : undefined),
    });
    await expect(sendOne(sender(dead))).rejects.toMatchObject({ maybeSent: false });
    expect(dead.connectionCount()).toBe(2);
  });

  test('a connection lost behind the message is not tried again: it may have been sent', async () => {
    const server = await start({
      reply: ({ command }) => (command === '.' ? 'hang up' : undefined),
    });
    await expect(sendOne(sender(server))).rejects.toMatchObject({ maybeSent: true });
    expect(server.connectionCount()).toBe(1);
  });

  test('“not now” is tried again, “no” behind the message is a result', async () => {
    const busy = await start({
      reply: ({ command, connection }) =>
        connection === 1 && command === '.' ? '452 4.3.1 Disk full' : undefined,
    });
    expect((await sendOne(sender(busy))).status).toBe('sent');
    expect(busy.messages).toHaveLength(1);
    const strict = await start({
      reply: ({ command }) => (command === '.' ? '554 5.7.1 Looks like spam' : undefined),
    });
    expect(await sendOne(sender(strict))).toMatchObject({
      status: 'refused',
      reason: 'message',
      detail: expect.stringContaining('spam'),
    });
  });

  test.each([
    ['says nothing', 'greeting', false],
    ['falls silent before the message', 'MAIL', false],
    ['falls silent behind the message', '.', true],
  ])('a server that %s is given up', async (_, at, maybeSent) => {
    const server = await start({
      reply: ({ command }) => (command.startsWith(at) ? 'silence' : undefined),
    });
    await expect(sendOne(sender(server, { silenceMs: 50 }))).rejects.toMatchObject({
      name: 'MessagingError',
      maybeSent,
    });
    expect(server.connectionCount()).toBe(maybeSent ? 1 : 2);
  });

  test('a server that drips one byte after the other is given up after the whole time', async () => {
    const server = await start({
      reply: ({ command }) => (command.startsWith('MAIL') ? 'drip' : undefined),
    });
    await expect(sendOne(sender(server, { timeoutMs: 200, silenceMs: 5_000 }))).rejects.toThrow(
      /connection to the mail server failed/,
    );
    expect(server.connectionCount()).toBe(1);
  });

  test('an answer without end is given up', async () => {
    const server = await start({
      reply: ({ command }) => (command.startsWith('MAIL') ? 'flood' : undefined),
    });
    await expect(sendOne(sender(server))).rejects.toMatchObject({
      maybeSent: false,
      cause: { message: expect.stringContaining('exceeds maximum') },
    });
  });

  test('no connection is left open, whatever happened', async () => {
    const server = await start({
      reply: ({ command }) => (command.startsWith('RCPT TO:<nobody@') ? '550 No' : undefined),
    });
    const send = sender(server, { silenceMs: 600_000 });
    await sendOne(send);
    await sendOne(send, 'nobody@example.com');
    await server.allClosed();
    expect(server.connectionCount()).toBe(2);
  });
});
