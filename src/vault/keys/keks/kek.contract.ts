import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataKeyBytes, KekError, type KekProvider } from '../kek.ts';

export interface KekSubject {
  readonly kek: KekProvider;
  /** The same provider with another key. */
  readonly stranger: KekProvider;
  close?(): Promise<void>;
}

const context = {
  purpose: 'user-key',
  projectId: '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001',
  id: '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a002',
};

/** What every key-encryption key owes. */
export function testKek(name: string, start: () => Promise<KekSubject>): void {
  describe(`key-encryption key: ${name}`, () => {
    let subject: KekSubject;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close?.());

    it('unwraps what it wrapped', async () => {
      const key = randomBytes(dataKeyBytes);
      const wrapped = await subject.kek.wrap(key, context);
      expect(wrapped.includes(key)).toBe(false);
      expect((await subject.kek.unwrap(wrapped, context)).equals(key)).toBe(true);
    });

    it('wraps the same key differently each time', async () => {
      const key = randomBytes(dataKeyBytes);
      const [one, two] = [
        await subject.kek.wrap(key, context),
        await subject.kek.wrap(key, context),
      ];
      expect(one.equals(two)).toBe(false);
    });

    it.each([
      ['another project', { ...context, projectId: '-' }],
      ['another key', { ...context, id: 'other' }],
      ['another purpose', { ...context, purpose: 'vault-lookup' }],
      [
        'parts that run together',
        { ...context, projectId: `${context.projectId}${context.id}`, id: '' },
      ],
    ])('does not unwrap for %s', async (_what, other) => {
      const wrapped = await subject.kek.wrap(randomBytes(dataKeyBytes), context);
      await expect(subject.kek.unwrap(wrapped, other)).rejects.toMatchObject({
        name: 'KekError',
        reason: 'not-authentic',
      });
    });

    it('does not unwrap what was changed, cut off, or wrapped by another key', async () => {
      const wrapped = await subject.kek.wrap(randomBytes(dataKeyBytes), context);
      const changed = Buffer.from(wrapped);
      // A letter of a text stays a letter: base64 forms are changed too, not broken.
      changed[changed.length - 6] = changed[changed.length - 6] === 65 ? 66 : 65;
      const foreign = await subject.stranger.wrap(randomBytes(dataKeyBytes), context);
      for (const wrong of [changed, wrapped.subarray(0, 8), Buffer.alloc(0), foreign])
        await expect(subject.kek.unwrap(wrong, context)).rejects.toBeInstanceOf(KekError);
    });

    it('serves many at once', async () => {
      const keys = Array.from({ length: 20 }, () => randomBytes(dataKeyBytes));
      const opened = await Promise.all(
        keys.map(async (key) => subject.kek.unwrap(await subject.kek.wrap(key, context), context)),
      );
      expect(opened.every((key, index) => key.equals(keys[index]!))).toBe(true);
    });
  });
}
