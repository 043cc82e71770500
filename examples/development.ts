// What the examples share: the service that `npm start` runs here, and a client of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPurser } from '@purser/sdk';

/** What `npm start` leaves in `var/dev.json`. */
export interface DevelopmentService {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly projectId: string;
  readonly serverKey: string;
}

/**
 * Reads it from `--data <folder>`, else from where `purser` looks; ends the program with one
 * sentence when it is not there.
 */
export function readDevelopmentService(): DevelopmentService {
  const dataDir = readDataDir();
  const path = join(dataDir, 'dev.json');
  try {
    return {
      ...(JSON.parse(readFileSync(path, 'utf8')) as Omit<DevelopmentService, 'dataDir'>),
      dataDir,
    };
  } catch {
    return fail(
      `${path} cannot be read: start the service with \`npm start\` in another terminal, then run this again. If it has another data folder, name that with --data.`,
    );
  }
}

function readDataDir(): string {
  try {
    const { values } = parseArgs({
      options: { data: { type: 'string' }, port: { type: 'string' } },
    });
    const known = process.env.PURSER_DATA_DIR || fileURLToPath(new URL('../var', import.meta.url));
    return values.data ?? known;
  } catch (error) {
    return fail(
      `${(error as Error).message.replace(/\.?$/, '.')} It takes --data <folder of npm start>.`,
    );
  }
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/** A client with the server key of the development project. */
export function createDevelopmentClient({ baseUrl, serverKey }: DevelopmentService) {
  return createPurser({ baseUrl, apiKey: serverKey });
}

let step = 0;

/** Prints a numbered step. */
export function say(text: string): void {
  step += 1;
  console.log(`\n${step}. ${text}`);
}
