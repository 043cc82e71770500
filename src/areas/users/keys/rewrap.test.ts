import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../../lib/sealing/secret.ts';
import { getUser } from '../index.ts';
import { aPerson, type PeopleApi, startPeopleApi } from '../test-kit.ts';
import { countUserKeys, rewrapUserKeys } from './rewrap.ts';

let api: PeopleApi;
beforeAll(async () => {
  api = await startPeopleApi();
  for (let nr = 0; nr < 5; nr++)
    await api.call('PUT', api.path(`userId:user${nr}`), { body: aPerson() });
});
afterAll(() => api.close());

const newKey = {
  id: 'new',
  key: new Secret<Uint8Array>(createHash('sha256').update('the new key-encryption key').digest()),
};
const withKeys = (keyEncryptionKeys: PeopleApi['ctx']['config']['keyEncryptionKeys']) => ({
  ...api.ctx,
  config: { ...api.ctx.config, keyEncryptionKeys },
  caller: {
    projectId: api.projectId,
    environment: 'development',
    keyKind: 'server',
    keyId: 'k',
    scopes: new Set<string>(),
  } as const,
  requestId: 'test',
});

test('keys of users move to a new key-encryption key, and the old one can go', async () => {
  const old = api.ctx.config.keyEncryptionKeys;
  const both = withKeys([newKey, ...old]);
  expect(await countUserKeys(both)).toEqual([{ id: 'test', keys: 6 }]);
  expect(await rewrapUserKeys(both)).toBe(6);
  expect(await countUserKeys(both)).toEqual([{ id: 'new', keys: 6 }]);
  expect(await rewrapUserKeys(both)).toBe(0);
  const user = await getUser(withKeys([newKey]), 'userId:user3');
  expect(user.record.userDetails?.firstName).toBe('Alice');
  await expect(getUser(withKeys(old), 'userId:user3')).rejects.toThrow('"new"');
});

test('a row that was copied over another user’s, or an older version put back, does not open', async () => {
  const ctx = withKeys([newKey]);
  const idOf = async (nr: number) => (await getUser(ctx, `userId:user${nr}`)).id;
  const [a, b] = [await idOf(0), await idOf(1)];
  await ctx.store.query({
    text: 'update users set sealed_record = (select sealed_record from users where id = $2) where id = $1',
    values: [a, b],
  });
  await expect(getUser(ctx, 'userId:user0')).rejects.toThrow('changed');
  await ctx.store.query({
    text: 'update users set record_version = record_version + 1 where id = $1',
    values: [b],
  });
  await expect(getUser(ctx, 'userId:user1')).rejects.toThrow('changed');
});
