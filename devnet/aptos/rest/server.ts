import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { rules } from '../execution/execute.ts';
import type { Chain } from '../ledger/chain.ts';
import { type Answer, answerError, invalid, notFound } from './answers.ts';
import { answer } from './routes.ts';

const bodyBytesMax = 1024 * 1024;

export interface RestServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The REST API of a full node, on 127.0.0.1. */
export async function startRestServer(chain: Chain, port: number): Promise<RestServer> {
  const server = http.createServer((request, response) => {
    serve(chain, request).then(
      ({ status, body }) => {
        response
          .writeHead(status, { ...headersOf(chain), 'content-type': 'application/json' })
          .end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

/** Where the chain stands, as a full node says it with every answer. */
function headersOf(chain: Chain): Record<string, string> {
  return {
    'x-aptos-chain-id': rules.chainId.toString(),
    'x-aptos-ledger-version': chain.version.toString(),
    'x-aptos-ledger-oldest-version': chain.oldestVersion.toString(),
    'x-aptos-ledger-timestampusec': chain.timestampUs.toString(),
    'x-aptos-epoch': '1',
    'x-aptos-block-height': Math.floor(chain.version / 2).toString(),
    'x-aptos-oldest-block-height': Math.floor(chain.oldestVersion / 2).toString(),
  };
}

async function serve(chain: Chain, request: http.IncomingMessage): Promise<Answer> {
  try {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [root, ...path] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    if (root !== 'v1') throw notFound(`Path ${url.pathname}`);
    const body = await readBody(request);
    const contentType = request.headers['content-type'] ?? 'application/json';
    return await answer(chain, {
      method: request.method ?? 'GET',
      path,
      query: url.searchParams,
      contentType,
      body,
    });
  } catch (error) {
    return answerError(error);
  }
}

async function readBody(request: http.IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > bodyBytesMax) throw invalid('The body is too large');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
