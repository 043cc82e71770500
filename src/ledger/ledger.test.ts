import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import {
  foldLedger,
  holdEntries,
  isAccount,
  isAsset,
  LedgerConflict,
  LedgerInvalid,
  LedgerUnknownHold,
  type NewEntry,
  postEntries,
  readBalances,
  readEntries,
  registerAsset,
  settleHolds,
  trialBalance,
  voidHolds,
} from './index.ts';
import { aLedger, anEntry, aProject, bankTime, endOf, legs } from './test-kit.ts';

let database: TestDatabase;
let ledger: ReturnType<typeof aLedger>;
let projectId: string;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  ledger = aLedger(database.store);
  projectId = aProject();
});

const post = (...entries: NewEntry[]) =>
  ledger.store.transaction((tx) => postEntries(ledger, tx, entries));
const hold = (...entries: NewEntry[]) =>
  ledger.store.transaction((tx) => holdEntries(ledger, tx, entries));
const settle = (...holds: NewEntry[]) =>
  ledger.store.transaction((tx) => settleHolds(ledger, tx, holds.map(endOf)));
const drop = (...holds: NewEntry[]) =>
  ledger.store.transaction((tx) => voidHolds(ledger, tx, holds.map(endOf)));
const balances = async (at?: Date) =>
  Object.fromEntries(
    (await readBalances(ledger.store, { projectId, limit: 100, ...(at && { at }) })).map((row) => [
      `${row.account} ${row.asset}`,
      [row.postedMinor, row.pendingMinor],
    ]),
  );
const bank = 'bank:sandbox:account usd';
const inTransit = 'bank:sandbox:in_transit:ach';

describe('posting', () => {
  it('adds each leg to its account, debits positive and credits negative', async () => {
    expect(await post(anEntry({ projectId }), anEntry({ projectId }))).toEqual({ posted: 2 });
    expect(await balances()).toEqual({ [bank]: [200n, 0n], 'equity:owner usd': [-200n, 0n] });
  });

  it('of nothing is nothing', async () => {
    expect(await post()).toEqual({ posted: 0 });
  });

  it('the same reference with the same content again is nothing, whatever the order of legs and fields', async () => {
    const entry = anEntry({ projectId, data: { txId: '0x1', block: { number: 7, hash: 'h' } } });
    expect(await post(entry)).toEqual({ posted: 1 });
    ledger.clock.advance(60_000);
    const again = {
      ...entry,
      postings: entry.postings.toReversed(),
      data: { block: { hash: 'h', number: 7 }, txId: '0x1' },
    };
    expect(await post(again, entry, anEntry({ projectId }))).toEqual({ posted: 1 });
    expect((await balances())[bank]).toEqual([200n, 0n]);
  });

  it.each<[string, (entry: NewEntry) => Partial<NewEntry>]>([
    ['another amount', () => ({ postings: legs('equity:owner', 'bank:sandbox:account', 101n) })],
    ['another account', () => ({ postings: legs('equity:owner', 'suspense:held', 100n) })],
    [
      'another asset',
      () => ({ postings: legs('equity:owner', 'bank:sandbox:account', 100n, 'eur') }),
    ],
    ['another kind', () => ({ kind: 'other' })],
    ['another time', () => ({ effectiveAt: new Date(bankTime.getTime() + 1) })],
    ['another order', () => ({ orderId: aProject() })],
    ['other data', () => ({ data: { a: 1 } })],
  ])('the same reference with %s is refused, in the same call and later', async (_, change) => {
    const entry = anEntry({ projectId });
    const other = { ...entry, ...change(entry) };
    await expect(post(entry, other)).rejects.toThrow(LedgerConflict);
    expect(await balances()).toEqual({});
    await post(entry);
    await expect(post(anEntry({ projectId }), other)).rejects.toThrow(LedgerConflict);
    await expect(hold(entry)).rejects.toThrow(LedgerConflict);
    expect((await balances())[bank]).toEqual([100n, 0n]);
  });

  it('references belong to their project', async () => {
    const entry = anEntry({ projectId });
    await post(entry);
    expect(await post({ ...entry, projectId: aProject() })).toEqual({ posted: 1 });
    expect((await balances())[bank]).toEqual([100n, 0n]);
  });

  it('refuses what could never be right, before the database is asked', async () => {
    const wrong: [Partial<NewEntry>, string][] = [
      [{ postings: [] }, '2 to 1000 legs'],
      [{ postings: [{ account: 'gas:spent', asset: 'usd', amountMinor: 1n }] }, '2 to 1000 legs'],
      [{ postings: legs('equity:owner', 'gas:spent', 0n) }, 'is zero'],
      [
        {
          postings: [
            ...legs('equity:owner', 'gas:spent', 1n),
            { account: 'gas:spent', asset: 'eur', amountMinor: 1n },
          ],
        },
        'in eur add up to 1',
      ],
      [{ postings: legs('equity:owner', 'gas:spent', 10n ** 78n) }, 'larger than any amount'],
      [{ postings: legs('equity:owner', 'pocket', 1n) }, '"pocket" is no account'],
      [{ postings: legs('equity:owner', 'gas:spent', 1n, 'USD') }, '"USD" is no asset'],
      [{ reference: '' }, 'reference has 1 to'],
      [{ reference: 'x'.repeat(301) }, 'reference has 1 to'],
      [{ kind: '' }, 'kind has 1 to'],
      [{ orderId: 'x' }, 'orderId is no UUID'],
      [{ projectId: 'x' }, 'projectId is no UUID'],
      [{ effectiveAt: new Date(Number.NaN) }, 'is no time'],
    ];
    for (const [overrides, sentence] of wrong) {
      const refused = post(anEntry({ projectId, ...overrides }));
      await expect(refused).rejects.toThrow(LedgerInvalid);
      await expect(refused).rejects.toThrow(sentence);
    }
    await expect(
      post(...Array.from({ length: 1_001 }, () => anEntry({ projectId }))),
    ).rejects.toThrow('At most 1000');
  });

  it('takes the largest amount of any chain', async () => {
    await post(
      anEntry({ projectId, postings: legs('equity:owner', 'gas:spent', 10n ** 78n - 1n) }),
    );
    expect((await balances())['gas:spent usd']).toEqual([10n ** 78n - 1n, 0n]);
  });

  it('knows the forms of accounts and assets', () => {
    const order = aProject();
    for (const account of [
      'chain:base-sepolia:treasury',
      'chain:base-sepolia:hot',
      `order:${order}:clearing`,
      'fx:usdc-usd',
      'fees:network',
      'bank:column:account',
      'bank:column:in_transit:same-day-ach',
      'card:stripe:receivable',
      'card:stripe:disputes',
      'suspense:unmatched',
      'suspense:returned',
      'suspense:held',
      'gas:spent',
      'equity:owner',
    ])
      expect([account, isAccount(account)]).toEqual([account, true]);
    for (const text of [
      '',
      'bank:',
      'bank:x',
      'order:1:clearing',
      `order:${order}`,
      'suspense:other',
      'gas:spent\n',
      'fees:A b',
      'fx:a:b',
    ])
      expect([text, isAccount(text)]).toEqual([text, false]);
    for (const asset of [
      'usd',
      'base:native',
      'base:0x036cbd53842c5426634e7929541ec2318f3dcf7e',
      'sui:0x2::sui::SUI',
    ])
      expect([asset, isAsset(asset)]).toEqual([asset, true]);
    for (const text of ['USD', 'usdc', 'base', 'base:', 'base: x'])
      expect([text, isAsset(text)]).toEqual([text, false]);
  });
});

describe('assets', () => {
  const token = 'base:0x036cbd53842c5426634e7929541ec2318f3dcf7e';

  it('are registered before they are posted, once, with decimals that never change', async () => {
    const entry = anEntry({
      projectId,
      postings: legs('chain:base:treasury', 'gas:spent', 5n, token),
    });
    await expect(post(entry)).rejects.toThrow(LedgerInvalid);
    await expect(post(entry)).rejects.toThrow(
      `The ledger knows no asset ${token}. Register it first`,
    );
    const register = (decimals: number) =>
      ledger.store.transaction((tx) =>
        registerAsset(tx, { asset: token, decimals, symbol: 'usdc' }),
      );
    await Promise.all([register(6), register(6), register(6)]);
    await register(6);
    await expect(register(18)).rejects.toThrow(LedgerConflict);
    await expect(register(78)).rejects.toThrow(LedgerInvalid);
    expect(await post(entry)).toEqual({ posted: 1 });
  });
});

describe('holds', () => {
  it('are pending until they are settled, which posts them', async () => {
    const held = anEntry({ projectId, postings: legs('equity:owner', inTransit, 70n) });
    await hold(held);
    expect(await hold(held)).toEqual({ posted: 0 });
    expect(await balances()).toEqual({
      [`${inTransit} usd`]: [0n, 70n],
      'equity:owner usd': [0n, -70n],
    });
    await settle(held);
    expect(await balances()).toEqual({
      [`${inTransit} usd`]: [70n, 0n],
      'equity:owner usd': [-70n, 0n],
    });
  });

  it('that end in a later fold than they began are counted once', async () => {
    const [one, other] = [anEntry({ projectId }), anEntry({ projectId })];
    await hold(one, other);
    await foldLedger(ledger, { tailMin: 1 });
    await settle(one);
    await foldLedger(ledger, { tailMin: 1 });
    expect(await balances()).toEqual({ [bank]: [100n, 100n], 'equity:owner usd': [-100n, -100n] });
    await drop(other);
    await foldLedger(ledger, { tailMin: 1 });
    expect(await balances()).toEqual({ [bank]: [100n, 0n], 'equity:owner usd': [-100n, 0n] });
  });

  it('that are voided count nowhere any more', async () => {
    const held = anEntry({ projectId });
    await hold(held);
    await drop(held);
    expect(await balances()).toEqual({ [bank]: [0n, 0n], 'equity:owner usd': [0n, 0n] });
  });

  it.each([
    ['settled', () => settle],
    ['voided', () => drop],
  ])('that are %s end once: twice and both are refused', async (_, end) => {
    const held = anEntry({ projectId });
    const other = anEntry({ projectId });
    await hold(held, other);
    await end()(held);
    const before = await balances();
    await expect(settle(other, held)).rejects.toThrow(LedgerConflict);
    await expect(drop(other, held)).rejects.toThrow(LedgerConflict);
    expect(await balances()).toEqual(before);
    await expect(drop(other, other)).rejects.toThrow(LedgerConflict);
    await drop(other);
  });

  it('are known by their own project and reference; what was posted at once is none', async () => {
    const posted = anEntry({ projectId });
    const held = anEntry({ projectId });
    await post(posted);
    await hold(held);
    await expect(settle(posted)).rejects.toThrow(LedgerUnknownHold);
    await expect(settle(anEntry({ projectId }))).rejects.toThrow(LedgerUnknownHold);
    await expect(drop({ ...held, projectId: aProject() })).rejects.toThrow(LedgerUnknownHold);
    await settle();
  });

  it('end at the time the bank says, and their end names them', async () => {
    const held = anEntry({ projectId, orderId: aProject(), kind: 'payout-submitted' });
    await hold(held);
    const settledAt = new Date('2026-01-16T13:30:00Z');
    await ledger.store.transaction((tx) =>
      settleHolds(ledger, tx, [{ ...endOf(held), effectiveAt: settledAt }]),
    );
    expect(
      await readEntries(ledger.store, { projectId, orderId: held.orderId!, limit: 10 }),
    ).toMatchObject([
      {
        reference: held.reference,
        phase: 'hold',
        kind: 'payout-submitted',
        effectiveAt: bankTime,
        postings: [{ pendingMinor: -100n }, {}],
      },
      {
        reference: held.reference,
        phase: 'settle',
        effectiveAt: settledAt,
        postings: [{ amountMinor: -100n, postedMinor: -100n }, {}],
      },
    ]);
  });
});

describe('reading', () => {
  it('lists the entries of an order in the order in which they were recorded, also those of one call', async () => {
    const orderId = aProject();
    const entries = Array.from({ length: 12 }, (_, nr) =>
      anEntry({ projectId, orderId, kind: `step-${nr}`, data: { nr } }),
    );
    await post(...entries.slice(0, 6));
    for (const entry of entries.slice(6)) await post(entry);
    await post(anEntry({ projectId }));
    const all = await readEntries(ledger.store, { projectId, orderId, limit: 100 });
    expect(all.map(({ kind }) => kind)).toEqual(entries.map(({ kind }) => kind));
    expect(all[3]).toMatchObject({
      data: { nr: 3 },
      recordedAt: ledger.clock.now(),
      postings: entries[3]!.postings,
    });
    expect(await readEntries(ledger.store, { projectId: aProject(), orderId, limit: 100 })).toEqual(
      [],
    );
  });

  it.each([false, true])(
    'pages through the entries of an account and of a project, each once (newest first: %s)',
    async (newestFirst) => {
      for (let nr = 0; nr < 7; nr++) {
        await post(anEntry({ projectId, kind: `${nr}a` }), anEntry({ projectId, kind: `${nr}b` }));
        if (nr % 2 === 0) ledger.clock.advance(1_000);
      }
      const other = anEntry({
        projectId,
        kind: 'other',
        postings: legs('gas:spent', 'equity:owner', 1n),
      });
      await post(other);
      for (const [filter, count] of [
        [{ account: 'bank:sandbox:account' }, 14],
        [{ account: 'equity:owner' }, 15],
        [{}, 15],
      ] as const) {
        const kinds: string[] = [];
        for (let after: { recordedAt: Date; written: bigint } | undefined; ; ) {
          const page = await readEntries(ledger.store, {
            projectId,
            ...filter,
            newestFirst,
            limit: 4,
            ...(after && { after }),
          });
          kinds.push(...page.map(({ kind }) => kind));
          after = page.at(-1)?.position;
          if (page.length < 4) break;
        }
        expect(kinds).toHaveLength(count);
        const ordered = newestFirst ? kinds.toReversed() : kinds;
        expect(ordered.slice(0, 14)).toEqual(
          Array.from({ length: 7 }, (_, nr) => [`${nr}a`, `${nr}b`]).flat(),
        );
      }
    },
  );

  it('shows an entry once that has two legs on the account', async () => {
    const postings = [
      ...legs('gas:spent', 'equity:owner', 1n),
      ...legs('gas:spent', 'equity:owner', 2n),
    ];
    await post(anEntry({ projectId, postings }));
    const page = await readEntries(ledger.store, { projectId, account: 'gas:spent', limit: 10 });
    expect(page.map((entry) => entry.postings)).toMatchObject([postings]);
  });

  it('pages through balances by account and asset, and filters by account or prefix', async () => {
    for (const rail of ['ach', 'rtp', 'wire'])
      await post(
        anEntry({ projectId, postings: legs('equity:owner', `bank:b:in_transit:${rail}`, 1n) }),
        anEntry({
          projectId,
          postings: legs('equity:owner', `bank:b:in_transit:${rail}`, 2n, 'eur'),
        }),
      );
    await foldLedger(ledger, { tailMin: 1 });
    await post(
      anEntry({ projectId, postings: legs('equity:owner', 'bank:a:account', 3n) }),
      anEntry({ projectId }),
    );
    const all = (await readBalances(ledger.store, { projectId, limit: 100 })).map(
      ({ account, asset }) => `${account} ${asset}`,
    );
    expect(all).toEqual(all.toSorted());
    expect(all).toHaveLength(10);
    for (const limit of [1, 3, 10]) {
      const seen: string[] = [];
      for (let after: { account: string; asset: string } | undefined; ; ) {
        const page = await readBalances(ledger.store, {
          projectId,
          limit,
          ...(after && { after }),
        });
        seen.push(...page.map(({ account, asset }) => `${account} ${asset}`));
        after = page.at(-1);
        if (page.length < limit) break;
      }
      expect(seen).toEqual(all);
    }
    const of = async (filter: object) =>
      (await readBalances(ledger.store, { projectId, limit: 100, ...filter })).length;
    expect(await of({ accountPrefix: 'bank:' })).toBe(8);
    expect(await of({ accountPrefix: 'bank:b:' })).toBe(6);
    expect(await of({ account: 'bank:b:in_transit:ach' })).toBe(2);
    expect(await of({ account: 'bank:b' })).toBe(0);
    expect(
      await of({
        accountPrefix: 'bank:b:',
        after: { account: 'bank:b:in_transit:rtp', asset: 'usd' },
      }),
    ).toBe(2);
    await expect(of({ limit: 0 })).rejects.toThrow(LedgerInvalid);
  });

  it('knows the balances of every past instant, by our own time', async () => {
    const start = ledger.clock.now();
    const held = anEntry({
      projectId,
      postings: legs('equity:owner', inTransit, 10n),
      effectiveAt: new Date('2020-01-01'),
    });
    await hold(held);
    ledger.clock.advance(1_000);
    await post(anEntry({ projectId }));
    ledger.clock.advance(1_000);
    await settle(held);
    await foldLedger(ledger, { tailMin: 1 });
    const at = (seconds: number) => balances(new Date(start.getTime() + seconds * 1_000));
    expect(await at(-1)).toEqual({
      [bank]: [0n, 0n],
      'equity:owner usd': [0n, 0n],
      [`${inTransit} usd`]: [0n, 0n],
    });
    expect(await at(0)).toEqual({
      [bank]: [0n, 0n],
      'equity:owner usd': [0n, -10n],
      [`${inTransit} usd`]: [0n, 10n],
    });
    expect(await at(1)).toEqual({
      [bank]: [100n, 0n],
      'equity:owner usd': [-100n, -10n],
      [`${inTransit} usd`]: [0n, 10n],
    });
    expect(await at(2)).toEqual({
      [bank]: [100n, 0n],
      'equity:owner usd': [-110n, 0n],
      [`${inTransit} usd`]: [10n, 0n],
    });
    expect(await trialBalance(ledger.store, { projectId, at: start })).toMatchObject([
      { asset: 'usd', debitMinor: 0n, creditMinor: 0n },
    ]);
  });

  it('the trial balance has equal debits and credits per asset, and one line for all orders', async () => {
    const clearing = () => `order:${aProject()}:clearing`;
    await post(
      anEntry({ projectId, postings: legs(clearing(), 'chain:base:treasury', 7n, 'eur') }),
      anEntry({ projectId, postings: legs(clearing(), 'chain:base:treasury', 3n, 'eur') }),
      anEntry({ projectId }),
    );
    await hold(anEntry({ projectId, postings: legs('equity:owner', inTransit, 10n) }));
    await post(anEntry({ projectId: aProject() }));
    expect(await trialBalance(ledger.store, { projectId })).toEqual([
      {
        asset: 'eur',
        debitMinor: 10n,
        creditMinor: 10n,
        accounts: [
          { account: 'chain:base:treasury', debitMinor: 10n, creditMinor: 0n, pendingMinor: 0n },
          { account: 'order:*:clearing', debitMinor: 0n, creditMinor: 10n, pendingMinor: 0n },
        ],
      },
      {
        asset: 'usd',
        debitMinor: 100n,
        creditMinor: 100n,
        accounts: [
          { account: 'bank:sandbox:account', debitMinor: 100n, creditMinor: 0n, pendingMinor: 0n },
          { account: inTransit, debitMinor: 0n, creditMinor: 0n, pendingMinor: 10n },
          { account: 'equity:owner', debitMinor: 0n, creditMinor: 100n, pendingMinor: -10n },
        ],
      },
    ]);
    const everywhere = (await trialBalance(ledger.store)).find(({ asset }) => asset === 'usd')!;
    expect(everywhere.debitMinor).toBe(everywhere.creditMinor);
    expect(everywhere.debitMinor).toBeGreaterThan(100n);
  });
});
