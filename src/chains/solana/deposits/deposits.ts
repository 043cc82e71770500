import { randomBytes } from 'node:crypto';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import { ServiceError } from '../../../lib/errors.ts';
import type { DepositInstructions, DepositIntent, Deposits, PayerState } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { writeMessage, writeTransaction } from '../operation/message.ts';
import { isSolanaRecipient } from '../operation/transfer.ts';
import { isTokenProgram, programs } from '../operation/wrapping/programs.ts';
import { readAccounts, readLatestBlockhash } from '../rpc/calls.ts';
import type { SolanaConnection, SolanaConnections } from '../rpc/connections.ts';
import { readSolanaBalances } from '../tokens/balances.ts';
import { associatedTokenAddress } from '../tokens/derived-addresses.ts';
import { memoPattern } from '../watcher/index.ts';

/** Fee of one signature. */
const feeLamports = 5_000n;
/** What a token account must hold: the payer makes the recipient's where it has none yet. */
const tokenAccountLamports = 2_039_280n;

/** As {@link ChainFamily.newMemo}: 16 random bytes, as text of the memo program. */
export function newSolanaMemo(): string {
  return randomBytes(16).toString('hex');
}

/**
 * As {@link ChainFamily.depositInstructions}: base58 of an unsigned transaction with a transfer and
 * its memo. Its blockhash is let in for about a minute; whoever signs later puts a newer one in its
 * place.
 */
export async function solanaDepositInstructions(
  connections: SolanaConnections,
  intent: DepositIntent,
): Promise<DepositInstructions> {
  checkIntent(intent);
  const connection = await connections.connect(intent.chain);
  const [transfer, { blockhash }] = await Promise.all([
    transferOf(connection, intent),
    readLatestBlockhash(connection, 'confirmed'),
  ]);
  const memo: Instruction = {
    programAddress: programs.memo,
    accounts: [],
    data: Buffer.from(intent.memo),
  };
  const feePayer = intent.payerAddress as Address;
  const message = writeMessage({
    feePayer,
    instructions: [...transfer, memo],
    tables: {},
    blockhash,
  });
  return { serializedTransaction: bs58.encode(writeTransaction(message)), carriesMemo: true };
}

/** @throws invalid-recipient, token-not-supported, validation-error */
function checkIntent({ token, payerAddress, recipientAddress, memo }: DepositIntent): void {
  if (!memoPattern.test(memo)) throw new Error(`"${memo}" is no memo of newMemo()`);
  const wrong = checkSolanaAddress(payerAddress);
  if (wrong)
    throw new ServiceError('validation-error', { message: `payment.payerAddress: ${wrong}.` });
  if (!isSolanaRecipient(recipientAddress)) throw new ServiceError('invalid-recipient');
  if (token.tokenId !== undefined)
    throw new ServiceError('token-not-supported', {
      message: `${token.locator} is one of a collection: it cannot be paid with.`,
    });
}

async function transferOf(
  connection: SolanaConnection,
  intent: DepositIntent,
): Promise<Instruction[]> {
  const { token, amountMinor: amount, payerAddress, recipientAddress } = intent;
  const payer = createNoopSigner(payerAddress as Address);
  if (token.address === undefined)
    return [
      getTransferSolInstruction({
        source: payer,
        destination: recipientAddress as Address,
        amount,
      }),
    ];
  const [mintAccount] = (
    await readAccounts(connection, [token.address], { commitment: 'confirmed' })
  ).accounts;
  if (!mintAccount || !isTokenProgram(mintAccount.owner))
    throw new ServiceError('token-not-supported', {
      message: `There is no token at ${token.address} on "${token.chain}".`,
    });
  const mint = token.address as Address;
  const tokenProgram = mintAccount.owner as Address;
  const accountOf = (owner: string) =>
    associatedTokenAddress({ owner, mint, tokenProgram }) as Address;
  const destination = accountOf(recipientAddress);
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: destination,
      owner: recipientAddress as Address,
      mint,
      tokenProgram,
    }),
    getTransferCheckedInstruction(
      {
        source: accountOf(payerAddress),
        mint,
        destination,
        authority: payer,
        amount,
        decimals: token.decimals,
      },
      { programAddress: tokenProgram },
    ),
  ];
}

/** As {@link ChainFamily.payerState}. */
export async function solanaPayerState(
  connections: SolanaConnections,
  {
    chain,
    token,
    amountMinor,
    payerAddress,
    sponsored = false,
  }: Parameters<Deposits['payerState']>[0],
): Promise<PayerState> {
  const connection = await connections.connect(chain);
  const { name, native } = connection.network;
  const [held, fees] = await readSolanaBalances(connection, payerAddress, [
    token,
    { chain: name, locator: `${name}:${native.symbol}`, ...native },
  ]);
  if (held!.amountMinor < amountMinor) return 'insufficient-funds';
  if (sponsored) return 'ok';
  const isNative = token.address === undefined;
  const left = fees!.amountMinor - (isNative ? amountMinor : 0n);
  return left < feeLamports + (isNative ? 0n : tokenAccountLamports)
    ? 'insufficient-funds-for-gas'
    : 'ok';
}
