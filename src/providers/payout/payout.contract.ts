import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Introduced,
  type PayoutCallback,
  type PayoutDestination,
  PayoutNotSentError,
  type PayoutOrder,
  PayoutOutcomeUnknownError,
  type PayoutProvider,
  type PayoutReport,
  PayoutUnavailableError,
} from './payout.ts';
import { findRail, type PayoutRail } from './rails.ts';

export interface PayoutSubject {
  readonly provider: PayoutProvider;
  /** Destinations that end this way, and the rail to use. */
  readonly settles: PayoutDestination;
  readonly rejects: PayoutDestination;
  /** The bank takes it and the caller gets no answer. */
  readonly losesAnswer: PayoutDestination;
  readonly rail: PayoutRail;
  /** The service's time. */
  now(): Date;
  /** Lets the bank settle what it has. */
  settle(): Promise<void>;
  /** Payouts that the bank took under a key. */
  countTaken(key: string): Promise<number>;
  /** A callback of the bank about a payout, as it arrives now. */
  callBack(key: string): Promise<PayoutCallback>;
  /**
   * Until the returned function is called the bank cannot be reached. Absent where that cannot be.
   */
  takeDown?(): Promise<() => Promise<void>>;
  close?(): Promise<void>;
}

const never = new AbortController().signal;
let keys = 0;
const aKey = () => `contract_${process.pid}_${keys++}`;

/** What every bank owes. */
export function testPayouts(name: string, start: () => Promise<PayoutSubject>): void {
  describe(`payouts: ${name}`, () => {
    let subject: PayoutSubject;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close?.());

    async function anOrder(
      overrides: Partial<PayoutOrder> & { to?: PayoutDestination } = {},
    ): Promise<PayoutOrder> {
      const { to = subject.settles, ...rest } = overrides;
      const key = rest.key ?? aKey();
      const rules = findRail(subject.rail, to.type)!;
      const introduced = await subject.provider.introduce(
        { key, rail: subject.rail, destination: to },
        never,
      );
      const counterparty = introduced.status === 'known' ? introduced.counterparty : 'refused';
      return {
        key,
        counterparty,
        type: to.type,
        entityType: to.holder.entityType,
        rail: subject.rail,
        amountMinor: 12_34n,
        currency: rules.currency,
        statement: 'PAYOUT',
        ...rest,
      };
    }
    const submit = (order: PayoutOrder) => subject.provider.submit(order, never);
    const find = (order: PayoutOrder) =>
      subject.provider.find(
        { ...order, sentAfter: new Date(subject.now().getTime() - 60_000) },
        never,
      );

    test('offers only rails that reach the account schemes it names', () => {
      expect(subject.provider.offers.length).toBeGreaterThan(0);
      for (const { type, rails } of subject.provider.offers) {
        expect(rails.length).toBeGreaterThan(0);
        for (const rail of rails) expect(findRail(rail, type), `${rail} to ${type}`).toBeDefined();
      }
    });

    test('a payout is taken once, however often it is handed in under its key', async () => {
      const order = await anOrder();
      const first = await submit(order);
      const again = await submit(order);
      expect(first.bankReference).toMatch(/^[\w-]{1,100}$/);
      expect(again.bankReference).toBe(first.bankReference);
      expect(await subject.countTaken(order.key)).toBe(1);
    });

    test('twenty calls at once under one key are one payout', async () => {
      const order = await anOrder();
      const reports = await Promise.all(Array.from({ length: 20 }, () => submit(order)));
      expect(new Set(reports.map((report) => report.bankReference)).size).toBe(1);
      expect(await subject.countTaken(order.key)).toBe(1);
    });

    test('another amount under a used key is refused, and what was taken stays as it was', async () => {
      const order = await anOrder();
      await submit(order);
      await expect(submit({ ...order, amountMinor: order.amountMinor + 1n })).rejects.toThrow(
        PayoutNotSentError,
      );
      expect((await find(order))?.report.money?.amountMinor).toBe(order.amountMinor);
      expect(await subject.countTaken(order.key)).toBe(1);
    });

    test('a look-up by our key finds what was handed in, with the amount and currency that the bank pays', async () => {
      const order = await anOrder({ amountMinor: 999_999_99n });
      const submitted = await submit(order);
      const found = await find(order);
      expect(found?.report.bankReference).toBe(submitted.bankReference);
      expect(found?.report.money).toEqual({ amountMinor: 999_999_99n, currency: order.currency });
    });

    test('a look-up of what was never handed in finds nothing', async () => {
      expect(await find(await anOrder())).toBeUndefined();
    });

    test('a payout whose answer is lost is an unknown outcome, and a look-up finds it', async () => {
      const order = await anOrder({ to: subject.losesAnswer });
      await expect(submit(order)).rejects.toThrow(PayoutOutcomeUnknownError);
      expect((await find(order))?.report.status).toMatch(/pending|settled/);
      expect(await subject.countTaken(order.key)).toBe(1);
    });

    test('a refusal is a result with a code', async () => {
      const report = await submit(await anOrder({ to: subject.rejects }));
      expect(report).toMatchObject({
        status: 'rejected',
        code: expect.stringMatching(/^[A-Za-z][\w.-]*$/),
      });
    });

    test('what was taken settles in time', async () => {
      const order = await anOrder();
      await submit(order);
      await subject.settle();
      expect((await find(order))?.report.status).toMatch(/^(settled|final)$/);
    });

    test('a bank that cannot be reached has not taken the payout', async (context) => {
      if (!subject.takeDown) return context.skip('this bank is always there');
      const order = await anOrder();
      const bringBack = await subject.takeDown();
      await expect(submit(order)).rejects.toThrow(PayoutNotSentError);
      await expect(find(order)).rejects.toThrow(PayoutUnavailableError);
      await bringBack();
      expect(await subject.countTaken(order.key)).toBe(0);
      expect((await submit(order)).bankReference).toBeTruthy();
    });

    test('its callbacks are read when they are genuine, and are about our key', async () => {
      const order = await anOrder();
      const { bankReference } = await submit(order);
      const result = subject.provider.readCallback(await subject.callBack(order.key));
      expect(result).toMatchObject({ kind: 'event', event: { key: order.key, bankReference } });
      expect(result.kind === 'event' && result.event.report?.money).toEqual({
        amountMinor: order.amountMinor,
        currency: order.currency,
      });
    });

    test('callbacks that were changed, are unsigned or come too late are refused', async () => {
      const order = await anOrder();
      await submit(order);
      const genuine = await subject.callBack(order.key);
      const read = (change: Partial<PayoutCallback>) =>
        subject.provider.readCallback({ ...genuine, ...change });
      const body = Buffer.from(genuine.body);
      body[body.indexOf('1')] = '2'.charCodeAt(0);
      expect(read({ body })).toEqual({ kind: 'refused', reason: 'signature' });
      expect(read({ headers: {} })).toEqual({ kind: 'refused', reason: 'signature' });
      const forged = Object.fromEntries(
        Object.entries(genuine.headers).map(([header, value]) => [
          header,
          value?.replace(/[0-9a-f]{8}$/, '00000000'),
        ]),
      );
      expect(read({ headers: forged })).toEqual({ kind: 'refused', reason: 'signature' });
      expect(
        read({ receivedAt: new Date(genuine.receivedAt.getTime() + 400 * 86_400_000) }),
      ).toEqual({
        kind: 'refused',
        reason: 'replay-window',
      });
    });

    test('whatever a stranger posts as a callback is refused, never an error', () => {
      for (const text of ['', '{', 'null', '[]', '{"id":1}', '\0', 'x'.repeat(100_000)])
        expect(
          subject.provider.readCallback({
            headers: {},
            body: Buffer.from(text),
            receivedAt: subject.now(),
          }).kind,
        ).toBe('refused');
    });

    test('a call that is aborted ends with an exception', async () => {
      const order = await anOrder();
      const aborted = AbortSignal.abort();
      const outcome = await subject.provider
        .submit(order, aborted)
        .catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PayoutUnavailableError);
      else expect(await subject.countTaken(order.key)).toBe(1);
    });

    test('its books list each payout once, page by page', async () => {
      const orders: PayoutOrder[] = [];
      for (let count = 0; count < 5; count++) orders.push(await anOrder());
      for (const order of orders) await submit(order);
      const listed: (string | undefined)[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 200; page++) {
        const { transfers, nextCursor } = await subject.provider.listTransfers(
          {
            rail: subject.rail,
            from: new Date(subject.now().getTime() - 86_400_000),
            until: new Date(subject.now().getTime() + 86_400_000),
            cursor,
            limit: 2,
          },
          never,
        );
        listed.push(...transfers.map(({ key }) => key));
        if ((cursor = nextCursor) === undefined) break;
      }
      for (const order of orders) expect(listed.filter((key) => key === order.key)).toHaveLength(1);
    });

    test('no account number is in anything that it answers or throws', async () => {
      const seen: unknown[] = [];
      for (const destination of [subject.settles, subject.rejects, subject.losesAnswer]) {
        const order = await anOrder({ to: destination });
        const outcome: Introduced | PayoutReport | unknown = await submit(order).catch(
          (error: unknown) => error,
        );
        seen.push(order, outcome, await find(order).catch((error: unknown) => error));
        if (outcome instanceof Error) seen.push(outcome.stack, outcome.cause);
      }
      const text = inspect(seen, { depth: 20, showHidden: true, getters: true });
      for (const destination of [subject.settles, subject.rejects, subject.losesAnswer])
        expect(text).not.toContain(numberOf(destination));
    });
  });
}

function numberOf(destination: PayoutDestination): string {
  if (destination.type === 'bank-account-sepa-iban') return destination.iban.reveal();
  return destination.type === 'bank-account-mx-clabe'
    ? destination.clabe.reveal()
    : destination.accountNumber.reveal();
}
