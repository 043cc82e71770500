import { AccountRole, type Address, type Instruction } from '@solana/kit';
import {
  findDelegate,
  raiseEpoch,
  removeDelegate,
  type SignerKey,
  setDelegate,
} from '../../../../programs/solana-wallet/index.ts';
import {
  addressesOf,
  requireAddable,
  secondsOf,
  truthsOf,
} from '../../family/smart-wallets/registrations.ts';
import type {
  Delegate,
  DelegateTruth,
  FamilyWallet,
  LimitUse,
  PreparedOperation,
  PrepareSignerChangeInput,
  ReadLimitsInput,
} from '../../family.ts';
import { type BuildDeps, buildOperation, type Composition } from '../operation/build.ts';
import { readAccounts } from '../operation/node.ts';
import { complete, type Head } from '../operation/wrapping/wrap.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { adminSignersOf, membersOf } from './authority.ts';
import { registrationOf } from './registration.ts';
import { signerKeyOf } from './signer-keys.ts';
import { readSmartSetup } from './smart-plan.ts';
import {
  type ChainDelegate,
  limitsOf,
  plannedRegistration,
  readDelegateAccount,
  readSmartWallet,
  readWalletAccount,
} from './state.ts';

/**
 * Delegated signers of a wallet: the operations of its admin that change them, and what the chain
 * says of them.
 */

/**
 * As {@link ChainFamily.prepareSignerChange}.
 * @throws transaction-invalid an approver that is no recovery method of the wallet
 */
export async function prepareSolanaSignerChange(
  deps: BuildDeps,
  input: PrepareSignerChangeInput,
): Promise<PreparedOperation> {
  const { wallet, change, now } = input;
  const connection = await deps.connect(input.chain);
  const { addresses } = readSmartSetup(wallet);
  if (change.kind === 'add') requireAddable(change.delegate, 'solana', now);
  const registration = change.kind === 'add' ? registrationOf(change.delegate) : undefined;
  const key =
    registration?.key ??
    signerKeyOf(change.kind === 'add' ? change.delegate.signer : change.signer);
  const account = findDelegate(addresses, key);
  const [found] = await readAccounts(connection, [account]);
  const generation = readDelegateAccount(addresses, found)?.generation ?? 0;
  return prepareAdminCall(deps, connection, input, {
    counterparties: change.kind === 'add' ? addressesOf(change.delegate) : [],
    programAccounts: [account],
    instruction: (call, payer) => {
      const whole = { ...call, account, generation, payer };
      return registration
        ? setDelegate(addresses, registration, whole)
        : removeDelegate(addresses, key, whole);
    },
  });
}

/** As {@link ControlTools.prepareEnd}. @throws as {@link prepareSolanaSignerChange} */
export async function prepareSolanaEnd(
  deps: BuildDeps,
  input: Omit<PrepareSignerChangeInput, 'change'>,
): Promise<PreparedOperation> {
  const connection = await deps.connect(input.chain);
  const { addresses } = readSmartSetup(input.wallet);
  return prepareAdminCall(deps, connection, input, {
    counterparties: [],
    programAccounts: [],
    instruction: (call) => raiseEpoch(addresses, call),
  });
}

interface AdminCall {
  readonly counterparties: readonly string[];
  readonly programAccounts: Composition['programAccounts'];
  readonly instruction: (
    call: Head & { readonly signers: Composition['signers'] },
    payer: Composition['signers'][number],
  ) => Instruction;
}

async function prepareAdminCall(
  deps: BuildDeps,
  connection: SolanaConnection,
  { wallet, approver, now }: Omit<PrepareSignerChangeInput, 'change'>,
  { counterparties, programAccounts, instruction }: AdminCall,
): Promise<PreparedOperation> {
  const smart = readSmartSetup(wallet);
  const members = membersOf(approver, []);
  const { signers, approvals } = adminSignersOf(smart, approver, members);
  const isP256 = signers.length === 0;
  return buildOperation(deps, connection, {
    wallet,
    tables: {},
    now,
    members,
    programs: [],
    counterparties,
    paramsOf: (transaction) => ({ transaction }),
    async compose({ feePayer, validUntil }) {
      const state = await readSmartWallet((addresses) => readAccounts(connection, addresses), {
        wallet,
        now,
      });
      const number = isP256
        ? await deps.claimNumbers({
            wallet: wallet.address,
            signer: '',
            above: state.lastNumber,
            count: 1,
          })
        : undefined;
      const head = {
        epoch: state.epoch,
        deadline: secondsOf(validUntil),
        ...(number === undefined ? {} : { number }),
      };
      const { accounts, ...wrapped } = complete(
        smart,
        { state, feePayer },
        {
          isP256,
          signers,
          approvals,
          signer: approver,
          instructions: [named(instruction({ ...head, signers }, feePayer), smart.addresses.vault)],
          inner: [],
        },
      );
      return {
        ...wrapped,
        paidAccounts: [],
        programAccounts: [...accounts, ...programAccounts],
        plain: [],
      };
    },
  });
}

/** The wallet stands in whatever is signed for it, though the program asks for its state alone. */
function named(instruction: Instruction, vault: Address): Instruction {
  return {
    ...instruction,
    accounts: [...(instruction.accounts ?? []), { address: vault, role: AccountRole.READONLY }],
  };
}

/** As {@link ChainFamily.readDelegates}: one round trip. */
export async function readSolanaDelegates(
  connection: SolanaConnection,
  wallet: FamilyWallet,
  delegates: readonly Delegate[],
): Promise<DelegateTruth[]> {
  const wanted = delegates.map((delegate) => registrationOf(delegate));
  const found = await readRegistered(
    connection,
    wallet,
    wanted.map(({ key }) => key),
  );
  return truthsOf(
    wanted,
    found.map((there) => there?.registration),
  );
}

/** As {@link Delegates.readLimits}. */
export async function readSolanaLimits(
  connection: SolanaConnection,
  { wallet, signers, now }: ReadLimitsInput,
): Promise<((LimitUse | undefined)[] | undefined)[]> {
  const found = await readRegistered(
    connection,
    wallet,
    signers.map((signer) => signerKeyOf(signer)),
  );
  return found.map((there) => there && limitsOf(there, secondsOf(now)));
}

/** What is in force for these keys, the set-up's included, with what was spent. */
async function readRegistered(
  connection: SolanaConnection,
  wallet: FamilyWallet,
  keys: readonly SignerKey[],
): Promise<(Pick<ChainDelegate, 'registration' | 'spent'> | undefined)[]> {
  const smart = readSmartSetup(wallet);
  const { addresses } = smart;
  const [state, ...accounts] = await readAccounts(connection, [
    addresses.state,
    ...keys.map((key) => findDelegate(addresses, key)),
  ]);
  const epoch = readWalletAccount(addresses, state)?.epoch ?? 0;
  return keys.map((key, index) => {
    const written = readDelegateAccount(addresses, accounts[index]);
    if (written) return written.active && written.epoch === epoch ? written : undefined;
    const registration = epoch === 0 ? plannedRegistration(smart, key) : undefined;
    return (
      registration && {
        registration,
        spent: registration.scopes.map(() => ({ amount: 0n, since: 0n })),
      }
    );
  });
}
