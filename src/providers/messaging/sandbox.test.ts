import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { outboxCommand } from './command.ts';
import { createMessaging } from './index.ts';
import { aCodeMessage, type SenderUnderTest, testSender } from './messaging.contract.ts';
import type { Channel } from './messaging.ts';
import {
  createSandboxMessaging,
  listSandboxMessages,
  sandboxMessagesMax,
  sandboxRecipients,
} from './sandbox.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const clock = createManualClock();
const aKey = (id: string) => ({ id, key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) });
const key = aKey('here');
const sealer = createSealer([key]);
const sandbox = () =>
  createSandboxMessaging({ store: database.store, sealer, clock, ids: systemIds });

async function start(channel: Channel): Promise<SenderUnderTest> {
  const own = await startTestDatabase();
  const messaging = createSandboxMessaging({ store: own.store, sealer, clock, ids: systemIds });
  const domain = channel === 'email' ? '@example.com' : '';
  return {
    send: channel === 'email' ? messaging.sendEmail : messaging.sendSms,
    received: async () =>
      (await listSandboxMessages({ store: own.store, sealer }, { limit: 1_000 })).map(
        ({ to, text, subject }) => ({
          to,
          text: text!,
          ...(subject === undefined ? {} : { subject }),
        }),
      ),
    refused: `${sandboxRecipients.refused[channel]}${domain}`,
    unavailable: `${sandboxRecipients.unavailable[channel]}${domain}`,
    close: () => own.close(),
  };
}

testSender('sandbox', 'email', () => start('email'));
testSender('sandbox', 'sms', () => start('sms'));

async function outbox(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const config = testConfig({ keyEncryptionKeys: [key] });
  await outboxCommand(
    { config, store: database.store },
    { argv, print: (line) => lines.push(line) },
  );
  return lines.join('\n');
}

describe('the sandbox', () => {
  test('keeps no code readable in the database', async () => {
    await sandbox().sendEmail({
      to: 'ada@example.com',
      message: aCodeMessage({ code: '918273' }),
      idempotencyKey: randomUUID(),
    });
    const { rows } = await database.store.query<{ text: string; bytes: Buffer }>({
      text: 'select m::text as text, sealed_content as bytes from sandbox_messages m',
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const { text, bytes } of rows)
      expect(text + bytes.toString('latin1')).not.toContain('918273');
  });

  test('the same key is the same message', async () => {
    const idempotencyKey = randomUUID();
    const send = () =>
      sandbox().sendSms({ to: '+14155550199', message: aCodeMessage(), idempotencyKey });
    const outcomes = [await send(), ...(await Promise.all([send(), send()]))];
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(JSON.parse(await outbox('--to', '+14155550199', '--json'))).toHaveLength(1);
  });

  test('a lost answer says that the message may have been sent, and it was', async () => {
    const to = `${sandboxRecipients.lost.email}@example.com`;
    await expect(
      sandbox().sendEmail({ to, message: aCodeMessage(), idempotencyKey: randomUUID() }),
    ).rejects.toMatchObject({
      maybeSent: true,
    });
    expect(JSON.parse(await outbox('--to', to, '--json'))).toHaveLength(1);
  });

  test('keeps a bounded number of messages, the newest', async () => {
    const own = await startTestDatabase();
    try {
      const insert = `insert into sandbox_messages (id, idempotency_key, channel, kind, recipient, sealed_content, sent_at)
        select gen_random_uuid(), 'old-' || n, 'sms', 'signer-code', '+14155550100', '', $1::timestamptz - interval '1 hour' - n * interval '1 s'
        from generate_series(1, $2::int) n`;
      await own.store.query({ text: insert, values: [clock.now(), sandboxMessagesMax + 20] });
      const messaging = createSandboxMessaging({ store: own.store, sealer, clock, ids: systemIds });
      await messaging.sendSms({
        to: '+14155550111',
        message: aCodeMessage(),
        idempotencyKey: randomUUID(),
      });
      const { rows } = await own.store.query<{ count: number; kept: boolean; oldest: boolean }>({
        text: `select count(*)::int as count, bool_or(recipient = '+14155550111') as kept,
          bool_or(idempotency_key = 'old-1020') as oldest from sandbox_messages`,
      });
      expect(rows[0]).toEqual({ count: sandboxMessagesMax, kept: true, oldest: false });
    } finally {
      await own.close();
    }
  });
});

describe('purser outbox', () => {
  test('shows the newest first, bounded and by recipient', async () => {
    for (const code of ['111111', '222222', '333333']) {
      clock.advance(1_000);
      await sandbox().sendEmail({
        to: 'bob@example.com',
        message: aCodeMessage({ code }),
        idempotencyKey: randomUUID(),
      });
    }
    const listed = await outbox('--to', 'bob@example.com', '--limit', '2');
    expect(listed.split('\n')).toHaveLength(3);
    expect(listed).toMatch(/333333[\s\S]*222222/);
    expect(listed).not.toContain('111111');
    expect(await outbox('--to', 'nobody@example.com')).toBe('No messages.');
  });

  test('--full has subject and whole text', async () => {
    expect(await outbox('--to', 'bob@example.com', '--limit', '1', '--full')).toMatch(
      /email to bob@example\.com\nYour code for Corner Shop\n\nYour code[\s\S]*333333[\s\S]*nothing happens/,
    );
  });

  test('a message of a removed key-encryption key is listed without its text', async () => {
    const other = createSealer([aKey('gone')]);
    const messaging = createSandboxMessaging({
      store: database.store,
      sealer: other,
      clock,
      ids: systemIds,
    });
    await messaging.sendEmail({
      to: 'carol@example.com',
      message: aCodeMessage(),
      idempotencyKey: randomUUID(),
    });
    expect(await outbox('--to', 'carol@example.com')).toContain(
      'sealed with a key that is not in KEY_ENCRYPTION_KEYS',
    );
  });

  test.each([
    [['--limit', '0'], '--limit is a whole number from 1 to 1000'],
    [['--limit', '1001'], '--limit is a whole number from 1 to 1000'],
    [['send'], 'Unknown command "outbox send"'],
    [['--nonsense'], 'nonsense'],
  ])('%j is refused with a sentence', async (argv, message) => {
    await expect(outbox(...argv)).rejects.toThrow(message);
  });
});

test('a channel that is off sends nothing and says so', async () => {
  const config = testConfig({ messaging: { email: { kind: 'off' }, sms: { kind: 'sandbox' } } });
  const messaging = createMessaging(config, { store: database.store, clock });
  const input = { message: aCodeMessage(), idempotencyKey: randomUUID() };
  await expect(messaging.sendEmail({ ...input, to: 'ada@example.com' })).rejects.toThrow(
    'EMAIL is off',
  );
  await expect(messaging.sendSms({ ...input, to: '+14155550123' })).resolves.toMatchObject({
    status: 'sent',
  });
});
