import { ServiceError } from '../../../lib/errors.ts';
import type { ResolvedToken, TokenBalance } from '../../family.ts';
import { type AptosNode, refusedByNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import { readAsset } from './assets.ts';
import { readAmount } from './views.ts';

const callsMax = 8;

/**
 * As `Tokens.readBalances`. A node answers one balance at a time: at most so many are asked for at
 * once.
 */
export async function readAptosBalances(
  node: AptosNode,
  address: string,
  tokens: readonly ResolvedToken[],
): Promise<TokenBalance[]> {
  const found: TokenBalance[] = [];
  for (let at = 0; at < tokens.length; at += callsMax)
    found.push(
      ...(await Promise.all(
        tokens.slice(at, at + callsMax).map((token) => readBalance(node, address, token)),
      )),
    );
  return found;
}

interface BalancesAt {
  readonly address: string;
  readonly tokens: readonly ResolvedToken[];
  /** A ledger version. */
  readonly height: bigint;
}

/**
 * What an address held at a version; tokens that were not there are left out.
 * @throws provider-unavailable the node keeps no state of it
 */
export async function readAptosBalancesAt(
  node: AptosNode,
  { address, tokens, height }: BalancesAt,
): Promise<TokenBalance[]> {
  const found: TokenBalance[] = [];
  for (const token of tokens) {
    const amountMinor = await readAmount(node, address, readAsset(token.address), height).catch(
      (error: unknown) => {
        if (error instanceof RestRefusal && (error.status === 410 || error.status === 404))
          throw new ServiceError('provider-unavailable', {
            message: `The node of "${node.network.name}" keeps no balances of version ${height}: retry later.`,
          });
        throw refusedByNode(error, node.network);
      },
    );
    if (amountMinor !== undefined) found.push({ token, amountMinor });
  }
  return found;
}

async function readBalance(
  node: AptosNode,
  address: string,
  token: ResolvedToken,
): Promise<TokenBalance> {
  const amountMinor = await readAmount(node, address, readAsset(token.address)).catch(
    (error: unknown) => {
      throw refusedByNode(error, node.network);
    },
  );
  if (amountMinor === undefined)
    throw new ServiceError('token-not-supported', {
      message: `There is no token at ${token.address} on "${token.chain}".`,
    });
  return { token, amountMinor };
}
