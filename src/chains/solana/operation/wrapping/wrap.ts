import {
  AccountRole,
  type Address,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit';
import {
  createWallet,
  execute,
  executeByDelegate,
  findDelegate,
  p256Instruction,
  writePlanned,
} from '../../../../../programs/solana-wallet/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { isP256Signer } from '../../../family/signing/quorums.ts';
import { secondsOf } from '../../../family/smart-wallets/registrations.ts';
import { isQuorum, type Signer } from '../../../family.ts';
import { approvalBytesMax } from '../../signing/p256.ts';
import { adminSignersOf } from '../../wallet/authority.ts';
import { signerKeyOf } from '../../wallet/signer-keys.ts';
import { readSmartSetup, type SmartWallet } from '../../wallet/smart-plan.ts';
import { plannedRegistration } from '../../wallet/state.ts';
import type { WrapInput, Wrapped } from '../../wallet/types.ts';
import { readAccountCreation } from '../instructions.ts';
import type { ReadInstruction } from '../message.ts';
import { transferByDelegate } from './wrap-transfer.ts';

/**
 * Instructions that name a smart wallet as their signer, as instructions of the wallet program,
 * which signs them.
 */

/** That the program reads of one instruction: its own, those of what the wallet signs, approvers. */
const programAccountsMax = 64;

/** The first of so many numbers that no other operation of this signer gets. */
export type ClaimNumbers = (count: number) => Promise<bigint>;

/** What an operation of the wallet begins with, whoever it is of. */
export interface Head {
  readonly epoch: number;
  readonly deadline: bigint;
  readonly number?: bigint;
}

/** @throws transaction-invalid, signer-scope-violation, signer-expired */
export async function wrapInstructions(
  input: WrapInput,
  claimNumbers: ClaimNumbers,
): Promise<Wrapped> {
  const { wallet, signer, instructions, feePayer, state } = input;
  const smart = readSmartSetup(wallet);
  const own = instructions.map((instruction, index) => ({
    instruction,
    index,
    isOwn: isOfWallet(smart, feePayer, instruction, index),
  }));
  const count = own.filter(({ isOwn }) => isOwn).length;
  if (count === 0)
    throw invalid(
      `No instruction of params.transaction needs the signature of the wallet ${wallet.address}`,
    );
  const head = { epoch: state.epoch, deadline: secondsOf(input.deadline) };
  const { wrap, ...authority } = authorityOf(smart, input);
  const first = authority.isP256 ? await claimNumbers(count) : undefined;
  let used = 0n;
  const wrapped = own.map(({ instruction, index, isOwn }) => {
    if (!isOwn)
      return withoutWallet(
        smart,
        requireStranger(instruction, { index, feePayer, signers: authority.signers }),
      );
    const numbered = first === undefined ? head : { ...head, number: first + used++ };
    return requireReadable(wrap(instruction, index, numbered), instruction, index);
  });
  return complete(smart, input, {
    ...authority,
    instructions: wrapped,
    inner: instructions,
    signer,
  });
}

interface Authority {
  readonly isP256: boolean;
  readonly signers: readonly Address[];
  readonly approvals: number;
}

/** Who signs, and how an instruction of theirs is made. */
function authorityOf(
  smart: SmartWallet,
  input: WrapInput,
): Authority & {
  readonly wrap: (inner: ReadInstruction, index: number, head: Head) => Instruction;
} {
  const { signer, delegate, state } = input;
  if (!delegate) {
    const { signers, approvals } = adminSignersOf(smart, signer, input.members);
    const isP256 = signers.length === 0;
    return {
      isP256,
      signers,
      approvals,
      wrap: (inner, _, head) => execute(smart.addresses, inner, { ...head, signers }),
    };
  }
  if (!state.delegate?.active)
    throw invalid(
      `params.signer: "${signer.locator}" is neither a recovery method of this wallet nor a delegated signer that is registered on the chain`,
    );
  const key = signerKeyOf(signer);
  const acting = {
    delegate: key,
    account: findDelegate(smart.addresses, key),
    generation: state.delegate.generation,
  };
  const transfers =
    state.delegate.scopes.length === 0
      ? undefined
      : transferByDelegate(smart.addresses, input, acting);
  return {
    isP256: isP256Signer(signer),
    signers: key.kind === 'ed25519' ? [key.address] : [],
    approvals: 1,
    wrap: (inner, index, head) =>
      transfers
        ? transfers(inner, index, head)
        : executeByDelegate(smart.addresses, inner, { ...acting, ...head }),
  };
}

/**
 * Adds what the wallet needs before it can act: its creation, a planned delegate's account, a place
 * for P-256 approvals.
 */
export function complete(
  smart: SmartWallet,
  { state, feePayer, delegate }: Pick<WrapInput, 'state' | 'feePayer' | 'delegate'>,
  made: Authority & {
    readonly instructions: readonly Instruction[];
    readonly inner: readonly Instruction[];
    readonly signer: Signer;
  },
): Wrapped {
  const { addresses, setup } = smart;
  const key = delegate && signerKeyOf(delegate.signer);
  const registration =
    key && state.delegate && !state.delegate.written ? plannedRegistration(smart, key) : undefined;
  const account = registration && findDelegate(addresses, registration.key);
  const first = [
    ...(state.created ? [] : [createWallet(addresses, setup, feePayer)]),
    ...(registration
      ? [writePlanned(addresses, registration, { account: account!, payer: feePayer })]
      : []),
  ];
  return {
    instructions: [...(made.isP256 ? [p256Instruction()] : []), ...first, ...made.instructions],
    signers: made.signers,
    ...(made.isP256 ? { simulated: [...first, ...made.inner] } : {}),
    accounts: [
      ...(state.created ? [] : [addresses.state]),
      ...(account === undefined ? [] : [account]),
    ],
    reservedBytes: made.isP256
      ? made.approvals * approvalBytesMax(isQuorum(made.signer) ? 'passkey' : made.signer.type)
      : 0,
  };
}

/** @throws transaction-invalid what the program would refuse */
function isOfWallet(
  { addresses }: SmartWallet,
  feePayer: Address,
  instruction: ReadInstruction,
  index: number,
): boolean {
  const place = `instruction ${index + 1} of params.transaction`;
  if (instruction.programAddress === addresses.program)
    throw invalid(
      `${place} calls the wallet program itself: register and remove signers with the signers routes`,
    );
  // The service pays for these accounts, whoever owns them.
  if (readAccountCreation(instruction)?.payer === feePayer) return false;
  return instruction.accounts.some(
    ({ address, role }) => address === addresses.vault && isSignerRole(role),
  );
}

/** @throws transaction-invalid what has more accounts than the program reads */
function requireReadable(
  made: Instruction,
  { accounts }: ReadInstruction,
  index: number,
): Instruction {
  const { length } = made.accounts!;
  if (length <= programAccountsMax) return made;
  throw invalid(
    `instruction ${index + 1} of params.transaction names ${accounts.length} accounts: by these signers the wallet signs instructions with up to ${programAccountsMax - (length - accounts.length)}`,
  );
}

/**
 * Whoever signs a transaction has signed for each of its instructions, whatever those say: outside
 * of the wallet's own they could use what the signer has itself. @throws transaction-invalid
 */
function requireStranger(
  instruction: ReadInstruction,
  {
    index,
    feePayer,
    signers,
  }: { readonly index: number; readonly feePayer: Address; readonly signers: readonly Address[] },
): ReadInstruction {
  const named = instruction.accounts.find(({ address }) => signers.includes(address));
  if (!named || readAccountCreation(instruction)?.payer === feePayer) return instruction;
  throw invalid(
    `instruction ${index + 1} of params.transaction names ${named.address}, who signs for the wallet alone: only instructions that the wallet signs may name it`,
  );
}

/** At the top level the wallet signs nothing. */
function withoutWallet({ addresses }: SmartWallet, instruction: ReadInstruction): Instruction {
  const accounts = instruction.accounts.map(({ address, role }) => ({
    address,
    role:
      address !== addresses.vault
        ? role
        : isWritableRole(role)
          ? AccountRole.WRITABLE
          : AccountRole.READONLY,
  }));
  return { ...instruction, accounts };
}

function invalid(message: string): ServiceError {
  return new ServiceError('transaction-invalid', { message: `${message}.` });
}
