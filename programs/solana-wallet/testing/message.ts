import { type Address, getAddressEncoder, type Instruction } from '@solana/kit';

/**
 * Messages of version 0 without lookup tables, as `compileTransactionMessage` of the kit makes
 * them. Ten thousand random transactions name the same few accounts: each is decoded once here,
 * which was a quarter of their time.
 */
export interface Message {
  readonly version: 0;
  readonly header: {
    readonly numSignerAccounts: number;
    readonly numReadonlySignerAccounts: number;
    readonly numReadonlyNonSignerAccounts: number;
  };
  readonly staticAccounts: Address[];
  readonly lifetimeToken: string;
  readonly instructions: {
    readonly programAddressIndex: number;
    readonly accountIndices: number[];
    readonly data: Uint8Array;
  }[];
}

const writable = 1;
const signer = 2;

export function compileMessage(
  payer: Address,
  lifetimeToken: string,
  instructions: readonly Instruction[],
): Message {
  const roles = new Map<Address, number>([[payer, signer | writable]]);
  for (const { programAddress, accounts = [] } of instructions)
    for (const { address, role } of [...accounts, { address: programAddress, role: 0 }])
      roles.set(address, (roles.get(address) ?? 0) | role);
  const of = (wanted: number) =>
    [...roles].flatMap(([address, role]) => (role === wanted ? [address] : []));
  const [readonlySigners, others] = [of(signer), of(0)];
  const staticAccounts = [...of(signer | writable), ...readonlySigners, ...of(writable), ...others];
  const indexOf = new Map(staticAccounts.map((address, index) => [address, index]));
  return {
    version: 0,
    header: {
      numSignerAccounts: staticAccounts.length - of(writable).length - others.length,
      numReadonlySignerAccounts: readonlySigners.length,
      numReadonlyNonSignerAccounts: others.length,
    },
    staticAccounts,
    lifetimeToken,
    instructions: instructions.map(({ programAddress, accounts = [], data }) => ({
      programAddressIndex: indexOf.get(programAddress)!,
      accountIndices: accounts.map(({ address }) => indexOf.get(address)!),
      data: new Uint8Array(data ?? []),
    })),
  };
}

const encoder = getAddressEncoder();
const bytesOfAddresses = new Map<Address, Uint8Array>();

function bytesOf(address: Address): Uint8Array {
  const bytes = bytesOfAddresses.get(address) ?? new Uint8Array(encoder.encode(address));
  bytesOfAddresses.set(address, bytes);
  return bytes;
}

/** Lengths are `compact-u16`: seven bits a byte, lowest first. */
function lengthOf({ length }: { readonly length: number }): Uint8Array {
  return new Uint8Array(length < 128 ? [length] : [(length & 127) | 128, length >> 7]);
}

export function encodeMessage({ header, ...message }: Message): Uint8Array {
  return Buffer.concat([
    new Uint8Array([128, ...Object.values(header)]),
    lengthOf(message.staticAccounts),
    ...message.staticAccounts.map(bytesOf),
    encoder.encode(message.lifetimeToken as Address) as Uint8Array,
    lengthOf(message.instructions),
    ...message.instructions.flatMap(({ programAddressIndex, accountIndices, data }) => [
      new Uint8Array([programAddressIndex]),
      lengthOf(accountIndices),
      new Uint8Array(accountIndices),
      lengthOf(data),
      data,
    ]),
    new Uint8Array([0]),
  ]);
}
