import type { KekConfig } from '../../../config/vault/vault-config.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Kek, KekProvider } from '../kek.ts';
import { createAwsKek } from './aws-kms.ts';
import { createFileKek } from './file.ts';
import { createGcpKek } from './gcp-kms.ts';
import { createOpenBaoKek } from './openbao.ts';

/** The key-encryption keys of a configuration, in its order. */
export function createKeks(configs: readonly KekConfig[], ctx: { readonly clock: Clock }): Kek[] {
  return configs.map((config) => ({ id: config.id, provider: createProvider(config, ctx) }));
}

function createProvider(config: KekConfig, ctx: { readonly clock: Clock }): KekProvider {
  switch (config.kind) {
    case 'file':
      return createFileKek(config.key);
    case 'aws-kms':
      return createAwsKek(config);
    case 'gcp-kms':
      return createGcpKek(config, ctx);
    case 'openbao':
      return createOpenBaoKek(config);
  }
}
