import { ServiceError } from '../../../lib/errors.ts';
import type { ResolvedToken, TokenBalance } from '../../family.ts';
import { wordOf, wordOfAddress } from '../abi/words.ts';
import { readWords, type WordRead } from '../rpc/bulk-read.ts';
import { type EvmConnection, type EvmConnections, nodeError } from '../rpc/connections.ts';

/** As {@link ChainFamily.readBalances}: a handful of node calls per chain, all chains at once. */
export async function readEvmBalances(
  connections: EvmConnections,
  address: string,
  tokens: readonly ResolvedToken[],
): Promise<TokenBalance[]> {
  const byChain = new Map<string, ResolvedToken[]>();
  for (const token of tokens)
    byChain.set(token.chain, [...(byChain.get(token.chain) ?? []), token]);
  const amounts = new Map<ResolvedToken, bigint>();
  await Promise.all(
    [...byChain].map(async ([chain, own]) => {
      const read = await readChainBalances(await connections.connect(chain), address, own);
      own.forEach((token, index) => amounts.set(token, read[index]!));
    }),
  );
  return tokens.map((token) => ({ token, amountMinor: amounts.get(token)! }));
}

/**
 * Amounts of tokens of one chain, in their order.
 * @throws upstream-error, token-not-supported, provider-unavailable
 */
export async function readChainBalances(
  connection: EvmConnection,
  address: string,
  tokens: readonly ResolvedToken[],
): Promise<bigint[]> {
  const contracts = tokens.filter((token) => token.address !== undefined);
  const [nativeWei, words] = await Promise.all([
    contracts.length < tokens.length ? readNative(connection, address) : 0n,
    readWords(
      connection,
      contracts.flatMap((token) => readsOf(address, token)),
    ),
  ]);
  let at = 0;
  return tokens.map((token) => {
    if (token.address === undefined) return nativeWei;
    const amount =
      token.tokenId === undefined ? words[at++] : amountOfId(address, words[at++], words[at++]);
    if (amount === undefined)
      throw new ServiceError('token-not-supported', {
        message: `The contract ${token.address} on "${token.chain}" does not tell a balance: it is not a token.`,
      });
    return amount;
  });
}

/**
 * Amounts at a height, in the order of the tokens; undefined for a contract that tells none there.
 * @throws upstream-error, provider-unavailable; also when the node keeps no state of that height
 * any more
 */
export async function readBalancesAt(
  connection: EvmConnection,
  input: {
    readonly address: string;
    readonly tokens: readonly ResolvedToken[];
    readonly height: bigint;
  },
): Promise<(bigint | undefined)[]> {
  const { address, tokens, height } = input;
  const block = `0x${height.toString(16)}`;
  const contracts = tokens.filter((token) => token.address !== undefined);
  // Asked for also where nobody wants it: a contract may be missing, the state of a block must not
  // be.
  const nativeWei = await readNative(connection, address, block);
  const words = await readWords(
    connection,
    contracts.flatMap((token) => readsOf(address, token)),
    block,
  );
  const amounts = new Map(contracts.map((token, index) => [token, words[index]]));
  return tokens.map((token) => (token.address === undefined ? nativeWei : amounts.get(token)));
}

const quantityPattern = /^0x[0-9a-f]{1,64}$/i;

async function readNative(
  connection: EvmConnection,
  address: string,
  block = 'latest',
): Promise<bigint> {
  const [result] = await connection.ask([{ method: 'eth_getBalance', params: [address, block] }]);
  if (!result?.ok || typeof result.value !== 'string' || !quantityPattern.test(result.value))
    throw nodeError(result?.ok === false ? result.error : undefined, connection.network.name);
  return BigInt(result.value);
}

/**
 * balanceOf(address); for an id balanceOf(address,uint256) of ERC-1155 and ownerOf(uint256) of
 * ERC-721: one of them answers.
 */
function readsOf(holder: string, token: ResolvedToken): WordRead[] {
  const to = token.address!;
  if (token.tokenId === undefined) return [{ to, data: `0x70a08231${wordOfAddress(holder)}` }];
  const id = wordOf(BigInt(token.tokenId));
  return [
    { to, data: `0x00fdd58e${wordOfAddress(holder)}${id}` },
    { to, data: `0x6352211e${id}` },
  ];
}

function amountOfId(
  holder: string,
  multiTokenAmount: bigint | undefined,
  owner: bigint | undefined,
): bigint {
  if (multiTokenAmount !== undefined) return multiTokenAmount;
  // `ownerOf` reverts for an id that does not exist: nobody holds it.
  return owner === BigInt(holder) ? 1n : 0n;
}
