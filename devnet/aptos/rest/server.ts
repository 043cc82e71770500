import type { IncomingMessage } from 'node:http';
import { type LocalServer, listenLocally, readBody } from '../../in-process.ts';
import { rules } from '../execution/execute.ts';
import type { Chain } from '../ledger/chain.ts';
import { type Answer, answerError, invalid, notFound } from './answers.ts';
import { answer } from './routes.ts';

const bodyBytesMax = 1024 * 1024;

/** The REST API of a full node, on 127.0.0.1. */
export function startRestServer(chain: Chain, port: number): Promise<LocalServer> {
  return listenLocally(async (request, response) => {
    const { status, body } = await serve(chain, request);
    response
      .writeHead(status, { ...headersOf(chain), 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  }, port);
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

async function serve(chain: Chain, request: IncomingMessage): Promise<Answer> {
  try {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [root, ...path] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    if (root !== 'v1') throw notFound(`Path ${url.pathname}`);
    const body = new Uint8Array(
      await readBody(request, bodyBytesMax, () => invalid('The body is too large')),
    );
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
