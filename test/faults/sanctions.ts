import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A sanctions list that people get onto, and off again, in the middle of their orders. */
export interface Sanctions {
  readonly file: string;
  add(address: string): void;
  remove(address: string): void;
}

/** A list must have somebody. */
const somebody = '0xbadbadbadbadbadbadbadbadbadbadbadbadbad1';

export function createSanctions(folder: string): Sanctions {
  const file = join(folder, 'sanctions.txt');
  const listed = new Set([somebody]);
  let nr = 0;
  const write = () => {
    writeFileSync(`${file}.new`, `${[...listed].join('\n')}\n`);
    // Two lists of one moment and one size would look the same.
    nr += 1;
    utimesSync(`${file}.new`, nr, nr);
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    file,
    add(address) {
      listed.add(address.toLowerCase());
      write();
    },
    remove(address) {
      listed.delete(address.toLowerCase());
      write();
    },
  };
}
