import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCardNumber } from '../../lib/money/card-number.ts';
import type { RunCard } from '../../runner/types.ts';
import { CardProviderError, CardRefusedError } from '../card/card.ts';
import type { CardSource, IssuedCard } from './card-source.ts';

export interface CardSourceSubject {
  readonly source: CardSource;
  /** A shop asks the card's bank. */
  pay(
    card: RunCard,
    payment: { readonly amountMinor: bigint; readonly currency: string },
  ): Promise<'approved' | 'declined'>;
  /** Cards that were made under a key. */
  countCards(key: string): Promise<number>;
  now(): Date;
  /**
   * Until the returned function is called the issuer cannot be reached. Absent where that cannot
   * be.
   */
  takeDown?(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

let keys = 0;
const aKey = () => `contract_${process.pid}_${keys++}`;
const usd = (amountMinor: bigint) => ({ amountMinor, currency: 'USD' });

/** Which part of the contract a source has to keep. */
export interface CardSourceTraits {
  /** It has cards of its own. */
  readonly issues: boolean;
  /** Its issuer is another machine, which may be away. */
  readonly isRemote: boolean;
}

/** What every source of cards owes. */
export function testCardSource(
  name: string,
  traits: CardSourceTraits,
  start: () => Promise<CardSourceSubject>,
): void {
  describe(`cards for checkouts: ${name}`, () => {
    let subject: CardSourceSubject;
    beforeAll(async () => {
      subject = await start();
      expect({ issues: subject.source.issues, isRemote: subject.takeDown !== undefined }).toEqual(
        traits,
      );
    });
    afterAll(() => subject?.close());

    const issued = async (
      limit = usd(50_00n),
      key = aKey(),
    ): Promise<IssuedCard & { readonly key: string }> => {
      const answer = await subject.source.issue({ key, limit });
      if ('none' in answer) throw new Error(answer.none);
      return { ...answer, key };
    };
    const unlessUser = (title: string, body: () => Promise<void>) => {
      if (traits.issues) test(title, body);
    };

    const whenUser = traits.issues ? undefined : test;
    whenUser?.(
      'a source without cards of its own says so, and knows nothing of their use',
      async () => {
        const place = { key: aKey() };
        expect(await subject.source.issue({ ...place, limit: usd(1n) })).toEqual({
          none: expect.stringMatching(/\w/),
        });
        expect(await subject.source.readUse(place)).toEqual({ state: 'unknown' });
        await subject.source.close(place);
      },
    );

    unlessUser(
      'a card can be typed into a shop: number with check digit, expiry to come, code, holder',
      async () => {
        const { card, reference } = await issued();
        expect(isCardNumber(card.number)).toBe(true);
        expect(Date.UTC(card.expirationYear, card.expirationMonth, 1)).toBeGreaterThan(
          subject.now().getTime(),
        );
        expect(card).toMatchObject({
          cvc: expect.stringMatching(/^\d{3,4}$/),
          holder: expect.stringMatching(/\w/),
        });
        expect(reference).not.toContain(card.number);
      },
    );

    unlessUser(
      'a card is made once, however often and at once it is asked for under its key',
      async () => {
        const key = aKey();
        const made = await Promise.all(Array.from({ length: 5 }, () => issued(usd(50_00n), key)));
        made.push(await issued(usd(50_00n), key));
        expect(new Set(made.map(({ reference }) => reference)).size).toBe(1);
        expect(new Set(made.map(({ card }) => card.number)).size).toBe(1);
        expect(await subject.countCards(key)).toBe(1);
        expect((await issued()).card.number).not.toBe(made[0]!.card.number);
      },
    );

    unlessUser('another limit under a used key is refused', async () => {
      const { key } = await issued();
      await expect(subject.source.issue({ key, limit: usd(50_01n) })).rejects.toThrow(
        CardRefusedError,
      );
      await expect(
        subject.source.issue({ key, limit: { amountMinor: 50_00n, currency: 'EUR' } }),
      ).rejects.toThrow(CardRefusedError);
    });

    unlessUser('it pays the total once, and its use can be read', async () => {
      const { card, key, reference } = await issued();
      expect(await subject.source.readUse({ key, reference })).toEqual({ state: 'not-used' });
      expect(await subject.pay(card, usd(50_00n))).toBe('approved');
      expect(await subject.source.readUse({ key, reference })).toEqual({
        state: 'authorised',
        total: usd(50_00n),
      });
      expect(await subject.source.readUse({ key })).toEqual({
        state: 'authorised',
        total: usd(50_00n),
      });
      expect(await subject.pay(card, usd(50_00n))).toBe('declined');
      expect(await subject.pay(card, usd(1n))).toBe('declined');
      expect(await subject.source.readUse({ key, reference })).toEqual({
        state: 'authorised',
        total: usd(50_00n),
      });
    });

    unlessUser('it never pays more than its limit; a declined payment is no use', async () => {
      const { card, key, reference } = await issued();
      expect(await subject.pay(card, usd(50_01n))).toBe('declined');
      expect(await subject.source.readUse({ key, reference })).toEqual({ state: 'not-used' });
      expect(await subject.pay(card, usd(49_00n))).toBe('approved');
      expect(await subject.source.readUse({ key, reference })).toEqual({
        state: 'authorised',
        total: usd(49_00n),
      });
      expect(await subject.pay(card, usd(1_01n))).toBe('declined');
    });

    unlessUser(
      'a question without an amount, as shops ask whether a card is good, uses nothing',
      async () => {
        const { card, key, reference } = await issued();
        expect(await subject.pay(card, usd(0n))).toBe('approved');
        expect(await subject.source.readUse({ key, reference })).toEqual({ state: 'not-used' });
        expect(await subject.pay(card, usd(50_00n))).toBe('approved');
      },
    );

    unlessUser('a wrong security code or expiry pays nothing', async () => {
      const { card } = await issued();
      expect(
        await subject.pay({ ...card, cvc: card.cvc === '111' ? '222' : '111' }, usd(1_00n)),
      ).toBe('declined');
      expect(
        await subject.pay({ ...card, expirationYear: card.expirationYear + 1 }, usd(1_00n)),
      ).toBe('declined');
    });

    unlessUser('yen have no smaller unit: the limit stays what it is', async () => {
      const limit = { amountMinor: 1_200n, currency: 'JPY' };
      const { card, key, reference } = await issued(limit);
      expect(await subject.pay(card, { ...limit, amountMinor: 1_201n })).toBe('declined');
      expect(await subject.pay(card, limit)).toBe('approved');
      expect(await subject.source.readUse({ key, reference })).toEqual({
        state: 'authorised',
        total: limit,
      });
    });

    unlessUser(
      'a closed card pays nothing, what it paid stays, and it is not handed out again',
      async () => {
        const { card, key, reference } = await issued();
        const used = await issued();
        expect(await subject.pay(used.card, usd(50_00n))).toBe('approved');
        for (const place of [
          { key, reference },
          { key, reference },
          { key: used.key },
          { key: used.key },
        ])
          await subject.source.close(place);
        expect(await subject.pay(card, usd(1n))).toBe('declined');
        expect(await subject.pay(card, usd(0n))).toBe('declined');
        expect(await subject.pay(used.card, usd(1n))).toBe('declined');
        expect(await subject.source.readUse({ key: used.key })).toEqual({
          state: 'authorised',
          total: usd(50_00n),
        });
        expect(await subject.source.issue({ key, limit: usd(50_00n) })).toEqual({
          none: expect.stringMatching(/closed/),
        });
      },
    );

    unlessUser('a card that never was has no use and nothing to close', async () => {
      expect(await subject.source.readUse({ key: aKey() })).toEqual({ state: 'not-used' });
      await subject.source.close({ key: aKey() });
    });

    const whenRemote = traits.isRemote ? test : undefined;
    whenRemote?.('an issuer that cannot be reached has made nothing', async () => {
      const { key, reference } = await issued();
      const asked = aKey();
      const bringBack = await subject.takeDown!();
      for (const call of [
        () => subject.source.issue({ key: asked, limit: usd(1_00n) }),
        () => subject.source.readUse({ key, reference }),
        () => subject.source.close({ key, reference }),
      ]) {
        const error = await call().then(String, (thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(CardProviderError);
        expect(error).toMatchObject({ mayHaveHappened: false });
      }
      await bringBack();
      expect(await subject.countCards(asked)).toBe(0);
      expect(await subject.source.readUse({ key, reference })).toEqual({ state: 'not-used' });
    });
  });
}
