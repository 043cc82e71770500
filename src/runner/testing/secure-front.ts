import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestAuthority } from '../../../test/harness/certificates.ts';
import { type Handler, startTestShop, type TestShop } from '../engine/testing/test-shop-kit.ts';
import { type LocalServer, startLocalServer } from './local-servers.ts';
import type { RunWorld } from './run-world.ts';

export interface SecureFront {
  /** `https://shop.example`. */
  readonly origin: string;
  readonly shop: TestShop;
  /** What reached the host at port 443. */
  readonly secure: LocalServer;
  /** The same shop without TLS at port 80 of the host: what reached it there. */
  readonly open: LocalServer;
  close(): Promise<void>;
}

const address = '93.184.216.70';

/**
 * A test shop as a real one is: at port 443 of a host with a certificate, and at port 80 without
 * one.
 */
export async function startSecureFront(
  world: RunWorld,
  authority: TestAuthority,
  handler: Handler,
): Promise<SecureFront> {
  const host = 'mixed.example';
  const shop = await startTestShop(handler);
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void passOn(shop.origin, request, response);
  const secure = await startLocalServer(answer, {
    ...(await authority.issue([host])),
    protocol: 'http/1.1',
  });
  const open = await startLocalServer(answer);
  world.internet.names.set(host, [address]);
  world.internet.machines.set(`${address}:443`, secure.port);
  world.internet.machines.set(`${address}:80`, open.port);
  const close = async () => {
    for (const one of [secure, open, shop]) await one.close();
  };
  return { origin: `https://${host}`, shop, secure, open, close };
}

async function passOn(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { cookie, 'content-type': type } = request.headers;
  const answered = await fetch(`${origin}${request.url}`, {
    method: request.method!,
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(type !== undefined && { 'content-type': type }),
    },
    redirect: 'manual',
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const told = ['content-type', 'location', 'set-cookie'].flatMap((name) => {
    const value = answered.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response
    .writeHead(answered.status, Object.fromEntries(told))
    .end(Buffer.from(await answered.arrayBuffer()));
}
