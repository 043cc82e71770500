import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { Machine } from '../../../devnet/solana/machine.ts';
import { programPath } from '../build.ts';
import { walletErrors } from '../instructions.ts';

export interface Key {
  readonly address: Address;
  readonly secret: KeyObject;
}

const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const decoder = getAddressDecoder();

/** A key; the same for the same name. */
export function keyOf(name: string = randomBytes(16).toString('hex')): Key {
  const seed = createHash('sha256').update(name).digest();
  const secret = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  return { secret, address: decoder.decode(createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32)) };
}

export const system = '11111111111111111111111111111111' as Address;
export const programAddress = keyOf('program').address;
export const sol = 1_000_000_000n;

/** The machine of the local chain with the program in it, without server and history. */
export class World {
  readonly machine = new Machine();
  readonly payer = keyOf('payer');
  #time = 1_000_000;
  #count = 0;

  constructor() {
    this.machine.addProgram(programAddress, readFileSync(programPath));
    this.setTime(this.#time);
    this.fund(this.payer.address, 1_000_000n * sol);
  }

  get time(): number {
    return this.#time;
  }

  setTime(seconds: number): void {
    this.#time = seconds;
    this.machine.setClock(10 + Math.floor(seconds / 10), seconds * 1000);
  }

  fund(address: Address, lamports: bigint): void {
    this.machine.write(address, { lamports, owner: system, data: new Uint8Array(), executable: false });
  }

  balanceOf(address: Address): bigint {
    return this.machine.read(address)?.lamports ?? 0n;
  }

  /** @returns what went wrong: the program's words, else the runtime's */
  send(instructions: readonly Instruction[], signers: readonly Key[] = []): string {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayer(this.payer.address, one),
      (one) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: this.#lifetime(), lastValidBlockHeight: 0n }, one),
      (one) => appendTransactionMessageInstructions(instructions, one),
    );
    const unsigned = compileTransaction(message);
    const keys = new Map([this.payer, ...signers].map((key) => [key.address, key.secret]));
    const signatures = Object.fromEntries(
      Object.keys(unsigned.signatures).map((address) => {
        const secret = keys.get(address as Address);
        if (!secret) throw new Error(`Nobody signs for ${address}`);
        return [address, new Uint8Array(sign(null, new Uint8Array(unsigned.messageBytes), secret)) as SignatureBytes];
      }),
    );
    const { error } = this.machine.run({ ...unsigned, signatures });
    return error === null ? 'none' : describe(error);
  }

  /** Each transaction has another one, so that no two are equal. */
  #lifetime(): Blockhash {
    return decoder.decode(
      createHash('sha256')
        .update(`block ${this.#count++}`)
        .digest(),
    ) as string as Blockhash;
  }
}

function describe(error: string | Readonly<Record<string, unknown>>): string {
  if (typeof error === 'string') return error;
  const detail = error.InstructionError;
  const cause: unknown = Array.isArray(detail) ? detail[1] : error;
  if (typeof cause === 'object' && cause !== null && 'Custom' in cause)
    return walletErrors[Number(cause.Custom)] ?? `custom ${cause.Custom}`;
  return typeof cause === 'string' ? cause : JSON.stringify(cause);
}
