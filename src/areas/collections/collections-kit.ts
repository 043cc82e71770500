import { encodeFunctionData, type Hex, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { mineBlocks } from '../../../devnet/index.ts';
import type { Stack } from '../../../test/harness/stack.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { onrampChain, startOnrampStack } from '../orders/testing/onramp-kit.ts';
import { requireTreasury } from '../treasury/index.ts';
import { collectionsCommand, deployTestCollection, type Offer } from './index.ts';

export const collectionsChain = onrampChain;

/** A whole service whose treasury may mint pictures (ERC-721) and editions (ERC-1155). */
export interface CollectionsWorld {
  readonly stack: Stack;
  readonly treasury: string;
  readonly pictures: string;
  readonly editions: string;
  /** Runs `purser collections …`: what it prints as JSON. */
  purser(...argv: string[]): Promise<any>;
  /** Registers pictures under terms of their own; what was registered of them before is stopped. */
  sellPictures(...terms: string[]): Promise<Offer>;
  create(body: object): Promise<{ status: number; body: any; text: string }>;
  /** How many items of a contract an address holds. */
  held(contract: string, holder: string, tokenId: string): Promise<bigint>;
  /** Makes a collection refuse every mint, or not any more. */
  setClosed(contract: string, closed: boolean): Promise<void>;
  /** The same as to close it, by a transaction that waits for a block and goes before others. */
  closeSoon(contract: string): Promise<void>;
  /** Mints editions past the service. */
  mintEdition(to: string, id: number, amount: number): Promise<void>;
  close(): Promise<void>;
}

export async function startCollectionsWorld(): Promise<CollectionsWorld> {
  const stack = await startOnrampStack();
  const { ctx } = stack;
  const { projectId } = stack.api;
  const chain = collectionsChain;
  const family = ctx.chains.familyOfChain(chain);
  const { address: treasury } = await requireTreasury(ctx, {
    projectId,
    chainType: family.chainType,
  });
  const deploy = async (standard: string) =>
    (await deployTestCollection(ctx, { projectId, chain, standard })).address;
  const [pictures, editions] = [await deploy('erc721'), await deploy('erc1155')];
  for (const address of [pictures, editions])
    await eventually(
      'it is deployed',
      async () =>
        (await stack.chainCall<string>(chain, 'eth_getCode', [address, 'latest'])) !== '0x',
    );
  const purser = async (...argv: string[]) => {
    const lines: string[] = [];
    await collectionsCommand(ctx, {
      argv: [...argv, '--json'],
      print: (line) => lines.push(line),
      projectOf: async () => projectId,
    });
    return JSON.parse(lines.join('\n'));
  };
  const sendAsTreasury = async (to: string, data: Hex, over: object = {}) => {
    await stack.setNativeBalance(chain, treasury, 10n ** 18n);
    await stack.chainCall(chain, 'anvil_impersonateAccount', [treasury]);
    return stack.chainCall<string>(chain, 'eth_sendTransaction', [
      { from: treasury, to, data, ...over },
    ]);
  };
  const asTreasury = async (to: string, data: Hex) => {
    const hash = await sendAsTreasury(to, data);
    const receipt = async () =>
      stack.chainCall<{ status: string } | null>(chain, 'eth_getTransactionReceipt', [hash]);
    await eventually('a block has it', async () => (await receipt()) !== null);
    expect((await receipt())!.status).toBe('0x1');
  };
  return {
    stack,
    treasury,
    pictures,
    editions,
    purser,
    async sellPictures(...terms) {
      for (const { id, address } of (await purser('list')) as Offer[])
        if (address === pictures) await purser('stop', id);
      return purser('add', '--chain', chain, '--contract', pictures, ...terms);
    },
    create: (body) => stack.call('POST', '/2022-06-09/orders', { body }),
    async held(contract, holder, tokenId) {
      const token = await family.resolveToken(chain, { address: contract, tokenId });
      return (await family.readBalances(holder, [token]))[0]!.amountMinor;
    },
    async closeSoon(contract) {
      const data = encodeFunctionData({ abi: ownerAbi, functionName: 'setClosed', args: [true] });
      await sendAsTreasury(contract, data, {
        gas: '0x186a0',
        maxFeePerGas: '0x174876e800',
        maxPriorityFeePerGas: '0x174876e800',
      });
    },
    setClosed: (contract, closed) =>
      asTreasury(
        contract,
        encodeFunctionData({ abi: ownerAbi, functionName: 'setClosed', args: [closed] }),
      ),
    mintEdition: (to, id, amount) =>
      asTreasury(
        editions,
        encodeFunctionData({
          abi: ownerAbi,
          functionName: 'mint',
          args: [to as Hex, BigInt(id), BigInt(amount), '0x'],
        }),
      ),
    close: () => stack.close(),
  };
}

const ownerAbi = [
  {
    type: 'function',
    name: 'setClosed',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'bool', name: 'closed' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'to' },
      { type: 'uint256', name: 'id' },
      { type: 'uint256', name: 'amount' },
      { type: 'bytes', name: 'data' },
    ],
    outputs: [],
  },
] as const;

export const anAddress = () => privateKeyToAccount(generatePrivateKey()).address;

/** An ordinary account with native money and 100 test dollars. */
export async function aTokenPayer({ stack }: CollectionsWorld) {
  const account = privateKeyToAccount(generatePrivateKey());
  const family = stack.ctx.chains.familyOfChain(collectionsChain);
  const token = await family.resolveToken(collectionsChain, { symbol: 'usdxm' });
  await stack.setNativeBalance(collectionsChain, account.address, 10n ** 18n);
  const reference = `test:${generatePrivateKey()}`;
  await family.funding!.fund({
    chain: collectionsChain,
    token,
    amountMinor: 100_000_000n,
    recipientAddress: account.address,
    reference,
  });
  await mineBlocks(stack.devnet.urlOf(collectionsChain), 1);
  return {
    address: account.address,
    payment: { method: collectionsChain, currency: 'usdxm', payerAddress: account.address },
    /** Signs and sends the transaction of the deposit instructions. */
    async pay(order: { payment: { preparation: { serializedTransaction: string } } }) {
      const raw = await account.signTransaction(
        parseTransaction(order.payment.preparation.serializedTransaction as Hex) as never,
      );
      await stack.chainCall(collectionsChain, 'eth_sendRawTransaction', [raw]);
    },
    held: async () => (await family.readBalances(account.address, [token]))[0]!.amountMinor,
  };
}
