import { expect } from 'vitest';
import { stepsAccounts } from '../../../../fixtures/shops/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { UserActionRequest } from '../../types.ts';
import type { FixtureShops, ShopTry } from './fixture-shops.ts';
import { type TestHands, testCard } from './test-shop-kit.ts';

export type Row = readonly [
  name: string,
  input: ShopTry,
  end: 'placed' | 'none',
  asked?: readonly UserActionRequest['kind'][],
];
export type Answer = NonNullable<ShopTry['answer']>;

const shortRows = [
  'steps, with a code, both wrong at first',
  'frames, 3-D Secure in a frame',
  'mean: lose-answer',
  'tricks',
];

/**
 * What can cost money; the other rows are for test:long. A click that is swallowed and a total that
 * rises are in rules.test.ts; in the plain shop and in the app a whole agent checkout buys
 * (test/flows/agent-checkout.test.ts).
 */
export const isShortRow = ([name]: Row): boolean => shortRows.includes(name);

const contact: JsonObject = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+14155550123',
  addressLine1: '12 Main Street',
  city: 'San Francisco',
  state: 'US-CA',
  postalCode: '94105',
  countryCode: 'US',
};
const pick = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** Purchases in the fixture shops with their ends, and how to compare both. */
export function shopTable(world: FixtureShops) {
  /** The cardholder presses a button of the bank, wherever the bank asks. */
  const atBank =
    (button: string): Answer =>
    async (request, { context }: TestHands) => {
      if (request.kind !== 'three-d-secure') return undefined;
      const frames = context.pages().flatMap((page) => page.frames());
      await frames
        .find((frame) => frame.url().includes('/challenge/'))!
        .getByRole('button', { name: button })
        .click();
      return { done: true };
    };

  /** A person reads the letters of the picture. */
  const solveLetters: Answer = async (request, { page }) => {
    if (request.kind !== 'human-verification') return undefined;
    const picture = await page.evaluate(
      'fetch("/wall/picture.svg").then((answer) => answer.text())',
    );
    const letters = [...String(picture).matchAll(/<text[^>]*>(.)<\/text>/g)]
      .map((match) => match[1])
      .join('');
    await page.getByLabel('Type the letters').fill(letters);
    await page.getByRole('button', { name: 'I am human' }).click();
    return { done: true };
  };

  /** Signs in; the first tries with a wrong password and a wrong code where `isForgetful`. */
  function signIn(account: keyof typeof stepsAccounts, isForgetful = false): Answer {
    const { email, password } = stepsAccounts[account];
    const wrong = new Set<string>(isForgetful ? ['merchant-login', 'one-time-code'] : []);
    return async ({ kind }): Promise<JsonObject | undefined> => {
      const isWrong = wrong.delete(kind);
      if (kind === 'merchant-login')
        return { username: email, password: isWrong ? 'guess' : password };
      if (kind !== 'one-time-code') return undefined;
      return {
        code: isWrong ? '000000' : ((await world.shops.readOneTimeCode('steps', email)) ?? ''),
      };
    };
  }

  /** The buyer tells what the form of the question asks for, and nothing else. */
  const tellContact: Answer = (request) =>
    request.kind === 'contact-and-shipping' ? pick(contact, request.missing) : undefined;

  const toolbox = { shop: 'mean', product: 'toolbox', request: 'Medium, Red' } as const;
  const tea = { shop: 'steps', product: 'A-104', request: '100 g, tin' } as const;
  const bell = { shop: 'frames', product: 'bel', request: 'Brass' } as const;
  const mine = { ...tea, request: '100 g, tin, with my account' } as const;
  const approve = 'approve-purchase';

  const rows: readonly Row[] = [
    [
      'plain',
      { shop: 'plain', product: 'trail-tee', request: 'size M, Moss' },
      'placed',
      [approve],
    ],
    [
      'plain, without a buyer profile',
      {
        shop: 'plain',
        product: 'trail-tee',
        request: 'size M, Moss',
        task: { buyer: {} },
        answer: tellContact,
      },
      'placed',
      ['contact-and-shipping', approve],
    ],
    [
      'plain, card declined',
      { shop: 'plain', product: 'map-case', request: '', card: 'declined' },
      'none',
      [approve],
    ],
    ['accordion', { shop: 'accordion', product: '', request: '' }, 'placed'],
    ['tricks', { shop: 'tricks', product: '', request: '' }, 'placed', [approve]],
    ['app', { shop: 'app', product: 'sumi-ink', request: 'Indigo' }, 'placed', [approve]],
    [
      'app, card declined',
      { shop: 'app', product: 'sumi-ink', request: 'Indigo', card: 'declined', knowsIssuer: false },
      'none',
      [approve],
    ],
    ['steps, as a guest', tea, 'placed', [approve]],
    [
      'steps, with an account',
      { ...mine, answer: signIn('password') },
      'placed',
      ['merchant-login', approve],
    ],
    [
      'steps, with a code, both wrong at first',
      { ...mine, answer: signIn('oneTimeCode', true) },
      'placed',
      ['merchant-login', 'merchant-login', 'one-time-code', 'one-time-code', approve],
    ],
    ['steps, insufficient funds', { ...tea, card: 'insufficientFunds' }, 'none', [approve]],
    [
      'steps, 3-D Secure on the page of the bank',
      { ...tea, card: 'threeDSecure', answer: atBank('Approve payment') },
      'placed',
      [approve, 'three-d-secure'],
    ],
    [
      'steps, refused at the bank',
      { ...tea, card: 'threeDSecure', answer: atBank('This is not me') },
      'none',
      [approve, 'three-d-secure'],
    ],
    [
      'steps, given up at the bank',
      { ...tea, card: 'threeDSecure', answer: atBank('Cancel and go back') },
      'none',
      [approve, 'three-d-secure'],
    ],
    [
      'steps, approved and declined',
      { ...tea, card: 'threeDSecureDeclined', answer: atBank('Approve payment') },
      'none',
      [approve, 'three-d-secure'],
    ],
    ['frames', bell, 'placed', [approve]],
    ['frames, card declined', { ...bell, card: 'declined' }, 'none', [approve]],
    [
      'frames, 3-D Secure in a frame',
      { ...bell, card: 'threeDSecure', answer: atBank('Approve payment') },
      'placed',
      [approve, 'three-d-secure'],
    ],
    [
      'frames, refused at the bank',
      { ...bell, card: 'threeDSecure', answer: atBank('This is not me') },
      'none',
      [approve, 'three-d-secure'],
    ],
    [
      'frames, given up at the bank',
      { ...bell, card: 'threeDSecure', answer: atBank('Cancel and go back') },
      'none',
      [approve, 'three-d-secure'],
    ],
    ['mean, not at all', { ...toolbox, mean: '' }, 'placed', [approve]],
    ['mean: swallow-first-click', { ...toolbox, mean: 'swallow-first-click' }, 'placed', [approve]],
    ['mean: repeat-request', { ...toolbox, mean: 'repeat-request' }, 'placed', [approve]],
    ['mean: lose-answer', { ...toolbox, mean: 'lose-answer' }, 'placed', [approve]],
    [
      'mean: lose-answer, own card',
      { ...toolbox, mean: 'lose-answer', knowsIssuer: false },
      'placed',
      [approve],
    ],
    [
      'mean: bare-confirmation',
      { ...toolbox, mean: 'bare-confirmation', knowsIssuer: false },
      'placed',
      [approve],
    ],
    ['mean: insurance', { ...toolbox, mean: 'insurance' }, 'placed', [approve]],
    ['mean: raise-total', { ...toolbox, mean: 'raise-total' }, 'none', [approve]],
    ['mean: subscription', { ...toolbox, mean: 'subscription' }, 'placed', [approve]],
    [
      'mean: human-check',
      { ...toolbox, mean: 'human-check', answer: solveLetters },
      'placed',
      ['human-verification', approve],
    ],
    ['mean: sold-out', { ...toolbox, mean: 'sold-out' }, 'none', [approve]],
    ['mean: slow', { ...toolbox, mean: 'slow' }, 'placed', [approve]],
    ['mean: duplicate-on-reload', { ...toolbox, mean: 'duplicate-on-reload' }, 'placed', [approve]],
  ];

  /** The last product of a shop where the row names none, in its first options. */
  function withProduct(input: ShopTry): ShopTry {
    if (input.product !== '') return input;
    const product = world.shops.shop(input.shop).products.at(-1)!;
    const request = product.options
      .map((option) => option.values.find((value) => value.soldOut !== true)!.label)
      .join(', ');
    return { ...input, product: product.id, request };
  }

  const toText = (value: unknown) =>
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));

  async function expectRow([, input, expected, asked]: Row): Promise<void> {
    const { run, orders, authorisations, thefts } = await world.buy(withProduct(input));
    const said = {
      end: run.end,
      asked: run.asked.map(({ kind }) => kind),
      logs: run.logs.slice(-8),
    };
    expect(orders, toText(said)).toHaveLength(expected === 'placed' ? 1 : 0);
    if (expected === 'none')
      expect(said).toMatchObject({ end: { outcome: 'failed', placed: 'no' } });
    else {
      const [order] = orders;
      const total = { amountMinor: order!.totalMinor, currency: order!.currency };
      expect(said).toMatchObject({
        end: { outcome: 'succeeded', total, merchantOrderId: order!.number },
      });
      expect(run.asked.find(({ kind }) => kind === approve)).toMatchObject({ total });
      expect(order!.extras).toEqual([]);
    }
    if (asked !== undefined) expect(said.asked).toEqual(asked);
    expect(authorisations.filter(({ amountMinor }) => amountMinor > 0n)).toHaveLength(
      orders.length,
    );
    expect(thefts).toBe(0);
    const written = toText([run.logs, run.evidence, run.end, run.asked]);
    for (const secret of [
      testCard.number,
      ...Object.values(stepsAccounts).map(({ password }) => password),
    ])
      expect(written).not.toContain(secret);
  }

  return { rows, expectRow, toolbox, mine, signIn };
}
