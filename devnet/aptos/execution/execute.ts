import type { AccountAuthenticator } from '../../../src/chains/aptos/encoding/authenticators.ts';
import { feePayerMessage, senderMessage } from '../../../src/chains/aptos/encoding/hashes.ts';
import {
  type RawTransaction,
  rawTransaction,
  readPayload,
  type SignedTransaction,
} from '../../../src/chains/aptos/encoding/transactions.ts';
import {
  createAccount,
  isNonceUsed,
  sequenceOf,
  useNonce,
  useSequence,
} from '../ledger/accounts.ts';
import { aptAsset, findBalance, setBalance } from '../ledger/assets.ts';
import { type Change, Draft, type Reading } from '../ledger/state.ts';
import { type Event, type ReadCall, type Run, readCall } from './functions.ts';
import { Abort, NotServed, Refusal } from './refusal.ts';
import { addressOf, verifies } from './signatures.ts';

/** Rules of the local chain; those of gas are the network's, prices are estimates. */
export const rules = {
  chainId: 4,
  orderlessSecondsMax: 60n,
  transactionBytesMax: 64 * 1024,
  gasUnitPriceMin: 100n,
  gasUnitPriceMax: 10_000_000_000n,
  gasAmountMax: 2_000_000n,
  intrinsicGas: 4n,
  callGas: 4n,
  bytesPerGas: 200,
  /** Of a new store or account, in octas. */
  slotOctas: 50_000n,
} as const;

export interface Moment {
  readonly timestampUs: bigint;
}

/** What became of a transaction that was let in. */
export interface Executed {
  readonly success: boolean;
  readonly vmStatus: string;
  readonly gasUsed: bigint;
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
  readonly touched: readonly { readonly asset: string; readonly owner: string }[];
  readonly call: ReadCall;
}

interface Parties {
  readonly sender: AccountAuthenticator;
  readonly payer: string;
  readonly payerSignature?: AccountAuthenticator;
  readonly message: Uint8Array;
}

/** Who takes part and what they sign. @throws NotServed */
function partiesOf({ raw, authenticator }: SignedTransaction): Parties {
  const bytes = rawTransaction.serialize(raw).toBytes();
  const alone = { payer: raw.sender, message: senderMessage(bytes) };
  if (authenticator.$kind === 'singleSender')
    return { ...alone, sender: authenticator.singleSender };
  if (authenticator.$kind === 'ed25519')
    return { ...alone, sender: { $kind: 'ed25519', ed25519: authenticator.ed25519 } };
  if (
    authenticator.$kind !== 'feePayer' ||
    authenticator.feePayer.secondary.length + authenticator.feePayer.secondaryAddresses.length > 0
  )
    throw new NotServed(
      'The local chain takes transactions of one sender, with or without a fee payer.',
    );
  const { sender, feePayerAddress, feePayer } = authenticator.feePayer;
  return {
    sender,
    payer: feePayerAddress,
    payerSignature: feePayer,
    message: feePayerMessage(bytes, feePayerAddress),
  };
}

/** Lets a transaction in and runs it. @throws Refusal, NotServed, Error for what cannot be read */
export function execute(
  state: Reading,
  signed: SignedTransaction,
  bytes: number,
  moment: Moment,
): Executed {
  const parties = partiesOf(signed);
  requireSigned(parties.sender, signed.raw.sender, parties.message);
  if (parties.payerSignature) requireSigned(parties.payerSignature, parties.payer, parties.message);
  return run(state, signed.raw, { payer: parties.payer, bytes, moment });
}

/**
 * What would become of it. Its signatures must not be valid, so that nobody can send it.
 * @throws as {@link execute}
 */
export function simulate(
  state: Reading,
  signed: SignedTransaction,
  bytes: number,
  moment: Moment,
): Executed {
  const parties = partiesOf(signed);
  const all = [parties.sender, ...(parties.payerSignature ? [parties.payerSignature] : [])];
  if (all.some((one) => verifies(one, parties.message)))
    throw new Error('Simulated transactions must not have a valid signature');
  // Nobody pays where nobody is named.
  const payer = /^0x0+$/.test(parties.payer) ? undefined : parties.payer;
  return run(state, signed.raw, { payer, bytes, moment });
}

function requireSigned(
  authenticator: AccountAuthenticator,
  address: string,
  message: Uint8Array,
): void {
  if (addressOf(authenticator) !== address) throw new Refusal('INVALID_AUTH_KEY');
  if (!verifies(authenticator, message)) throw new Refusal('INVALID_SIGNATURE');
}

interface RunInput {
  readonly payer: string | undefined;
  readonly bytes: number;
  readonly moment: Moment;
}

function run(state: Reading, raw: RawTransaction, { payer, bytes, moment }: RunInput): Executed {
  const { nonce, call: entry } = readPayload(raw.payload);
  const call = readCall(entry);
  requireBounds(raw, bytes);
  requireTimely(raw, nonce, moment);
  requireNew(state, raw, nonce);
  const feeMax = raw.maxGasAmount * raw.gasUnitPrice;
  if (payer !== undefined && (findBalance(state, aptAsset, payer) ?? 0n) < feeMax)
    throw new Refusal('INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE');

  const before = new Draft(state);
  if (nonce === undefined) {
    createAccount(before, raw.sender);
    useSequence(before, raw.sender);
  } else useNonce(before, raw.sender, nonce, raw.expirationSeconds);
  const ran = runCall(before, { call, raw, bytes, payer });
  const final = new Draft(ran.draft);
  if (payer !== undefined) charge(final, payer, ran.gasUsed * raw.gasUnitPrice);
  const stores = ran.success ? [...ran.run.touched.values()] : [];
  const isNamed = stores.some(({ asset, owner }) => asset === aptAsset && owner === payer);
  const fee = {
    type: '0x1::transaction_fee::FeeStatement',
    data: feeStatement(ran.gasUsed, ran.run.slots),
  };
  return {
    success: ran.success,
    vmStatus: ran.vmStatus,
    gasUsed: ran.gasUsed,
    changes: mergeChanges(before, ran.draft, final),
    events: [...(ran.success ? ran.run.events : []), fee],
    touched:
      payer === undefined || isNamed ? stores : [...stores, { asset: aptAsset, owner: payer }],
    call,
  };
}

interface Ran {
  readonly draft: Draft;
  readonly run: Run;
  readonly success: boolean;
  readonly vmStatus: string;
  readonly gasUsed: bigint;
}

interface CallInput {
  readonly call: ReadCall;
  readonly raw: RawTransaction;
  readonly bytes: number;
  readonly payer: string | undefined;
}

function runCall(before: Draft, { call, raw, bytes, payer }: CallInput): Ran {
  const draft = new Draft(before);
  const run: Run = { draft, sender: raw.sender, events: [], touched: new Map(), slots: 0 };
  const base = rules.intrinsicGas + rules.callGas + BigInt(Math.ceil(bytes / rules.bytesPerGas));
  const failed = { draft: new Draft(before), run: { ...run, slots: 0 }, success: false };
  try {
    call.run(run);
  } catch (error) {
    if (!(error instanceof Abort)) throw error;
    return { ...failed, vmStatus: error.message, gasUsed: base };
  }
  const storage = BigInt(run.slots) * rules.slotOctas;
  const gasUsed = base + (storage + raw.gasUnitPrice - 1n) / raw.gasUnitPrice;
  if (gasUsed > raw.maxGasAmount)
    return { ...failed, vmStatus: 'Out of gas', gasUsed: raw.maxGasAmount };
  // Who pays for it may have sent away what the fee was to be paid with.
  if (
    payer !== undefined &&
    (findBalance(draft, aptAsset, payer) ?? 0n) < gasUsed * raw.gasUnitPrice
  )
    return {
      ...failed,
      vmStatus: 'Move abort in 0x1::transaction_fee: the fee cannot be paid any more',
      gasUsed: base,
    };
  return { draft, run, success: true, vmStatus: 'Executed successfully', gasUsed };
}

function requireBounds(
  { chainId, maxGasAmount, gasUnitPrice }: RawTransaction,
  bytes: number,
): void {
  if (chainId !== rules.chainId) throw new Refusal('BAD_CHAIN_ID');
  if (bytes > rules.transactionBytesMax) throw new Refusal('EXCEEDED_MAX_TRANSACTION_SIZE');
  if (maxGasAmount > rules.gasAmountMax)
    throw new Refusal('MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND');
  if (
    maxGasAmount <
    rules.intrinsicGas + rules.callGas + BigInt(Math.ceil(bytes / rules.bytesPerGas))
  )
    throw new Refusal('MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS');
  if (gasUnitPrice < rules.gasUnitPriceMin) throw new Refusal('GAS_UNIT_PRICE_BELOW_MIN_BOUND');
  if (gasUnitPrice > rules.gasUnitPriceMax) throw new Refusal('GAS_UNIT_PRICE_ABOVE_MAX_BOUND');
}

function requireTimely(
  { expirationSeconds }: RawTransaction,
  nonce: bigint | undefined,
  { timestampUs }: Moment,
): void {
  const nowS = timestampUs / 1_000_000n;
  if (expirationSeconds <= nowS) throw new Refusal('TRANSACTION_EXPIRED');
  if (nonce !== undefined && expirationSeconds > nowS + rules.orderlessSecondsMax)
    throw new Refusal('TRANSACTION_EXPIRATION_TOO_FAR_IN_FUTURE');
}

function requireNew(
  state: Reading,
  { sender, sequenceNumber, expirationSeconds }: RawTransaction,
  nonce: bigint | undefined,
): void {
  if (nonce !== undefined) {
    if (isNonceUsed(state, sender, nonce, expirationSeconds))
      throw new Refusal('NONCE_ALREADY_USED');
    return;
  }
  const expected = sequenceOf(state, sender);
  if (sequenceNumber < expected) throw new Refusal('SEQUENCE_NUMBER_TOO_OLD');
  if (sequenceNumber > expected)
    throw new Refusal('SEQUENCE_NUMBER_TOO_NEW', 'the local chain keeps none back');
}

/** The fee is burnt. */
function charge(draft: Draft, payer: string, fee: bigint): void {
  setBalance(draft, aptAsset, payer, (findBalance(draft, aptAsset, payer) ?? 0n) - fee);
}

function feeStatement(gasUsed: bigint, slots: number): Record<string, string> {
  const storage = BigInt(slots) * rules.slotOctas;
  return {
    execution_gas_units: (gasUsed > rules.callGas ? rules.callGas : gasUsed).toString(),
    io_gas_units: (gasUsed > rules.callGas ? gasUsed - rules.callGas : 0n).toString(),
    storage_fee_octas: storage.toString(),
    storage_fee_refund_octas: '0',
    total_charge_gas_units: gasUsed.toString(),
  };
}

function mergeChanges(...drafts: readonly Draft[]): Change[] {
  return [...new Map(drafts.flatMap((draft) => draft.changes()))];
}
