import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../store/types.ts';
import type { CustodyKey, CustodyProvider } from './custody.ts';

export interface CustodyUnderTest {
  readonly store: Store;
  /** Another provider over the same keys, as a second process has it. */
  startProvider(): CustodyProvider;
  close(): Promise<void>;
}

/** What every custody provider owes. */
export function testCustody(name: string, start: () => Promise<CustodyUnderTest>): void {
  describe(`custody: ${name}`, () => {
    let subject: CustodyUnderTest;
    let custody: CustodyProvider;
    beforeAll(async () => {
      subject = await start();
      custody = subject.startProvider();
    });
    afterAll(() => subject?.close());

    const aName = (
      over: Partial<{
        projectId: string;
        curve: 'secp256k1' | 'ed25519';
        purpose: string;
        walletId: string;
      }> = {},
    ) => ({
      projectId: randomUUID(),
      curve: 'secp256k1' as const,
      purpose: 'api-key',
      ...over,
    });
    /** What {@link CustodyProvider.sign} is asked for a key of this name. */
    const use = (
      name: { projectId: string; purpose: string; walletId?: string },
      keyId: string,
      bytes: Uint8Array = randomBytes(32),
    ) => ({
      keyId,
      projectId: name.projectId,
      purpose: name.purpose,
      walletId: name.walletId ?? randomUUID(),
      bytes,
    });

    test('a project has one key per curve and purpose, and keeps it', async () => {
      const input = aName();
      const key = await custody.ensureKey(subject.store, input);
      expect(await custody.ensureKey(subject.store, input)).toEqual(key);
      expect(await subject.startProvider().ensureKey(subject.store, input)).toEqual(key);
      const others = [
        aName(),
        aName({ projectId: input.projectId, curve: 'ed25519' }),
        aName({ projectId: input.projectId, purpose: 'mpc' }),
      ];
      const keys = [
        key,
        ...(await Promise.all(others.map((other) => custody.ensureKey(subject.store, other)))),
      ];
      expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(keys.length);
      expect(
        new Set(keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).size,
      ).toBe(keys.length);
    });

    test.each(['secp256k1', 'ed25519'] as const)(
      '50 first calls at once, from two processes, make one %s key',
      async (curve) => {
        const input = aName({ curve });
        const processes = [custody, subject.startProvider()];
        const keys = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            processes[index % 2]!.ensureKey(subject.store, input),
          ),
        );
        expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1);
        expect(keys).toEqual(Array(50).fill(keys[0]));
      },
    );

    test('parallel transactions that need the same first key agree on it', async () => {
      const input = aName();
      const keys = await Promise.all(
        Array.from({ length: 8 }, () =>
          subject.store.transaction((tx) => custody.ensureKey(tx, input)),
        ),
      );
      expect(keys).toEqual(
        Array(8).fill(await subject.startProvider().ensureKey(subject.store, input)),
      );
    });

    test('a key whose transaction was rolled back is not remembered', async () => {
      const input = aName();
      let lost: CustodyKey | undefined;
      const rolledBack = subject.store.transaction(async (tx) => {
        lost = await custody.ensureKey(tx, input);
        expect((await custody.ensureKey(tx, input)).keyId).toBe(lost.keyId);
        expect(await custody.sign(tx, use(input, lost.keyId))).toHaveLength(65);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      const key = await custody.ensureKey(subject.store, input);
      expect(await subject.startProvider().ensureKey(subject.store, input)).toEqual(key);
      expect(key.keyId).not.toBe(lost!.keyId);
      await expect(custody.sign(subject.store, use(input, lost!.keyId))).rejects.toThrow(
        'no custody key',
      );
    });

    test('a secp256k1 signature is r, s, v with low s, and recovers to the public key', async () => {
      const name = aName();
      const { keyId, publicKey } = await custody.ensureKey(subject.store, name);
      expect(publicKey).toHaveLength(65);
      expect(secp256k1.Point.fromBytes(publicKey).toBytes(false)).toEqual(publicKey);
      const digests = [
        new Uint8Array(32),
        new Uint8Array(32).fill(255),
        ...Array.from({ length: 40 }, () => randomBytes(32)),
      ];
      for (const digest of digests) {
        const signature = await custody.sign(subject.store, use(name, keyId, digest));
        expect(signature).toHaveLength(65);
        expect([27, 28]).toContain(signature[64]);
        const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact');
        expect(parsed.hasHighS()).toBe(false);
        expect(
          parsed
            .addRecoveryBit(signature[64]! - 27)
            .recoverPublicKey(digest)
            .toBytes(false),
        ).toEqual(publicKey);
      }
    });

    test('an ed25519 signature verifies for messages of any length', async () => {
      const name = aName({ curve: 'ed25519' });
      const { keyId, publicKey } = await custody.ensureKey(subject.store, name);
      expect(publicKey).toHaveLength(32);
      const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
      const verifyingKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
      for (const length of [0, 1, 32, 1_232]) {
        const bytes = randomBytes(length);
        const signature = await custody.sign(subject.store, use(name, keyId, bytes));
        expect(signature).toHaveLength(64);
        expect(verify(null, bytes, verifyingKey, signature)).toBe(true);
        expect(verify(null, Buffer.concat([bytes, Buffer.of(1)]), verifyingKey, signature)).toBe(
          false,
        );
      }
    });

    test('a key made by one process signs in another', async () => {
      const name = aName();
      const { keyId, publicKey } = await custody.ensureKey(subject.store, name);
      const digest = randomBytes(32);
      const signature = await subject.startProvider().sign(subject.store, use(name, keyId, digest));
      expect(
        secp256k1.verify(signature.subarray(0, 64), digest, publicKey, { prehash: false }),
      ).toBe(true);
    });

    test('200 signatures at once with a key that nobody has used yet are all good', async () => {
      const name = aName();
      const { keyId, publicKey } = await subject.startProvider().ensureKey(subject.store, name);
      const fresh = subject.startProvider();
      const digests = Array.from({ length: 200 }, () => randomBytes(32));
      const signatures = await Promise.all(
        digests.map((bytes) => fresh.sign(subject.store, use(name, keyId, bytes))),
      );
      expect(
        signatures.every((signature, index) =>
          secp256k1.verify(signature.subarray(0, 64), digests[index]!, publicKey, {
            prehash: false,
          }),
        ),
      ).toBe(true);
    });

    test('an answer is the caller’s own: changing it changes no key', async () => {
      const input = aName();
      const first = await custody.ensureKey(subject.store, input);
      const copy = Buffer.from(first.publicKey);
      first.publicKey.fill(0);
      expect(
        Buffer.from((await custody.ensureKey(subject.store, input)).publicKey).equals(copy),
      ).toBe(true);
    });

    test('a key signs for its project and its purpose only, also once it was opened for them', async () => {
      const name = aName({ purpose: 'email-abc' });
      const { keyId } = await custody.ensureKey(subject.store, name);
      const others = [
        { ...name, projectId: randomUUID() },
        { ...name, purpose: 'api-key' },
        { ...name, purpose: 'email-abd' },
      ];
      for (const provider of [custody, subject.startProvider()])
        for (const other of others)
          await expect(provider.sign(subject.store, use(other, keyId))).rejects.toThrow(
            'does not sign for',
          );
      await expect(custody.sign(subject.store, use(name, keyId))).resolves.toHaveLength(65);
    });

    test('a key of a wallet signs for that wallet only, and is not the key of the project or of another wallet', async () => {
      const name = aName({ purpose: 'treasury', walletId: randomUUID() });
      const other = { ...name, walletId: randomUUID() };
      const whole = aName({ projectId: name.projectId, purpose: 'treasury' });
      const [key, second, third] = await Promise.all(
        [name, other, whole].map((one) => custody.ensureKey(subject.store, one)),
      );
      expect(new Set([key!.keyId, second!.keyId, third!.keyId]).size).toBe(3);
      for (const provider of [custody, subject.startProvider()]) {
        await expect(provider.sign(subject.store, use(other, key!.keyId))).rejects.toThrow(
          'does not sign for',
        );
        await expect(provider.sign(subject.store, use(name, key!.keyId))).resolves.toHaveLength(65);
      }
    });

    test('refuses what it cannot sign and keys that it does not have', async () => {
      const name = aName();
      const { keyId } = await custody.ensureKey(subject.store, name);
      for (const length of [0, 31, 33, 64])
        await expect(
          custody.sign(subject.store, use(name, keyId, randomBytes(length))),
        ).rejects.toThrow('32 bytes');
      await expect(custody.sign(subject.store, use(name, randomUUID()))).rejects.toThrow(
        'no custody key',
      );
      await expect(custody.sign(subject.store, use(name, "x' or '1'='1"))).rejects.toThrow(
        'Not the id',
      );
      for (const purpose of ['', 'API', 'a b', 'a'.repeat(33)])
        await expect(custody.ensureKey(subject.store, aName({ purpose }))).rejects.toThrow(
          'Not a purpose',
        );
    });
  });
}
