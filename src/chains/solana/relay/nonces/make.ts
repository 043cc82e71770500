import { type Address, createAddressWithSeed, createNoopSigner } from '@solana/kit';
import {
  getCreateAccountWithSeedInstruction,
  getInitializeNonceAccountInstruction,
} from '@solana-program/system';
import { nonceBytes } from '../../operation/layout.ts';
import { writeMessage, writeTransaction } from '../../operation/message.ts';
import { readBlockhash, send } from '../../operation/node.ts';
import { programs } from '../../operation/wrapping/programs.ts';
import { readRent } from '../../rpc/calls.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import type { SigningAccount } from '../keys.ts';

/**
 * Nonce accounts on the chain. Their addresses follow from the fee payer and a number: no key is
 * kept, and none is made twice.
 */

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

/** Sends a transaction that makes them; whether it landed is seen by the accounts. */
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
    getCreateAccountWithSeedInstruction({
      payer: signer,
      newAccount: address as Address,
      base: payer.address,
      seed,
      amount: lamports,
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
