import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { testKyc } from './kyc.contract.ts';
import { type Inquiry, isNotTaken, type KycProvider, type RequestableDocument } from './kyc.ts';
import { createSandboxKyc, sandboxInquiryMs, sandboxSlowMs } from './sandbox.ts';

let database: TestDatabase;
const clock = createManualClock();
let kyc: KycProvider;
beforeAll(async () => {
  database = await startTestDatabase();
  kyc = createSandboxKyc({
    store: database.store,
    clock,
    ids: systemIds,
    pageUrl: 'http://127.0.0.1/api/sandbox/identity',
  });
});
afterAll(() => database.close());

testKyc('sandbox', async () => ({
  kyc: { ...kyc },
  waitingPerson: {},
  async decide(inquiryId, how) {
    await kyc.sandbox!.submitPage(inquiryId, { firstName: 'Review', lastName: 'X', given: [] });
    if (how === 'passed' || how === 'refused') await kyc.sandbox!.decide(inquiryId, how);
  },
  callback(inquiryId, { at }) {
    clock.set(at);
    return kyc.sandbox!.signCallback(inquiryId, 'inquiry.approved');
  },
}));

async function create(firstName: string, lastName: string, answered: RequestableDocument[] = []) {
  const reference = randomUUID();
  const person = { firstName, lastName };
  return kyc.createInquiry({
    level: 'full',
    reference,
    idempotencyKey: reference,
    person,
    documents: [],
    answered,
    missing: [],
  });
}
const taken = async (...args: Parameters<typeof create>) => (await create(...args)) as Inquiry;

describe('a name steers', () => {
  test.each([
    ['Alice', 'Miller', 'passed'],
    ['Refuse', 'Miller', 'refused'],
    ['Alice', 'REFUSE', 'refused'],
    ['Alice', ' review ', 'in-review'],
    ['Slow', 'Miller', 'waiting'],
    ['Page', 'Miller', 'waiting'],
    ['Reviewer', 'Slowman', 'passed'],
  ])('%s %s: %s', async (firstName, lastName, state) => {
    expect((await taken(firstName, lastName)).state).toBe(state);
  });

  test('slow passes after a minute', async () => {
    const { id } = await taken('Alice', 'Slow');
    clock.advance(sandboxSlowMs - 1);
    expect((await kyc.readInquiry(id)).state).toBe('waiting');
    clock.advance(1);
    expect((await kyc.readInquiry(id)).state).toBe('passed');
  });

  test('document and address ask for a document, and pass once it is answered', async () => {
    expect(await taken('Alice', 'Document')).toMatchObject({
      state: 'document-requested',
      requestedDocuments: ['id'],
    });
    expect(await taken('Alice', 'Address')).toMatchObject({
      state: 'document-requested',
      requestedDocuments: ['proof-of-address'],
    });
    expect((await taken('Alice', 'Document', ['id'])).state).toBe('passed');
  });

  test('whoever has not given everything waits for the page, whatever the name; what is entered there steers', async () => {
    const reference = randomUUID();
    const answer = await kyc.createInquiry({
      level: 'full',
      reference,
      idempotencyKey: reference,
      person: { firstName: 'Alice', lastName: 'Miller' },
      documents: [],
      answered: [],
      missing: ['consent', 'id'],
    });
    const { id, state } = answer as Inquiry;
    expect(state).toBe('waiting');
    clock.advance(sandboxSlowMs);
    expect((await kyc.readInquiry(id)).state).toBe('waiting');
    const names = { firstName: 'Refuse', lastName: 'Miller' };
    expect(await kyc.sandbox!.submitPage(id, { ...names, given: ['id'] })).toBe(false);
    expect(await kyc.sandbox!.submitPage(id, { ...names, given: ['id', 'consent'] })).toBe(true);
    expect((await kyc.readInquiry(id)).state).toBe('refused');
  });

  test('untaken is not taken at all', async () => {
    expect(isNotTaken(await create('Alice', 'Untaken'))).toBe(true);
  });

  test('page waits for the page, for a day', async () => {
    const { id } = await taken('Alice', 'Page');
    clock.advance(sandboxInquiryMs);
    expect((await kyc.readInquiry(id)).state).toBe('expired');
    expect(await kyc.sandbox!.submitPage(id, { firstName: 'A', lastName: 'B', given: [] })).toBe(
      false,
    );
  });
});

describe('the page', () => {
  const open = async () => {
    const { id } = await taken('Alice', 'Page');
    return { id, session: (await kyc.openSession(id))! };
  };

  test('takes a session token once, for an hour, and only the newest', async () => {
    const { id, session } = await open();
    expect(await kyc.sandbox!.redeemSession(id, 'x'.repeat(43))).toBeUndefined();
    expect(await kyc.sandbox!.redeemSession(id, session.sessionToken)).toMatch(/^\S{40,}$/);
    expect(await kyc.sandbox!.redeemSession(id, session.sessionToken)).toBeUndefined();
    const newer = (await kyc.openSession(id))!;
    const newest = (await kyc.openSession(id))!;
    expect(await kyc.sandbox!.redeemSession(id, newer.sessionToken)).toBeUndefined();
    clock.advance(60 * 60_000);
    expect(await kyc.sandbox!.redeemSession(id, newest.sessionToken)).toBeUndefined();
  });

  test('shows an inquiry to the browser that opened it only', async () => {
    const [a, b] = [await open(), await open()];
    const token = (await kyc.sandbox!.redeemSession(a.id, a.session.sessionToken))!;
    expect(await kyc.sandbox!.readPage(a.id, token)).toEqual({
      inquiryId: a.id,
      state: 'waiting',
      asks: [],
      takesInput: true,
    });
    expect(await kyc.sandbox!.readPage(a.id, '')).toBeUndefined();
    expect(await kyc.sandbox!.readPage(b.id, token)).toBeUndefined();
    expect(await kyc.sandbox!.readPage("' or 1=1", token)).toBeUndefined();
  });

  test('takes names once; a review is decided once', async () => {
    const { id } = await open();
    expect(await kyc.sandbox!.decide(id, 'passed')).toBe(false);
    expect(
      await kyc.sandbox!.submitPage(id, { firstName: 'Review', lastName: 'Me', given: [] }),
    ).toBe(true);
    expect(
      await kyc.sandbox!.submitPage(id, { firstName: 'Alice', lastName: 'Miller', given: [] }),
    ).toBe(false);
    expect((await kyc.readInquiry(id)).state).toBe('in-review');
    expect(await kyc.sandbox!.decide(id, 'refused')).toBe(true);
    expect(await kyc.sandbox!.decide(id, 'passed')).toBe(false);
    expect((await kyc.readInquiry(id)).state).toBe('refused');
  });
});

test('no name is kept', async () => {
  await create('Zacharias', 'Quillfeather');
  const { id } = await taken('Zacharias', 'Page');
  await kyc.sandbox!.submitPage(id, {
    firstName: 'Zacharias',
    lastName: 'Quillfeather',
    given: [],
  });
  const { rows } = await database.store.query<{ row: string }>({
    text: 'select i::text as row from kyc_sandbox_inquiries i',
  });
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.map(({ row }) => row.toLowerCase()).join('\n')).not.toMatch(/zacharias|quillfeather/);
});
