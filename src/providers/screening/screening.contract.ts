import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScreeningError, type ScreeningProvider, screenedAddressesMax } from './screening.ts';

export interface ScreeningUnderTest {
  readonly screening: ScreeningProvider;
  /** A listed address, hexadecimal. */
  readonly listed: string;
  /** A provider that can say nothing at the moment about this address. */
  readonly broken: { readonly screening: ScreeningProvider; readonly address: string };
  close?(): Promise<void>;
}

const clean = '0x1111111111111111111111111111111111111111';

/** What every provider of sanctions lists owes. */
export function testScreening(name: string, start: () => Promise<ScreeningUnderTest>): void {
  describe(`screening: ${name}`, () => {
    let subject: ScreeningUnderTest;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject?.close?.());
    const screen = (addresses: readonly string[], chain = 'base-sepolia') =>
      subject.screening.screen({ addresses, chain });

    test('an address that is not listed is clear, with the versions of what it was compared with', async () => {
      const result = await screen([clean]);
      expect(result.status).toBe('clear');
      expect(result.lists.length).toBeGreaterThan(0);
      for (const { list, version, digest } of result.lists) {
        expect(list).toMatch(/./);
        expect(version).toMatch(/./);
        expect(digest).toMatch(/^[0-9a-f]{64}$/);
      }
    });

    test('a listed address is blocked, and it is said by which list and entry', async () => {
      const result = await screen([subject.listed]);
      expect(result).toMatchObject({
        status: 'blocked',
        hit: { address: subject.listed, entry: expect.stringMatching(/./) },
      });
      if (result.status !== 'blocked') throw new Error('not blocked');
      const { list, listVersion, digest } = result.hit;
      expect(result.lists).toContainEqual({ list, version: listVersion, digest });
    });

    test('one listed address among many blocks, wherever it stands', async () => {
      const many = Array.from(
        { length: screenedAddressesMax - 1 },
        (_, at) => `0x${(at + 1).toString(16).padStart(40, '1')}`,
      );
      expect((await screen(many)).status).toBe('clear');
      for (const at of [0, 500, many.length])
        expect((await screen(many.toSpliced(at, 0, subject.listed))).status).toBe('blocked');
    });

    test('hexadecimal addresses are compared without case, and answered as they were asked', async () => {
      const upper = `0x${subject.listed.slice(2).toUpperCase()}`;
      expect(await screen([upper])).toMatchObject({ status: 'blocked', hit: { address: upper } });
    });

    test('a listed address is listed on every chain', async () => {
      for (const chain of ['ethereum', 'base', 'polygon'])
        expect((await screen([subject.listed], chain)).status).toBe('blocked');
    });

    test('nothing strange is listed or breaks it', async () => {
      expect(
        (
          await screen([
            '',
            '0x',
            'constructor',
            '__proto__',
            'x'.repeat(10_000),
            `${subject.listed} `,
          ])
        ).status,
      ).toBe('clear');
      expect((await screen([])).status).toBe('clear');
    });

    test('more addresses than its bound are a mistake of the caller', async () => {
      await expect(screen(Array(screenedAddressesMax + 1).fill(clean))).rejects.toThrow(
        '1001 addresses',
      );
    });

    test('100 callers at once get the same answers', async () => {
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, at) => screen([at % 2 === 0 ? clean : subject.listed])),
      );
      expect(results.map(({ status }) => status)).toEqual(
        results.map((_, at) => (at % 2 === 0 ? 'clear' : 'blocked')),
      );
    });

    test('where nothing can be said it is an error, never clear', async () => {
      const { screening, address } = subject.broken;
      await expect(
        screening.screen({ addresses: [address], chain: 'base' }),
      ).rejects.toBeInstanceOf(ScreeningError);
    });

    test('its status names each list with its version and size', () => {
      for (const status of subject.screening.status())
        expect(status).toMatchObject({
          list: expect.any(String),
          version: expect.any(String),
          entryCount: expect.any(Number),
        });
      expect(subject.screening.status().length).toBeGreaterThan(0);
    });
  });
}
