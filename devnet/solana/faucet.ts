import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { toBase58 } from './base.ts';
import { systemProgram } from './program-ids.ts';

/**
 * The account that airdrops come from. Its key follows from the chain's seed: nothing of value
 * hangs on it.
 */
export interface Faucet {
  readonly address: string;
  /** A signed transfer. */
  pay(to: string, lamports: bigint, blockhash: string): Uint8Array;
}

const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const transferSol = 2;

export function createFaucet(seed: Uint8Array): Faucet {
  const secret = createHash('sha256').update('faucet').update(seed).digest();
  const key = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const address = toBase58(
    new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)),
  );
  return {
    address,
    pay: (to, lamports, blockhash) =>
      signTransfer({ key, from: address as Address, to: to as Address, lamports, blockhash }),
  };
}

interface Transfer {
  readonly key: KeyObject;
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
  readonly blockhash: string;
}

function signTransfer({ key, from, to, lamports, blockhash }: Transfer): Uint8Array {
  const data = new Uint8Array(12);
  new DataView(data.buffer).setUint32(0, transferSol, true);
  new DataView(data.buffer).setBigUint64(4, lamports, true);
  const accounts = [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(from, one),
    (one) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        one,
      ),
    (one) =>
      appendTransactionMessageInstruction(
        { programAddress: systemProgram as Address, accounts, data },
        one,
      ),
  );
  const unsigned = compileTransaction(message);
  const signature = new Uint8Array(
    sign(null, new Uint8Array(unsigned.messageBytes), key),
  ) as SignatureBytes;
  return new Uint8Array(
    getTransactionEncoder().encode({ ...unsigned, signatures: { [from]: signature } }),
  );
}
