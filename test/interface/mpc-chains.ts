import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';
import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { expect } from 'vitest';
import { contractAddress } from '../../contracts/stellar/testing/world.ts';
import { aptosNetwork } from '../../src/chains/aptos/config/networks.ts';
import { aptosTransferParams } from '../../src/chains/aptos/operation/params.ts';
import { newAddress as newAptosAddress } from '../../src/chains/aptos/testing/world.ts';
import {
  messageBytesOf,
  readTransaction,
  writeMessage,
  writeTransaction,
} from '../../src/chains/solana/operation/message.ts';
import { newAddress as newSolanaAddress } from '../../src/chains/solana/testing/world.ts';
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';
import { newSuiAddress } from '../../src/chains/sui/testing/bed.ts';
import type { Stack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';

export interface NativeTransfer {
  readonly wallet: string;
  readonly recipient: string;
  readonly amountMinor: bigint;
  /** Of several that do not wait for each other. */
  readonly which?: number;
}

/** What wallets of type mpc are on a chain, as a caller sees it. */
export interface MpcChain {
  readonly chainType: 'solana' | 'aptos' | 'sui' | 'stellar';
  readonly address: RegExp;
  readonly txId: RegExp;
  readonly native: string;
  /** What else names it in token locators: types of its own. */
  readonly nativeNames?: readonly string[];
  /** Of the test token. */
  readonly decimals: number;
  readonly tokenAddressField: 'mintHash' | 'contractAddress' | 'contractId';
  /** The type need not be sent, and is the only one. */
  readonly isOnlyType: boolean;
  /** Of the wallet that is made for a user who has none. */
  readonly recipientType: 'smart' | 'mpc';
  /** Of native money, for a wallet that was just made. */
  readonly firstAmount: string;
  /**
   * Of native money that anybody can be sent; the wallet has ten times as much, and never
   * `tooMuchMinor`.
   */
  readonly amountMinor: bigint;
  readonly tooMuchMinor: bigint;
  /** Where nothing stands, and which can be paid. */
  freshAddress(): string;
  readonly badRecipients: readonly string[];
  /** From outside: ten times `amountMinor` or more. */
  giveNative(stack: Stack, address: string): Promise<void>;
  /** `params` of a transaction as a client builds it. */
  nativeTransfer(stack: Stack, transfer: NativeTransfer): Promise<Body>;
  /** Params of no transaction, beside what every chain refuses. */
  readonly badParams: readonly object[];
  /** More to be seen of a transaction that was sent. */
  check?(
    stack: Stack,
    sent: { readonly wallet: string; readonly created: Body; readonly done: Body },
  ): Promise<void>;
}

const notBase64 = [
  { transaction: 'not base64!' },
  { transaction: Buffer.from('nonsense').toString('base64') },
];

const solana: MpcChain = {
  chainType: 'solana',
  address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  txId: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/,
  native: 'sol',
  decimals: 6,
  tokenAddressField: 'mintHash',
  isOnlyType: false,
  recipientType: 'smart',
  firstAmount: '0.25',
  amountMinor: 1_000_000n,
  tooMuchMinor: 9_000_000_000n,
  freshAddress: newSolanaAddress,
  badRecipients: ['0x000000000000000000000000000000000000bEEF', '11111111111111111111111111111111'],
  giveNative: async (stack, address) =>
    void (await stack.chainCall('solana', 'requestAirdrop', [address, 500_000_000])),
  async nativeTransfer(_stack, { wallet, recipient, amountMinor }) {
    const source = createNoopSigner(wallet as never);
    const instructions = [
      getTransferSolInstruction({ source, destination: recipient as never, amount: amountMinor }),
    ];
    return {
      transaction: bs58.encode(
        writeTransaction(writeMessage({ feePayer: source.address, instructions, tables: {} })),
      ),
    };
  },
  badParams: [
    { transaction: 'not base58 0' },
    { transaction: bs58.encode(Buffer.from('nonsense')) },
  ],
  async check(stack, { wallet, created, done }) {
    const written = readTransaction(created.onChain.transaction);
    expect(written.staticAccounts[0]).not.toBe(wallet);
    expect(written.staticAccounts).toContain(wallet);
    const landed = await stack.chainCall<{ transaction: [string] }>('solana', 'getTransaction', [
      done.onChain.txId,
      { encoding: 'base58', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ]);
    expect(messageBytesOf(landed.transaction[0])).toEqual(
      messageBytesOf(created.onChain.transaction),
    );
  },
};

const moveAddress = /^0x[0-9a-f]{64}$/;
const badMoveRecipients = ['0x000000000000000000000000000000000000bEEF', `0x${'0'.repeat(63)}1`];

const aptos: MpcChain = {
  chainType: 'aptos',
  address: moveAddress,
  txId: /^0x[0-9a-f]{64}$/,
  native: 'apt',
  nativeNames: [`0x${'0'.repeat(63)}a`, '0x1::aptos_coin::AptosCoin'],
  decimals: 6,
  tokenAddressField: 'contractAddress',
  isOnlyType: true,
  recipientType: 'mpc',
  firstAmount: '0.25',
  amountMinor: 1_000_000n,
  tooMuchMinor: 9_000_000_000n,
  freshAddress: newAptosAddress,
  badRecipients: badMoveRecipients,
  async giveNative(stack, address) {
    const body = JSON.stringify({ address, amount: '50000000' });
    expect((await fetch(`${stack.urlOf('aptos')}/v1/mint`, { method: 'POST', body })).status).toBe(
      200,
    );
  },
  // A raw transaction; nonce, expiry and gas are the service's.
  nativeTransfer: async (_stack, { wallet, recipient, amountMinor }) =>
    aptosTransferParams(aptosNetwork('development'), {
      wallet: { address: wallet } as never,
      chain: 'aptos',
      token: { chain: 'aptos', locator: 'aptos:apt', symbol: 'apt', decimals: 8 },
      amountMinor,
      recipientAddress: recipient,
    }),
  badParams: notBase64,
};

const sui: MpcChain = {
  chainType: 'sui',
  address: moveAddress,
  txId: /^[1-9A-HJ-NP-Za-km-z]{43,44}$/,
  native: 'sui',
  nativeNames: ['0x2::sui::SUI'],
  decimals: 6,
  tokenAddressField: 'contractAddress',
  isOnlyType: true,
  recipientType: 'mpc',
  firstAmount: '0.25',
  amountMinor: 1_000_000n,
  tooMuchMinor: 90_000_000_000n,
  freshAddress: newSuiAddress,
  badRecipients: badMoveRecipients,
  async giveNative(stack, address) {
    const body = JSON.stringify({ FixedAmountRequest: { recipient: address } });
    const headers = { 'content-type': 'application/json' };
    // A transaction names its coins at their versions: each has one of its own.
    for (let count = 0; count < 3; count++)
      expect(
        (await fetch(`${stack.urlOf('sui')}/v2/gas`, { method: 'POST', headers, body })).status,
      ).toBe(200);
  },
  // The kind of a transaction; gas and expiry are the service's. Out of the coin that pays where
  // the wallet has none: that is refused.
  async nativeTransfer(stack, { wallet, recipient, amountMinor, which = 0 }) {
    const client = new SuiGrpcClient({ network: 'localnet', baseUrl: stack.urlOf('sui') });
    const coin = (await client.listCoins({ owner: wallet })).objects[which];
    const tx = new Transaction();
    const from = coin ? tx.objectRef(coin) : tx.gas;
    tx.transferObjects([tx.splitCoins(from, [amountMinor])], recipient);
    return {
      transaction: Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64'),
    };
  },
  badParams: notBase64,
};

const stellar: MpcChain = {
  chainType: 'stellar',
  address: /^G[A-Z2-7]{55}$/,
  txId: /^[0-9a-f]{64}$/,
  native: 'xlm',
  decimals: 7,
  tokenAddressField: 'contractId',
  isOnlyType: false,
  recipientType: 'smart',
  firstAmount: '0.25',
  // Lumens make an account that is not there, where they are enough for its reserve.
  amountMinor: 15_000_000n,
  tooMuchMinor: 10n ** 15n,
  freshAddress: () => contractAddress(crypto.randomUUID()),
  badRecipients: [
    '0x000000000000000000000000000000000000bEEF',
    'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
  ],
  async giveNative(stack, address) {
    expect((await fetch(`${stack.urlOf('stellar')}/friendbot?addr=${address}`)).status).toBe(200);
  },
  nativeTransfer: async (_stack, { wallet, recipient, amountMinor }) => ({
    transaction: {
      type: 'contract-call',
      contractId: stellarNetwork('development').nativeContract,
      method: 'transfer',
      args: { from: wallet, to: recipient, amount: String(amountMinor) },
    },
  }),
  badParams: [
    ...notBase64,
    ...['upgrade-wallet', 'migrate-wallet'].map((type) => ({ transaction: { type } })),
    {
      transaction: {
        type: 'contract-call',
        contractId: contractAddress('nothing stands here'),
        method: 'transfer',
        args: {},
      },
    },
  ],
};

export const mpcChains: readonly MpcChain[] = [solana, aptos, sui, stellar];
