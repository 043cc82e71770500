import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueKey, revokeKey, rotateKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { formatKey } from '../../src/areas/api-keys/key-format.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// An API key works on both hosts (interface, "Payment methods"), from the moment at which somebody
// holds it.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true });
}, 180_000);
afterAll(() => stack?.close());

const path = '/unstable/payment-methods?userLocator=userId:alice';
const onBoth = async (key: string) => {
  const [api, vault] = await Promise.all([
    stack.call('GET', path, { key }),
    stack.vault!.call('GET', path, { key }),
  ]);
  return [api.status, vault.status];
};
const makeKey = () =>
  issueKey(stack.ctx, {
    projectId: stack.api.projectId,
    kind: 'server',
    scopes: scopesOf('server'),
  });

it('a key works on the API and on the vault as soon as it is made, again and again', {
  tags: 'slow',
  timeout: 30_000,
}, async () => {
  for (let turn = 0; turn < 3; turn++)
    expect(await onBoth((await makeKey()).key)).toEqual([200, 200]);
});

it('so does the one that a rotation makes, beside the old one', async () => {
  const old = await makeKey();
  const rotated = await rotateKey(stack.ctx, { id: old.id, overlapMs: 60_000 });
  expect(await onBoth(rotated.key)).toEqual([200, 200]);
  expect(await onBoth(old.key)).toEqual([200, 200]);
}, 30_000);

it('a revoked key is refused on both within ten seconds', {
  tags: 'slow',
  timeout: 30_000,
}, async () => {
  const used = await makeKey();
  expect(await onBoth(used.key)).toEqual([200, 200]);
  await revokeKey(stack.ctx, { id: used.id });
  await expect.poll(() => onBoth(used.key), { timeout: 10_000 }).toEqual([401, 401]);
});

it('a key that is signed and that nobody made is refused by both, and the vault says what may be the matter', {
  tags: 'slow',
  timeout: 30_000,
}, async () => {
  const seed = stack.ctx.config.keySigning.privateKeySeed!.reveal();
  const forged = formatKey(
    {
      kind: 'server',
      environment: 'development',
      projectId: stack.api.projectId,
      secret: 'a'.repeat(32),
    },
    seed,
  );
  expect(await onBoth(forged)).toEqual([401, 401]);
  const { body } = await stack.vault!.call('GET', path, { key: forged });
  expect(body.message).toContain('A new key is known here within seconds');
});
