import type { Config } from '../../../config/config.ts';

/** Below the base path: where the sandbox stands in for the page of an app. */
export const sandboxAnswerPath = '/sandbox/agent-checkouts';

/**
 * Where the user answers what a checkout asks: a page of the app, which knows its user. Nothing in
 * the address lets whoever has it answer, so that an agent may hand it on.
 */
export function answerPageUrl(
  { api, environment, checkoutPageUrl }: Config,
  checkoutId: string,
): string | undefined {
  if (checkoutPageUrl !== undefined) return checkoutPageUrl.replaceAll('{checkoutId}', checkoutId);
  return environment === 'development'
    ? `${api.baseUrl}${sandboxAnswerPath}/${checkoutId}`
    : undefined;
}
