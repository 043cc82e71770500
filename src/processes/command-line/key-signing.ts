import { loadKeySigningPublicKey } from '../../config/load-config.ts';
import { parseCommand } from '../../lib/command.ts';
import type { CommandCall } from './command.ts';
import { findTarget } from './place.ts';

/**
 * The key that API keys are checked with: of the seed in the environment, else of the instance.
 * Needs no database.
 */
export async function printKeySigningKey({
  argv,
  env,
  dataDir,
  print,
}: CommandCall): Promise<void> {
  parseCommand(argv, {});
  const publicKey =
    loadKeySigningPublicKey(env) ?? findTarget(env, dataDir).config.keySigning.publicKey;
  print(Buffer.from(publicKey).toString('base64'));
}
