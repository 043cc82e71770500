import type { Address } from '@solana/kit';
import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { requireHoldable } from '../../family/amount-limit.ts';
import type { TransferIntent } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { writeMessage, writeTransaction } from './message.ts';
import { type ChainAccount, type Connect, readAccounts } from './node.ts';
import { isTokenProgram, programs } from './wrapping/programs.ts';

/** Plain transfers, in the form that a caller would send them (supplement, section 6). */

const nobodys = new Set<string>(Object.values(programs));

/**
 * An address that somebody may hold money at: no program of the cluster, and not the zero address.
 */
export function isSolanaRecipient(text: string): boolean {
  return checkSolanaAddress(text) === undefined && !nobodys.has(text);
}

/**
 * As {@link ChainFamily.transferParams}.
 * @throws invalid-recipient, token-not-supported, insufficient-balance what no account can hold
 */
export async function solanaTransferParams(
  connect: Connect,
  intent: TransferIntent,
): Promise<JsonObject> {
  const { token, amountMinor, recipientAddress, wallet } = intent;
  if (!isSolanaRecipient(recipientAddress))
    throw new ServiceError('invalid-recipient', {
      message: `The recipient "${recipientAddress.slice(0, 80)}" ${checkSolanaAddress(recipientAddress) ?? 'is an address that nobody can use'}.`,
    });
  requireHoldable(intent);
  const mint = token.address as Address | undefined;
  const connection = await connect(intent.chain);
  const [recipient, mintAccount] = await readAccounts(connection, [
    recipientAddress,
    ...(mint === undefined ? [] : [mint]),
  ]);
  requirePerson(recipient);
  const owner = createNoopSigner(wallet.address as Address);
  const instructions =
    mint === undefined
      ? [
          getTransferSolInstruction({
            source: owner,
            destination: recipientAddress as Address,
            amount: amountMinor,
          }),
        ]
      : await tokenTransfer(mintAccount, { ...intent, mint });
  const message = writeMessage({ feePayer: owner.address, instructions, tables: {} });
  return { transaction: bs58.encode(writeTransaction(message)) };
}

/**
 * What is sent to a program, or to a mint, nobody gets out again, and who has a token account has
 * an address of his own. @throws invalid-recipient
 */
function requirePerson(recipient: ChainAccount | undefined): void {
  if (!recipient || (!recipient.executable && !isTokenProgram(recipient.owner))) return;
  const what = recipient.executable ? 'a program' : 'an account of the token program';
  throw new ServiceError('invalid-recipient', {
    message: `The recipient is ${what}, not a person's: send the address of its owner.`,
  });
}

async function tokenTransfer(
  mintAccount: ChainAccount | undefined,
  intent: TransferIntent & { readonly mint: Address },
) {
  const { wallet, chain, mint, token, amountMinor, recipientAddress } = intent;
  if (!mintAccount || !isTokenProgram(mintAccount.owner))
    throw new ServiceError('token-not-supported', {
      message: `There is no token at ${mint} on "${chain}".`,
    });
  const tokenProgram = mintAccount.owner as Address;
  const owner = createNoopSigner(wallet.address as Address);
  const [[source], [destination]] = await Promise.all([
    findAssociatedTokenPda({ owner: owner.address, mint, tokenProgram }),
    findAssociatedTokenPda({ owner: recipientAddress as Address, mint, tokenProgram }),
  ]);
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: owner,
      ata: destination,
      owner: recipientAddress as Address,
      mint,
      tokenProgram,
    }),
    getTransferCheckedInstruction(
      {
        source,
        mint,
        destination,
        authority: owner,
        amount: amountMinor,
        decimals: token.decimals,
      },
      { programAddress: tokenProgram },
    ),
  ];
}
