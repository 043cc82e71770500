import { type Address, type Instruction, isAddress } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { readAccountCreation } from './instructions.ts';
import type { ReadInstruction } from './message.ts';
import { isTokenProgram, programs } from './wrapping/programs.ts';

/**
 * The service signs as the fee payer, and what a transaction's signer has signed for, any of its
 * instructions may use. So the fee payer's account stands in no instruction but those that make
 * token accounts, which are checked here to the last account: by another token program than the two
 * of the cluster the size of the account, and so its price, would be a stranger's choice.
 */

/** Token accounts that one transaction may have made at the service's cost. */
export const paidAccountsMax = 2;
/** Data of a token account with all extensions that mints of Token-2022 ask for. */
const tokenAccountBytesMax = 300n;
/** What an account takes beside its data. */
export const accountOverheadBytes = 128n;
/** Rent of a byte. */
export const lamportsPerByte = 6_960n;

/** The most that the rent of a token account is. */
export const tokenAccountRentMax = (tokenAccountBytesMax + accountOverheadBytes) * lamportsPerByte;

/**
 * Accounts of the wallet program that one transaction may have made at the service's cost: a
 * wallet, and a delegated signer of it.
 */
const programAccountsMax = 2;
/**
 * A delegated signer with a P-256 key and as many scopes as the program has room for; a wallet
 * takes less.
 */
const programAccountBytesMax = 968n;

/** The most that the rent of an account of the wallet program is. */
export const programAccountRentMax =
  (programAccountBytesMax + accountOverheadBytes) * lamportsPerByte;

/**
 * Where the wallet program's instructions name who pays, by their first byte: creation, and what
 * makes a delegate's account.
 */
const payerPlaces: ReadonlyMap<number | undefined, number> = new Map([
  [0, 0],
  [2, 2],
  [3, 2],
  [6, 2],
]);

/** What a message does besides its frame (nonce, computation). */
export interface Sponsored {
  readonly instructions: readonly Instruction[];
  /** Token accounts that the fee payer pays for, if they are not there. */
  readonly paidAccounts: readonly Address[];
}

/**
 * Instructions of a caller as they are sent: the service pays for the token accounts that the
 * wallet would pay for.
 * @throws TypeError with the rest of a sentence about the transaction
 */
export async function sponsorInstructions(
  instructions: readonly ReadInstruction[],
  { wallet, feePayer }: { readonly wallet: string; readonly feePayer: Address },
): Promise<Sponsored> {
  const sponsored: Instruction[] = [];
  const paidAccounts: Address[] = [];
  for (const [index, instruction] of instructions.entries()) {
    if (
      instruction.programAddress === feePayer ||
      instruction.accounts.some(({ address }) => address === feePayer)
    )
      throw new TypeError(
        `names the fee payer of this service, ${feePayer}, in instruction ${index + 1}`,
      );
    const creation = readAccountCreation(instruction);
    if (creation?.payer !== wallet || paidAccounts.length === paidAccountsMax) {
      sponsored.push(instruction);
      continue;
    }
    await requireOwnAccount(creation, index);
    const [payer, ...others] = instruction.accounts;
    sponsored.push({ ...instruction, accounts: [{ ...payer!, address: feePayer }, ...others] });
    paidAccounts.push(creation.account);
  }
  return { instructions: sponsored, paidAccounts };
}

/**
 * Instructions of the system program by their first number, and at which place the account stands
 * that they give away or close.
 */
const changesOfAccount: ReadonlyMap<number, number> = new Map([
  [0, 1], // CreateAccount
  [1, 0], // Assign
  [8, 0], // Allocate
]);

/**
 * An account that another program owns, or that has data, sends no SOL any more, and what comes to
 * it later is that program's: it would outlast whoever asked for it. @throws TypeError with the
 * rest of a sentence about the transaction
 */
export function requireKept(instructions: readonly ReadInstruction[], wallet: string): void {
  for (const [index, { programAddress, accounts, data }] of instructions.entries()) {
    if (programAddress !== programs.system || data.length < 4) continue;
    const place = changesOfAccount.get(Buffer.from(data).readUInt32LE(0));
    if (place !== undefined && accounts[place]?.address === wallet)
      throw new TypeError(
        `gives the account of the wallet to another program in instruction ${index + 1}`,
      );
  }
}

/**
 * Looks at a message's instructions once more, before the fee payer signs: what is not of the frame
 * may use its account for token accounts, and accounts of the wallet program, alone. @throws Error
 * when it does otherwise
 */
export async function requireSponsored(
  instructions: readonly ReadInstruction[],
  {
    feePayer,
    nonceAccount,
    walletProgram,
  }: {
    readonly feePayer: string;
    readonly nonceAccount: string;
    readonly walletProgram?: string | undefined;
  },
): Promise<void> {
  const [advance, ...rest] = instructions;
  const [nonce, , authority] = advance?.accounts.map(({ address }) => address) ?? [];
  const isAdvance =
    advance?.programAddress === programs.system &&
    advance.accounts.length === 3 &&
    isAdvanceData(advance.data);
  if (!isAdvance || nonce !== nonceAccount || authority !== feePayer)
    throw new Error('The message does not begin with its nonce.');
  let paid = 0;
  let programAccounts = 0;
  for (const [index, instruction] of rest.entries()) {
    const creation = readAccountCreation(instruction);
    const names = instruction.accounts.filter(({ address }) => address === feePayer).length;
    if (instruction.programAddress === feePayer) throw new Error('The fee payer is no program.');
    if (names === 0) continue;
    if (names === 1 && paysForProgram(instruction, { feePayer, walletProgram })) {
      programAccounts += 1;
      continue;
    }
    if (creation?.payer !== feePayer || names > 1)
      throw new Error(`Instruction ${index + 2} uses the fee payer's account.`);
    await requireOwnAccount(creation, index + 1);
    paid += 1;
  }
  if (paid > paidAccountsMax) throw new Error(`${paid} token accounts would be paid for.`);
  if (programAccounts > programAccountsMax)
    throw new Error(`${programAccounts} accounts of the wallet program would be paid for.`);
}

/**
 * The wallet program takes from who pays the rent of the account that it makes, and nothing else.
 */
function paysForProgram(
  { programAddress, accounts, data }: ReadInstruction,
  {
    feePayer,
    walletProgram,
  }: { readonly feePayer: string; readonly walletProgram: string | undefined },
): boolean {
  const place = payerPlaces.get(data[0]);
  return (
    programAddress === walletProgram && place !== undefined && accounts[place]?.address === feePayer
  );
}

function isAdvanceData(data: Uint8Array): boolean {
  return data.length === 4 && data[0] === 4 && data[1] === 0 && data[2] === 0 && data[3] === 0;
}

async function requireOwnAccount(
  { account, owner, mint, tokenProgram }: NonNullable<ReturnType<typeof readAccountCreation>>,
  index: number,
): Promise<void> {
  if (!isTokenProgram(tokenProgram))
    throw new TypeError(
      `makes a token account of the unknown program ${tokenProgram} in instruction ${index + 1}`,
    );
  const [expected] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
  if (expected !== account || !isAddress(account))
    throw new TypeError(
      `makes the token account ${account} in instruction ${index + 1}, which is not that of its owner`,
    );
}
