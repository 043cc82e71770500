import type { Address } from '@solana/kit';
import { secp256r1Program } from '../../../../programs/solana-wallet/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { describeActions, type SaidAction } from '../../family/signing/describe-actions.ts';
import type { Network } from '../../family.ts';
import { readAccountCreation, readPlainTransfer } from '../operation/instructions.ts';
import {
  instructionsOf,
  type ReadInstruction,
  type Tables,
  tablesOf,
} from '../operation/message.ts';
import { readOperation } from '../operation/stored.ts';
import { isTokenProgram, programs } from '../operation/wrapping/programs.ts';
import { unwrap } from '../operation/wrapping/unwrap.ts';

/** Most entries that a lookup table has. */
const tableEntriesMax = 256;

/**
 * As {@link ChainFamily.describeSigned}, of the bytes alone. Symbols are those of the service's own
 * list; a token that is not in it is named by its address.
 */
export function describeSolanaSigned(
  network: Network,
  value: JsonObject,
  walletProgram?: string,
): string {
  const { chain, wallet, message, feePayer } = readOperation(value);
  const tables: Tables = Object.fromEntries(
    tablesOf(message).map((table) => [table, entriesOf(table)]),
  );
  const instructions = instructionsOf(message, tables);
  const owners = ownersOf(instructions);
  const actions = instructions
    .map((one) => describe({ network, wallet, owners, feePayer, walletProgram }, one))
    .filter((action) => action !== undefined);
  const words = {
    joiner: ', then ',
    more: (count: number) => `run ${count} more instructions`,
    nothing: 'do nothing',
  };
  return `${describeActions(actions, words)} on ${chain}`;
}

/**
 * What stands in a table cannot be told from the bytes that are signed: each entry is its own
 * unknown, and never another's.
 */
function entriesOf(table: string): Address[] {
  return Array.from(
    { length: tableEntriesMax },
    (_, index) => `entry ${index} of the lookup table ${table}` as Address,
  );
}

/** Whose token accounts those are that the message itself makes. */
function ownersOf(
  instructions: readonly ReadInstruction[],
): ReadonlyMap<string, { readonly owner: string; readonly mint: string }> {
  return new Map(
    instructions
      .map(readAccountCreation)
      .filter((one) => one !== undefined)
      .map(({ account, owner, mint }) => [account, { owner, mint }]),
  );
}

interface Told {
  readonly network: Network;
  readonly wallet: string;
  readonly owners: ReturnType<typeof ownersOf>;
  readonly feePayer: string;
  readonly walletProgram: string | undefined;
}

function describe(told: Told, instruction: ReadInstruction): SaidAction | undefined {
  if (isFrame(instruction)) return undefined;
  return instruction.programAddress === told.walletProgram
    ? describeWallet(told, instruction)
    : describeCall(told, instruction);
}

function describeCall(
  { network, wallet, owners, feePayer }: Told,
  instruction: ReadInstruction,
): SaidAction | undefined {
  const creation = readAccountCreation(instruction);
  if (creation && isTokenProgram(creation.tokenProgram))
    // At the service's cost it gives nobody anything, and a transfer to it says the same.
    return creation.payer === feePayer
      ? undefined
      : { text: `pay for the token account ${creation.account}`, matters: true };
  const transfer = readPlainTransfer(instruction);
  if (!transfer) return { text: `run the program ${instruction.programAddress}`, matters: false };
  const made = owners.get(transfer.destination);
  const to = made
    ? made.owner
    : transfer.kind === 'native'
      ? transfer.destination
      : `the token account ${transfer.destination}`;
  // Whoever signs beside the wallet may give something as well.
  const from = transfer.authority === wallet ? '' : ` of ${transfer.authority}`;
  const mint =
    transfer.kind === 'native' ? undefined : (transfer.mint ?? made?.mint ?? 'an unknown token');
  return {
    text: `send ${describeAmount(network, mint, transfer.amountMinor)}${from} to ${to}`,
    matters: true,
  };
}

/**
 * What the wallet program does for the wallet; that it makes the wallet's own accounts goes without
 * saying.
 */
function describeWallet(told: Told, instruction: ReadInstruction): SaidAction | undefined {
  const done = unwrap(instruction);
  if (done.kind === 'inner') return describeCall(told, done.instruction);
  if (done.kind === 'creation') return undefined;
  if (done.kind === 'register') {
    const limits = done.scopes === 0 ? 'without limits' : `for ${done.scopes} scopes`;
    return { text: `register the delegated signer ${done.signer} ${limits}`, matters: true };
  }
  if (done.kind === 'remove')
    return { text: `remove the delegated signer ${done.signer}`, matters: true };
  const text =
    done.kind === 'end'
      ? 'end all delegated signers and whatever was signed before'
      : `run the program ${instruction.programAddress}`;
  return { text, matters: true };
}

/** Nonce, compute budget, and where P-256 approvals stand. */
function isFrame({ programAddress, data }: ReadInstruction): boolean {
  if (programAddress === secp256r1Program) return true;
  return (
    programAddress === programs.computeBudget ||
    (programAddress === programs.system && data.length === 4 && data[0] === 4)
  );
}

function describeAmount(network: Network, mint: string | undefined, amountMinor: bigint): string {
  const token =
    mint === undefined ? network.native : network.tokens.find(({ address }) => address === mint);
  return token
    ? `${formatAmount(amountMinor, token.decimals)} ${token.symbol.toUpperCase()}`
    : `${amountMinor} of the smallest unit of ${mint}`;
}
