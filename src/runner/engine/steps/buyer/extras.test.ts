import { describe, expect, it } from 'vitest';
import type { Run } from '../../run.ts';
import { noteQuantity, noteUnitPrices } from '../product/quantity.ts';
import { settleCount } from './count.ts';
import { foreignLines, settleUnasked, unaskedLines } from './extras.ts';

const usd = (amountMinor: bigint) => ({ amountMinor, currency: 'USD' });

/** A run for so many of a mug that costs $20; what it asks is kept, and answered with no. */
function aRun(quantity: number): { readonly run: Run; readonly asked: string[] } {
  const asked: string[] = [];
  const run = {
    task: { maxCost: usd(10_000n), request: '' },
    state: { productTitle: 'Blue Mug', quantity, choices: [], asked: new Map(), secrets: [] },
    signal: new AbortController().signal,
    ports: {
      ask: async ({ question }: { readonly question: string }) => {
        asked.push(question);
        return { action: 'decline' };
      },
    },
  } as unknown as Run;
  noteUnitPrices(run, [usd(2_000n)]);
  return { run, asked };
}

const rows = (...all: readonly (readonly [string, string])[]) =>
  all.map(([title, amount]) => ({ title, amount }));
const mug = ['Blue Mug', '$20.00'] as const;
const plan = ['Protection plan for Blue Mug', '$20.00'] as const;

describe('rows of a summary that nobody asked for', () => {
  it('have the product’s name in theirs, and a word of what comes with it', () => {
    expect(unaskedLines(aRun(1).run, rows(plan, mug))).toEqual([plan.join(' ')]);
  });

  it.each([
    ['Tip', 'the multipack of tiptoe mugs'],
    ['Tip', 'one of them, no tip'],
    ['Gift wrap', 'without gift wrap please'],
    ['Gratuity', ''],
    ['Dricks', ''],
    ['Drikkepenge', ''],
    ['Juomaraha', ''],
    ['Napiwek', ''],
    ['Spropitné', ''],
    ['Prepitné', ''],
    ['Mancia', ''],
    ['Fooi', ''],
    ['Gorjeta', ''],
    ['VIP Fraktförsäkring', ''],
    ['Forsikring', ''],
    ['Toimitusvakuutus', ''],
    ['Ubezpieczenie przesyłki', ''],
    ['Pojištění zásilky', ''],
    ['VIP Poistenie Zásielky', ''],
  ])('“%s” below the subtotal is asked about, where the request says “%s”', (title, request) => {
    const { run } = aRun(1);
    const task = { ...run.task, request };
    const lines = rows(mug, ['Subtotal', '$20.00'], [title, '$3.00'], ['Total', '$23.00']);
    expect(unaskedLines({ ...run, task }, lines)).toEqual([`${title} $3.00`]);
  });

  it('are none where the request asks for them', () => {
    const { run } = aRun(1);
    const unasked = (request: string, title: string) =>
      unaskedLines({ ...run, task: { ...run.task, request } }, rows(mug, [title, '$3.00']));
    expect(unasked('gift wrap please, no engraving', 'Gift wrap')).toEqual([]);
    // A list may go on with what is not wanted.
    expect(unasked('no gift wrap, insurance or tip', 'Insurance')).toEqual(['Insurance $3.00']);
  });

  it('are none where the product itself is called so, or its only row says so', () => {
    const { run } = aRun(1);
    run.state.productTitle = 'Gift Box Mug';
    expect(unaskedLines(run, rows(['Gift Box Mug, blue', '$20.00']))).toEqual([]);
    const promised = rows(['Blue Mug, breakage protection included', '$20.00']);
    expect(unaskedLines(aRun(1).run, promised)).toEqual([]);
  });

  it.each([
    ['beside a subtotal', [['Subtotal', '$40.00']] as const],
    ['where the rows alone make the total', []],
    ['where they do so with the delivery', [['Shipping', '$5.00']] as const],
  ])('cost as much as the product, %s', (_, parts) => {
    const lid = ['Lid for Blue Mug', '$20.00'] as const;
    const total = parts.some(([title]) => title === 'Shipping') ? 4_500n : 4_000n;
    const lines = rows(lid, mug, ...parts, ['Total', `$${total / 100n}.00`]);
    expect(foreignLines(aRun(1).run, lines, usd(total))).toEqual([lid.join(' ')]);
    expect(foreignLines(aRun(2).run, rows(mug, mug, ...parts), usd(total))).toEqual([]);
  });
});

it('words that say the number prove nothing against a bill for fewer: the user is asked', async () => {
  const { run, asked } = aRun(2);
  const order = { counts: [], told: 2 };
  const lines = rows(mug, ['Subtotal', '$20.00'], ['Total', '$20.00']);
  noteQuantity(run, 2);
  await expect(settleCount(run, lines, usd(2_000n), order)).rejects.toThrow();
  expect(asked).toEqual([expect.stringContaining('does not show how many')]);
});

it('goods for twice as much are asked about though no row says what they are', async () => {
  const { run, asked } = aRun(1);
  const lines = rows(['Shipping', '$5.00'], ['Total', '$45.00']);
  await expect(settleUnasked(run, lines, usd(4_500n), undefined)).rejects.toThrow();
  expect(asked).toEqual([expect.stringContaining('goods for 40.00 USD')]);
});

it('a way of delivery with a name of its own is no foreign line', () => {
  const lines = rows(mug, ['Kurier InPost', '$15.00'], ['Total', '$35.00']);
  expect(foreignLines(aRun(1).run, lines, usd(3_500n))).toEqual([]);
});
