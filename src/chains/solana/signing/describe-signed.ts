import type { Address } from '@solana/kit';
import { formatAmount } from '../../../lib/amount.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Network } from '../../family.ts';
import { readAccountCreation, readPlainTransfer } from '../operation/instructions.ts';
import { instructionsOf, type ReadInstruction, type Tables, tablesOf } from '../operation/message.ts';
import { programs } from '../operation/programs.ts';
import { readOperation } from '../operation/stored.ts';

/** Longer ones say how many instructions are left out. */
const descriptionLengthMax = 200;
/** Where a table's entry would stand: what it is cannot be told from the bytes that are signed. */
const unknown = 'an account of a lookup table' as Address;

/**
 * As {@link ChainFamily.describeSigned}, of the bytes alone. Symbols are those of the service's own list; a token that is not in it
 * is named by its address.
 */
export function describeSolanaSigned(network: Network, value: JsonObject): string {
  const { chain, message } = readOperation(value);
  const tables: Tables = Object.fromEntries(tablesOf(message).map((table) => [table, new Array<Address>(256).fill(unknown)]));
  const instructions = instructionsOf(message, tables);
  const owners = ownersOf(instructions);
  const said: string[] = [];
  const telling = instructions.map((one) => describe(network, owners, one)).filter((text) => text !== undefined);
  for (const [index, text] of telling.entries()) {
    if (index > 0 && [...said, text].join(', then ').length > descriptionLengthMax) {
      said.push(`run ${telling.length - index} more instructions`);
      break;
    }
    said.push(text);
  }
  return `${said.join(', then ') || 'do nothing'} on ${chain}`;
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

function describe(network: Network, owners: ReturnType<typeof ownersOf>, instruction: ReadInstruction): string | undefined {
  if (isFrame(instruction)) return undefined;
  const creation = readAccountCreation(instruction);
  // A transfer to it says the same.
  if (creation) return undefined;
  const transfer = readPlainTransfer(instruction);
  if (!transfer) return `run the program ${instruction.programAddress}`;
  const made = owners.get(transfer.destination);
  const to = made ? made.owner : transfer.kind === 'native' ? transfer.destination : `the token account ${transfer.destination}`;
  return `send ${describeAmount(network, transfer.kind === 'native' ? undefined : (transfer.mint ?? made?.mint ?? 'an unknown token'), transfer.amountMinor)} to ${to}`;
}

/** Nonce and compute budget. */
function isFrame({ programAddress, data }: ReadInstruction): boolean {
  return programAddress === programs.computeBudget || (programAddress === programs.system && data.length === 4 && data[0] === 4);
}

function describeAmount(network: Network, mint: string | undefined, amountMinor: bigint): string {
  const token = mint === undefined ? network.native : network.tokens.find(({ address }) => address === mint);
  return token
    ? `${formatAmount(amountMinor, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amountMinor} of the smallest unit of ${mint}`;
}
