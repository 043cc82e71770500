import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from './kinds.ts';
import { type Channel, MessagingError, type Sender } from './messaging.ts';

export interface ReceivedMessage {
  readonly to: string;
  readonly text: string;
  /** Of e-mails. */
  readonly subject?: string;
}

export interface SenderUnderTest {
  readonly send: Sender;
  /** What has arrived, oldest first. A repetition that the company recognised is there once. */
  received(): Promise<readonly ReceivedMessage[]>;
  /** Recipients for which the company behaves like this. */
  readonly refused: string;
  readonly unavailable: string;
  close(): Promise<void>;
}

export function aCodeMessage(values: Partial<Message['values']> = {}): Message {
  return {
    kind: 'signer-code',
    values: {
      code: '123456',
      minutes: '10',
      project: 'Corner Shop',
      what: 'send 5 USDC to 0x1 on base',
      ...values,
    },
  };
}

/** What every sender of messages owes. */
export function testSender(
  name: string,
  channel: Channel,
  start: () => Promise<SenderUnderTest>,
): void {
  describe(`messaging by ${channel}: ${name}`, () => {
    let subject: SenderUnderTest;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close());

    let recipients = 0;
    const aRecipient = () => {
      recipients++;
      return channel === 'email'
        ? `person${recipients}@example.com`
        : `+1415555${String(1_000 + recipients)}`;
    };
    const to = async (recipient: string) =>
      (await subject.received()).filter((message) => message.to === recipient);

    test('a message arrives once, with what it has to say', async () => {
      const recipient = aRecipient();
      const outcome = await subject.send({
        to: recipient,
        message: aCodeMessage({ code: '048213' }),
        idempotencyKey: randomUUID(),
      });
      expect(outcome).toEqual({ status: 'sent', messageId: expect.stringMatching(/./) });
      const received = await to(recipient);
      expect(received).toHaveLength(1);
      expect(received[0]!.text).toMatch(/048213[\s\S]*Corner Shop|Corner Shop[\s\S]*048213/);
      expect(received[0]!.text).toContain('10 minutes');
    });

    test('a value cannot add lines, headers or recipients', async () => {
      const recipient = aRecipient();
      const project = 'Shop\r\nBcc: thief@example.com\r\n\r\nVisit https://evil.example';
      await subject.send({
        to: recipient,
        message: aCodeMessage({ project }),
        idempotencyKey: randomUUID(),
      });
      const [message] = await to(recipient);
      expect(message!.text.split(/\r?\n/).filter((line) => /^\s*(bcc|visit)/i.test(line))).toEqual(
        [],
      );
      expect(await to('thief@example.com')).toEqual([]);
    });

    test('letters of any script arrive as they are', async () => {
      const recipient = aRecipient();
      await subject.send({
        to: recipient,
        message: aCodeMessage({ project: 'Café Ω 店 🔑' }),
        idempotencyKey: randomUUID(),
      });
      expect((await to(recipient))[0]!.text).toContain('Café Ω 店 🔑');
    });

    test('20 messages at once all arrive, each at its own recipient', async () => {
      const sent = Array.from({ length: 20 }, (_, at) => ({
        recipient: aRecipient(),
        code: String(100_000 + at),
      }));
      const outcomes = await Promise.all(
        sent.map(({ recipient, code }) =>
          subject.send({
            to: recipient,
            message: aCodeMessage({ code }),
            idempotencyKey: randomUUID(),
          }),
        ),
      );
      expect(outcomes.every(({ status }) => status === 'sent')).toBe(true);
      for (const { recipient, code } of sent)
        expect((await to(recipient)).map(({ text }) => text.includes(code))).toEqual([true]);
    });

    test('a recipient whom the company will never reach is a result', async () => {
      const outcome = await subject.send({
        to: subject.refused,
        message: aCodeMessage(),
        idempotencyKey: randomUUID(),
      });
      expect(outcome).toMatchObject({
        status: 'refused',
        reason: 'recipient',
        detail: expect.stringMatching(/./),
      });
    });

    test('a company that cannot be asked is an error that says that nothing was sent', async () => {
      const sending = subject.send({
        to: subject.unavailable,
        message: aCodeMessage(),
        idempotencyKey: randomUUID(),
      });
      await expect(sending).rejects.toBeInstanceOf(MessagingError);
      await expect(sending).rejects.toMatchObject({ maybeSent: false });
      expect(await to(subject.unavailable)).toEqual([]);
    });

    test.each(
      channel === 'email'
        ? [
            '',
            'ada',
            'ada@example.com,eve@example.com',
            'ada@example.com\r\nRCPT TO:<eve@example.com>',
            'Ada <ada@example.com>',
          ]
        : ['', '14155550123', '+1415', '+14155550123,+14155550124', 'Ada'],
    )('the recipient %j never reaches the company', async (recipient) => {
      const before = (await subject.received()).length;
      await expect(
        subject.send({ to: recipient, message: aCodeMessage(), idempotencyKey: randomUUID() }),
      ).rejects.toThrow('needs one');
      expect((await subject.received()).length).toBe(before);
    });

    test.each(['', 'a'.repeat(101), 'two words', 'a\r\nb'])(
      'the idempotency key %j is refused',
      async (idempotencyKey) => {
        await expect(
          subject.send({ to: aRecipient(), message: aCodeMessage(), idempotencyKey }),
        ).rejects.toThrow('idempotency key');
      },
    );
  });
}
