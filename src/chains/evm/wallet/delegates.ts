import type { Address } from 'viem';
import {
  addresses,
  type DelegateInput,
  decodeSignerOf,
  encodeAddSigner,
  encodeAreRecipients,
  encodeBumpEpoch,
  encodeRemoveSigner,
  encodeSignerOf,
  limitMax,
  nativeToken,
  type ScopeState,
  type SignerKey,
  type SignerState,
  signerIdOf,
} from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { invalid } from '../../family/signing/quorums.ts';
import { checkScope } from '../../family/smart-wallets/registrations.ts';
import type {
  Delegate,
  DelegateTruth,
  FamilyWallet,
  LimitUse,
  PreparedOperation,
  PrepareSignerChangeInput,
  ReadLimitsInput,
  TransferScope,
} from '../../family.ts';
import { checkEvmAddress, type Hex } from '../abi/words.ts';
import { type PrepareDeps, prepareCalls } from '../operation/prepare.ts';
import { type EvmConnection, type EvmConnections, hasCode, nodeError } from '../rpc/connections.ts';
import type { RpcCall, RpcResult } from '../rpc/rpc.ts';
import type { DeployedWallets } from './deployed-wallets.ts';
import { describeModuleCall } from './module-call.ts';
import { evmDelegatedSignerTypes, signerKeyOf } from './signer-keys.ts';
import { readWalletSetup, secondsOf, type WalletSetup } from './wallet-plan.ts';

/**
 * Delegated signers of a wallet on one chain: the operations of its admin that change them, and
 * what the chain says of them.
 */

/** Each takes several storage slots: more would not fit into one operation's gas. */
const scopesMax = 20;
const scopeLimits = { recipients: 100, amount: limitMax, interval: 2n ** 32n - 1n };
/** The chain's word for no end. */
const forever = 2 ** 48 - 1;

/**
 * As {@link ChainFamily.prepareSignerChange}.
 * @throws transaction-invalid an approver that is no recovery method of the wallet
 */
export async function prepareEvmSignerChange(
  deps: PrepareDeps,
  input: PrepareSignerChangeInput,
): Promise<PreparedOperation> {
  const { wallet, change, approver, now } = input;
  const connection = await deps.connections.connect(input.chain);
  const chain = connection.network.name;
  const data =
    change.kind === 'add'
      ? await encodeAddition(
          deps,
          connection,
          wallet,
          readDelegate(change.delegate, { chain, wallet, now }),
        )
      : encodeRemoveSigner(signerKeyOf(change.signer));
  const to = addresses.walletModule.toLowerCase() as Hex;
  return prepareCalls(deps, connection, {
    wallet,
    calls: [{ to, value: 0n, data }],
    params: { calls: [describeModuleCall(data)], chain },
    signer: approver,
    now,
    counterparties: change.kind === 'add' ? addressesOf(change.delegate) : [],
  });
}

/** As {@link ControlTools.prepareEnd}. @throws as {@link prepareEvmSignerChange} */
export async function prepareEvmEnd(
  deps: PrepareDeps,
  { wallet, chain, approver, now }: Omit<PrepareSignerChangeInput, 'change'>,
): Promise<PreparedOperation> {
  const connection = await deps.connections.connect(chain);
  const data = encodeBumpEpoch();
  return prepareCalls(deps, connection, {
    wallet,
    calls: [{ to: addresses.walletModule.toLowerCase() as Hex, value: 0n, data }],
    params: { calls: [describeModuleCall(data)], chain: connection.network.name },
    signer: approver,
    now,
    counterparties: [],
  });
}

/**
 * Names the generation that the signer has now: what changes it first, a removal above all, ends
 * this registration.
 */
async function encodeAddition(
  { deployed }: PrepareDeps,
  connection: EvmConnection,
  { address, setup }: FamilyWallet,
  delegate: DelegateInput,
): Promise<Hex> {
  const isKnown = deployed.isKnown(connection.chainId, address);
  const codeCheck = isKnown ? [] : [{ method: 'eth_getCode', params: [address, 'latest'] }];
  const [signerOf, code] = await connection.ask([
    moduleCall(encodeSignerOf(address as Hex, delegate.signer)),
    ...codeCheck,
  ]);
  if (code && !code.ok) throw nodeError(code.error, connection.network.name);
  // The set-up registers its delegates when the wallet is deployed, which is just before this
  // operation.
  const isPlanned =
    code &&
    !hasCode(code) &&
    plannedDelegate(readWalletSetup(setup), delegate.signer as SignerKey) !== undefined;
  return encodeAddSigner(
    delegate,
    isPlanned ? 1 : decodeSignerOf(dataOf(signerOf!, connection)).generation,
  );
}

function plannedDelegate(setup: WalletSetup, key: SignerKey) {
  const id = signerIdOf(key);
  return setup.form === 'signers'
    ? setup.delegates.find((delegate) => signerIdOf(delegate.key) === id)
    : undefined;
}

/** The delegate and those it may send money to. */
function addressesOf({ signer, scopes }: Delegate): string[] {
  const found = [
    ...(signer.address === undefined ? [] : [signer.address]),
    ...scopes.flatMap(({ recipients }) => recipients ?? []),
  ];
  return [...new Set(found.map((address) => address.toLowerCase()))];
}

interface Place {
  readonly chain: string;
  readonly wallet: FamilyWallet;
  readonly now: Date;
}

/** @throws signer-type-not-supported, validation-error */
function readDelegate({ signer, expiresAt, scopes }: Delegate, place: Place): DelegateInput {
  if (!evmDelegatedSignerTypes.some((type) => type === signer.type))
    throw new ServiceError('signer-type-not-supported', {
      message: `signer: a signer of type "${signer.type}" cannot be a delegated signer of an evm wallet. Use one of: ${evmDelegatedSignerTypes.join(', ')}.`,
    });
  if (expiresAt !== undefined && expiresAt <= place.now)
    throw invalid('expiresAt', 'is in the past');
  if (scopes.length > scopesMax)
    throw invalid('scopes', `must not have more than ${scopesMax} entries`);
  return {
    signer: signerKeyOf(signer),
    validUntil: expiresAt && secondsOf(expiresAt),
    scopes: scopes.map((scope, index) => readScope(scope, index, place)),
  };
}

function readScope(scope: TransferScope, index: number, { chain, wallet }: Place) {
  const at = `scopes[${index}]`;
  checkScope({ chain, limits: scopeLimits, checkAddress: checkEvmAddress }, scope, at);
  const { token, recipients, spendingLimit } = scope;
  const managed = [wallet.address.toLowerCase(), addresses.walletModule.toLowerCase()];
  if (token.address !== undefined && managed.includes(token.address.toLowerCase()))
    throw invalid(`${at}.tokenLocator`, 'is no token');
  return {
    token: (token.address ?? nativeToken) as Address,
    recipients: recipients as readonly Address[] | undefined,
    limit: spendingLimit?.amountMinor,
    interval: spendingLimit?.intervalSeconds,
  };
}

export interface ReadDelegatesDeps {
  readonly connections: EvmConnections;
  readonly deployed: DeployedWallets;
}

/**
 * As {@link ChainFamily.readDelegates}: one round trip, two where lists of recipients are to be
 * compared.
 */
export async function readEvmDelegates(
  deps: ReadDelegatesDeps,
  wallet: FamilyWallet,
  chain: string,
  delegates: readonly Delegate[],
): Promise<DelegateTruth[]> {
  const connection = await deps.connections.connect(chain);
  const keys = delegates.map(({ signer }) => signerKeyOf(signer));
  const states = await readStates(deps, connection, wallet, keys);
  if (!states) {
    const setup = readWalletSetup(wallet.setup);
    return delegates.map((delegate, index) => truthOfSetup(setup, keys[index]!, delegate));
  }
  const areListed = await readRecipients(connection, wallet, { keys, delegates, states });
  return delegates.map((delegate, index) => truthOf(delegate, states[index]!, areListed[index]!));
}

/** As {@link Delegates.readLimits}; delegates of the set-up have no scopes. */
export async function readEvmLimits(
  deps: ReadDelegatesDeps,
  { wallet, chain, signers, now }: ReadLimitsInput,
): Promise<((LimitUse | undefined)[] | undefined)[]> {
  const connection = await deps.connections.connect(chain);
  const keys = signers.map((signer) => signerKeyOf(signer));
  const states = await readStates(deps, connection, wallet, keys);
  if (!states) {
    const setup = readWalletSetup(wallet.setup);
    return keys.map((key) => plannedDelegate(setup, key) && []);
  }
  return states.map(({ active, scopes }) =>
    active ? scopes.map((scope) => limitUseOf(scope, now)) : undefined,
  );
}

/** The module counts by the last block, which may be long ago: whether the window is over, `now` says. */
function limitUseOf({ limit, available, windowEnd }: ScopeState, now: Date): LimitUse | undefined {
  if (limit === undefined || available === undefined) return undefined;
  const renewsAt = windowEnd === undefined ? undefined : new Date(windowEnd * 1000);
  if (renewsAt && renewsAt <= now) return { limitMinor: limit, usedMinor: 0n };
  return { limitMinor: limit, usedMinor: limit - available, ...(renewsAt && { renewsAt }) };
}

/** How these keys are registered; undefined: the wallet is not deployed. One round trip. */
async function readStates(
  { deployed }: ReadDelegatesDeps,
  connection: EvmConnection,
  { address }: FamilyWallet,
  keys: readonly SignerKey[],
): Promise<SignerState[] | undefined> {
  const isKnown = deployed.isKnown(connection.chainId, address);
  const codeCheck = isKnown ? [] : [{ method: 'eth_getCode', params: [address, 'latest'] }];
  const results = await connection.ask([
    ...keys.map((key) => moduleCall(encodeSignerOf(address as Hex, key))),
    ...codeCheck,
  ]);
  const code = results[keys.length];
  if (code && !code.ok) throw nodeError(code.error, connection.network.name);
  if (code && !hasCode(code)) return undefined;
  deployed.add(connection.chainId, address);
  return keys.map((_, index) => decodeSignerOf(dataOf(results[index]!, connection)));
}

function moduleCall(data: Hex): RpcCall {
  return { method: 'eth_call', params: [{ to: addresses.walletModule, data }, 'latest'] };
}

function dataOf(result: RpcResult, { network }: EvmConnection): Hex {
  if (!result.ok) throw nodeError(result.error, network.name);
  if (typeof result.value !== 'string' || !/^0x(?:[0-9a-f]{64})+$/i.test(result.value))
    throw nodeError(undefined, network.name);
  return result.value as Hex;
}

function truthOfSetup(
  setup: WalletSetup,
  key: SignerKey,
  { expiresAt, scopes }: Delegate,
): DelegateTruth {
  const planned = plannedDelegate(setup, key);
  if (!planned) return 'absent';
  return scopes.length === 0 && planned.validUntil === (expiresAt && secondsOf(expiresAt))
    ? 'same'
    : 'different';
}

interface Registered {
  readonly keys: readonly SignerKey[];
  readonly delegates: readonly Delegate[];
  readonly states: readonly SignerState[];
}

/** For each delegate, whether the lists of its scopes have the recipients they should have. */
async function readRecipients(
  connection: EvmConnection,
  { address }: FamilyWallet,
  { keys, delegates, states }: Registered,
): Promise<boolean[]> {
  const asked = delegates.flatMap(({ scopes }, index) =>
    states[index]!.active && states[index]!.scopes.length === scopes.length
      ? scopes.flatMap(({ recipients }, scopeIndex) =>
          recipients ? [{ index, scopeIndex, recipients }] : [],
        )
      : [],
  );
  if (asked.length === 0) return delegates.map(() => true);
  const results = await connection.ask(
    asked.map(({ index, scopeIndex, recipients }) =>
      moduleCall(
        encodeAreRecipients(
          address as Hex,
          keys[index]!,
          scopeIndex,
          recipients as readonly Address[],
        ),
      ),
    ),
  );
  const wrong = new Set(
    asked
      .filter((_, at) => BigInt(dataOf(results[at]!, connection)) !== 1n)
      .map(({ index }) => index),
  );
  return delegates.map((_, index) => !wrong.has(index));
}

function truthOf(
  { expiresAt, scopes }: Delegate,
  state: SignerState,
  areListed: boolean,
): DelegateTruth {
  if (!state.active) return 'absent';
  const isSame =
    state.validAfter === 0 &&
    state.validUntil === (expiresAt ? secondsOf(expiresAt) : forever) &&
    state.scopes.length === scopes.length &&
    scopes.every((scope, index) => isSameScope(scope, state.scopes[index]!));
  return isSame && areListed ? 'same' : 'different';
}

function isSameScope(
  { token, recipients = [], spendingLimit }: TransferScope,
  state: ScopeState,
): boolean {
  return (
    state.token.toLowerCase() === (token.address ?? nativeToken).toLowerCase() &&
    state.limit === spendingLimit?.amountMinor &&
    state.interval === (spendingLimit?.intervalSeconds ?? 0) &&
    state.recipientCount === new Set(recipients.map((recipient) => recipient.toLowerCase())).size
  );
}
