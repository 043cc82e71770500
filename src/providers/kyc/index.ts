import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { Store } from '../../store/types.ts';
import type { KycProvider } from './kyc.ts';
import { createPersonaKyc } from './persona.ts';
import { createSandboxKyc } from './sandbox.ts';

/** Path of the sandbox's page below the base path. */
export const sandboxPagePath = '/sandbox/identity';
/** Path of the page that stands for the privacy policy where none is configured. */
export const sandboxPolicyPath = '/sandbox/privacy-policy';

/** The identity company that the configuration names; undefined when there is none. */
export function createKyc(
  config: Pick<Config, 'identity' | 'api'>,
  deps: { readonly store: Store; readonly clock: Clock; readonly ids: Ids },
): KycProvider | undefined {
  const { kyc } = config.identity;
  switch (kyc.kind) {
    case 'off':
      return undefined;
    case 'sandbox':
      return createSandboxKyc({ ...deps, pageUrl: `${config.api.baseUrl}${sandboxPagePath}` });
    case 'persona':
      return createPersonaKyc(kyc);
  }
}
