import { encodeFunctionData, type Hex, parseAbi, parseTransaction } from 'viem';
import type { FaultWorld } from './world.ts';

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Whoever gives the payers their tokens. */
export const giver = '0x00000000000000000000000000000000f00d0001';

type Chain = Pick<FaultWorld, 'rpc'>;

export function tokenTransfer(to: string, amountMinor: bigint): Hex {
  return encodeFunctionData({ abi, functionName: 'transfer', args: [to as Hex, amountMinor] });
}

/** What an order asks its payer to send. */
export interface AskedDeposit {
  readonly to: string;
  readonly recipient: string;
  readonly amountMinor: bigint;
  readonly memo: string;
  /** As the service prepared it. */
  readonly data: Hex;
}

export function readPreparation(preparation: any): AskedDeposit {
  const { to, data } = parseTransaction(preparation.serializedTransaction as Hex);
  const { amount, memo } = preparation.transactionParameters;
  return {
    to: to!,
    data: data!,
    recipient: preparation.recipientAddress,
    amountMinor: BigInt(amount),
    memo,
  };
}

/** A deposit of another amount than the order asks for. */
export function depositData(asked: AskedDeposit, amountMinor: bigint): Hex {
  return amountMinor === asked.amountMinor
    ? asked.data
    : `${tokenTransfer(asked.recipient, amountMinor)}${asked.memo.slice(2)}`;
}

/** A transfer as the chain's own log has it. */
export interface ChainTransfer {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amountMinor: bigint;
  readonly txId: string;
}

/** Every transfer of a token from, or to, an address; lower case. */
export async function readTransfers(
  world: Chain,
  input: { readonly token: string; readonly party: string },
): Promise<ChainTransfer[]> {
  const party = `0x${input.party.slice(2).toLowerCase().padStart(64, '0')}`;
  const range = { address: input.token, fromBlock: '0x0', toBlock: 'latest' };
  const logs = await Promise.all(
    [
      [transferTopic, party],
      [transferTopic, null, party],
    ].map((topics) => world.rpc<any[]>('eth_getLogs', [{ ...range, topics }])),
  );
  return logs.flat().map((log) => ({
    token: input.token,
    from: `0x${log.topics[1].slice(26)}`,
    to: `0x${log.topics[2].slice(26)}`,
    amountMinor: BigInt(log.data),
    txId: log.transactionHash,
  }));
}

export async function readTokenBalance(
  world: Chain,
  token: string,
  holder: string,
): Promise<bigint> {
  return BigInt(
    await world.rpc<Hex>('eth_call', [
      { to: token, data: `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}` },
      'latest',
    ]),
  );
}
