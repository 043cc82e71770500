import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { appendEvents, createOutboxReader, isOwnEvent, type StoredEvent } from '../jobs/index.ts';
import { retryParkedEvent } from '../jobs/outbox/parked-events.ts';
import { systemClock } from '../lib/clock.ts';
import { ServiceError } from '../lib/errors.ts';
import { systemIds } from '../lib/id.ts';
import { Secret } from '../lib/sealing/secret.ts';
import { createRowMacs, rowMacMetrics } from '../store/row-mac.ts';
import type { Store, Tx } from '../store/types.ts';
import { insertOffer } from './collections/store.ts';
import {
  acceptSealedRow,
  countSealedRows,
  findChangedRows,
  lookAtSealedRow,
  resealRows,
} from './sealed-rows.ts';
import { insertWallets, selectWalletById } from './wallets/index.ts';

const aKey = (id: string) => ({ id, key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) });
const [older, newer] = [aKey('2025'), aKey('2026.a')];
let database: TestDatabase;
let logged: { level: number; table?: string; rowId?: string; alarm?: string }[];

beforeAll(async () => {
  database = await startTestDatabase({ keyEncryptionKeys: [older] });
});
afterAll(() => database.close());

/** The database as a process with these keys opens it. */
function storeWith(...keys: (typeof older)[]): Store {
  logged = [];
  const rowMacs = createRowMacs(
    keys,
    pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) }),
  );
  const { query, transaction, close } = database.store;
  return {
    rowMacs,
    query,
    close,
    transaction: (work) => transaction((tx) => work({ ...tx, rowMacs })),
  };
}

async function aWallet(): Promise<string> {
  const id = randomUUID();
  const address = `0x${randomBytes(20).toString('hex')}`;
  const adminSigner = {
    type: 'external-wallet',
    locator: `external-wallet:${address}`,
    address,
    name: 'ä"\\\u{1f600}',
  } as const;
  const setup = { z: [1, { b: null, a: 'x' }], a: { y: 1e21, x: -0.5 }, empty: {} };
  const wallet = {
    id,
    projectId: randomUUID(),
    chainType: 'evm',
    type: 'smart',
    address,
    addressKey: address,
  } as const;
  await insertWallets(database.store, [{ ...wallet, adminSigner, setup, createdAt: new Date() }]);
  return id;
}

const sql = (text: string, ...values: unknown[]) =>
  database.store.query<Record<string, unknown>>({ text, values });

describe('a row that decides who may act', () => {
  it('is read as it was written, whatever its JSON looks like', async () => {
    const id = await aWallet();
    expect(await selectWalletById(storeWith(older), id)).toMatchObject({ id });
    expect(logged).toEqual([]);
  });

  const changes: [string, string][] = [
    ['project', "project_id = '00000000-0000-4000-8000-000000000000'"],
    ['address', "address = '0x00'"],
    ['owner', "owner_key = 'userId:thief'"],
    ['alias', "alias = 'savings'"],
    ['purpose', "purpose = 'treasury'"],
    ['admin signer', `admin_signer = admin_signer || '{"type": "api-key"}'`],
    ['recovery methods', "recovery_methods = '[]'"],
    ['set-up', `setup = setup || '{"empty": null}'`],
    ['seal', "mac = '2025.'"],
    ['seal', "mac = 'x'"],
    ['seal', 'mac = (select mac from wallets w where w.id <> wallets.id limit 1)'],
  ];
  it.each(changes)(
    'stops whoever needs it when its %s was changed by %s, and raises an alarm that names it',
    async (_, change) => {
      await aWallet();
      const id = await aWallet();
      await sql(`update wallets set ${change} where id = $1`, id);
      const before = rowMacMetrics().changed;
      const error = await selectWalletById(storeWith(older), id).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({
        code: 'internal-error',
        message: expect.stringContaining(`The row ${id} of wallets was changed`),
      });
      expect(logged).toMatchObject([
        { level: 50, alarm: 'row-changed', table: 'wallets', rowId: id },
      ]);
      expect(rowMacMetrics().changed).toBe(before + 1);
    },
  );

  it('stops them too when it carries no seal', async () => {
    const id = await aWallet();
    await sql('update wallets set mac = null where id = $1', id);
    const { changed } = rowMacMetrics();
    const error = await selectWalletById(storeWith(older), id).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'internal-error',
      message: expect.stringContaining(`The row ${id} of wallets was changed`),
    });
    expect(logged).toMatchObject([
      { level: 50, alarm: 'row-changed', table: 'wallets', rowId: id },
    ]);
    expect(rowMacMetrics().changed).toBe(changed + 1);
  });

  it('is sealed again with a new key, so that the old one can go; one that was changed never is', async () => {
    await sql('delete from wallets');
    const ids = [await aWallet(), await aWallet(), await aWallet()];
    await sql("update wallets set owner_key = 'userId:thief' where id = $1", ids[1]);
    const both = storeWith(newer, older);
    expect(await selectWalletById(both, ids[0]!)).toBeDefined();
    expect(await resealRows(both)).toBe(2);
    expect(logged).toMatchObject([{ table: 'wallets', rowId: ids[1] }]);
    expect(await resealRows(both)).toBe(0);
    expect((await countSealedRows(both)).toSorted((a, b) => a.count - b.count)).toEqual([
      { keyId: '2025', count: 1 },
      { keyId: '2026.a', count: 2 },
    ]);
    const after = storeWith(newer);
    expect(await selectWalletById(after, ids[0]!)).toMatchObject({ id: ids[0] });
    await expect(selectWalletById(after, ids[1]!)).rejects.toMatchObject({
      code: 'internal-error',
    });
    expect(logged.at(-1)).toMatchObject({
      why: expect.stringContaining('"2025", which is not among KEY_ENCRYPTION_KEYS'),
    });
  });

  it('is sealed again as what a treasury sells, with all of it and with what it must have', async () => {
    await sql('delete from wallets');
    const offer = {
      projectId: randomUUID(),
      kind: 'mint',
      mintFunction: 'mint',
      chain: 'base-sepolia',
      tokenKey: '0xaa',
      address: '0xAa',
      standard: 'erc721',
      name: 'Tickets',
      perOrderMax: 2,
      createdAt: new Date(),
    } as const;
    const whole = {
      ...offer,
      description: 'Of the fair.',
      imageUrl: 'https://shop.test/a.png',
      symbol: 'TIX',
      price: { amount: '12.50', currency: 'usd' },
      supplyMax: 100,
      perRecipientMax: 3,
    };
    for (const one of [offer, { ...whole, tokenKey: '0xbb' }])
      expect(await insertOffer(database.store, { ...one, id: randomUUID() })).toBe(true);
    const both = storeWith(newer, older);
    for await (const { table } of findChangedRows(both))
      expect(table).not.toBe('collection_offers');
    expect([await resealRows(both), await resealRows(both), logged]).toEqual([2, 0, []]);
  });

  it('is sealed again as an event that its reader gave up on, too, and is handled then', async () => {
    const before = storeWith(older);
    await before.transaction((tx) =>
      appendEvents(tx, [
        { projectId: randomUUID(), type: 'x.y', object: 'order:1', data: { a: 1 } },
      ]),
    );
    const handled: unknown[] = [];
    const ctx = {
      store: before,
      clock: systemClock,
      ids: systemIds,
      log: pino({ level: 'silent' }),
    };
    const failing = {
      name: 'tested',
      retry: { attemptsMax: 1, baseMs: 1, delayMsMax: 1 },
      handle: () => Promise.reject(new Error('not now')),
    };
    await createOutboxReader(ctx, failing).drain();
    await resealRows(storeWith(newer, older));
    const after = storeWith(newer);
    const { rows } = await sql('select event_id from outbox_parked');
    const handle = async (tx: Tx, events: readonly StoredEvent[]) =>
      void handled.push(...events.map((event) => isOwnEvent(tx, event)));
    expect(
      await retryParkedEvent(
        { store: after },
        { name: 'tested', handle },
        String(rows[0]!.event_id),
      ),
    ).toBe(true);
    expect(handled).toEqual([true]);
  });

  it('counts again once an operator has looked at it and stands for it, and only as it was looked at', async () => {
    const id = await aWallet();
    await sql("update wallets set owner_key = 'userId:moved-by-hand' where id = $1", id);
    const store = storeWith(older);
    const seen = await lookAtSealedRow(store, 'wallets', id);
    expect(seen).toMatchObject({ fits: false, fields: { owner_key: 'userId:moved-by-hand' } });
    // A thief changes it once more between the look and the word.
    await sql("update wallets set owner_key = 'userId:thief' where id = $1", id);
    expect(await acceptSealedRow(store, { table: 'wallets', id, digest: seen!.digest })).toBe(
      false,
    );
    await expect(selectWalletById(store, id)).rejects.toMatchObject({ code: 'internal-error' });
    await sql("update wallets set owner_key = 'userId:moved-by-hand' where id = $1", id);
    expect(await acceptSealedRow(store, { table: 'wallets', id, digest: seen!.digest })).toBe(true);
    expect(await selectWalletById(store, id)).toMatchObject({ id });
    await expect(lookAtSealedRow(store, 'projects', id)).rejects.toThrow(
      'No rows of "projects" carry seals',
    );
  });

  it('is found whether its seal is wrong or missing, and one without any can be accepted alone, too', async () => {
    await sql('delete from wallets');
    const [fine, changed, bare] = [await aWallet(), await aWallet(), await aWallet()];
    await sql("update wallets set owner_key = 'userId:thief' where id = $1", changed);
    await sql('update wallets set mac = null where id = $1', bare);
    const store = storeWith(older);
    const find = async () => {
      const found = new Map<string, string>();
      for await (const { table, id, why } of findChangedRows(store))
        if (table === 'wallets') found.set(id, why);
      return found;
    };
    expect(await find()).toEqual(
      new Map([
        [changed, 'it is not as it was sealed'],
        [bare, 'it carries no seal, and each row of this table has one'],
      ]),
    );
    const { digest } = (await lookAtSealedRow(store, 'wallets', bare))!;
    expect(await acceptSealedRow(store, { table: 'wallets', id: bare, digest })).toBe(true);
    expect([...(await find()).keys()]).toEqual([changed]);
    expect(await selectWalletById(store, fine)).toMatchObject({ id: fine });
  });

  it('cannot be read or written by a process without the keys', async () => {
    const id = await aWallet();
    await expect(selectWalletById(storeWith(), id)).rejects.toThrow(
      'KEY_ENCRYPTION_KEYS is not set',
    );
    await expect(selectWalletById({ query: database.store.query }, id)).rejects.toThrow(
      'opened without the keys',
    );
  });
});
