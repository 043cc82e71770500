import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { BrowserState } from '../../runner/types.ts';
import {
  countProfileKeys,
  readBrowserState,
  rewrapProfileKeys,
  saveBrowserState,
} from './index.ts';
import { browserProfileRoutes } from './routes.ts';
import { makeProfileKey } from './sealed.ts';

const path = '/unstable/agent-checkouts/browser-profiles';
const newKey = {
  id: 'new',
  key: new Secret<Uint8Array>(createHash('sha256').update('the next key').digest()),
};
const state = (value: string): BrowserState => ({
  cookies: [{ name: 'session', value }],
  origins: [],
});

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: browserProfileRoutes });
});
afterAll(() => api?.close());

const withKeys = (keyEncryptionKeys: TestApi['ctx']['config']['keyEncryptionKeys']) => ({
  ...api.ctx,
  config: { ...api.ctx.config, keyEncryptionKeys },
});

/** Profiles that wait for their erasure: more than one batch, without a user for each. */
async function addDeleted(like: string, count: number): Promise<void> {
  const { rows } = await api.ctx.store.query<{ userId: string }>({
    text: 'select user_id as "userId" from browser_profiles where id = $1',
    values: [like],
  });
  const { userId } = rows[0]!;
  const made = Array.from({ length: count }, () => {
    const id = api.ctx.ids.uuid();
    return {
      id,
      sealedKey: makeProfileKey(api.ctx, { id, projectId: api.projectId, userId }).sealedKey,
    };
  });
  await api.ctx.store.query({
    text: `insert into browser_profiles (id, project_id, user_id, sealed_key, sealed_by, label_version, state_version, deleted_at, created_at, updated_at)
           select made.id, p.project_id, p.user_id, made.key, p.sealed_by, 0, 0, now(), now(), now()
           from browser_profiles p, unnest($2::uuid[], $3::bytea[]) as made(id, key) where p.id = $1`,
    values: [like, made.map(({ id }) => id), made.map(({ sealedKey }) => sealedKey)],
  });
}

test('keys of profiles move to a new key in batches, beside a run, and the old one can go', async () => {
  const ids: string[] = [];
  for (let nr = 0; nr < 3; nr++) {
    const jwt = await api.userJwt(`user-${nr}`);
    const { body } = await api.call('POST', path, {
      key: api.clientKey,
      jwt,
      body: { label: `Label ${nr}` },
    });
    ids.push(body.id);
  }
  await addDeleted(ids[0]!, 400);
  const [old, both, fresh] = [
    api.ctx,
    withKeys([newKey, ...api.ctx.config.keyEncryptionKeys]),
    withKeys([newKey]),
  ];
  const [id] = ids as [string];
  await saveBrowserState(old, { profileId: id, versionBefore: 0, state: state('first') });
  // A run begins before the keys move, and ends after it.
  const snapshot = (await readBrowserState(old, id))!;

  expect(
    (await Promise.all([rewrapProfileKeys(both), rewrapProfileKeys(both)])).reduce(
      (sum, one) => sum + one,
    ),
  ).toBe(403);
  expect(await rewrapProfileKeys(both)).toBe(0);
  expect(await countProfileKeys(both)).toEqual([{ id: 'new', keys: 403 }]);

  expect(await readBrowserState(fresh, id)).toEqual({ state: state('first'), version: 1 });
  expect(
    await saveBrowserState(fresh, {
      profileId: id,
      versionBefore: snapshot.version,
      state: state('second'),
    }),
  ).toBe(true);
  expect(await readBrowserState(fresh, id)).toEqual({ state: state('second'), version: 2 });
  await expect(readBrowserState(old, id)).rejects.toThrow('"new"');
});

test('a key that is not configured is named, and nothing is lost', async () => {
  await expect(rewrapProfileKeys(withKeys([{ ...newKey, id: 'other' }]))).rejects.toThrow('"new"');
  expect(await countProfileKeys(api.ctx)).toEqual([{ id: 'new', keys: 403 }]);
});
