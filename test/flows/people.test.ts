import { hashMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aPng } from '../../src/areas/users/test-kit.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { type Stack, startStack } from '../harness/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

const path = (locator: string, below = '') =>
  `/2025-06-09/users/${encodeURIComponent(locator)}${below}`;

test('a person signs up, is verified by the worker, and proves that a smart wallet is theirs', async () => {
  const client = {
    key: stack.api.clientKey,
    jwt: await stack.api.userJwt('grace', { email: 'grace@example.com', email_verified: true }),
  };
  const call = async (method: string, below: string, body?: unknown) => {
    const answer = await stack.call(method, path('userId:grace', below), { ...client, body });
    expect([below, answer.status, answer.text]).toEqual([
      below,
      method === 'POST' ? 201 : 200,
      expect.any(String),
    ]);
    return answer.body;
  };
  await call('PUT', '/legal-documents', {
    type: 'svc-privacy-policy',
    acceptedAt: new Date(Date.now() - 1_000).toISOString(),
  });
  await call('PUT', '', aPerson({ firstName: 'Grace', email: 'grace@example.com' }));
  for (const documentType of ['id-passport', 'proof-of-address'])
    await call('POST', '/documents', { documentType, content: aPng.toString('base64') });
  const started = await call('PUT', '/identity-verification');
  expect(started.eligibility.map((entry: { status: string }) => entry.status)).toEqual(
    Array(5).fill('pending-review'),
  );
  await eventually('verified', async () => {
    const { eligibility } = await call('GET', '/identity-verification');
    return eligibility.every((entry: { status: string }) => entry.status === 'verified');
  });
  // The project's server knows the same person by the verified e-mail.
  expect((await stack.call('GET', path('email:grace@example.com'))).body.userId).toBe('grace');

  const { address } = privateKeyToAccount(generatePrivateKey());
  const below = `/linked-wallets/${address}`;
  const { ownership } = await call('PUT', below, { chain: 'base-sepolia' });
  const body = { chain: 'base-sepolia', proof: '0x1234' };
  const early = await stack.call('PUT', path('userId:grace', below), { ...client, body });
  expect([early.status, early.body.code]).toEqual([400, 'invalid-proof']);
  // A smart wallet (ERC-1271) that accepts this text and no other.
  const hash = hashMessage(ownership.verificationChallenge);
  await stack.chainCall('base-sepolia', 'anvil_setCode', [
    address,
    `0x7f${hash.slice(2)}60043514631626ba7e0260e01b60005260206000f3`,
  ]);
  expect((await call('PUT', below, body)).ownership).toEqual({ verified: true });
});
