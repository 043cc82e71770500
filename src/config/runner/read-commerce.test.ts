import { describe, expect, test } from 'vitest';
import { createSettingReader } from '../read-setting.ts';
import { readCommerce } from './read-commerce.ts';

function read(
  variables: Record<string, string>,
  environment: 'development' | 'production' = 'production',
) {
  const reader = createSettingReader(variables);
  return { config: readCommerce(reader, environment), problems: reader.problems };
}
const profile = { RUNNER_COMMERCE_PROFILE_URL: 'https://purser.example/api/.well-known/ucp' };
const entry = {
  handler: 'com.example.processor_tokenizer',
  url: 'https://psp.example/tokenize',
  key: 'sk-1',
};
const tokenizers = (...entries: readonly object[]) => ({
  RUNNER_COMMERCE_TOKENIZERS: JSON.stringify(entries),
});

describe('interfaces of shops for agents', () => {
  test('are used with an address of our own profile, and not without', () => {
    expect(read({})).toEqual({ config: undefined, problems: [] });
    expect(read(profile)).toEqual({
      config: { profileUrl: profile.RUNNER_COMMERCE_PROFILE_URL, tokenizers: [], acpShops: [] },
      problems: [],
    });
    expect(read(tokenizers(entry)).problems).toEqual([
      expect.stringContaining('RUNNER_COMMERCE_PROFILE_URL is not'),
    ]);
  });

  test('pay through tokenizers whose keys no JSON shows', () => {
    const { config } = read({ ...profile, ...tokenizers(entry) });
    expect(
      config?.tokenizers.map(({ handler, url, key }) => [handler, url, key?.reveal()]),
    ).toEqual([Object.values(entry)]);
    expect(JSON.stringify(config)).not.toContain('sk-1');
  });

  test.each([
    ['no JSON', { RUNNER_COMMERCE_TOKENIZERS: 'psp.example' }],
    ['an address without TLS', tokenizers({ ...entry, url: 'http://psp.example/tokenize' })],
    ['this machine in production', tokenizers({ ...entry, url: 'http://127.0.0.1:9000/tokenize' })],
    ['a name that is no handler’s', tokenizers({ ...entry, handler: 'card' })],
    ['a word that nobody knows', tokenizers({ ...entry, secret: 'x' })],
  ])('are refused with %s: cards would be sent there', (_, variables) => {
    expect(read({ ...profile, ...variables }).problems).toEqual([
      expect.stringMatching(/^RUNNER_COMMERCE_TOKENIZERS is a JSON list/),
    ]);
  });

  const acp = (...shops: readonly object[]) => ({
    RUNNER_COMMERCE_ACP_SHOPS: JSON.stringify(shops),
  });
  const keyed = { shop: 'https://shop.example', key: 'sk-2' };

  test('know shops by the keys that they have given', () => {
    const { config } = read({
      ...profile,
      ...acp({ ...keyed, endpoint: 'https://acp.psp.example/api/' }),
    });
    expect(
      config?.acpShops.map(({ shop, key, endpoint }) => [shop, key.reveal(), endpoint]),
    ).toEqual([['https://shop.example', 'sk-2', 'https://acp.psp.example/api']]);
    expect(JSON.stringify(config)).not.toContain('sk-2');
    expect(read(acp(keyed)).problems).toEqual([
      expect.stringContaining('RUNNER_COMMERCE_PROFILE_URL is not'),
    ]);
  });

  test.each([
    ['no origin', acp({ ...keyed, shop: 'https://shop.example/shop' })],
    ['no TLS', acp({ ...keyed, endpoint: 'http://shop.example' })],
    ['no key', acp({ shop: 'https://shop.example' })],
    ['two keys of one shop', acp(keyed, keyed)],
    [
      'two keys at one interface',
      acp(
        { ...keyed, endpoint: 'https://psp.example/a' },
        { shop: 'https://b.example', key: 'k', endpoint: 'https://psp.example/a/' },
      ),
    ],
  ])('are refused with %s of a shop', (_, variables) => {
    expect(read({ ...profile, ...variables }).problems).toEqual([
      expect.stringMatching(/^RUNNER_COMMERCE_ACP_SHOPS is a JSON list/),
    ]);
  });

  test('in development tokenizers and profile may be on this machine', () => {
    const local = tokenizers({ ...entry, url: 'http://127.0.0.1:9000/tokenize' });
    expect(
      read(
        { RUNNER_COMMERCE_PROFILE_URL: 'http://127.0.0.1:3000/api/.well-known/ucp', ...local },
        'development',
      ).problems,
    ).toEqual([]);
  });
});
