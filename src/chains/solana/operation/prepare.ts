import type { Address } from '@solana/kit';
import { ServiceError } from '../../../lib/errors.ts';
import { requireUnexpired } from '../../family/smart-wallets/registrations.ts';
import type { PreparedOperation, PrepareOperationInput, Signer } from '../../family.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { membersOf } from '../wallet/authority.ts';
import { readSmartWallet } from '../wallet/state.ts';
import type { WrapInput, Wrapped } from '../wallet/types.ts';
import { type BuildDeps, buildOperation } from './build.ts';
import { readRequiredSigners } from './co-signers.ts';
import { readPlainTransfer } from './instructions.ts';
import { readTokenAccount } from './layout.ts';
import {
  instructionsOf,
  type Message,
  type ReadInstruction,
  readTable,
  type Tables,
  tablesOf,
} from './message.ts';
import { readAccounts } from './node.ts';
import { requireKept, sponsorInstructions } from './sponsor.ts';
import { readTransactionParams } from './transaction-params.ts';
import { programs } from './wrapping/programs.ts';
import { wrapInstructions } from './wrapping/wrap.ts';

export type { NonceLeases } from './build.ts';
export type PrepareDeps = BuildDeps;

/** As {@link ChainFamily.prepareOperation}. */
export async function prepareSolanaOperation(
  deps: PrepareDeps,
  input: PrepareOperationInput,
): Promise<PreparedOperation> {
  const { message, requiredSigners, params } = readTransactionParams(input.params);
  const { wallet, signer, delegate, now, transfer } = input;
  const connection = await deps.connect('solana');
  const tables = await readTables(connection, message);
  const instructions = readInstructions(message, tables);
  const { coSigners, memberLocators } = readRequiredSigners(instructions, {
    wallet,
    signer,
    requiredSigners,
  });
  const members = membersOf(signer, memberLocators);
  asInvalidSync(() => requireKept(instructions, wallet.address));
  if (delegate) requireUnexpired(delegate, now);
  return buildOperation(deps, connection, {
    wallet,
    tables,
    now,
    ...(delegate?.expiresAt === undefined ? {} : { endsAt: delegate.expiresAt }),
    transfer,
    members,
    coSigners,
    programs: instructions.map(({ programAddress }) => programAddress),
    paramsOf: () => params,
    async compose({ feePayer, validUntil }) {
      const sponsored = await asInvalid(() =>
        sponsorInstructions(instructions, { wallet: wallet.address, feePayer }),
      );
      if (wallet.type === 'mpc')
        return {
          ...sponsored,
          signers: [wallet.address as Address, ...addressesOf(coSigners)],
          plain: instructions,
          programAccounts: [],
          reservedBytes: 0,
        };
      const wrapped = await wrapSponsored(deps, connection, {
        input,
        members,
        instructions: sponsored.instructions as readonly ReadInstruction[],
        feePayer,
        deadline: validUntil,
      });
      if (wrapped.simulated && coSigners.length > 0) throw unsignable(signer);
      return {
        ...wrapped,
        signers: [...wrapped.signers, ...addressesOf(coSigners)],
        paidAccounts: sponsored.paidAccounts,
        plain: instructions,
        programAccounts: wrapped.accounts,
      };
    },
  });
}

interface WrapSponsoredInput
  extends Pick<WrapInput, 'members' | 'instructions' | 'feePayer' | 'deadline'> {
  readonly input: PrepareOperationInput;
}

async function wrapSponsored(
  deps: PrepareDeps,
  connection: SolanaConnection,
  { input, ...rest }: WrapSponsoredInput,
): Promise<Wrapped> {
  const { wallet, signer, delegate, now } = input;
  const named = delegate && delegate.scopes.length > 0 ? namedTokenAccounts(rest.instructions) : [];
  const [state, accounts] = await Promise.all([
    readSmartWallet((addresses) => readAccounts(connection, addresses), { wallet, delegate, now }),
    readAccounts(connection, named),
  ]);
  const known = named.flatMap((address, index) => {
    const account = readTokenAccount(accounts[index]);
    return account ? [[address, account] as const] : [];
  });
  const numbers = {
    wallet: wallet.address,
    signer: delegate ? delegate.signer.locator : '',
    above: state.lastNumber,
  };
  return wrapInstructions(
    { wallet, signer, delegate, now, state, tokenAccounts: new Map(known), ...rest },
    (count) => deps.claimNumbers({ ...numbers, count }),
  );
}

/** Token accounts of plain transfers. */
function namedTokenAccounts(instructions: readonly ReadInstruction[]): Address[] {
  const transfers = instructions.map(readPlainTransfer).filter((one) => one?.kind === 'token');
  return [...new Set(transfers.flatMap((one) => [one!.source, one!.destination]))];
}

async function readTables(connection: SolanaConnection, message: Message): Promise<Tables> {
  const addresses = tablesOf(message);
  const accounts = await readAccounts(connection, addresses);
  return Object.fromEntries(
    addresses.map((address, index) => {
      const account = accounts[index];
      const entries = account?.owner === programs.lookupTable ? readTable(account.data) : undefined;
      if (!entries)
        throw new ServiceError('transaction-invalid', {
          message: `params.transaction names ${address}, which is no address lookup table.`,
        });
      return [address, entries];
    }),
  );
}

/** Without what the service replaces: lifetime and compute budget. */
function readInstructions(message: Message, tables: Tables): ReadInstruction[] {
  const all = asInvalidSync(() => instructionsOf(message, tables));
  const instructions = all.filter((instruction, index) => !isFrame(instruction, index));
  if (instructions.length === 0)
    throw new ServiceError('transaction-invalid', {
      message: 'params.transaction has no instructions.',
    });
  return instructions;
}

function isFrame({ programAddress, data }: ReadInstruction, index: number): boolean {
  if (programAddress === programs.computeBudget) return data[0] === 2 || data[0] === 3;
  return index === 0 && programAddress === programs.system && data.length === 4 && data[0] === 4;
}

function addressesOf(signers: readonly Signer[]): Address[] {
  return signers.map(({ address }) => address as Address);
}

/** What a P-256 key approved stands in the message that others would sign. */
function unsignable({ locator }: Signer): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `params.requiredSigners: "${locator}" approves with a P-256 key, and beside it nobody else can sign: let a signer act that is an address ("server", "external-wallet", "api-key", "email", "phone").`,
  });
}

async function asInvalid<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw invalidOf(error);
  }
}

function asInvalidSync<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw invalidOf(error);
  }
}

function invalidOf(error: unknown): unknown {
  return error instanceof TypeError
    ? new ServiceError('transaction-invalid', { message: `params.transaction ${error.message}.` })
    : error;
}
