import { AccountRole, type Address, getAddressDecoder } from '@solana/kit';
import type { ReadInstruction } from '../message.ts';
import { programs } from './programs.ts';

/**
 * What an instruction of the wallet program does, as one that the wallet would have signed itself.
 */
export type Unwrapped =
  | { readonly kind: 'inner'; readonly instruction: ReadInstruction }
  | { readonly kind: 'register' | 'remove'; readonly signer: string; readonly scopes: number }
  | { readonly kind: 'end' }
  /** It makes what was set up before. */
  | { readonly kind: 'creation' }
  | { readonly kind: 'unknown' };

const kindAt = 0;
const headEnd = 21;
const keyKinds = ['', 'device ', 'passkey '] as const;

export function unwrap(instruction: ReadInstruction): Unwrapped {
  const { data } = instruction;
  switch (data[kindAt]) {
    case 0:
    case 6:
      return { kind: 'creation' };
    case 1:
      return inner(instruction, 1, headEnd);
    case 7:
      return inner(instruction, 3, headEnd + 4);
    case 2:
      return {
        kind: 'register',
        signer: signerAt(data, headEnd + 4),
        scopes: data[headEnd + 4 + 42] ?? 0,
      };
    case 3:
      return { kind: 'remove', signer: signerAt(data, headEnd + 4), scopes: 0 };
    case 4:
      return transfer(instruction);
    case 5:
      return { kind: 'end' };
    default:
      return { kind: 'unknown' };
  }
}

/**
 * @param vault where it stands among the accounts; the inner program and its accounts follow
 * @param at where their number stands
 */
function inner({ accounts, data }: ReadInstruction, vault: number, at: number): Unwrapped {
  const count = data[at];
  const program = accounts[vault + 1];
  if (
    count === undefined ||
    !program ||
    accounts.length < vault + 2 + count ||
    data.length < at + 1 + count
  )
    return { kind: 'unknown' };
  const flags = data.subarray(at + 1, at + 1 + count);
  return {
    kind: 'inner',
    instruction: {
      programAddress: program.address,
      accounts: accounts
        .slice(vault + 2, vault + 2 + count)
        .map(({ address }, index) => ({ address, role: roleOf(flags[index]!) })),
      data: data.subarray(at + 1 + count),
    },
  };
}

function roleOf(flags: number): AccountRole {
  if ((flags & 2) !== 0)
    return (flags & 1) !== 0 ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return (flags & 1) !== 0 ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function transfer({ accounts, data }: ReadInstruction): Unwrapped {
  const [, , , vault, fourth, fifth, sixth, program] = accounts.map(({ address }) => address);
  if (data.length !== headEnd + 13 || vault === undefined || fourth === undefined)
    return { kind: 'unknown' };
  const amount = data.subarray(headEnd + 5, headEnd + 13);
  const at = (address: Address, role: AccountRole) => ({ address, role });
  if (accounts.length === 6)
    return {
      kind: 'inner',
      instruction: {
        programAddress: programs.system,
        accounts: [at(vault, AccountRole.WRITABLE_SIGNER), at(fourth, AccountRole.WRITABLE)],
        data: Uint8Array.of(2, 0, 0, 0, ...amount),
      },
    };
  if (accounts.length !== 8 || fifth === undefined || sixth === undefined || program === undefined)
    return { kind: 'unknown' };
  return {
    kind: 'inner',
    instruction: {
      programAddress: program,
      accounts: [
        at(fourth, AccountRole.WRITABLE),
        at(fifth, AccountRole.READONLY),
        at(sixth, AccountRole.WRITABLE),
        at(vault, AccountRole.READONLY_SIGNER),
      ],
      // The program reads the decimals from the mint.
      data: Uint8Array.of(12, ...amount, 0),
    },
  };
}

function signerAt(data: Uint8Array, at: number): string {
  if (data.length < at + 34) return 'an unknown key';
  const kind = data[at]!;
  if (kind === 0) return getAddressDecoder().read(data, at + 1)[0];
  return `${keyKinds[kind] ?? ''}${Buffer.from(data.subarray(at + 1, at + 34)).toString('hex')}`;
}
