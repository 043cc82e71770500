import { decodeAbiParameters } from 'viem';
import type { ResolvedToken } from '../../family.ts';
import { type Hex, wordOf } from '../abi/words.ts';
import type { EvmConnection, EvmConnections } from '../rpc/connections.ts';
import type { RpcResult } from '../rpc/rpc.ts';

/** tokenURI(uint256) of ERC-721 and uri(uint256) of ERC-1155. */
const tokenUriSelector = '0xc87b56dd';
const uriSelector = '0x0e89341c';
/**
 * Some contracts draw their picture: the answer is a data: address, made with much gas that nobody
 * pays for.
 */
const viewGas = '0x1c9c380';
/** Hex digits of an answer; images on the chain have some ten kilobytes. */
const answerDigitsMax = 1_000_000;

/** As {@link ChainFamily.readMetadataUris}: one request per chain. */
export async function readEvmMetadataUris(
  connections: EvmConnections,
  tokens: readonly ResolvedToken[],
): Promise<(string | undefined)[]> {
  const uris = new Map<ResolvedToken, string>();
  const chains = new Set(tokens.map((token) => token.chain));
  await Promise.all(
    [...chains].map(async (chain) => {
      const own = tokens.filter(
        (token) =>
          token.chain === chain && token.address !== undefined && token.tokenId !== undefined,
      );
      for (const [token, uri] of await readChainUris(await connections.connect(chain), own))
        uris.set(token, uri);
    }),
  );
  return tokens.map((token) => uris.get(token));
}

async function readChainUris(
  connection: EvmConnection,
  tokens: readonly ResolvedToken[],
): Promise<[ResolvedToken, string][]> {
  const view = (token: ResolvedToken, selector: string) => ({
    method: 'eth_call',
    params: [
      { to: token.address, data: `${selector}${wordOf(BigInt(token.tokenId!))}`, gas: viewGas },
      'latest',
    ],
  });
  const results = await connection.ask(
    tokens.flatMap((token) => [view(token, tokenUriSelector), view(token, uriSelector)]),
  );
  return tokens.flatMap((token, index): [ResolvedToken, string][] => {
    const uri =
      readText(results[index * 2]!) ??
      readText(results[index * 2 + 1]!)?.replaceAll('{id}', wordOf(BigInt(token.tokenId!)));
    return uri === undefined ? [] : [[token, uri]];
  });
}

function readText(result: RpcResult): string | undefined {
  if (
    !result.ok ||
    typeof result.value !== 'string' ||
    result.value.length > answerDigitsMax ||
    !/^0x(?:[0-9a-f]{2})+$/i.test(result.value)
  )
    return undefined;
  try {
    return decodeAbiParameters([{ type: 'string' }], result.value as Hex)[0] || undefined;
  } catch {
    return undefined;
  }
}
