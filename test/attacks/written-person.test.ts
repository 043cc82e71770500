import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPerson, type PeopleApi, startPeopleApi } from '../../src/areas/users/test-kit.ts';
import { apiRole } from '../../src/store/grants.ts';

/**
 * Somebody writes the main database, with the rights of the API, and is a user of the service
 * himself: what hangs on others, sealed or not, is not shown to him.
 */
let api: PeopleApi;
beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api?.close());

const sql = (text: string, ...values: unknown[]) =>
  api.ctx.store.transaction(async (tx) => {
    await tx.query({ text: `set local role ${apiRole}` });
    return tx.query<{ id: string }>({ text, values });
  });
const call = async (user: string, method = 'GET', body?: unknown) =>
  api.call(method, api.path(`userId:${user}`), {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
  });

/** A user with data, and a thief without. @returns their ids */
async function victimAndThief(name: string): Promise<{ victim: string; thief: string }> {
  const ids: string[] = [];
  for (const [user, body] of [
    [`victim-${name}`, { userDetails: aPerson().userDetails }],
    [`thief-${name}`, {}],
  ] as const) {
    const before = new Set((await sql('select id from users')).rows.map(({ id }) => id));
    const put = await call(user, 'PUT', body);
    expect([put.status, put.text]).toEqual([200, expect.any(String)]);
    ids.push((await sql('select id from users')).rows.find(({ id }) => !before.has(id))!.id);
  }
  return { victim: ids[0]!, thief: ids[1]! };
}

describe('who writes the database becomes nobody else', () => {
  it.each([
    ['his own name the victim’s', 'update user_locators set user_id = $1 where user_id = $2'],
    ['himself the victim', 'update users set person_id = $1 where id = $2'],
    ['the victim himself', 'update users set person_id = $2 where id = $1'],
  ])('by making %s', async (made, text) => {
    const name = made.replaceAll(/[^a-z]/g, '');
    const { victim, thief } = await victimAndThief(name);
    await sql(text, victim, thief);
    const answer = await call(`thief-${name}`);
    expect([answer.status, answer.text]).toEqual([
      500,
      expect.stringContaining('changed behind the service'),
    ]);
  });
});
