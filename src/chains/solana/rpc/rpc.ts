import { createJsonRpc, type RpcClient } from '../../../lib/net/json-rpc.ts';

const readMethods = /^(get|isBlockhashValid$|simulateTransaction$)/;

/** A client of a Solana node; no connection is made before the first call. */
export function createSolanaRpc(options: {
  readonly url: string;
  readonly timeoutMs: number;
}): RpcClient {
  return createJsonRpc({ ...options, readMethods, parse: parseExact });
}

/**
 * JSON, with whole numbers that JavaScript would round as decimal strings: a node writes amounts of
 * 64 bits as numbers. {@link ../rpc/schemas.ts} reads both spellings.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(
    text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d{16,}(?![\d.eE])/g, (part) =>
      part.startsWith('"') ? part : `"${part}"`,
    ),
  );
}
