import { expect } from 'vitest';
import type { CallAnswer, TestApi } from '../harness/http.ts';

export type Body = CallAnswer['body'];

export const wallets = '/2025-06-09/wallets';

/**
 * Calls that fail the test, and show the answer's text, unless they are answered with that status.
 * @param call of a service that may start later
 */
export function expectedCalls(call: TestApi['call']) {
  async function expectCall(
    status: number,
    ...[method, path, options]: Parameters<TestApi['call']>
  ): Promise<Body> {
    const answer = await call(method, path, options);
    expect([`${method} ${path}`, answer.status, answer.text]).toEqual([
      `${method} ${path}`,
      status,
      expect.any(String),
    ]);
    return answer.body;
  }
  return {
    expectCall,
    /** Of wallets, whose path comes before the one that is named. */
    expectWallets: (status: number, method: string, path: string, body?: unknown) =>
      expectCall(status, method, `${wallets}${path}`, { body }),
  };
}
