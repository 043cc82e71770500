import { describe, expect, it } from 'vitest';
import { readHandlers, readProfile } from './profile.ts';

const origin = 'https://shop.example';
const version = '2026-04-08';
const capability = { version, spec: `https://ucp.dev/${version}/specification/checkout` };
const aProfile = (more: object = {}) => ({
  ucp: {
    version,
    services: {
      'dev.ucp.shopping': [
        { version, transport: 'rest', endpoint: 'https://api.shop.example/ucp/v1/' },
      ],
    },
    capabilities: { 'dev.ucp.shopping.checkout': [capability] },
    ...more,
  },
});
const at = (endpoint: string) => ({
  services: { 'dev.ucp.shopping': [{ transport: 'rest', endpoint }] },
});

describe('what a shop publishes of itself', () => {
  it('names where its checkouts are, and what it can', () => {
    expect(readProfile(aProfile(), origin)).toEqual({
      version,
      endpoint: 'https://api.shop.example/ucp/v1',
      delivers: false,
      looksUp: false,
      handlers: [],
    });
  });

  it('in a version of tomorrow leads to one that is known, of its own origin only', () => {
    const later = (address: string) =>
      aProfile({ version: '2027-01-01', supported_versions: { [version]: address } });
    expect(readProfile(later(`${origin}/ucp-2026.json`), origin)).toEqual({
      elsewhere: `${origin}/ucp-2026.json`,
    });
    expect(readProfile(later('https://other.example/ucp.json'), origin)).toBeUndefined();
    expect(readProfile(aProfile({ version: '2027-01-01' }), origin)).toBeUndefined();
  });

  it.each([
    ['no profile', '<!doctype html>'],
    ['another service', aProfile({ services: {} })],
    [
      'no transport that is spoken here',
      aProfile({
        services: {
          'dev.ucp.shopping': [{ transport: 'mcp', endpoint: 'https://shop.example/mcp' }],
        },
      }),
    ],
    ['an endpoint without TLS at another origin', aProfile(at('http://api.shop.example/ucp'))],
    ['an endpoint with credentials', aProfile(at('https://a:b@shop.example/ucp'))],
    ['an endpoint with a query', aProfile(at('https://shop.example/ucp?to='))],
    ['no checkouts', aProfile({ capabilities: { 'dev.ucp.shopping.order': [capability] } })],
    [
      'checkouts that somebody else has specified',
      aProfile({
        capabilities: {
          'dev.ucp.shopping.checkout': [{ ...capability, spec: 'https://evil.example/checkout' }],
        },
      }),
    ],
  ])('that is %s is none', (_, body) => {
    expect(readProfile(body, origin)).toBeUndefined();
  });

  it('has ways of paying, in the spelling of each version', () => {
    expect(
      readHandlers({
        'com.example.tokens': [
          { id: 'a', available_instruments: [{ type: 'card' }], config: { business_id: 'm' } },
        ],
      }),
    ).toEqual([
      { id: 'a', name: 'com.example.tokens', takesCards: true, config: { business_id: 'm' } },
    ]);
    expect(
      readHandlers([
        {
          id: 'b',
          name: 'com.example.wallet',
          instrument_schemas: ['https://example.com/wallet.json'],
        },
      ]),
    ).toEqual([{ id: 'b', name: 'com.example.wallet', takesCards: false, config: {} }]);
    expect(readHandlers('none')).toEqual([]);
  });
});
