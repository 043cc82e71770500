import { TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import type { HostOutcome, LedgerInfo } from '../host/host.ts';
import { type Change, type LedgerView, Storage } from '../host/storage.ts';
import {
  type AccountId,
  changeAccount,
  minBalance,
  readAccount,
  writeAccount,
} from '../ledger/accounts.ts';
import { baseFee, declaredResources, resourceFee } from '../ledger/fees.ts';
import { accountOf, applyClassic } from './operations.ts';
import type { Sponsors } from './reserves.ts';
import { OperationFailure, type Refusal } from './results.ts';
import { Signatures } from './signatures.ts';
import {
  extendFootprint,
  invokeHost,
  restoreFootprint,
  type SorobanEnd,
  type SorobanInput,
} from './soroban.ts';

export interface Envelope {
  readonly xdr: string;
  readonly hash: Uint8Array;
  readonly tx: xdr.Transaction;
  readonly signatures: readonly xdr.DecoratedSignature[];
  readonly bump?: {
    readonly tx: xdr.FeeBumpTransaction;
    readonly innerHash: Uint8Array;
    readonly signatures: readonly xdr.DecoratedSignature[];
  };
}

export interface Applied {
  readonly result: xdr.TransactionResult;
  readonly isSuccess: boolean;
  /** Fee and sequence number, which stay whatever the operations do. */
  readonly before: readonly Change[];
  /** Of each operation, in their order. */
  readonly changes: readonly (readonly Change[])[];
  readonly outcome?: HostOutcome;
  readonly notes: readonly string[];
}

const sorobanTypes: readonly string[] = [
  'invokeHostFunction',
  'extendFootprintTtl',
  'restoreFootprint',
];
const operationsMax = 100;

/** @throws when it is no envelope of a transaction */
export function readEnvelope(base64: string, networkPassphrase: string): Envelope {
  const envelope = xdr.TransactionEnvelope.fromXdr(base64, 'base64');
  const transaction = TransactionBuilder.fromXdr(base64, networkPassphrase);
  if (envelope.type === 'envelopeTypeTx')
    return {
      xdr: base64,
      hash: transaction.hash(),
      tx: envelope.v1.tx,
      signatures: envelope.v1.signatures,
    };
  if (envelope.type !== 'envelopeTypeTxFeeBump')
    throw new Error('Envelopes of the first version are not taken');
  const { tx, signatures } = envelope.feeBump;
  const inner = tx.innerTx.v1;
  if (!('innerTransaction' in transaction)) throw new Error('A fee bump without a transaction');
  const innerHash = transaction.innerTransaction.hash();
  return {
    xdr: base64,
    hash: transaction.hash(),
    tx: inner.tx,
    signatures: inner.signatures,
    bump: { tx, innerHash, signatures },
  };
}

export const sourceOf = ({ tx }: Envelope): AccountId => accountOf(tx.sourceAccount);
export const payerOf = (envelope: Envelope): AccountId =>
  envelope.bump ? accountOf(envelope.bump.tx.feeSource) : sourceOf(envelope);

function sorobanData({ tx }: Envelope): xdr.SorobanTransactionData | undefined {
  return tx.ext.type === 'sorobanData' ? tx.ext.sorobanData : undefined;
}

/**
 * What is paid when it is let in, in stroops: no more than what is offered, as nobody bids against
 * it.
 */
function feeOf(envelope: Envelope): bigint {
  const operations = BigInt(envelope.tx.operations.length + (envelope.bump ? 1 : 0));
  return operations * baseFee + (sorobanData(envelope)?.resourceFee ?? 0n);
}

/** Why the network would not let it in. */
export function refusalOf(
  envelope: Envelope,
  storage: Storage,
  info: LedgerInfo,
): Refusal | undefined {
  const { tx } = envelope;
  if (tx.operations.length === 0) return 'txMissingOperation';
  if (tx.operations.length > operationsMax) return 'txMalformed';
  return (
    refusalOfForm(envelope) ??
    refusalOfTime(tx.cond, info) ??
    refusalOfFee(envelope) ??
    refusalOfAccount(envelope, storage) ??
    refusalOfSignatures(envelope, storage) ??
    refusalOfBalance(envelope, storage)
  );
}

function refusalOfForm(envelope: Envelope): Refusal | undefined {
  const soroban = envelope.tx.operations.filter(({ body }) => sorobanTypes.includes(body.type));
  const data = sorobanData(envelope);
  if (soroban.length === 0) return data ? 'txMalformed' : undefined;
  if (soroban.length !== 1 || envelope.tx.operations.length !== 1 || !data)
    return 'txSorobanInvalid';
  if (soroban[0]!.body.type === 'invokeHostFunction' && hasMemo(envelope)) return 'txMalformed';
  const bytes = Buffer.byteLength(envelope.xdr, 'base64');
  return data.resourceFee < resourceFee(declaredResources(data.resources), bytes)
    ? 'txSorobanInvalid'
    : undefined;
}

/**
 * Since protocol 25 calls of contracts have none: whoever sends a call would choose it for those
 * who signed.
 */
export function hasMemo({ tx }: Envelope): boolean {
  const sources = [tx.sourceAccount, ...tx.operations.map(({ sourceAccount }) => sourceAccount)];
  return (
    tx.memo.type !== 'memoNone' || sources.some((source) => source?.type === 'keyTypeMuxedEd25519')
  );
}

function refusalOfTime(
  cond: xdr.Preconditions,
  { timestamp, sequence }: LedgerInfo,
): Refusal | undefined {
  const bounds =
    cond.type === 'precondTime'
      ? cond.timeBounds
      : cond.type === 'precondV2'
        ? cond.v2.timeBounds
        : null;
  if (bounds && timestamp < bounds.minTime) return 'txTooEarly';
  if (bounds && bounds.maxTime !== 0n && timestamp > bounds.maxTime) return 'txTooLate';
  const ledgers = cond.type === 'precondV2' ? cond.v2.ledgerBounds : null;
  if (ledgers && sequence < ledgers.minLedger) return 'txTooEarly';
  return ledgers && ledgers.maxLedger !== 0 && sequence >= ledgers.maxLedger
    ? 'txTooLate'
    : undefined;
}

function refusalOfFee(envelope: Envelope): Refusal | undefined {
  const offered = envelope.bump ? envelope.bump.tx.fee : BigInt(envelope.tx.fee);
  return offered < feeOf(envelope) ? 'txInsufficientFee' : undefined;
}

function refusalOfAccount(envelope: Envelope, storage: Storage): Refusal | undefined {
  const { cond, seqNum } = envelope.tx;
  const account = readAccount(storage, sourceOf(envelope));
  if (!account || !readAccount(storage, payerOf(envelope))) return 'txNoAccount';
  const v2 = cond.type === 'precondV2' ? cond.v2 : undefined;
  // The age of a sequence number is not kept here.
  if (v2 && (v2.minSeqAge > 0n || v2.minSeqLedgerGap > 0)) return 'txNotSupported';
  const isNext = account.seqNum + 1n === seqNum;
  const isAllowed =
    v2?.minSeqNum != null && account.seqNum >= v2.minSeqNum && account.seqNum < seqNum;
  return isNext || isAllowed ? undefined : 'txBadSeq';
}

const highTypes: readonly string[] = ['setOptions'];
const lowTypes: readonly string[] = [
  'bumpSequence',
  'claimClaimableBalance',
  'extendFootprintTtl',
  'restoreFootprint',
];

function levelOf({ body }: xdr.Operation): 'low' | 'med' | 'high' {
  if (lowTypes.includes(body.type)) return 'low';
  if (!highTypes.includes(body.type) || body.type !== 'setOptions') return 'med';
  const { masterWeight, lowThreshold, medThreshold, highThreshold, signer } = body.setOptionsOp;
  return [masterWeight, lowThreshold, medThreshold, highThreshold, signer].some(
    (part) => part !== null,
  )
    ? 'high'
    : 'med';
}

function refusalOfSignatures(envelope: Envelope, storage: Storage): Refusal | undefined {
  const { tx, bump } = envelope;
  if (bump) {
    const own = new Signatures(envelope.hash, bump.signatures);
    if (!own.isEnough(readAccount(storage, payerOf(envelope))!, 'low')) return 'txBadAuth';
    if (!own.areAllUsed) return 'txBadAuthExtra';
  }
  const signatures = new Signatures(bump?.innerHash ?? envelope.hash, envelope.signatures);
  if (!signatures.isEnough(readAccount(storage, sourceOf(envelope))!, 'low')) return 'txBadAuth';
  for (const operation of tx.operations) {
    const id = operation.sourceAccount ? accountOf(operation.sourceAccount) : sourceOf(envelope);
    // An account that the transaction itself makes has its own key alone.
    const account = readAccount(storage, id);
    if (
      !(account
        ? signatures.isEnough(account, levelOf(operation))
        : signatures.has(id.ed25519.value))
    )
      return 'txBadAuth';
  }
  const extra = tx.cond.type === 'precondV2' ? tx.cond.v2.extraSigners : [];
  if (extra.some((key) => key.type !== 'signerKeyTypeEd25519')) return 'txNotSupported';
  if (
    extra.some((key) => key.type === 'signerKeyTypeEd25519' && !signatures.has(key.ed25519.value))
  )
    return 'txBadAuth';
  return signatures.areAllUsed ? undefined : 'txBadAuthExtra';
}

function refusalOfBalance(envelope: Envelope, storage: Storage): Refusal | undefined {
  const payer = readAccount(storage, payerOf(envelope))!;
  return payer.balance - minBalance(payer) < feeOf(envelope) ? 'txInsufficientBalance' : undefined;
}

export interface Place {
  readonly ledger: LedgerView;
  readonly info: LedgerInfo;
}

export const storageOf = ({ ledger, info }: Place): Storage =>
  new Storage({ ledger, sequence: info.sequence, ttl: info.ttl });

/** Takes the fee and the sequence number, then runs the operations: all of them count, or none. */
export function applyTransaction(envelope: Envelope, place: Place): Applied {
  const opening = storageOf(place);
  const fee = feeOf(envelope);
  const payer = readAccount(opening, payerOf(envelope))!;
  writeAccount(opening, changeAccount(payer, { balance: payer.balance - fee }));
  writeAccount(
    opening,
    changeAccount(readAccount(opening, sourceOf(envelope))!, { seqNum: envelope.tx.seqNum }),
  );
  const before = opening.changes();
  const changed = new Map(before.map(({ key, after }) => [key, after]));
  const ledger: LedgerView = {
    get: (key) => (changed.has(key) ? changed.get(key) : place.ledger.get(key)),
  };
  const storage = storageOf({ ...place, ledger });
  const notes: string[] = [];
  const sponsors: Sponsors = new Map();
  const ends = envelope.tx.operations.map((operation, index) => {
    const saved = storage.snapshot();
    const source = operation.sourceAccount
      ? accountOf(operation.sourceAccount)
      : sourceOf(envelope);
    try {
      if (!readAccount(storage, source))
        throw new OperationFailure(xdr.OperationResult.opNoAccount());
      const end = runOperation({
        operation,
        index,
        envelope,
        source,
        storage,
        ledger,
        info: place.info,
        sponsors,
        notes,
      });
      return { ...end, changes: storage.changes(saved) };
    } catch (error) {
      if (!(error instanceof OperationFailure)) throw error;
      storage.rollback(saved);
      return { result: error.result, isFailure: true, changes: [] };
    }
  });
  const failed = ends.some((end) => 'isFailure' in end);
  const isSuccess = !failed && sponsors.size === 0;
  const results = ends.map(({ result }) => result);
  const outcome = ends
    .map((end) => ('outcome' in end ? end.outcome : undefined))
    .find((end) => end !== undefined);
  const result = resultOf(envelope, { fee, results, failed, isUnsponsored: sponsors.size > 0 });
  const changes = isSuccess ? ends.map((end) => end.changes) : [];
  return { result, isSuccess, before, changes, outcome: isSuccess ? outcome : undefined, notes };
}

interface Running extends Place {
  readonly operation: xdr.Operation;
  readonly index: number;
  readonly envelope: Envelope;
  readonly source: AccountId;
  readonly storage: Storage;
  readonly sponsors: Sponsors;
  readonly notes: string[];
}

function runOperation({
  operation: { body },
  index,
  envelope,
  source,
  storage,
  ledger,
  info,
  sponsors,
  notes,
}: Running): SorobanEnd {
  const data = sorobanData(envelope);
  const input: SorobanInput | undefined = data && { storage, ledger, info, source, data };
  if (input && body.type === 'invokeHostFunction')
    return invokeHost(body.invokeHostFunctionOp, input, notes);
  if (input && body.type === 'extendFootprintTtl')
    return extendFootprint(body.extendFootprintTtlOp, input);
  if (input && body.type === 'restoreFootprint') return restoreFootprint(input);
  const origin = { account: sourceOf(envelope), sequence: envelope.tx.seqNum, index };
  return {
    result: applyClassic(body, { storage, source, sponsors, time: info.timestamp, origin }),
  };
}

interface Ended {
  readonly fee: bigint;
  readonly results: xdr.OperationResult[];
  readonly failed: boolean;
  readonly isUnsponsored: boolean;
}

function resultOf(
  { bump }: Envelope,
  { fee, results, failed, isUnsponsored }: Ended,
): xdr.TransactionResult {
  const pick = <Result>(of: {
    txSuccess(r: xdr.OperationResult[]): Result;
    txFailed(r: xdr.OperationResult[]): Result;
    txBadSponsorship(): Result;
  }) =>
    failed ? of.txFailed(results) : isUnsponsored ? of.txBadSponsorship() : of.txSuccess(results);
  const ext = xdr.TransactionResultExt.v0();
  if (!bump)
    return new xdr.TransactionResult({
      feeCharged: fee,
      result: pick<xdr.TransactionResultResult>(xdr.TransactionResultResult),
      ext,
    });
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: bump.innerHash,
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: pick<xdr.InnerTransactionResultResult>(xdr.InnerTransactionResultResult),
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  });
  const outer = xdr.TransactionResultResult;
  const result =
    failed || isUnsponsored ? outer.txFeeBumpInnerFailed(pair) : outer.txFeeBumpInnerSuccess(pair);
  return new xdr.TransactionResult({ feeCharged: fee, result, ext });
}
