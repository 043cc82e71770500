import { chmodSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { createManualClock } from '../../lib/clock.ts';
import { createFileScreening, type FileScreeningOptions } from './files.ts';
import { testScreening } from './screening.contract.ts';
import { sdnXml } from './sdn-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-screening-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const aPath = (name = 'list.txt') => {
  files++;
  return join(mkdtempSync(join(folder, `${files}-`)), name);
};
const first = '0x00000000000000000000000000000000000000a1';
const second = '0x00000000000000000000000000000000000000a2';

function open(paths: readonly string[], over: Partial<FileScreeningOptions> = {}) {
  const clock = createManualClock();
  const logged: { level: string; list?: string; msg: string }[] = [];
  const log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[number]) },
  );
  const screening = createFileScreening({ paths, clock, log, settleMs: 0, ...over });
  const isBlocked = async (address: string) =>
    (await screening.screen({ addresses: [address], chain: 'base' })).status === 'blocked';
  /** As much later as it takes until somebody looks at the files again. */
  const later = async () => {
    clock.advance(5_000);
    await screening.screen({ addresses: [], chain: 'base' }).catch(() => undefined);
    await screening.refresh();
  };
  return {
    screening,
    clock,
    logged,
    isBlocked,
    later,
    alarms: () => logged.filter(({ level }) => level === 'error'),
  };
}

testScreening('files', async () => {
  const path = aPath('sdn_advanced.xml');
  writeFileSync(
    path,
    sdnXml([{ asset: 'ETH', address: '0x7F367cC41522cE07553e823bf3be79A889DEbe1B' }]),
  );
  return {
    screening: open([path]).screening,
    listed: '0x7F367cC41522cE07553e823bf3be79A889DEbe1B',
    broken: { screening: open([aPath()]).screening, address: first },
  };
});

describe('a file that changes', () => {
  test('is read again within five seconds, and decisions name the new version', async () => {
    const path = aPath();
    writeFileSync(path, first);
    const { screening, isBlocked, later } = open([path]);
    expect(await isBlocked(second)).toBe(false);
    const before = (await screening.screen({ addresses: [], chain: 'base' })).lists;
    writeFileSync(`${path}.new`, `${first}\n${second}\n`);
    renameSync(`${path}.new`, path);
    expect(await isBlocked(second)).toBe(false);
    await later();
    expect(await isBlocked(second)).toBe(true);
    const after = (await screening.screen({ addresses: [], chain: 'base' })).lists;
    expect(after[0]!.digest).not.toBe(before[0]!.digest);
  });

  test('that did not change is not read again', async () => {
    const path = aPath();
    writeFileSync(path, first);
    const { logged, later } = open([path]);
    for (let round = 0; round < 5; round++) await later();
    expect(logged.filter(({ msg }) => msg.includes('in use'))).toHaveLength(1);
  });

  test('and is still being written is left alone until it is quiet', async () => {
    const path = aPath();
    writeFileSync(path, first);
    const { isBlocked, later } = open([path], { settleMs: 60_000 });
    expect(await isBlocked(first)).toBe(true);
    writeFileSync(path, second);
    await later();
    expect(await isBlocked(second)).toBe(false);
    utimesSync(path, new Date(), new Date(Date.now() - 61_000));
    await later();
    expect(await isBlocked(second)).toBe(true);
  });

  test('and has a time in the future is read all the same', async () => {
    const path = aPath();
    writeFileSync(path, first);
    const { isBlocked, later } = open([path], { settleMs: 60_000 });
    expect(await isBlocked(first)).toBe(true);
    writeFileSync(path, second);
    utimesSync(path, new Date(), new Date(Date.now() + 86_400_000));
    await later();
    expect(await isBlocked(second)).toBe(true);
  });

  test('100 callers at once wait for one reading', async () => {
    const path = aPath();
    writeFileSync(path, first);
    const { logged, isBlocked } = open([path]);
    expect(new Set(await Promise.all(Array.from({ length: 100 }, () => isBlocked(first))))).toEqual(
      new Set([true]),
    );
    expect(logged).toHaveLength(1);
  });
});

test('whoever watches the lists has them read, also when nobody pays out', async () => {
  const path = aPath();
  writeFileSync(path, first);
  const { screening, clock } = open([path]);
  await screening.refresh();
  writeFileSync(path, `${first}\n${second}\n`);
  clock.advance(5_000);
  screening.status();
  await expect.poll(() => screening.status()).toMatchObject([{ entryCount: 2 }]);
});

describe('a file that breaks', () => {
  test.each([
    [
      'becomes nonsense',
      (path: string) => writeFileSync(path, 'Service temporarily unavailable'),
      'is no address',
    ],
    ['becomes empty', (path: string) => writeFileSync(path, ''), 'empty'],
    ['disappears', (path: string) => rmSync(path), 'missing'],
  ])(
    '(it %s) leaves the last good list in use and raises one alarm until it is mended',
    async (_, breakIt, reason) => {
      const path = aPath();
      writeFileSync(path, first);
      const { screening, isBlocked, later, alarms } = open([path]);
      expect(await isBlocked(first)).toBe(true);
      breakIt(path);
      for (let round = 0; round < 3; round++) await later();
      expect(await isBlocked(first)).toBe(true);
      expect(await isBlocked(second)).toBe(false);
      expect(alarms()).toHaveLength(1);
      expect(screening.status()).toMatchObject([
        { entryCount: 1, alarm: expect.stringContaining(reason) },
      ]);
      writeFileSync(path, `${first}\n${second}\n`);
      await later();
      expect(await isBlocked(second)).toBe(true);
      expect(screening.status()[0]!.alarm).toBeUndefined();
    },
  );

  test('a list that was never good answers nothing, whatever the other lists say', async () => {
    const [good, bad] = [aPath(), aPath('eu.json')];
    writeFileSync(good, first);
    writeFileSync(bad, '{"error": "quota"}');
    const { screening, isBlocked, later, alarms } = open([good, bad]);
    await expect(isBlocked(second)).rejects.toThrow('eu.json is not there');
    expect(alarms()).toMatchObject([{ list: 'eu.json' }]);
    writeFileSync(bad, JSON.stringify([second]));
    await later();
    expect(await isBlocked(second)).toBe(true);
    expect(screening.status().map(({ list, entryCount }) => [list, entryCount])).toEqual([
      ['list.txt', 1],
      ['eu.json', 1],
    ]);
  });

  test('a clock that was turned back does not keep an old list', async () => {
    const path = aPath();
    writeFileSync(path, first);
    const { clock, isBlocked } = open([path]);
    expect(await isBlocked(first)).toBe(true);
    clock.advance(-86_400_000);
    writeFileSync(path, `${first}\n${second}`);
    expect(await isBlocked(second)).toBe(true);
  });

  test('no alarm names a folder of the machine', async () => {
    const path = aPath();
    writeFileSync(path, first);
    chmodSync(path, 0o600);
    const { screening, later } = open([path, aPath('gone.txt')]);
    await later();
    expect(JSON.stringify(screening.status())).not.toContain(folder);
  });
});
