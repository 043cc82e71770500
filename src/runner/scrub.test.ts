import { describe, expect, test } from 'vitest';
import { Scrubber } from './scrub.ts';
import type { RunEnd, StepEvidence, UserActionRequest } from './types.ts';

const number = '4929123456789017';
const card = { number, cvc: '827' };
const answered = (kind: 'merchant-login' | 'one-time-code', values: Record<string, string>) =>
  [
    { kind, origin: 'https://shop.example', needs: [] },
    { action: 'submit', values },
  ] as Parameters<Scrubber['learnAnswer']>;

/** After everything that a run can type in confidence. */
function scrubberOfRun(): Scrubber {
  const scrubber = new Scrubber();
  scrubber.learnCard(card);
  scrubber.learnAnswer(
    ...answered('merchant-login', { username: 'ann@mail.example', password: 'Käse+brot 1' }),
  );
  scrubber.learnAnswer(...answered('one-time-code', { code: '904 311' }));
  return scrubber;
}

describe('what a run has typed', () => {
  test.each([
    [`Order number: ${number}`, 'Order number: ***'],
    ['4929 1234 5678 9017', '***'],
    ['4929-1234.5678_9017', '***'],
    ['4929 | 1234 | 5678 | 9017', '***'],
    ['4\u200b9\u200b2\u200b9\u200b123456789017', '***'],
    ['４９２９１２３４５６７８９０１７', '***'],
    [`https://shop.example/thanks/${number}/x`, 'https://shop.example/thanks/***/x'],
    ['https://shop.example/4929%201234%2D5678%20%39%30%31%37', 'https://shop.example/***'],
    ['https://shop.example/4929%2520123456789017', 'https://shop.example/***'],
    [`ORD-00${number}00-A`, 'ORD-00***00-A'],
    ['Paid with 4929123456…', 'Paid with ***...'],
    ['CVC: 827', 'CVC: ***'],
    ['security code is 827.', 'security code is ***.'],
    ['https://shop.example/done/cvv%3D827', 'https://shop.example/done/cvv%3D***'],
    [`${number} 07/31 827`, '*** 07/31 ***'],
    ['Welcome, Käse+brot 1!', 'Welcome, ***!'],
    ['https://shop.example/K%C3%A4se%2Bbrot%201', 'https://shop.example/***'],
    ['your code was 904-311', 'your code was ***'],
  ])('is taken out of “%s”', (text, hidden) => {
    expect(scrubberOfRun().text(text)).toBe(hidden);
  });

  test.each([
    'Total 827.00 USD, order 827',
    'Card ending in 9017, of bank 492912',
    'Order ORD-1001 of 2026-11-22',
    'https://shop.example/p/1?size=M',
    'Ｂｌｕｅ Ｍｕｇ',
  ])('is not seen in “%s”', (text) => {
    expect(scrubberOfRun().text(text)).toBe(text);
  });

  test('is no password or code when it is so short that everything has it', () => {
    const scrubber = new Scrubber();
    scrubber.learnAnswer(...answered('merchant-login', { password: 'a' }));
    scrubber.learnAnswer(...answered('one-time-code', { code: '25' }));
    expect(scrubber.text('a mug for $25.00')).toBe('a mug for $25.00');
  });
});

describe('a card number that nobody has typed', () => {
  test.each([
    ['4242424242424242', '***'],
    ['No. 12 4242 4242 4242 4242.', 'No. 12 ***.'],
    ['3782-822463-10005', '***'],
    ['/thanks/4242%204242%204242%204242', '/thanks/***'],
    ['/thanks/%34%32424242424242%34%32', '/thanks/***'],
  ])('is taken out of “%s”', (text, hidden) => {
    expect(new Scrubber().text(text)).toBe(hidden);
  });

  test.each([
    '4242424242424241',
    '1 25.00 2 30.00 94105 12',
    '192.168.100.200:43211',
    '/orders/2026/11/22/4242',
  ])('is not seen in “%s”', (text) => {
    expect(new Scrubber().text(text)).toBe(text);
  });
});

describe('what leaves a run', () => {
  test('is the end without an order number that is a card number', () => {
    const total = { amountMinor: 2_500n, currency: 'USD' };
    const end: RunEnd = {
      outcome: 'succeeded',
      total,
      merchantOrderId: number,
      confirmationUrl: `https://shop.example/thanks/${number}`,
      confirmationText: `Order number: ${number}`,
    };
    expect(scrubberOfRun().end(end)).toEqual({
      outcome: 'succeeded',
      total,
      confirmationUrl: 'https://shop.example/thanks/***',
      confirmationText: 'Order number: ***',
    });
    // Passes the check as one in ten long numbers does, and is of no network.
    const real = { ...end, merchantOrderId: '111-1234567-1234566' };
    expect(scrubberOfRun().end(real)).toMatchObject({ merchantOrderId: real.merchantOrderId });
    expect(new Scrubber().end({ ...end, merchantOrderId: '4242424242424242' })).not.toHaveProperty(
      'merchantOrderId',
    );
    const failed = {
      outcome: 'failed',
      reason: 'automation_failed',
      message: `The shop says: “${number}”.`,
      placed: 'no',
    } as const;
    expect(scrubberOfRun().end(failed)).toMatchObject({ message: 'The shop says: “***”.' });
  });

  test('is evidence with the total as it was', () => {
    const scrubber = scrubberOfRun();
    scrubber.learnPassword('2500');
    const evidence: StepEvidence = {
      step: 'confirm',
      at: '2026-11-22T00:00:00.000Z',
      url: `https://shop.example/${number}`,
      detail: { total: '2500', currency: 'USD', list: [{ said: number }] },
    };
    expect(scrubber.evidence(evidence)).toEqual({
      ...evidence,
      url: 'https://shop.example/***',
      detail: { total: '2500', currency: 'USD', list: [{ said: '***' }] },
    });
  });

  test('is a question whose answer still names the option of the page', () => {
    const request: UserActionRequest = {
      kind: 'option-choice',
      question: `Is ${number} right?`,
      options: [
        { value: number, title: number },
        { value: 'no', title: 'No' },
      ],
    };
    const scrubber = scrubberOfRun();
    expect(scrubber.request(request)).toEqual({
      kind: 'option-choice',
      question: 'Is *** right?',
      options: [
        { value: 'option-1', title: '***' },
        { value: 'no', title: 'No' },
      ],
    });
    expect(scrubber.answer(request, { action: 'submit', values: { choice: 'option-1' } })).toEqual({
      action: 'submit',
      values: { choice: number },
    });
    const total = { amountMinor: 2_500n, currency: 'USD' };
    const approval = {
      kind: 'approve-purchase',
      origin: 'https://shop.example',
      total,
      lines: [{ title: `Mug ${number}` }],
    } as const;
    expect(scrubber.request(approval)).toEqual({ ...approval, lines: [{ title: 'Mug ***' }] });
  });
});
