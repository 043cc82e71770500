import { decodeAbiParameters } from 'viem';
import { ServiceError } from '../../../lib/errors.ts';
import { foreignNames, resolveSymbol, type TokenQuery } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken } from '../../family.ts';
import { cleanText } from '../abi/revert.ts';
import { type Hex, isEvmAddress } from '../abi/words.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { type EvmConnection, type EvmConnections, hasCode } from '../rpc/connections.ts';
import type { KnownContracts } from '../rpc/known-contracts.ts';
import type { RpcResult } from '../rpc/rpc.ts';

export interface Tokens {
  /** As {@link ChainFamily.resolveToken}. */
  resolve(chain: string, query: TokenQuery): Promise<ResolvedToken>;
}

/** What a token contract tells of itself. */
interface TokenFacts {
  readonly symbol?: string;
  readonly name?: string;
  /** Absent: not fungible, or silent about it. */
  readonly decimals?: number;
}

const tokensMax = 10_000;
const symbolLengthMax = 32;
const nameLengthMax = 64;
/** With more, one token would be worth more digits than any amount has. */
const decimalsMax = 77;
/**
 * A view function of an honest token takes a tenth of this; a hostile one cannot return much with
 * it.
 */
const viewGas = '0x493e0';

export function createTokens(deps: {
  readonly connections: EvmConnections;
  readonly contracts: KnownContracts;
}): Tokens {
  const facts = new Map<string, Promise<TokenFacts>>();

  async function resolve(chain: string, query: TokenQuery): Promise<ResolvedToken> {
    const network = deps.connections.requireNetwork(chain);
    if ('symbol' in query) return resolveSymbol(network, query.symbol, 'contract address');
    const { address, tokenId } = query;
    if (!isEvmAddress(address))
      throw new ServiceError('token-not-supported', {
        message: `"${address.slice(0, 80)}" is not a contract address on "${network.name}": send 0x and 40 hex characters, or a symbol.`,
      });
    const locator = `${network.name}:${address}${tokenId === undefined ? '' : `:${tokenId}`}`;
    const listed =
      tokenId === undefined
        ? network.tokens.find((token) => token.address?.toLowerCase() === address.toLowerCase())
        : undefined;
    if (listed) return { chain: network.name, locator, ...listed, address };
    const { symbol, name, decimals } = await factsOf(network, address);
    if (tokenId !== undefined)
      return { chain: network.name, locator, address, tokenId, symbol, name, decimals: 0 };
    if (decimals === undefined)
      throw new ServiceError('token-not-supported', {
        message: `The contract ${address} on "${network.name}" does not tell its decimals, so it is not a fungible token. For a token with an id send "${network.name}:${address}:<tokenId>".`,
      });
    return { chain: network.name, locator, address, symbol, name, decimals };
  }

  function factsOf(network: EvmNetwork, address: string): Promise<TokenFacts> {
    const key = `${network.name}:${address.toLowerCase()}`;
    let known = facts.get(key);
    if (!known) {
      known = deps.connections
        .connect(network.name)
        .then((connection) => readFacts(connection, address, deps.contracts));
      facts.set(key, known);
      known.catch(() => facts.delete(key));
      if (facts.size > tokensMax) facts.delete(facts.keys().next().value!);
    }
    return known;
  }

  return { resolve };
}

/** @throws token-not-supported when no contract stands at the address */
async function readFacts(
  connection: EvmConnection,
  address: string,
  contracts: KnownContracts,
): Promise<TokenFacts> {
  const view = (data: Hex) => ({
    method: 'eth_call',
    params: [{ to: address, data, gas: viewGas }, 'latest'],
  });
  const [code, decimals, symbol, name] = await connection.ask([
    { method: 'eth_getCode', params: [address, 'latest'] },
    view('0x313ce567'),
    view('0x95d89b41'),
    view('0x06fdde03'),
  ]);
  const { network, chainId } = connection;
  if (!hasCode(code!))
    throw new ServiceError('token-not-supported', {
      message: `No contract stands at ${address} on "${network.name}".`,
    });
  contracts.add(chainId, address);
  return {
    ...foreignNames(network, {
      symbol: readText(symbol!, symbolLengthMax),
      name: readText(name!, nameLengthMax),
    }),
    decimals: readDecimals(decimals!),
  };
}

function readDecimals(result: RpcResult): number | undefined {
  if (!result.ok || typeof result.value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(result.value))
    return undefined;
  const decimals = BigInt(result.value);
  return decimals <= BigInt(decimalsMax) ? Number(decimals) : undefined;
}

/** A text, or 32 bytes of text as some old tokens answer. */
function readText(result: RpcResult, lengthMax: number): string | undefined {
  if (!result.ok || typeof result.value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(result.value))
    return undefined;
  const data = result.value as Hex;
  const text =
    data.length === 66
      ? Buffer.from(data.slice(2), 'hex').toString('utf8').replace(/\0+$/, '')
      : decodeText(data);
  return cleanText(text ?? '', lengthMax) || undefined;
}

function decodeText(data: Hex): string | undefined {
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0];
  } catch {
    return undefined;
  }
}
