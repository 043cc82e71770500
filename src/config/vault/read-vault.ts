import { Secret } from '../../lib/sealing/secret.ts';
import type { VaultLinkConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import { read32Bytes, type SettingReader } from '../read-setting.ts';

const linkNames = ['VAULT_ORIGIN', 'VAULT_PUBLIC_KEY'] as const;
const seedOf = {
  api: 'VAULT_API_SEED',
  worker: 'VAULT_WORKER_SEED',
  purser: 'VAULT_WORKER_SEED',
} as const;

/**
 * How a process of the main side reaches the vault; absent when nothing of it is set. The command
 * line speaks as the worker where it has its seed.
 */
export function readVaultLink(
  reader: SettingReader,
  process: ProcessKind,
): VaultLinkConfig | undefined {
  if (process === 'migrate') return undefined;
  const origin = reader.text('VAULT_ORIGIN');
  const publicKey = reader.text('VAULT_PUBLIC_KEY');
  const seedName = seedOf[process];
  const seed = reader.secret(seedName);
  if (
    origin === undefined &&
    publicKey === undefined &&
    (seed === undefined || process === 'purser')
  )
    return undefined;
  if (process === 'purser' && seed === undefined) return undefined;
  for (const name of linkNames)
    if (reader.text(name) === undefined)
      reader.problems.push(
        `${name} is not set: the vault needs VAULT_ORIGIN, VAULT_PUBLIC_KEY and ${seedName}.`,
      );
  if (seed === undefined)
    reader.problems.push(
      `${seedName} is not set: the vault needs VAULT_ORIGIN, VAULT_PUBLIC_KEY and ${seedName}.`,
    );
  const url = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined;
  if (
    origin !== undefined &&
    (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
  )
    reader.problems.push(
      'VAULT_ORIGIN is an http or https address without a path, as in http://vault:3001.',
    );
  const [seedBytes, keyBytes] = [
    seed === undefined ? undefined : read32Bytes(seed),
    publicKey === undefined ? undefined : read32Bytes(publicKey),
  ];
  if (seed !== undefined && !seedBytes)
    reader.problems.push(`${seedName} is 32 random bytes as hex or base64.`);
  if (publicKey !== undefined && !keyBytes)
    reader.problems.push('VAULT_PUBLIC_KEY is 32 bytes as hex or base64.');
  if (!url || !seedBytes || !keyBytes) return undefined;
  const publicUrl = reader.text('VAULT_URL');
  if (publicUrl !== undefined && !/^https?:\/\/[^\s?#]+\/api$/.test(publicUrl))
    reader.problems.push('VAULT_URL is an http or https address that ends in /api.');
  return {
    origin: url.origin,
    ...(publicUrl !== undefined && { publicUrl }),
    peer: process === 'api' ? 'api' : 'worker',
    seed: new Secret(seedBytes),
    vaultPublicKey: keyBytes,
  };
}
