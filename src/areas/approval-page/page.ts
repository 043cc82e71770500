import { approvalPageFolder } from '../../config/folders.ts';
import type { Ctx } from '../../context.ts';
import { createBuiltPage } from '../../http/built-page.ts';
import type { PublicRoute } from '../../http/routes/public-routes.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createTokenBucket } from '../../lib/waiting/token-bucket.ts';
import { pageCallRoutes } from './calls.ts';
import { pagePath } from './make-link.ts';
import { type PageSettings, readPageSettings } from './settings.ts';

const built = createBuiltPage(approvalPageFolder, 'The approval page');
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Scripts and styles of this page alone, a logo from where the project says, and nothing else from
 * the network; in the frames that the project names, and in no other; text never becomes a script.
 */
function pageHeaders({ frameOrigins, logo }: PageSettings): Readonly<Record<string, string>> {
  const pictures = logo?.startsWith('https:') ? new URL(logo).origin : 'data:';
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${pictures}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return {
    'content-security-policy': policy,
    ...(frameOrigins.length === 0 && { 'x-frame-options': 'DENY' }),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'permissions-policy':
      'publickey-credentials-get=(self), camera=(), microphone=(), geolocation=()',
  };
}

/**
 * Pages that one address opens in a second: what a page says of its project is read from the
 * database, and nobody has to sign in for it.
 */
const opensPerSecond = 50;
const addressesMax = 10_000;
const opening = new Map<string, () => boolean>();

/** @throws rate-limited, where requests are limited */
function requireInTime({ config }: Pick<Ctx, 'config'>, address: string): void {
  if (!config.rateLimits) return;
  const isInTime = opening.get(address) ?? createTokenBucket(opensPerSecond);
  opening.delete(address);
  opening.set(address, isInTime);
  if (opening.size > addressesMax) opening.delete(opening.keys().next().value!);
  if (!isInTime()) throw new ServiceError('rate-limited', { headers: { 'retry-after': '1' } });
}

const nobodys: PageSettings = { frameOrigins: [] };

/**
 * The page is the same for every link; whose it is, its address says, and what it shows comes with
 * the token behind the `#`.
 */
export const approvalPageRoutes: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: `${pagePath}/assets/:name`,
    handler: async (_, { params, headers }) =>
      built.asset(params.name!, { headers: pageHeaders(nobodys), asked: headers }),
  },
  {
    method: 'GET',
    path: `${pagePath}/:projectId`,
    handler: async (ctx, { params, address }) => {
      requireInTime(ctx, address);
      const id = params.projectId!;
      return built.page(
        pageHeaders(uuidPattern.test(id) ? await readPageSettings(ctx, id) : nobodys),
      );
    },
  },
  ...pageCallRoutes,
];
