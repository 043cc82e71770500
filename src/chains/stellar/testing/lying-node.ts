import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = Record<string, unknown>;

/** A node that answers what another does, with lies. */
export interface LyingNode {
  readonly url: string;
  /** Changes the result of a method, or is the answer to it where `change` is no function. */
  lie(
    method: string,
    change: ((result: Answer, params: Answer) => unknown) | { readonly answer: unknown },
  ): void;
  tellTruth(): void;
  /** Calls of a method that came. */
  count(method: string): number;
  close(): void;
}

/** @param truth the node that is asked */
export async function startLyingNode(truth: string): Promise<LyingNode> {
  const lies = new Map<string, Parameters<LyingNode['lie']>[1]>();
  const counts = new Map<string, number>();
  const answerTo = async (body: string): Promise<unknown> => {
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: Answer;
    };
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const lie = lies.get(method);
    if (lie && 'answer' in lie) return { jsonrpc: '2.0', id, result: lie.answer };
    const response = await fetch(truth, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answer = (await response.json()) as { result?: Answer };
    if (lie && answer.result) return { ...answer, result: lie(answer.result, params) };
    return answer;
  };
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    try {
      response.end(JSON.stringify(await answerTo(Buffer.concat(parts).toString())));
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (method, change) => void lies.set(method, change),
    tellTruth: () => lies.clear(),
    count: (method) => counts.get(method) ?? 0,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
