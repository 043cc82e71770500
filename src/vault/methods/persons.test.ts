import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { aCardBody, aUsBody } from '../testing/methods-kit.ts';
import { openPaymentMethod, recordPayout } from './open.ts';

const path = '/unstable/payment-methods';
let vault: TestVault;
let count = 0;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.close());

/** A person whom nobody knows yet, with two names. */
function aPerson() {
  const id = ++count;
  return {
    personId: randomUUID(),
    userId: `userId:person-${id}`,
    email: `email:person-${id}@example.com`,
  };
}
type Person = ReturnType<typeof aPerson>;

const anAccount = () => String(10_000_000 + Math.floor(Math.random() * 80_000_000));

async function save(userLocator: string, accountNumber: string) {
  const { status, body } = await vault.call('POST', path, {
    body: aUsBody({ userLocator }, { accountNumber }),
  });
  expect([200, 201]).toContain(status);
  return { status, id: body.paymentMethodId as string, isDefault: body.default as boolean };
}

async function list(userLocator: string, options: object = {}) {
  const { status, body } = await vault.call(
    'GET',
    `${path}?userLocator=${encodeURIComponent(userLocator)}&limit=100`,
    options,
  );
  expect(status).toBe(200);
  return (body.data as { paymentMethodId: string; default: boolean }[]).map((one) => ({
    id: one.paymentMethodId,
    isDefault: one.default,
  }));
}

const link = ({ personId, userId, email }: Person, more: readonly string[] = []) =>
  vault.clients.worker.ask(
    'users.link',
    { projectId: vault.api.projectId, personId, owners: [userId, email, ...more] },
    z.object({ linked: z.boolean() }),
  );

const erase = (owners: readonly string[]) =>
  vault.clients.worker.eraseUser({ projectId: vault.api.projectId, owners, actor: 'test' });

/**
 * What must hold however calls and links met: one list under both names, no account twice, one
 * default.
 */
async function expectOnePerson({ userId, email }: Person, accountCount: number): Promise<void> {
  const [byId, byEmail] = [await list(userId), await list(email)];
  expect(byEmail).toEqual(byId);
  expect(byId).toHaveLength(accountCount);
  expect(byId.filter(({ isDefault }) => isDefault)).toHaveLength(accountCount === 0 ? 0 : 1);
}

describe('locators of one person', () => {
  it('have one list, whichever of them a method was saved under', async () => {
    const person = aPerson();
    const [first, second] = [
      await save(person.userId, anAccount()),
      await save(person.email, anAccount()),
    ];
    expect((await list(person.userId)).map(({ id }) => id)).toEqual([first.id]);
    expect(await link(person)).toEqual({ linked: true });
    expect((await list(person.userId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    await expectOnePerson(person, 2);
    await link(person);
    await expectOnePerson(person, 2);
  });

  it('have one default: that of the name with the first key stays, and changing it under the other name moves it', async () => {
    const person = aPerson();
    const [first, second] = [
      await save(person.userId, anAccount()),
      await save(person.email, anAccount()),
    ];
    expect([first.isDefault, second.isDefault]).toEqual([true, true]);
    await link(person);
    expect((await list(person.email)).find(({ isDefault }) => isDefault)?.id).toBe(first.id);
    expect(
      (await vault.call('PATCH', `${path}/${second.id}`, { body: { default: true } })).status,
    ).toBe(200);
    await expectOnePerson(person, 2);
    expect((await vault.call('DELETE', `${path}/${second.id}`)).status).toBe(204);
    expect(await list(person.email)).toEqual([{ id: first.id, isDefault: true }]);
  });

  it('have an account once: the older method stays, and the id of the other leads to it', {
    tags: 'slow',
  }, async () => {
    const person = aPerson();
    const account = anAccount();
    const [first, twin] = [await save(person.email, account), await save(person.userId, account)];
    expect(twin.id).not.toBe(first.id);
    await link(person);
    await expectOnePerson(person, 1);
    const read = await vault.call('GET', `${path}/${twin.id}`);
    expect([read.status, read.body.paymentMethodId]).toEqual([200, first.id]);
    const opened = await openPaymentMethod(vault.ctx, {
      id: twin.id,
      tenant: vault.api.projectId,
      reason: 'test',
    });
    expect(opened.account.reveal()).toMatchObject({ accountNumber: account });
    const at = new Date('2026-03-04T05:06:07.000Z');
    await recordPayout(vault.ctx, { id: twin.id, tenant: vault.api.projectId, at });
    expect((await vault.call('GET', `${path}/${first.id}`)).body.lastPayoutAt).toBe(
      at.toISOString(),
    );
    expect(await save(person.userId, account)).toEqual({
      status: 200,
      id: first.id,
      isDefault: true,
    });
    expect((await vault.call('DELETE', `${path}/${twin.id}`)).status).toBe(204);
    expect((await vault.call('GET', `${path}/${first.id}`)).status).toBe(404);
    expect((await vault.call('GET', `${path}/${twin.id}`)).status).toBe(404);
  });

  it('are joined before anything is saved too: the first method under each is of the same person', async () => {
    const person = aPerson();
    await link(person);
    const account = anAccount();
    const [a, b] = await Promise.all([save(person.userId, account), save(person.email, account)]);
    expect(a.id).toBe(b.id);
    await save(person.email, anAccount());
    await expectOnePerson(person, 2);
  });

  it('that come together step by step end as one person', async () => {
    const [a, b] = [aPerson(), aPerson()];
    const account = anAccount();
    const ids = [];
    for (const name of [a.userId, a.email, b.userId, b.email])
      ids.push((await save(name, account)).id);
    await link(a);
    await link(b);
    await link(a, [b.userId]);
    for (const person of [a, b]) await expectOnePerson(person, 1);
    for (const id of ids)
      expect((await vault.call('GET', `${path}/${id}`)).body.paymentMethodId).toBe(ids[0]);
  });

  it('end in one consistent state when methods are saved while they become one person', {
    tags: 'slow',
  }, async () => {
    for (let round = 0; round < 6; round++) {
      const person = aPerson();
      const [shared, own, other] = [anAccount(), anAccount(), anAccount()];
      await Promise.all([
        save(person.userId, shared),
        save(person.email, shared),
        link(person),
        save(person.userId, own),
        link(person),
        save(person.email, other),
      ]);
      await expectOnePerson(person, 3);
    }
  });

  it('stay apart in another project, and from everybody else', async () => {
    const [person, stranger] = [aPerson(), aPerson()];
    const account = anAccount();
    await save(stranger.userId, account);
    await save(person.userId, account);
    await link(person);
    await expectOnePerson(person, 1);
    expect(await list(stranger.userId)).toHaveLength(1);
    const jwt = await vault.api.userJwt(stranger.userId.slice('userId:'.length));
    const { id } = (await list(person.email))[0]!;
    expect(
      (await vault.call('GET', `${path}/${id}`, { key: vault.api.clientKey, jwt })).status,
    ).toBe(404);
  });

  it('are seen whole by a client key whose JWT names one of them', async () => {
    const person = aPerson();
    await save(person.userId, anAccount());
    await save(person.email, anAccount());
    await link(person);
    const jwt = await vault.api.userJwt(person.userId.slice('userId:'.length));
    expect(await list(person.userId, { key: vault.api.clientKey, jwt })).toEqual(
      await list(person.email),
    );
    const byEmail = await vault.api.userJwt('somebody', {
      email: person.email.slice('email:'.length),
      email_verified: true,
    });
    expect(await list('userId:somebody', { key: vault.api.clientKey, jwt: byEmail })).toEqual(
      await list(person.userId),
    );
  });

  it('are erased together by any one of them, and what was said of them before joins nothing later', {
    tags: 'slow',
  }, async () => {
    const person = aPerson();
    await save(person.userId, anAccount());
    await save(person.email, anAccount());
    await link(person);
    expect(await erase([person.email, `userId:${person.personId}`])).toEqual({ erased: 2 });
    await expectOnePerson(person, 0);
    const { rows } = await vault.operator.store.query<{ count: number }>({
      text: `select count(*)::int as count from payment_methods m join user_keys k on k.id = m.user_key_id
             where k.destroyed_at is not null and (length(m.sealed_account) > 0 or m.fingerprint is not null)`,
    });
    expect(rows[0]!.count).toBe(0);
    // Who was not told asks again.
    expect(await erase([person.userId, `userId:${person.personId}`])).toEqual({ erased: 2 });
    expect(await erase([person.userId])).toEqual({ erased: 0 });
    expect(await link(person)).toEqual({ linked: false });
    const again = await save(person.userId, anAccount());
    await save(person.email, anAccount());
    expect((await list(person.userId)).map(({ id }) => id)).toEqual([again.id]);
  });

  it('leave nothing behind when they are erased while they become one person and something is saved', {
    tags: 'slow',
  }, async () => {
    for (let round = 0; round < 4; round++) {
      const person = aPerson();
      await save(person.userId, anAccount());
      await save(person.email, anAccount());
      const body = aCardBody({ userLocator: person.email });
      await Promise.all([
        link(person),
        erase([person.userId, person.email, `userId:${person.personId}`]),
        vault.call('POST', path, { body }),
      ]);
      await erase([person.userId, person.email, `userId:${person.personId}`]);
      await expectOnePerson(person, 0);
      const kept = await vault.operator.store.query<{ count: number }>({
        text: `select count(*)::int as count from payment_methods m join user_keys k on k.id = m.user_key_id
               where k.destroyed_at is not null and length(m.sealed_details) > 0`,
      });
      expect(kept.rows[0]!.count).toBe(0);
    }
  });

  it('are named by the worker alone', async () => {
    const { personId, userId, email } = aPerson();
    const input = { projectId: vault.api.projectId, personId, owners: [userId, email] };
    await expect(vault.clients.api.ask('users.link', input, z.object({}))).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('are kept as keyed hashes only', async () => {
    const person = aPerson();
    await save(person.email, anAccount());
    await link(person);
    for (const table of ['persons', 'owners', 'told_persons', 'user_keys']) {
      const { rows } = await vault.operator.store.query<{ row: string }>({
        text: `select t::text as row from ${table} t`,
      });
      expect(rows.map(({ row }) => row).join('\n')).not.toContain('person-');
    }
  });
});
