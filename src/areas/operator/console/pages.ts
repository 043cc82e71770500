import { consoleFolder } from '../../../config/folders.ts';
import { createBuiltPage } from '../../../http/built-page.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';

const built = createBuiltPage(consoleFolder, 'The console');

/**
 * Scripts and styles of this console alone, nothing from the network, in no frame; text never
 * becomes a script.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const pageHeaders = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
};

/** The console is one page; what it shows stands in its address. */
export const pageRoutes: readonly PublicRoute[] = [
  { method: 'GET', path: '', handler: async () => built.page(pageHeaders) },
  {
    method: 'GET',
    path: '/assets/:name',
    handler: async (_, { params, headers }) =>
      built.asset(params.name!, { headers: pageHeaders, asked: headers }),
  },
  { method: 'GET', path: '/*', handler: async () => built.page(pageHeaders) },
];
