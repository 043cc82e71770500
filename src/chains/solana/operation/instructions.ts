import type { Address, Instruction } from '@solana/kit';
import { readU64 } from './layout.ts';
import type { ReadInstruction } from './message.ts';
import { isTokenProgram, programs } from './wrapping/programs.ts';

/** Instructions that the service itself writes or knows. */

export function unitLimit(units: bigint): Instruction {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, Number(units), true);
  return { programAddress: programs.computeBudget, data };
}

export function unitPrice(microLamports: bigint): Instruction {
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, microLamports, true);
  return { programAddress: programs.computeBudget, data };
}

export interface ComputeBudget {
  readonly units: bigint | undefined;
  readonly price: bigint | undefined;
}

/**
 * What a message asks and pays for computation. The cluster does not look at what stands behind it.
 */
export function readComputeBudget(instructions: readonly ReadInstruction[]): ComputeBudget {
  let units: bigint | undefined;
  let price: bigint | undefined;
  for (const { programAddress, data } of instructions) {
    if (programAddress !== programs.computeBudget) continue;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data[0] === 2 && data.length >= 5) units = BigInt(view.getUint32(1, true));
    if (data[0] === 3 && data.length >= 9) price = view.getBigUint64(1, true);
  }
  return { units, price };
}

/** A plain transfer, as an instruction alone tells it. */
export interface PlainTransfer {
  readonly kind: 'native' | 'token';
  /** Account that pays: the wallet, or its token account. */
  readonly source: Address;
  readonly destination: Address;
  readonly authority: Address;
  /** Told by `TransferChecked` alone. */
  readonly mint?: Address;
  readonly amountMinor: bigint;
}

export function readPlainTransfer({
  programAddress,
  accounts,
  data,
}: ReadInstruction): PlainTransfer | undefined {
  const at = (index: number) => accounts[index]?.address;
  if (
    programAddress === programs.system &&
    data.length === 12 &&
    data[0] === 2 &&
    data[1] === 0 &&
    data[2] === 0 &&
    data[3] === 0
  ) {
    const [source, destination] = [at(0), at(1)];
    if (source === undefined || destination === undefined) return undefined;
    return {
      kind: 'native',
      source,
      destination,
      authority: source,
      amountMinor: readU64(data, 4),
    };
  }
  if (!isTokenProgram(programAddress)) return undefined;
  if (data[0] === 3 && data.length === 9) {
    const [source, destination, authority] = [at(0), at(1), at(2)];
    if (source === undefined || destination === undefined || authority === undefined)
      return undefined;
    return { kind: 'token', source, destination, authority, amountMinor: readU64(data, 1) };
  }
  if (data[0] !== 12 || data.length !== 10) return undefined;
  const [source, mint, destination, authority] = [at(0), at(1), at(2), at(3)];
  if (
    source === undefined ||
    mint === undefined ||
    destination === undefined ||
    authority === undefined
  )
    return undefined;
  return { kind: 'token', source, mint, destination, authority, amountMinor: readU64(data, 1) };
}

/** An instruction that makes the token account of an owner. */
export interface AccountCreation {
  readonly payer: Address;
  readonly account: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** `Create` and `CreateIdempotent` of the associated token program. */
export function readAccountCreation({
  programAddress,
  accounts,
  data,
}: ReadInstruction): AccountCreation | undefined {
  if (programAddress !== programs.associatedToken || accounts.length < 6) return undefined;
  if (data.length > 1 || (data.length === 1 && data[0] !== 0 && data[0] !== 1)) return undefined;
  const [payer, account, owner, mint, , tokenProgram] = accounts.map(({ address }) => address);
  return {
    payer: payer!,
    account: account!,
    owner: owner!,
    mint: mint!,
    tokenProgram: tokenProgram!,
  };
}
