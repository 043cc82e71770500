import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { approvalPageRoutes } from './page.ts';

let api: TestApi;
let reads = 0;
beforeAll(async () => {
  api = await startTestApi({
    routes: [],
    config: { rateLimits: { readsPerMinute: 100, writesPerMinute: 100 } },
    server: { publicRoutes: approvalPageRoutes },
  });
  const { store } = api.ctx;
  const query = store.query.bind(store);
  Object.assign(store, {
    query: (asked: { text: string }) => ((reads += Number(asked.text.includes('approval_page'))), query(asked as never)),
  });
});
afterAll(() => api?.close());

it('who opens the page of any project, again and again, is refused before the database is asked', async () => {
  const open = () => fetch(`${api.baseUrl}/approve/${randomUUID()}`);
  const began = Date.now();
  const answers = await Promise.all(Array.from({ length: 500 }, open));
  const refused = answers.filter(({ status }) => status === 429);
  // 50 at once, and 50 in each second that it took.
  const most = 50 + 50 * Math.ceil((Date.now() - began) / 1_000);
  expect(reads).toBeGreaterThanOrEqual(50);
  expect(reads).toBeLessThanOrEqual(most);
  expect(refused).toHaveLength(500 - reads);
  expect([refused[0]!.headers.get('retry-after'), await refused[0]!.json()]).toEqual([
    '1',
    expect.objectContaining({ code: 'rate-limited' }),
  ]);
});
