import type { Ctx } from '../../context.ts';
import { sandboxPolicyPath } from '../../providers/kyc/index.ts';

/** The type under which people accept it (interface, "User"). */
export const policyType = 'svc-privacy-policy';

/** Where the privacy policy is read; the sandbox has a page that stands for it. */
export function policyUrl({ config }: Pick<Ctx, 'config'>): string {
  return config.identity.privacyPolicyUrl ?? `${config.api.baseUrl}${sandboxPolicyPath}`;
}
