import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageVerifier } from '../../chains/family.ts';
import { type PeopleApi, startPeopleApi } from '../users/test-kit.ts';
import { findWalletOwner } from './index.ts';
import { anEvmWallet } from './test-kit.ts';

const [here, there] = ['base-sepolia', 'ethereum-sepolia'];

let api: PeopleApi;
beforeAll(async () => {
  api = await startPeopleApi();
  const family = api.ctx.chains.family('evm').messages as {
    verifyMessage(input: Question): Promise<MessageVerifier | undefined>;
  };
  const { verifyMessage } = family;
  // Contracts stand everywhere and accept what their owner on that chain signed; keys are checked
  // as ever.
  family.verifyMessage = async (input) =>
    input.signature.startsWith('0xcc')
      ? input.signature === acceptedBy(input)
        ? 'contract'
        : undefined
      : verifyMessage.call(family, input);
});
afterAll(() => api.close());

interface Question {
  readonly address: string;
  readonly message: string;
  readonly signature: string;
  readonly chain: string;
}

const acceptedBy = ({ message, chain }: { readonly message: string; readonly chain: string }) =>
  `0xcc${Buffer.from(`${chain}|${message}`).toString('hex')}`;

let count = 0;
const fresh = () => `userId:contractor${++count}`;
const aContract = () => `0x${randomBytes(20).toString('hex')}`;
const path = (locator: string, address: string) => api.path(locator, `/linked-wallets/${address}`);
const link = (locator: string, address: string, chain: string, proof?: string) =>
  api.call('PUT', path(locator, address), {
    body: { chain, ...(proof !== undefined && { proof }) },
  });
const read = async (locator: string, address: string) =>
  (await api.call('GET', path(locator, address))).body;
const ownerOn = (address: string, chain: string) =>
  findWalletOwner(api.ctx, { projectId: api.projectId, address, chain });

async function challengeOf(locator: string, address: string, chain: string): Promise<string> {
  const { body } = await link(locator, address, chain);
  return body.ownership?.verificationChallenge ?? body.verificationChallenge;
}

/** Links a contract as its owner on that chain does. */
async function prove(locator: string, address: string, chain: string) {
  const message = await challengeOf(locator, address, chain);
  return link(locator, address, chain, acceptedBy({ message, chain }));
}

describe('what a contract proves', () => {
  test('holds on its chain and on no other', async () => {
    const [locator, address] = [fresh(), aContract()];
    expect((await prove(locator, address, here)).body.ownership).toEqual({ verified: true });
    expect(await ownerOn(address, here)).toMatchObject({ verified: true });
    expect(await ownerOn(address, there)).toBeUndefined();
    const moved = (await link(locator, address, there)).body;
    expect(moved).toMatchObject({ chain: there, ownership: { verified: false } });
    expect(moved.ownership.verificationChallenge).toContain('Chain ID: 11155111\n');
    expect(await read(locator, address)).toEqual(moved);
    expect(await ownerOn(address, there)).toMatchObject({ verified: false });
  });

  test('still holds when its user comes back, and can be proved on both', async () => {
    const [locator, address] = [fresh(), aContract()];
    const first = await prove(locator, address, here);
    await link(locator, address, there);
    expect((await link(locator, address, here)).body).toEqual(first.body);
    expect(await read(locator, address)).toEqual(first.body);
    expect((await prove(locator, address, there)).body).toMatchObject({
      chain: there,
      ownership: { verified: true },
    });
    for (const chain of [here, there]) {
      expect((await link(locator, address, chain)).body.ownership).toEqual({ verified: true });
      expect(await ownerOn(address, chain)).toMatchObject({ verified: true });
    }
  });

  test('is about the chain that the challenge names', async () => {
    const [locator, address] = [fresh(), aContract()];
    const message = await challengeOf(locator, address, here);
    const answer = await link(locator, address, there, acceptedBy({ message, chain: there }));
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid-proof']);
    expect((await link(locator, address, there)).body.ownership.verified).toBe(false);
  });

  test('is answered the same when the same call comes again, and refused to others on that chain', async () => {
    const [a, b, address] = [fresh(), fresh(), aContract()];
    const message = await challengeOf(a, address, here);
    const proof = acceptedBy({ message, chain: here });
    const first = await link(a, address, here, proof);
    expect((await link(a, address, here, proof)).body).toEqual(first.body);
    for (const answer of [await link(b, address, here), await link(b, address, here, proof)]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'wallet-linked-to-other-user']);
      expect(answer.body).not.toHaveProperty('verificationChallenge');
    }
  });

  test('does not keep the owner on another chain from proving there, nor takes the first from its user', async () => {
    const [a, b, address] = [fresh(), fresh(), aContract()];
    await prove(a, address, here);
    // A claim on the other chain gives way to a proof there.
    await link(a, address, there);
    const refused = await link(b, address, there);
    expect([refused.status, refused.body.code]).toEqual([409, 'wallet-linked-to-other-user']);
    const proof = acceptedBy({ message: refused.body.verificationChallenge, chain: there });
    expect((await link(b, address, there, proof)).body).toMatchObject({
      chain: there,
      ownership: { verified: true },
    });
    expect(await read(a, address)).toMatchObject({ chain: here, ownership: { verified: true } });
    expect(await read(b, address)).toMatchObject({ chain: there, ownership: { verified: true } });
    const [ofA, ofB] = [await ownerOn(address, here), await ownerOn(address, there)];
    expect([ofA?.verified, ofB?.verified, ofA?.userId === ofB?.userId]).toEqual([
      true,
      true,
      false,
    ]);
    expect([(await link(a, address, there)).status, (await link(b, address, here)).status]).toEqual(
      [409, 409],
    );
  });
});

test('of two contract proofs of one chain at once one wins', async () => {
  const [a, b, address] = [fresh(), fresh(), aContract()];
  const [ofA, ofB] = [await challengeOf(a, address, here), await challengeOf(b, address, here)];
  const answers = await Promise.all([
    link(a, address, here, acceptedBy({ message: ofA, chain: here })),
    link(b, address, here, acceptedBy({ message: ofB, chain: here })),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('what a key proves holds on every chain', async () => {
  const [locator, wallet] = [fresh(), anEvmWallet()];
  const message = await challengeOf(locator, wallet.address, here);
  await link(locator, wallet.address, here, await wallet.sign(message));
  expect((await link(locator, wallet.address, there)).body).toMatchObject({
    chain: there,
    ownership: { verified: true },
  });
  for (const chain of [here, there, 'polygon-amoy'])
    expect(await ownerOn(wallet.address, chain)).toMatchObject({ verified: true });
  expect((await link(fresh(), wallet.address, 'polygon-amoy')).status).toBe(409);
});
