import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Address,
  type CompiledTransactionMessage,
  getAddressDecoder,
  type Instruction,
  type SignatureBytes,
  type TransactionMessageBytes,
} from '@solana/kit';
import { Machine } from '../../../devnet/solana/machine.ts';
import { programPath } from '../build.ts';
import {
  approvalHash,
  encodeApprovals,
  type P256Approval,
  type SignerKey,
  secp256r1Program,
  showInstructions,
  walletErrors,
} from '../index.ts';
import { compileMessage, encodeMessage, type Message } from './message.ts';

export interface Key {
  readonly address: Address;
  readonly secret: KeyObject;
}

const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const decoder = getAddressDecoder();

/** A key; the same for the same name. */
export function keyOf(name: string = randomBytes(16).toString('hex')): Key {
  const seed = createHash('sha256').update(name).digest();
  const secret = createPrivateKey({
    key: Buffer.concat([prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    secret,
    address: decoder.decode(
      createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32),
    ),
  };
}

/** As a member or delegate. */
export function memberOf({ address }: Pick<Key, 'address'>): SignerKey {
  return { kind: 'ed25519', address };
}

export const system = '11111111111111111111111111111111' as Address;
export const programAddress = keyOf('program').address;
export const sol = 1_000_000_000n;

export type Approve = (hash: Uint8Array) => readonly P256Approval[];

export interface Ran {
  readonly answer: string;
  /** What did not get through: the number of the instruction, and the program that refused. */
  readonly failure?: { readonly instruction: number; readonly program: string };
  readonly units: number;
  /** Of the transaction. */
  readonly bytes: number;
}

/** Puts approvals into the instruction that is empty so far. */
function fillApprovals(message: Message, approve: Approve): Message {
  if (!message.staticAccounts.includes(secp256r1Program)) return message;
  const shown = showInstructions(message as unknown as CompiledTransactionMessage);
  const empty = shown.findIndex(
    ({ program, data }) => program === secp256r1Program && data.length === 0,
  );
  if (empty < 0) return message;
  const data = encodeApprovals(approve(approvalHash(shown)));
  const instructions = message.instructions.map((one, index) =>
    index === empty ? { ...one, data } : one,
  );
  return { ...message, instructions };
}

/** The machine of the local chain with the program in it, without server and history. */
export class World {
  readonly machine = new Machine();
  readonly payer = keyOf('payer');
  #time = 1_000_000;
  #count = 0;

  constructor() {
    this.addProgram(programAddress);
    this.setTime(this.#time);
    this.fund(this.payer.address, 1_000_000n * sol);
  }

  get time(): number {
    return this.#time;
  }

  /** The wallet program, at that address. */
  addProgram(address: Address): void {
    this.machine.addProgram(address, readFileSync(programPath));
  }

  setTime(seconds: number): void {
    this.#time = seconds;
    this.machine.setClock(10 + Math.floor(seconds / 10), seconds * 1000);
  }

  fund(address: Address, lamports: bigint): void {
    this.machine.write(address, {
      lamports,
      owner: system,
      data: new Uint8Array(),
      executable: false,
    });
  }

  balanceOf(address: Address): bigint {
    return this.machine.read(address)?.lamports ?? 0n;
  }

  /** @returns what went wrong: the program's words, else the runtime's */
  send(
    instructions: readonly Instruction[],
    signers: readonly Key[] = [],
    approve: Approve = () => [],
  ): string {
    return this.run(instructions, signers, approve).answer;
  }

  /**
   * @param approve what P-256 keys say to the hash; nothing is asked of them without an instruction
   * for it
   */
  run(
    instructions: readonly Instruction[],
    signers: readonly Key[] = [],
    approve: Approve = () => [],
  ): Ran {
    const message = compileMessage(this.payer.address, this.#lifetime(), instructions);
    const filled = fillApprovals(message, approve);
    const messageBytes = encodeMessage(filled);
    const keys = new Map([this.payer, ...signers].map((key) => [key.address, key.secret]));
    const signatures = Object.fromEntries(
      filled.staticAccounts.slice(0, filled.header.numSignerAccounts).map((address) => {
        const secret = keys.get(address);
        if (!secret) throw new Error(`Nobody signs for ${address}`);
        return [address, new Uint8Array(sign(null, messageBytes, secret)) as SignatureBytes];
      }),
    );
    const { error, units, logs } = this.machine.run({
      messageBytes: messageBytes as unknown as TransactionMessageBytes,
      signatures,
    });
    const bytes = 1 + 64 * Object.keys(signatures).length + messageBytes.length;
    return {
      answer: error === null ? 'none' : describe(error),
      failure: error === null ? undefined : failureOf(error, logs),
      units: Number(units),
      bytes,
    };
  }

  /** Each transaction has another one, so that no two are equal. */
  #lifetime(): string {
    return decoder.decode(
      createHash('sha256')
        .update(`block ${this.#count++}`)
        .digest(),
    );
  }
}

type RunError = NonNullable<ReturnType<Machine['run']>['error']>;

/** Programs that were called report before those that called them. */
function failureOf(error: RunError, logs: readonly string[]): Ran['failure'] {
  const detail = typeof error === 'string' ? undefined : error.InstructionError;
  const program = logs.map((line) => /^Program (\S+) failed/.exec(line)?.[1]).find(Boolean);
  if (!Array.isArray(detail) || program === undefined) return undefined;
  return { instruction: Number(detail[0]), program };
}

function describe(error: RunError): string {
  if (typeof error === 'string') return error;
  const detail = error.InstructionError;
  const cause: unknown = Array.isArray(detail) ? detail[1] : error;
  if (typeof cause === 'object' && cause !== null && 'Custom' in cause)
    return walletErrors[Number(cause.Custom)] ?? `custom ${cause.Custom}`;
  return typeof cause === 'string' ? cause : JSON.stringify(cause);
}
