import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackWindowMs } from './callback-signature.ts';
import {
  type CreateInquiryInput,
  type Inquiry,
  inquiryStates,
  isNotTaken,
  type KycProvider,
} from './kyc.ts';

export interface KycSubject {
  readonly kyc: KycProvider;
  /** Makes the company decide; the contract has created the inquiry. */
  decide(
    inquiryId: string,
    how: 'passed' | 'refused' | 'in-review' | 'document-requested',
  ): Promise<void>;
  /** A person whose inquiry waits until somebody decides. */
  readonly waitingPerson: CreateInquiryInput['person'];
  /** A callback as the company sends it at that time. */
  callback(
    inquiryId: string,
    input: { readonly at: Date; readonly eventId?: string },
  ): {
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
  };
  close?(): Promise<void>;
}

/** What every identity company owes. */
export function testKyc(name: string, start: () => Promise<KycSubject>): void {
  describe(`kyc: ${name}`, () => {
    let subject: KycSubject;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close?.());

    const anInput = (overrides: Partial<CreateInquiryInput> = {}): CreateInquiryInput => {
      const reference = randomUUID();
      return {
        level: 'full',
        reference,
        idempotencyKey: reference,
        person: subject.waitingPerson,
        documents: [],
        answered: [],
        missing: [],
        ...overrides,
      };
    };
    const create = async (input = anInput()): Promise<Inquiry> => {
      const answer = await subject.kyc.createInquiry(input);
      if (isNotTaken(answer)) throw new Error(`not taken: ${answer.notTaken}`);
      return answer;
    };

    test('an inquiry begins as one that is not decided, and is read back', async () => {
      const inquiry = await create();
      expect(['waiting', 'in-review']).toContain(inquiry.state);
      expect(await subject.kyc.readInquiry(inquiry.id)).toEqual(inquiry);
    });

    test('the same reference gives the same inquiry, one after the other and at once', async () => {
      const input = anInput();
      const first = await create(input);
      expect((await create(input)).id).toBe(first.id);
      const other = anInput();
      const answers = await Promise.all(Array.from({ length: 4 }, () => create(other)));
      expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
      expect(answers[0]!.id).not.toBe(first.id);
    });

    test('the end is read once the company decided', async () => {
      for (const how of ['passed', 'refused'] as const) {
        const { id } = await create();
        await subject.decide(id, how);
        expect(await subject.kyc.readInquiry(id)).toEqual({ id, state: how });
      }
    });

    test('an inquiry that the company does not know is expired', async () => {
      expect(await subject.kyc.readInquiry('inq_000000000000000000000000')).toMatchObject({
        state: 'expired',
      });
      expect(inquiryStates).toContain('expired');
    });

    test('a session leads to the page of the inquiry, and each has a token of its own', async () => {
      const { id } = await create();
      const [a, b] = [await subject.kyc.openSession(id), await subject.kyc.openSession(id)];
      expect(a).toMatchObject({
        inquiryId: id,
        sessionToken: expect.stringMatching(/^\S{20,}$/),
        url: expect.stringMatching(/^https?:/),
      });
      expect(a!.url).toContain(id);
      expect(a!.sessionToken).not.toBe(b!.sessionToken);
    });

    test('there is no session for an inquiry that has ended or is not known', async () => {
      const { id } = await create();
      await subject.decide(id, 'passed');
      expect(await subject.kyc.openSession(id)).toBeUndefined();
      expect(await subject.kyc.openSession('inq_000000000000000000000000')).toBeUndefined();
    });

    test('a redacted inquiry is gone, and may be redacted again', async () => {
      const { id } = await create();
      await subject.kyc.redactInquiry(id);
      await subject.kyc.redactInquiry(id);
      await subject.kyc.redactInquiry('inq_000000000000000000000000');
      expect((await subject.kyc.readInquiry(id)).state).toBe('expired');
    });

    describe('a callback', () => {
      const at = new Date('2026-01-15T12:00:00.000Z');
      const read = (callback: { headers: IncomingHttpHeaders; body: Buffer }, now = at) =>
        subject.kyc.readCallback({ ...callback, now });

      test('names its event and its inquiry', async () => {
        const { id } = await create();
        expect(read(subject.callback(id, { at }))).toMatchObject({
          eventId: expect.stringMatching(/^\S+$/),
          inquiryId: id,
        });
      });

      test('is taken within five minutes of its time, and not after or before', () => {
        const callback = subject.callback('inq_1', { at });
        for (const offMs of [0, callbackWindowMs, -callbackWindowMs])
          expect(read(callback, new Date(at.getTime() + offMs))).not.toHaveProperty('refused');
        for (const offMs of [callbackWindowMs + 1_000, -callbackWindowMs - 1_000])
          expect(read(callback, new Date(at.getTime() + offMs))).toEqual({
            refused: 'outside-window',
          });
      });

      test('with another body, time, signature or none is refused', () => {
        const { headers, body } = subject.callback('inq_1', { at });
        const [[name, value]] = Object.entries(headers) as [[string, string]];
        const changed = Buffer.from(body);
        changed[changed.length - 10]! ^= 1;
        const attempts = [
          { headers, body: changed },
          { headers, body: Buffer.concat([body, Buffer.from(' ')]) },
          {
            headers: {
              [name]: value.replace(/t=\d+/, `t=${Math.floor(at.getTime() / 1_000) + 1}`),
            },
            body,
          },
          {
            headers: {
              [name]: value.replace(/v1=\w/, (found) => (found === 'v1=0' ? 'v1=1' : 'v1=0')),
            },
            body,
          },
          { headers: { [name]: value.replace(/,v1=.*/, '') }, body },
          { headers: { [name]: '' }, body },
          { headers: {}, body },
        ];
        for (const attempt of attempts)
          expect(read(attempt)).toEqual({ refused: 'wrong-signature' });
      });
    });
  });
}
