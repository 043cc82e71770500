import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MutantCompiler } from './compiler.ts';

type Build = typeof import('../stellar/build.ts');

/**
 * Compiles the Stellar contracts with one changed source, as their build does: both, since the
 * factory holds the hash of the wallet.
 * @param root of a copy, whose .wasm files are written
 */
export function createAssemblyScriptCompiler(root: string): MutantCompiler {
  const folder = join(root, 'contracts', 'stellar');
  const build = import(pathToFileURL(join(folder, 'build.ts')).href) as Promise<Build>;
  const original = {
    wallet: readFileSync(join(folder, 'wallet.wasm')),
    factory: readFileSync(join(folder, 'factory.wasm')),
  };
  const names = ['wallet', 'factory'] as const;
  return {
    async compile(file, source) {
      const path = join(folder, 'source', file);
      const before = readFileSync(path);
      writeFileSync(path, source);
      try {
        const { buildContracts, wasmPaths } = await build;
        const built = await buildContracts();
        for (const name of names) writeFileSync(wasmPaths[name], built[name]);
        const changed = names.filter((name) => !original[name].equals(built[name]));
        return {
          changed: changed.map(
            (name) => [name, Buffer.from(built[name]).toString('base64')] as const,
          ),
        };
      } catch (error) {
        if (error instanceof Error && error.message.includes('does not compile')) return {};
        throw error;
      } finally {
        writeFileSync(path, before);
      }
    },
    close: () => undefined,
  };
}
