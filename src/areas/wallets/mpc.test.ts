import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { walletRoutes } from './routes.ts';

// Supplement, section 4: wallets of type mpc. Each is one custody key, made for it alone.

const wallets = '/2025-06-09/wallets';
const mpc = (fields: Record<string, unknown> = {}) => ({
  chainType: 'evm',
  type: 'mpc',
  ...fields,
});

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: walletRoutes, ...evmParts });
});
afterAll(() => api.close());

const create = (body: unknown, options: object = {}) =>
  api.call('POST', wallets, { body, ...options });
const read = (locator: string, options: object = {}) =>
  api.call('GET', `${wallets}/${locator}`, options);
const asUser = async (name: string) => ({ key: api.clientKey, jwt: await api.userJwt(name) });

interface Kept {
  readonly id: string;
  readonly subject: string;
  readonly purpose: string;
}
async function keysOf(address: string): Promise<Kept[]> {
  const { rows } = await api.ctx.store.query<Kept>({
    text: `select w.id, k.subject, k.purpose from wallets w join custody_keys k on k.id = (w.admin_signer ->> 'keyId')::uuid where w.address = $1`,
    values: [address],
  });
  return rows;
}
const countKeys = async () =>
  (
    await api.ctx.store.query<{ count: number }>({
      text: `select count(*)::int as count from custody_keys where purpose = 'mpc'`,
    })
  ).rows[0]!.count;

describe('an mpc wallet', () => {
  it.each([
    ['of nobody', {}],
    ['of the project', { owner: 'COMPANY' }],
    ['of a user id', { owner: 'userId:mia' }],
    ['of an e-mail', { owner: 'email:mia@example.com' }],
    ['of a phone', { owner: 'phoneNumber:+14155550123' }],
    ['of a handle', { owner: 'twitter:mia' }],
    ['with an alias', { owner: 'userId:mia', alias: 'savings' }],
    ['of the project with an alias', { alias: 'float' }],
  ])('%s is created without a config, and shows none', async (_name, fields) => {
    const { status, body } = await create(mpc(fields));
    expect(status).toBe(201);
    expect(body).toEqual({
      chainType: 'evm',
      type: 'mpc',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      config: {},
      createdAt: expect.stringMatching(/Z$/),
      ...fields,
    });
    expect((await read(body.address)).body).toEqual(body);
  });

  it('ignores whatever config is sent', async () => {
    for (const config of [
      {},
      { adminSigner: { type: 'fax' } },
      'text',
      null,
      { adminSigner: { type: 'api-key' }, creationSeed: 'one' },
    ]) {
      const { status, body } = await create(mpc({ config }));
      expect([JSON.stringify(config), status, body.config]).toEqual([
        JSON.stringify(config),
        201,
        {},
      ]);
    }
  });

  it('has a key that is bound to it and to nothing else', async () => {
    const [one, two] = [(await create(mpc())).body, (await create(mpc())).body];
    expect(one.address).not.toBe(two.address);
    for (const { address } of [one, two]) {
      const [key] = await keysOf(address);
      expect(key).toEqual({ id: expect.any(String), subject: key!.id, purpose: 'mpc' });
    }
  });

  it('is answered with 200 to the same owner, type and alias, and to the same idempotency key; no second key is made', async () => {
    const first = await create(mpc({ owner: 'userId:nia' }));
    const keys = await countKeys();
    const again = await create(
      mpc({ owner: 'userId:nia', config: { adminSigner: { type: 'api-key' } } }),
    );
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await countKeys()).toBe(keys);
    const headers = { 'x-idempotency-key': 'one-mpc-wallet' };
    const [made, repeated] = [await create(mpc(), { headers }), await create(mpc(), { headers })];
    expect([made.status, repeated.status, repeated.body]).toEqual([201, 200, made.body]);
    const other = await create({
      chainType: 'evm',
      owner: 'userId:nia',
      config: { adminSigner: { type: 'api-key' } },
    });
    expect([other.status, other.body.type]).toEqual([201, 'smart']);
  });

  it('is one for 50 concurrent calls of one owner', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create(mpc({ owner: 'userId:crowd' }))),
    );
    expect(new Set(answers.map(({ body }) => body.address)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 49 }, () => 200),
      201,
    ]);
  });

  it('is made for the user of a client key, who alone reads it', async () => {
    const ora = await asUser('ora');
    const made = await api.call('POST', `${wallets}/me`, { ...ora, body: mpc({ alias: 'mine' }) });
    expect([made.status, made.body]).toMatchObject([
      201,
      { owner: 'userId:ora', type: 'mpc', alias: 'mine', config: {} },
    ]);
    expect(
      (await api.call('POST', `${wallets}/me`, { ...ora, body: mpc({ alias: 'mine' }) })).status,
    ).toBe(200);
    for (const locator of [
      made.body.address,
      'me:evm:mpc:alias:mine',
      'userId:ora:evm:mpc:alias:mine',
    ])
      expect([locator, (await read(locator, ora)).body]).toEqual([locator, made.body]);
    expect((await read(made.body.address, await asUser('pia'))).status).toBe(404);
    expect((await read('userId:ora:evm:smart:alias:mine')).status).toBe(404);
    const named = await api.call('POST', `${wallets}/me`, {
      ...ora,
      body: mpc({ owner: 'userId:mallory' }),
    });
    expect([named.status, named.body.code]).toEqual([400, 'validation-error']);
  });

  it.each([
    ['with a bad owner', mpc({ owner: 'nobody' }), 'invalid-locator'],
    ['with a bad alias', mpc({ alias: 'a b' }), 'validation-error'],
    ['of no family', { type: 'mpc' }, 'validation-error'],
    ['of a family that is not served', { chainType: 'solana', type: 'mpc' }, 'chain-not-supported'],
  ])('%s is refused', async (_name, body, code) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('is not made by a client key for another owner', async () => {
    expect((await create(mpc({ owner: 'userId:ora' }), await asUser('ora'))).status).toBe(403);
  });
});
