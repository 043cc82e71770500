import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readListFile } from './read-list.ts';
import { sdnXml } from './sdn-kit.ts';
import { createXmlScanner } from './xml-scanner.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-lists-'));
afterAll(() => rmSync(folder, { recursive: true }));

const writtenAt = new Date('2026-01-10T00:00:00.000Z');
function read(content: string | Buffer, name = 'list') {
  const path = join(folder, name);
  writeFileSync(path, content);
  return readListFile(path, { writtenAt });
}
const entriesOf = async (content: string | Buffer) =>
  Object.fromEntries((await read(content)).entries);

const eth = '0x7F367cC41522cE07553e823bf3be79A889DEbe1B';
const btc = '12t9YDPgwueZ9NyMgw519p7AA8isjr6SMw';

describe('sdn_advanced.xml', () => {
  test('gives each digital-currency address with its party and asset, and nothing else', async () => {
    const xml = sdnXml([
      { asset: 'ETH', address: eth },
      { asset: 'XBT', address: btc, party: '77' },
      { asset: 'USDT', address: eth.toUpperCase().replace('0X', '0x'), party: '78' },
    ]);
    const list = await read(xml, 'sdn_advanced.xml');
    expect(list).toMatchObject({ list: 'sdn_advanced.xml', version: '2026-01-09' });
    expect(list.digest).toBe(createHash('sha256').update(xml).digest('hex'));
    expect(Object.fromEntries(list.entries)).toEqual({
      [eth.toLowerCase()]: 'SDN 25308 (ETH)',
      [btc]: 'SDN 77 (XBT)',
    });
  });

  test('is read the same in pieces of any size, between any two characters', async () => {
    const xml = sdnXml([{ asset: 'ETH', address: eth }]);
    const seen = (pieces: readonly string[]) => {
      const events: string[] = [];
      const scanner = createXmlScanner({
        onOpen: ({ name, depth, attributes }) =>
          void events.push(
            `<${name} ${depth} ${attributes('FixedRef')} ${attributes('FeatureTypeID')}`,
          ),
        onClose: (name, path, text) => void events.push(`>${name} ${path.join('/')} ${text}`),
        wantsText: () => true,
      });
      for (const piece of pieces) scanner.take(piece);
      scanner.finish();
      return events;
    };
    const whole = seen([xml]);
    expect(whole.join('\n')).toContain("O'Neil <x> 0x9999");
    expect(seen([...xml])).toEqual(whole);
    for (const size of [2, 3, 7, 64])
      expect(seen(xml.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g'))!)).toEqual(whole);
  });

  test('namespaces with prefixes and CDATA are read too', async () => {
    const xml = sdnXml([{ asset: 'ETH', address: `<![CDATA[${eth}]]>` }])
      .replaceAll(/<(\/?)([A-Z])/g, '<$1s:$2')
      .replace('xmlns=', 'xmlns:s=');
    expect(await entriesOf(xml)).toEqual({ [eth.toLowerCase()]: 'SDN 25308 (ETH)' });
  });

  test('a large one is read with little memory', { tags: 'slow' }, async () => {
    const many = Array.from({ length: 20_000 }, () => ({
      asset: 'ETH',
      address: `0x${randomBytes(20).toString('hex')}`,
    }));
    const list = await read(sdnXml(many));
    expect(list.entries.size).toBe(20_000);
  });

  const good = sdnXml([{ asset: 'ETH', address: eth }]);
  test.each<[string, string, RegExp]>([
    ['is cut off', good.slice(0, -20), /cut off/],
    ['is cut off in the middle', good.slice(0, good.indexOf('</VersionDetail>')), /cut off/],
    ['is a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', /document type/],
    [
      'is a page without a type',
      '<html><body>Too many requests</body></html>',
      /begins with <html>/,
    ],
    [
      'defines entities',
      `<!DOCTYPE s [<!ENTITY a "b">]>${good.slice(good.indexOf('<Sanctions'))}`,
      /document type/,
    ],
    ['uses an entity of its own', good.replace('O&#39;Neil', '&lol;'), /unknown entity "lol"/],
    [
      'names no address type',
      good.replaceAll('Digital Currency Address', 'Wallet'),
      /names no feature type/,
    ],
    ['has no address', good.replaceAll('VersionDetail', 'Detail'), /has no address/],
    [
      'is not well formed',
      good.replace('</Profile>', '</Profil>'),
      /closes <Profil> where <Profile> is open/,
    ],
    ['has a second root', `${good}<Sanctions/>`, /two root elements/],
    ['has text behind its root', `${good}<!-- fine -->\noops`, /text outside/],
    ['is nested without end', `<Sanctions>${'<a>'.repeat(100)}`, /nested deeper/],
    [
      'has a tag without end',
      `<Sanctions><Feature ID="${'x'.repeat(100_000)}`,
      /longer than 65536/,
    ],
    ['has a text without end', good.replace(eth, 'x'.repeat(5_000)), /longer than 2000/],
  ])('one that %s is refused', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });
});

describe('a list with an address per line', () => {
  test('takes addresses of any chain, comments, empty lines and both line ends', async () => {
    const list = await read(
      `# sanctioned\n\n${eth}\r\n  ${btc}\nbitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a`,
    );
    expect(Object.fromEntries(list.entries)).toEqual({
      [eth.toLowerCase()]: 'line 3',
      [btc]: 'line 4',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a': 'line 5',
    });
    expect(list.version).toBe(writtenAt.toISOString());
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['is empty', '', /empty/],
    ['has only comments', '# nothing\n\n', /no address/],
    ['is prose', 'The service is temporarily unavailable.', /Line 1: .* is no address/],
    ['has two addresses on a line', `${eth} ${btc}`, /Line 1/],
    ['has a line without end', 'x'.repeat(100_000), /longer than 1000/],
    ['is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]), /no UTF-8/],
    [
      'is an archive',
      Buffer.concat([Buffer.from('PK'), randomBytes(100_000)]),
      /no UTF-8|no address|longer than/,
    ],
  ])('one that %s is refused', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });
});

describe('a JSON list', () => {
  test.each([
    [JSON.stringify([eth, btc]), { [eth.toLowerCase()]: 'item 1', [btc]: 'item 2' }],
    [
      JSON.stringify({ version: '7', addresses: [{ address: eth, entry: 'EU-12' }, btc] }),
      { [eth.toLowerCase()]: 'EU-12', [btc]: 'item 2' },
    ],
  ])('%s is read', async (content, entries) => {
    expect(await entriesOf(content)).toEqual(entries);
  });

  test('its version is the list’s own', async () => {
    expect((await read(JSON.stringify({ version: '2026-01', addresses: [eth] }))).version).toBe(
      '2026-01',
    );
  });

  test.each<[string, string, RegExp]>([
    ['cut off', `["${eth}"`, /cut off/],
    ['an error', '{"error":"quota"}', /the array "addresses"/],
    ['empty', '[]', /no address/],
    ['of numbers', '[1,2]', /Item 1/],
    ['of names', '["Ada Lovelace"]', /Item 1: "Ada Lovelace" is no address/],
  ])('one that is %s is refused', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });
});
