import { type Address, createAddressWithSeed, createNoopSigner } from '@solana/kit';
import {
  getAllocateWithSeedInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import { nonceBytes } from '../../operation/layout.ts';
import { writeMessage, writeTransaction } from '../../operation/message.ts';
import { readBlockhash, send } from '../../operation/node.ts';
import { accountOverheadBytes, lamportsPerByte } from '../../operation/sponsor.ts';
import { programs } from '../../operation/wrapping/programs.ts';
import { readRent } from '../../rpc/calls.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import type { SigningAccount } from '../keys.ts';

/**
 * Nonce accounts on the chain. Their addresses follow from the fee payer and a number: no key is
 * kept, and none is made twice.
 */

/** What one costs at most, whatever somebody else sent to it. */
export const nonceRentMax = (BigInt(nonceBytes) + accountOverheadBytes) * lamportsPerByte;

export interface PlannedNonce {
  readonly address: string;
  readonly feePayer: string;
  readonly seed: string;
}

export async function planNonces(
  feePayer: string,
  after: number,
  count: number,
): Promise<PlannedNonce[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const seed = `nonce-${after + index + 1}`;
      const address = await createAddressWithSeed({
        baseAddress: feePayer as Address,
        programAddress: programs.system,
        seed,
      });
      return { address, feePayer, seed };
    }),
  );
}

/**
 * Sends a transaction that makes them; whether it landed is seen by the accounts. Anybody can know
 * where they will be and send money there, and `CreateAccount` refuses accounts that hold some.
 */
export async function makeNonces(
  connection: SolanaConnection,
  payer: SigningAccount,
  nonces: readonly PlannedNonce[],
): Promise<void> {
  const [lamports, blockhash] = await Promise.all([
    readRent(connection, nonceBytes),
    readBlockhash(connection),
  ]);
  const signer = createNoopSigner(payer.address);
  const instructions = nonces.flatMap(({ address, seed }) => [
    getTransferSolInstruction({
      source: signer,
      destination: address as Address,
      amount: lamports,
    }),
    getAllocateWithSeedInstruction({
      newAccount: address as Address,
      baseAccount: signer,
      base: payer.address,
      seed,
      space: BigInt(nonceBytes),
      programAddress: programs.system,
    }),
    getInitializeNonceAccountInstruction({
      nonceAccount: address as Address,
      nonceAuthority: payer.address,
    }),
  ]);
  const bytes = writeMessage({ feePayer: payer.address, instructions, tables: {}, blockhash });
  await send(connection, writeTransaction(bytes, { [payer.address]: payer.sign(bytes) }));
}
