import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from './scratch.ts';

export interface TypeCheck {
  /**
   * @param changed texts by path, one for each file
   * @returns the paths in which the compiler finds something wrong
   */
  refuses(changed: readonly (readonly [path: string, text: string])[]): ReadonlySet<string>;
}

/**
 * The compiler on production's sources of a scratch copy; what it learnt stays for the next
 * question.
 */
export function createTypeCheck({ folder }: Scratch): TypeCheck {
  const config = { extends: './tsconfig.json', include: ['src'], exclude: ['**/*.test.ts'] };
  writeFileSync(join(folder, 'tsconfig.mutants.json'), JSON.stringify(config));
  const args = [
    '--noEmit',
    '--pretty',
    'false',
    '-p',
    'tsconfig.mutants.json',
    '--incremental',
    '--tsBuildInfoFile',
    'mutants.tsbuildinfo',
  ];
  return {
    refuses(changed) {
      const originals = changed.map(([path]) => [path, readFileSync(join(folder, path))] as const);
      for (const [path, text] of changed) writeFileSync(join(folder, path), text);
      try {
        const { stdout, error } = spawnSync(join(folder, 'node_modules', '.bin', 'tsc'), args, {
          cwd: folder,
          encoding: 'utf8',
          timeout: 600_000,
        });
        if (error) throw error;
        return new Set(
          [...stdout.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error /gm)].map(([, path]) =>
            path!.replaceAll('\\', '/'),
          ),
        );
      } finally {
        for (const [path, text] of originals) writeFileSync(join(folder, path), text);
      }
    },
  };
}
