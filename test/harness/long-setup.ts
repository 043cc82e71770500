import { setup as startShared } from './global-setup.ts';
import { shareOf } from './long-share.ts';

/** The parts of a long run, and which of them this one is, said at its start. */
export async function setup(): Promise<() => Promise<void>> {
  const { part, parts } = shareOf();
  // The workers of a run that goes on beyond midnight play one and the same.
  process.env.TEST_SHARE = `${part}/${parts}`;
  console.log(`Random inputs: part ${part} of ${parts} (again with TEST_SHARE=${part}/${parts})`);
  return startShared();
}
