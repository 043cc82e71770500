import { describe, expect, it } from 'vitest';
import { methodName, readCalls } from '../scripts/calls.ts';
import { createPurser } from '../src/index.ts';

const baseUrl = 'http://service.test/api';
const vaultUrl = 'http://vault.test/api';
const service = await readCalls('openapi');
const vault = await readCalls('vault-openapi');
const ofService = new Set(service.calls.map(({ operation }) => operation.operationId));
const all = [
  ...service.calls.map((call) => ({ ...call, at: baseUrl })),
  ...vault.calls
    .filter(({ operation }) => !ofService.has(operation.operationId))
    .map((call) => ({ ...call, at: vaultUrl })),
];

/** A client that sends nothing, and what it would have sent. */
function aClient() {
  const sent: { method: string; url: string; headers: Headers; body: string | undefined }[] = [];
  const purser = createPurser({
    baseUrl,
    vaultUrl,
    apiKey: 'sk_development_x',
    userJwt: () => 'a.jwt',
    fetch: async (url, init) => {
      sent.push({
        method: init!.method!,
        url: String(url),
        headers: new Headers(init!.headers),
        body: init!.body as string | undefined,
      });
      return Response.json({});
    },
  });
  return {
    sent,
    purser: purser as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>,
  };
}

describe('the client', () => {
  it('has a method for every operation of the service and of the vault', () => {
    const { purser } = aClient();
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(
      all
        .map(({ operation }) => methodName(operation.operationId))
        .filter((name) => typeof purser[name] !== 'function'),
    ).toEqual([]);
  });

  it.each(all.map((call) => [methodName(call.operation.operationId), call] as const))(
    '%s calls what the reference says',
    async (name, call) => {
      const { purser, sent } = aClient();
      const inPath = [...call.path.matchAll(/\{\w+\}/g)].map((_, index) => `a/b ${index}`);
      const hasBody = call.operation.requestBody !== undefined;
      const query = (call.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name);
      const asked = Object.fromEntries(query.map((one) => [one, `${one}!`]));
      await purser[name]!(
        ...inPath,
        ...(hasBody ? [{ some: 'body' }] : []),
        ...(query.length > 0 ? [asked] : []),
        {
          idempotencyKey: 'mine',
        },
      );
      expect(sent).toHaveLength(1);
      const [{ method, url, headers, body }] = sent as [(typeof sent)[0]];
      let index = 0;
      const path = call.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(`a/b ${index++}`));
      expect([method, url.split('?')[0]]).toEqual([call.method, `${call.at}${path}`]);
      expect(Object.fromEntries(new URL(url).searchParams)).toEqual(asked);
      expect(body).toBe(hasBody ? '{"some":"body"}' : undefined);
      expect([headers.get('x-api-key'), headers.get('authorization')]).toEqual([
        'sk_development_x',
        'Bearer a.jwt',
      ]);
      expect(headers.get('x-idempotency-key')).toBe('mine');
    },
  );
});
