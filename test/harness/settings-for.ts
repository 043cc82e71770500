import { publicKeyOfSeed } from '../../src/areas/api-keys/index.ts';
import { foreignSecrets, type SecretHolder } from '../../src/config/process-secrets.ts';
import { read32Bytes } from '../../src/config/read-setting.ts';

/**
 * What one process is given of the settings of an instance: no secret of another one, and the
 * public key where keys are not issued.
 */
export function settingsFor(
  process: SecretHolder,
  all: Readonly<Record<string, string>>,
): Record<string, string> {
  const foreign: readonly string[] = foreignSecrets(process);
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !foreign.includes(name)));
  const seed = read32Bytes(all.KEY_SIGNING_SEED ?? '');
  if (!seed || own.KEY_SIGNING_SEED !== undefined) return own;
  return {
    ...own,
    KEY_SIGNING_PUBLIC_KEY:
      own.KEY_SIGNING_PUBLIC_KEY || Buffer.from(publicKeyOfSeed(seed)).toString('base64'),
  };
}
