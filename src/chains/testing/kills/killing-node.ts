import type { ChildProcess } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/**
 * Where a process is killed: at a call of the node, before the node has it or when it has and
 * nobody knows.
 */
export interface KillAt {
  /**
   * Of the method and the address, and what is called by JSON-RPC, e.g. `POST /v1/transactions`,
   * `POST / sendTransaction`.
   */
  readonly call: RegExp;
  /** 1 is the first. */
  readonly count: number;
  readonly when: 'before' | 'after';
}

/** A node that passes everything on, and kills who asks it. */
export interface KillingNode {
  readonly url: string;
  arm(child: ChildProcess, at: KillAt): void;
  close(): void;
}

export async function startKillingNode(target: string): Promise<KillingNode> {
  let armed: { readonly child: ChildProcess; readonly at: KillAt; seen: number } | undefined;
  const isAt = (call: string) =>
    armed?.at.call.test(call) === true && ++armed.seen === armed.at.count;
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const call = [request.method, request.url, ...rpcMethodOf(Buffer.concat(parts))].join(' ');
    const kill = isAt(call) ? armed : undefined;
    if (kill?.at.when === 'before') return void kill.child.kill('SIGKILL');
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (kill) return void kill.child.kill('SIGKILL');
    const {
      'content-encoding': ____,
      'content-length': _____,
      'transfer-encoding': ______,
      ...told
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, told).end(body);
  };
  const server = http.createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm(child, at) {
      armed = { child, at, seen: 0 };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** None: it is no call by JSON-RPC. */
function rpcMethodOf(body: Buffer): string[] {
  const { method } = z
    .object({ method: z.string().optional() })
    .catch({})
    .parse(body[0] === 0x7b ? JSON.parse(body.toString()) : {});
  return method === undefined ? [] : [method];
}
