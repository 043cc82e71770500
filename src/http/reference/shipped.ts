import { readFileSync } from 'node:fs';
import { findShipped } from '../../config/folders.ts';

/** A text of the project by its path; undefined where it was not shipped. */
export function readShipped(path: string): string | undefined {
  const found = findShipped(path);
  return found === undefined ? undefined : readFileSync(found, 'utf8');
}

export function packageVersion(): string {
  return (
    (JSON.parse(readShipped('package.json') ?? '{}') as { version?: string }).version ?? '0.0.0'
  );
}
