import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface Coder<Message extends object> {
  fromBinary(bytes: Uint8Array): Message;
  toBinary(message: Message): Uint8Array;
}

/**
 * A node that answers as the one behind it does, but for what it lies about, and for as long as it
 * does.
 */
export interface LyingNode {
  readonly url: string;
  /** Of one method, e.g. `StateService/GetBalance`; undefined: nothing is answered at all. */
  lie<Message extends object>(
    method: string,
    type: Coder<Message>,
    change: ((message: Message) => void) | undefined,
  ): void;
  tellTruth(): void;
  close(): void;
}

export async function startLyingNode(target: string): Promise<LyingNode> {
  const lies = new Map<string, ((body: Buffer) => Buffer) | undefined>();
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const method = (request.url ?? '').replace('/sui.rpc.v2.', '');
    if (lies.has(method) && lies.get(method) === undefined) return void response.destroy();
    const type = request.headers['content-type'] ?? '';
    const answer = await fetch(`${target}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.concat(parts),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    response
      .writeHead(200, { 'content-type': type })
      .end(change(body, lies.get(method), { isText: type.includes('text') }));
  };
  const server = http.createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie(method, type, alter) {
      lies.set(method, alter && ((body) => rewrite(body, type, alter)));
    },
    tellTruth: () => lies.clear(),
    close: () => void server.close(),
  };
}

/** Text is the same in base64. */
function change(
  body: Buffer,
  lie: ((body: Buffer) => Buffer) | undefined,
  { isText }: { readonly isText: boolean },
): Buffer | string {
  if (!lie) return body;
  return isText ? lie(Buffer.from(body.toString(), 'base64')).toString('base64') : lie(body);
}

/** The first frame is the message; trailers follow. */
function rewrite<Message extends object>(
  body: Buffer,
  type: Coder<Message>,
  alter: (message: Message) => void,
): Buffer {
  const end = 5 + body.readUInt32BE(1);
  const message = type.fromBinary(body.subarray(5, end));
  alter(message);
  const bytes = type.toBinary(message);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes, body.subarray(end)]);
}
