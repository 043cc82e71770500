import type { PublicRoute } from '../../http/routes/public-routes.ts';

/** The newest version of the protocol that runners speak. */
const version = '2026-04-08';
const specification = (name: string) => `https://ucp.dev/${version}/specification/${name}`;
const schema = (name: string) => `https://ucp.dev/${version}/schemas/shopping/${name}.json`;

const capability = (page: string, file: string, parent?: string) => [
  { version, spec: specification(page), schema: schema(file), ...(parent && { extends: parent }) },
];

const profile = {
  ucp: {
    version,
    services: {
      'dev.ucp.shopping': [
        {
          version,
          spec: specification('overview'),
          transport: 'rest',
          schema: `https://ucp.dev/${version}/services/shopping/rest.openapi.json`,
        },
      ],
    },
    capabilities: {
      'dev.ucp.shopping.checkout': capability('checkout', 'checkout'),
      'dev.ucp.shopping.fulfillment': capability(
        'fulfillment',
        'fulfillment',
        'dev.ucp.shopping.checkout',
      ),
      'dev.ucp.shopping.catalog.lookup': capability('catalog/lookup', 'catalog_lookup'),
    },
    payment_handlers: {},
  },
};

/**
 * What this service speaks as a platform of the Universal Commerce Protocol. Shops fetch it when a
 * runner buys in them; the protocol wants it cached for a minute at least.
 */
export const commerceProfileRoute: PublicRoute = {
  method: 'GET',
  path: '/.well-known/ucp',
  handler: async () => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' },
    body: JSON.stringify(profile),
  }),
};
