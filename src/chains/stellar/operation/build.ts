import { randomBytes } from 'node:crypto';
import type { xdr } from '@stellar/stellar-sdk/base';
import {
  type Authorization,
  type ContractCall,
  deployAndCall,
  nonceOf,
  setupValue,
} from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { requireUnexpired } from '../../family/smart-wallets/registrations.ts';
import type {
  Delegate,
  FamilyWallet,
  PreparedOperation,
  Signer,
  TransferIntent,
} from '../../family.ts';
import type { MakeReady } from '../account/make-ready.ts';
import { readFeeStats, readLatestLedger } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { Simulation } from '../rpc/schemas.ts';
import { readSmartSetup, type SmartWallet } from '../wallet/plan.ts';
import { signerKeyOf } from '../wallet/signer-keys.ts';
import { readSmartState, type SmartState } from '../wallet/state.ts';
import { type Authority, authorityOf } from './authority.ts';
import { invalid } from './contract-call.ts';
import { explainFailure, reasonOf } from './explain.ts';
import { allCalls, walletInvocation } from './invocation.ts';
import { balanceChanges, counterpartiesOf, movementsOf } from './preview.ts';
import { requireScopes } from './scopes.ts';
import { record } from './simulate.ts';
import { messageOf, storeOperation } from './stored.ts';

/** From a call to an operation: simulated, with what the wallet signs. */

export interface BuildDeps {
  readonly connect: (chain: string) => Promise<StellarConnection>;
  /** A number below 2 ** 32 that no other operation of the wallet with this stamp has. */
  readonly claimNumber: (input: {
    readonly wallet: string;
    readonly stamp: string;
  }) => Promise<number>;
  /** Of one transaction. */
  readonly feeMaxStroops: bigint;
  /** False: it cannot be what keeps the wallet from holding the token. */
  readonly makeReady: MakeReady;
}

export interface BuildInput {
  readonly wallet: FamilyWallet;
  readonly signer: Signer;
  /** Present when a delegate acts. */
  readonly delegate?: Delegate | undefined;
  readonly now: Date;
  readonly transfer?: TransferIntent | undefined;
  /** As answered. */
  readonly params: JsonObject;
  readonly others?: readonly xdr.SorobanAuthorizationEntry[];
  /** Instead of what the calls say. */
  readonly counterparties?: readonly string[];
  /** What is run; what the chain has of the wallet may matter for it. */
  readonly callOf: (state: SmartState | undefined) => ContractCall;
  /** Whose state the call depends on beside the acting delegate's. */
  readonly asked?: Signer;
}

/**
 * How long signers may take; after it the network refuses the operation (supplement, section 22).
 */
const approvalWindowMs = 24 * 60 * 60 * 1000;
/**
 * What the service approves by itself is sent at once, and is not told as failed before nobody can
 * send it any more.
 */
const custodyWindowMs = 15 * 60 * 1000;
/** Ledgers close a little faster: the entry ends before the operation does. */
export const ledgerMs = 6_000;
/** From this version on what is signed holds the wallet's address (CAP-71). */
export const boundFrom = 27;
/**
 * What checking a signature takes above a simulation that has none, in stroops: a passkey's is the
 * dearest.
 */
const approvalStroops = 50_000n;
/** Above the estimate: other state, other rent. */
const costMargin = 1_000_000n;

/**
 * @throws transaction-invalid, transaction-simulation-failed, insufficient-balance,
 * signer-scope-violation, signer-expired, wallet-locked
 */
export async function buildOperation(
  deps: BuildDeps,
  connection: StellarConnection,
  input: BuildInput,
): Promise<PreparedOperation> {
  const { wallet, now, delegate, others = [] } = input;
  if (delegate) requireUnexpired(delegate, now);
  const smart = wallet.type === 'smart' ? readSmartSetup(wallet) : undefined;
  const asked = [...(delegate ? [delegate.signer] : []), ...(input.asked ? [input.asked] : [])].map(
    (signer) => signerKeyOf(signer),
  );
  const [state, ledger, stats] = await Promise.all([
    smart && readSmartState(connection, smart, asked),
    readLatestLedger(connection),
    readFeeStats(connection),
  ]);
  const call = input.callOf(state);
  if (state) requireUnlocked(state, call, wallet.address);
  const authority = smart && state ? authorityOf(smart, { ...input, state }) : undefined;
  const simulation = await simulateReady(deps, connection, {
    call:
      smart && state?.deployed === false ? deployAndCall(smart.factory, smart.setup, call) : call,
    transfer: input.transfer,
    now,
  });
  const invocation = walletInvocation({
    network: connection.network,
    wallet: wallet.address,
    call,
    others,
    simulation,
  });
  if (authority?.delegate)
    requireScopes({
      wallet: wallet.address,
      signer: input.signer.locator,
      delegate: authority.delegate,
      invocation,
      now,
    });
  const validUntil = windowEnd(input);
  const authorization: Authorization = {
    networkPassphrase: connection.network.passphrase,
    wallet: wallet.address,
    nonce: await nonceFor(deps, wallet.address, authority),
    expirationLedger:
      ledger.sequence + Math.max(1, Math.floor((validUntil.getTime() - now.getTime()) / ledgerMs)),
    invocation,
    form: ledger.protocolVersion >= boundFrom ? 'bound' : 'unbound',
  };
  const inclusionFee = stats.sorobanInclusionFee.p90;
  return present(deps, connection, {
    input,
    smart,
    authority,
    authorization,
    simulation,
    validUntil,
    inclusionFee,
    call,
  });
}

interface SimulateInput {
  readonly call: ContractCall;
  readonly transfer: TransferIntent | undefined;
  readonly now: Date;
}

/**
 * Where the recipient is a wallet of the service that cannot hold the token yet, it is made able
 * to.
 */
async function simulateReady(
  deps: BuildDeps,
  connection: StellarConnection,
  { call, transfer, now }: SimulateInput,
): Promise<Simulation> {
  for (let attempt = 1; ; attempt++) {
    const simulation = await record(connection, call);
    if (simulation.error == null && simulation.transactionData) return simulation;
    const error = simulation.error ?? 'no result';
    const reason = await reasonOf(connection, error, transfer);
    const isMissing = reason.kind !== 'other' && reason.kind !== 'too-little';
    const recipient = isMissing && attempt === 1 ? await transfer?.findRecipient?.() : undefined;
    if (
      !transfer ||
      !recipient ||
      !(await deps.makeReady(connection, { recipient, token: transfer.token, now }))
    )
      throw explainFailure(error, reason, transfer);
  }
}

function windowEnd({ now, delegate, wallet, signer }: BuildInput): Date {
  const isOurs = wallet.type === 'mpc' || signer.type === 'api-key';
  const end = new Date(now.getTime() + (isOurs ? custodyWindowMs : approvalWindowMs));
  return delegate?.expiresAt && delegate.expiresAt < end ? delegate.expiresAt : end;
}

/** @throws wallet-locked */
function requireUnlocked(
  { isLocked }: SmartState,
  { contract, method }: ContractCall,
  wallet: string,
): void {
  const isMigration = contract === wallet && method === 'migrate';
  if (isLocked && !isMigration)
    throw new ServiceError('wallet-locked', { details: { statusCode: 409 } });
  if (!isLocked && isMigration)
    throw invalid('The wallet is not locked: there is nothing to migrate');
}

/** Of an account's entry, which holds nothing else than that it is new. */
export const randomNonce = () => randomBytes(8).readBigInt64BE();

/**
 * The lower half is a number of the service, so that no two operations of a wallet share a nonce;
 * of an account it is random.
 */
async function nonceFor(
  deps: BuildDeps,
  wallet: string,
  authority: Authority | undefined,
): Promise<bigint> {
  if (!authority) return randomNonce();
  const { stamp } = authority;
  const name = 'epoch' in stamp ? `epoch ${stamp.epoch}` : `generation ${stamp.generation}`;
  return nonceOf(stamp, await deps.claimNumber({ wallet, stamp: name }));
}

interface Built {
  readonly input: BuildInput;
  readonly smart: SmartWallet | undefined;
  readonly authority: Authority | undefined;
  readonly authorization: Authorization;
  readonly simulation: Simulation;
  readonly validUntil: Date;
  readonly inclusionFee: bigint;
  readonly call: ContractCall;
}

function present(deps: BuildDeps, { network }: StellarConnection, built: Built): PreparedOperation {
  const { input, smart, authority, authorization, simulation, validUntil, call } = built;
  const wallet = input.wallet.address;
  const resourceFee = (simulation.minResourceFee ?? 0n) + approvalStroops;
  const amount = resourceFee + built.inclusionFee;
  if (amount > deps.feeMaxStroops)
    throw invalid(
      `params.transaction would cost ${formatAmount(amount, 7)} XLM; the operator of the service allows ${formatAmount(deps.feeMaxStroops, 7)}`,
    );
  const doubled = amount * 2n + costMargin;
  const keys = authority?.keys ?? [{ kind: 'ed25519' as const, address: wallet }];
  const movements = movementsOf(simulation.events ?? []);
  const operation = storeOperation({
    chain: network.name,
    wallet,
    authorization,
    ...(authority && { actor: authority.actor }),
    keys,
    threshold: authority?.threshold ?? 1,
    ...(smart && { deployment: { factory: smart.factory, setup: setupValue(smart.setup) } }),
    others: input.others ?? [],
    validUntil,
    costMax: doubled < deps.feeMaxStroops ? doubled : deps.feeMaxStroops,
  });
  return {
    chain: network.name,
    params: input.params,
    operation,
    onChain: {
      ...onChainOf(call, authorization),
      // By it a client tells what the wallet authorises.
      ...(smart && { preimage: operation['preimage'] as string }),
    },
    message: messageOf(authorization),
    validUntil,
    feesEstimate: {
      resourceStroops: resourceFee.toString(),
      inclusionStroops: built.inclusionFee.toString(),
      amountStroops: amount.toString(),
      token: network.native.symbol,
    },
    preview: {
      balanceChanges: balanceChanges(network, wallet, movements),
      gas: String(simulation.transactionData?.resources.instructions ?? 0),
      sponsored: true,
    },
    counterparties:
      input.counterparties ??
      counterpartiesOf(network, wallet, { calls: allCalls(authorization.invocation), movements }),
  };
}

/** `onChain` of an operation that no ledger has (supplement, section 6). */
function onChainOf(
  call: ContractCall,
  { invocation, expirationLedger }: Authorization,
): JsonObject {
  return {
    transaction: { method: call.method, tx: invocation.toXdr('base64') },
    expiration: expirationLedger,
  };
}
