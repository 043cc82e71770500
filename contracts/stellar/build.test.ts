import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Spec } from '@stellar/stellar-sdk/contract';
import { describe, expect, it } from 'vitest';
import { buildContracts, wasmPaths } from './build.ts';
import { readModule } from './testing/web-assembly.ts';

const contracts = ['wallet', 'factory'] as const;
const modules = {
  wallet: readModule(readFileSync(wasmPaths.wallet)),
  factory: readModule(readFileSync(wasmPaths.factory)),
};
const startSection = 8;

describe('the files of the Stellar contracts', () => {
  it('are what their sources compile to, byte for byte', async () => {
    const built = await buildContracts();
    for (const name of contracts) {
      const isSame = Buffer.from(built[name]).equals(modules[name].file);
      expect([name, isSame]).toEqual([name, true]);
    }
  });

  it('name the wallet by its hash in the factory, whose code so says what wallets are', () => {
    const hash = createHash('sha256').update(modules.wallet.file).digest();
    expect(Buffer.from(modules.factory.file).includes(hash)).toBe(true);
  });

  it.each(contracts)(
    'need protocol 23 and are described for the tools of the network: %s',
    (name) => {
      const version = modules[name].customSection('contractenvmetav0');
      expect(Buffer.from(version!).toString('hex')).toBe('000000000000001700000000');
      const described = Spec.fromWasm(modules[name].file).funcs();
      const callable = modules[name].exports.filter(
        (one) => one.kind === 'function' && !one.name.startsWith('_'),
      );
      expect(described.map((one) => one.name.toString()).toSorted()).toEqual(
        callable.map((one) => one.name).toSorted(),
      );
    },
  );

  it('import functions of the host alone, and have nothing that runs before a call', () => {
    for (const name of contracts) {
      const foreign = modules[name].imports.filter(
        ({ module, kind }) => !/^[xivmbclad]$/.test(module) || kind !== 'function',
      );
      expect(foreign).toEqual([]);
      expect(sectionIds(modules[name].file)).not.toContain(startSection);
    }
  });
});

/** Each section is an id, its length in LEB128 and its content. */
function sectionIds(file: Uint8Array): number[] {
  const ids: number[] = [];
  for (let at = 8; at < file.length; ) {
    ids.push(file[at]!);
    let length = 0;
    let shift = 0;
    do {
      at += 1;
      length |= (file[at]! & 127) << shift;
      shift += 7;
    } while (file[at]! & 128);
    at += 1 + length;
  }
  return ids;
}
