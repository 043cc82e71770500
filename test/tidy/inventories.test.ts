import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { families } from '../../src/chains/families.ts';
import { processSecrets } from '../../src/config/process-secrets.ts';
import { type Setting, settings } from '../../src/config/settings.ts';
import { tableRights } from '../../src/store/grants.ts';
import { vaultTableRights } from '../../src/vault/grants.ts';
import { root } from './source-files.ts';

/** Rows of the tables below a heading of a guide, as their cells. */
function rowsBelow(guide: string, heading: string): string[][] {
  const text = readFileSync(join(root, 'docs/guides', guide), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  return (section ?? '')
    .split('\n')
    .flatMap((line) => (/^\| (?!---)/.test(line) ? [line.slice(2, -2).split(' | ')] : []));
}
const wordsOf = (cell: string | undefined) =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
/**
 * What stands between backquotes in a column, in the order of the alphabet, each as often as it
 * stands there.
 */
const named = (guide: string, heading: string, column = 0) =>
  rowsBelow(guide, heading)
    .flatMap((cells) => wordsOf(cells[column]))
    .toSorted();

describe('docs/guides/data.md', () => {
  // That the rights name every table which the migrations make, and no other, is what
  // src/{store,vault}/grants.test.ts check.
  it.each([
    ['The main database', tableRights],
    ['The vault’s database', vaultTableRights],
  ])('names every table of both databases once, and no other: %s', (heading, rights) => {
    expect(named('data.md', heading.replace('’', "'"), 1)).toEqual(Object.keys(rights).toSorted());
  });

  it('gives each row a class that is explained, and says how long it is kept and what protects it', () => {
    const classes = rowsBelow('data.md', 'Classes').flatMap(
      ([name]) => /^\*\*(\w+)\*\*$/.exec(name!)?.[1] ?? [],
    );
    const rows = [
      ...rowsBelow('data.md', 'The main database'),
      ...rowsBelow('data.md', "The vault's database"),
    ];
    const unclear = rows.filter(
      ([kind, , kept, rest]) => kind !== 'class' && !(classes.includes(kind!) && kept && rest),
    );
    expect(unclear).toEqual([]);
  });
});

describe('docs/guides/written-tables.md', () => {
  it('says of every table what stands against whoever writes it', () => {
    const text = readFileSync(join(root, 'docs/guides/written-tables.md'), 'utf8');
    const rows = text
      .split('\n')
      .flatMap((line) => (/^\| (?!tables)/.test(line) ? [line.slice(2, -2).split(' | ')] : []));
    expect(rows.flatMap(([tables]) => wordsOf(tables)).toSorted()).toEqual(
      Object.keys(tableRights).toSorted(),
    );
    const unclear = rows.filter(
      ([, wants, against]) =>
        !wants || !/\[test\]\(|^harmless: \w|^remains: \w/.test(against ?? ''),
    );
    expect(unclear).toEqual([]);
  });
});

describe('docs/guides/chain-families.md', () => {
  const served = families.filter(({ walletTypes }) => walletTypes.length > 0);

  it('names every body of create wallet, and the first paragraph of the README every family', () => {
    const rows = rowsBelow('chain-families.md', 'Bodies of create wallet').slice(1);
    const named = rows.map(([family, types]) => [family, wordsOf(types)]);
    expect(named.toSorted()).toEqual(
      served.map(({ name, walletTypes }) => [name, [...walletTypes]]).toSorted(),
    );
    const [, first] = readFileSync(join(root, 'README.md'), 'utf8').split(/\n\n/);
    for (const { name } of served) expect(first).toContain(name);
  });

  it('shows of every family the sections that speak of all of them', () => {
    const rows = rowsBelow('chain-families.md', 'Rows of the supplement').slice(1);
    const shown = (section: string) =>
      rows.filter(([of]) => of === section).flatMap(([, , names]) => names!.split(', '));
    for (const section of ['1', '3', '4', '5', '6', '7', '8', '9', '10', '12', '13', '19'])
      for (const { name } of served)
        expect([section, shown(section)]).toEqual([section, expect.arrayContaining([name])]);
    expect(
      rows.filter(([, , , tests]) => !tests?.startsWith('[test](')).map(([, what]) => what),
    ).toEqual([]);
  });
});

describe('docs/guides/keys.md', () => {
  it('names every secret setting once, and no other', () => {
    const secrets = settings.flatMap((setting: Setting) => (setting.secret ? [setting.name] : []));
    expect(named('keys.md', 'Secrets of the settings')).toEqual(secrets.toSorted());
  });

  it('says of each in which processes it lives', () => {
    for (const [name, , owners] of rowsBelow('keys.md', 'Secrets of the settings').slice(1))
      for (const secret of wordsOf(name)) {
        const holders = Object.entries(processSecrets).flatMap(([holder, list]) =>
          (list as readonly string[]).includes(secret) ? [holder] : [],
        );
        expect(owners!.split(', ').toSorted(), secret).toEqual(holders.toSorted());
      }
  });

  it('names every setting that says where something is sent', () => {
    const destinations = settings
      .map(({ name }) => name)
      .filter((name) => /_(URL|ORIGIN|HOST)(_\*)?$/.test(name) && !listening.includes(name));
    expect(named('keys.md', 'Where the processes connect to')).toEqual(destinations.toSorted());
  });
});

/**
 * Where a process listens, how callers reach it, and links that people are shown: nothing is sent
 * there.
 */
const listening = [
  'BASE_URL',
  'CONSOLE_URL',
  'VAULT_URL',
  'METRICS_HOST',
  'VAULT_HOST',
  'RUNNER_DOOR_HOST',
  'RUNNER_LIVE_HOST',
].concat(['CHECKOUT_PAGE_URL', 'PRIVACY_POLICY_URL', 'PERSONA_HOSTED_URL']);
