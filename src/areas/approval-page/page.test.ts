import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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
    query: (asked: { text: string }) => (
      (reads += Number(asked.text.includes('approval_page'))), query(asked as never)
    ),
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await api?.close();
});

it('who opens the page of any project, again and again, is refused before the database is asked', async () => {
  // However slow the machine is: all of it in one moment.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => fetch(`${api.baseUrl}/approve/${randomUUID()}`)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect([reads, refused.length]).toEqual([50, 10]);
  expect([refused[0]!.headers.get('retry-after'), await refused[0]!.json()]).toEqual([
    '1',
    expect.objectContaining({ code: 'rate-limited' }),
  ]);
});
