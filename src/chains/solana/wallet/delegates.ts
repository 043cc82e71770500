import { AccountRole, type Address, type Instruction } from '@solana/kit';
import {
  findDelegate,
  type Registration,
  raiseEpoch,
  removeDelegate,
  type SignerKey,
  setDelegate,
} from '../../../../programs/solana-wallet/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { singleDelegateTypes } from '../../family/signing/quorums.ts';
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
import { registrationOf, secondsOf } from './registration.ts';
import { invalid, keyId, signerKeyOf } from './signer-keys.ts';
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
  const registration = change.kind === 'add' ? readAddition(change.delegate, now) : undefined;
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

/** @throws signer-type-not-supported, validation-error */
function readAddition(delegate: Delegate, now: Date): Registration {
  if (!singleDelegateTypes.some((type) => type === delegate.signer.type))
    throw new ServiceError('signer-type-not-supported', {
      message: `signer: a signer of type "${delegate.signer.type}" cannot be a delegated signer of a solana wallet. Use one of: ${singleDelegateTypes.join(', ')}.`,
    });
  if (delegate.expiresAt !== undefined && delegate.expiresAt <= now)
    throw invalid('expiresAt', 'is in the past');
  return registrationOf(delegate);
}

/** The delegate and those it may send money to. */
function addressesOf({ signer, scopes }: Delegate): string[] {
  return [
    ...new Set([
      ...(signer.address === undefined ? [] : [signer.address]),
      ...scopes.flatMap(({ recipients }) => recipients ?? []),
    ]),
  ];
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
  return wanted.map((registration, index) => {
    const there = found[index];
    if (!there) return 'absent';
    return isSame(there.registration, registration) ? 'same' : 'different';
  });
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
  const at = BigInt(Math.floor(now.getTime() / 1000));
  return found.map((there) => there && limitsOf(there, at));
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

function isSame(one: Registration, other: Registration): boolean {
  return sayRegistration(one) === sayRegistration(other);
}

function sayRegistration({ key, expiresAt, scopes }: Registration): string {
  const said = scopes.map(({ mint, limit, interval, recipients }) =>
    [mint ?? '', limit ?? '', interval, [...new Set(recipients)].sort().join()].join('/'),
  );
  return [sayKey(key), expiresAt, ...said].join(' ');
}

/** How a key is named to people: an address, or the compressed point. */
export function sayKey(key: SignerKey): string {
  return key.kind === 'ed25519' ? key.address : `${key.kind}:${keyId(key).slice(2)}`;
}
