/** A client of the local chain, past the family's own. */
export function createTestRpc(url: string) {
  let id = 0;
  return {
    async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: id++, method, params }),
        signal: AbortSignal.timeout(10_000),
      });
      const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
  };
}
