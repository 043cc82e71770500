import type { Address } from '@solana/kit';
import { secp256r1Program } from '../../../../programs/solana-wallet/index.ts';
import { formatAmount } from '../../../lib/amount.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Network } from '../../family.ts';
import { readAccountCreation, readPlainTransfer } from '../operation/instructions.ts';
import { instructionsOf, type ReadInstruction, type Tables, tablesOf } from '../operation/message.ts';
import { isTokenProgram, programs } from '../operation/programs.ts';
import { readOperation } from '../operation/stored.ts';
import { unwrap } from '../operation/unwrap.ts';

/** Longer ones say how many instructions are left out. */
const descriptionLengthMax = 200;
/** Most entries that a lookup table has. */
const tableEntriesMax = 256;

/**
 * As {@link ChainFamily.describeSigned}, of the bytes alone. Symbols are those of the service's own list; a token that is not in it
 * is named by its address.
 */
export function describeSolanaSigned(network: Network, value: JsonObject, walletProgram?: string): string {
  const { chain, message, feePayer } = readOperation(value);
  const tables: Tables = Object.fromEntries(tablesOf(message).map((table) => [table, entriesOf(table)]));
  const instructions = instructionsOf(message, tables);
  const owners = ownersOf(instructions);
  const said: string[] = [];
  const telling = instructions
    .map((one) => describe({ network, owners, feePayer, walletProgram }, one))
    .filter((text) => text !== undefined);
  for (const [index, text] of telling.entries()) {
    if (index > 0 && [...said, text].join(', then ').length > descriptionLengthMax) {
      said.push(`run ${telling.length - index} more instructions`);
      break;
    }
    said.push(text);
  }
  return `${said.join(', then ') || 'do nothing'} on ${chain}`;
}

/** What stands in a table cannot be told from the bytes that are signed: each entry is its own unknown, and never another's. */
function entriesOf(table: string): Address[] {
  return Array.from({ length: tableEntriesMax }, (_, index) => `entry ${index} of the lookup table ${table}` as Address);
}

/** Whose token accounts those are that the message itself makes. */
function ownersOf(instructions: readonly ReadInstruction[]): ReadonlyMap<string, { readonly owner: string; readonly mint: string }> {
  return new Map(
    instructions
      .map(readAccountCreation)
      .filter((one) => one !== undefined)
      .map(({ account, owner, mint }) => [account, { owner, mint }]),
  );
}

interface Told {
  readonly network: Network;
  readonly owners: ReturnType<typeof ownersOf>;
  readonly feePayer: string;
  readonly walletProgram: string | undefined;
}

function describe(told: Told, instruction: ReadInstruction): string | undefined {
  if (isFrame(instruction)) return undefined;
  return instruction.programAddress === told.walletProgram ? describeWallet(told, instruction) : describeCall(told, instruction);
}

function describeCall({ network, owners, feePayer }: Told, instruction: ReadInstruction): string | undefined {
  const creation = readAccountCreation(instruction);
  if (creation && isTokenProgram(creation.tokenProgram))
    // At the service's cost it gives nobody anything, and a transfer to it says the same.
    return creation.payer === feePayer ? undefined : `pay for the token account ${creation.account}`;
  const transfer = readPlainTransfer(instruction);
  if (!transfer) return `run the program ${instruction.programAddress}`;
  const made = owners.get(transfer.destination);
  const to = made ? made.owner : transfer.kind === 'native' ? transfer.destination : `the token account ${transfer.destination}`;
  return `send ${describeAmount(network, transfer.kind === 'native' ? undefined : (transfer.mint ?? made?.mint ?? 'an unknown token'), transfer.amountMinor)} to ${to}`;
}

/** What the wallet program does for the wallet; that it makes the wallet's own accounts goes without saying. */
function describeWallet(told: Told, instruction: ReadInstruction): string | undefined {
  const done = unwrap(instruction);
  if (done.kind === 'inner') return describeCall(told, done.instruction);
  if (done.kind === 'creation') return undefined;
  if (done.kind === 'register')
    return `register the delegated signer ${done.signer} ${done.scopes === 0 ? 'without limits' : `for ${done.scopes} scopes`}`;
  if (done.kind === 'remove') return `remove the delegated signer ${done.signer}`;
  return done.kind === 'end' ? 'end all delegated signers and whatever was signed before' : `run the program ${instruction.programAddress}`;
}

/** Nonce, compute budget, and where P-256 approvals stand. */
function isFrame({ programAddress, data }: ReadInstruction): boolean {
  if (programAddress === secp256r1Program) return true;
  return programAddress === programs.computeBudget || (programAddress === programs.system && data.length === 4 && data[0] === 4);
}

function describeAmount(network: Network, mint: string | undefined, amountMinor: bigint): string {
  const token = mint === undefined ? network.native : network.tokens.find(({ address }) => address === mint);
  return token
    ? `${formatAmount(amountMinor, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amountMinor} of the smallest unit of ${mint}`;
}
