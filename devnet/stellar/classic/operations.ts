import { hash, xdr } from '@stellar/stellar-sdk/base';
import type { Storage } from '../host/storage.ts';
import {
  type AccountId,
  accountAddress,
  accountFlags,
  baseReserve,
  changeAccount,
  changeTrustLine,
  issuerOf,
  type MoveFailure,
  moveClassic,
  newAccount,
  readAccount,
  readTrustLine,
  sameAccount,
  trustLineAsset,
  trustLineFlags,
  trustLineKey,
  withSponsorship,
  writeAccount,
  writeTrustLine,
} from '../ledger/accounts.ts';
import { isClaimable, startClock } from './predicates.ts';
import { release, reserve, type Sponsors } from './reserves.ts';
import { fail, inner, OperationFailure } from './results.ts';
import { setOptions } from './set-options.ts';

export interface OperationContext {
  readonly storage: Storage;
  readonly source: AccountId;
  readonly sponsors: Sponsors;
  /** Seconds since 1970. */
  readonly time: bigint;
  /** What ids of new entries are made of. */
  readonly origin: {
    readonly account: AccountId;
    readonly sequence: bigint;
    readonly index: number;
  };
}

type Tr = typeof xdr.OperationResultTr;
const Tr: Tr = xdr.OperationResultTr;

/** Runs a classic operation. @throws OperationFailure with the result that the network gives */
export function applyClassic(
  body: xdr.OperationBody,
  context: OperationContext,
): xdr.OperationResult {
  switch (body.type) {
    case 'createAccount':
      return createAccount(body.createAccountOp, context);
    case 'payment':
      return pay(body.paymentOp, context);
    case 'changeTrust':
      return changeTrust(body.changeTrustOp, context);
    case 'setOptions':
      return setOptions(body.setOptionsOp, context);
    case 'manageData':
      return manageData(body.manageDataOp, context);
    case 'bumpSequence':
      return bumpSequence(body.bumpSequenceOp, context);
    case 'createClaimableBalance':
      return createClaimableBalance(body.createClaimableBalanceOp, context);
    case 'claimClaimableBalance':
      return claim(body.claimClaimableBalanceOp, context);
    case 'beginSponsoringFutureReserves':
      return beginSponsoring(body.beginSponsoringFutureReservesOp, context);
    case 'endSponsoringFutureReserves':
      return endSponsoring(context);
    default:
      // Offers, pools, paths, merges and clawbacks are not here.
      throw new OperationFailure(xdr.OperationResult.opNotSupported());
  }
}

function createAccount(
  { destination, startingBalance }: xdr.CreateAccountOp,
  { storage, source, sponsors }: OperationContext,
) {
  const result = xdr.CreateAccountResult;
  if (startingBalance < 0n) throw fail(Tr.createAccount(result.createAccountMalformed()));
  if (readAccount(storage, destination))
    throw fail(Tr.createAccount(result.createAccountAlreadyExist()));
  const isSponsored = sponsors.has(accountAddress(destination));
  if (!isSponsored && startingBalance < 2n * baseReserve)
    throw fail(Tr.createAccount(result.createAccountLowReserve()));
  const ext = isSponsored
    ? reserve(storage, sponsors, { owner: destination, count: 2, isSubEntry: false })
    : xdr.LedgerEntryExt.v0();
  if (!ext) throw fail(Tr.createAccount(result.createAccountLowReserve()));
  if (moveClassic(storage, source, xdr.Asset.assetTypeNative(), -startingBalance))
    throw fail(Tr.createAccount(result.createAccountUnderfunded()));
  const account = newAccount(destination, startingBalance, storage.sequence);
  writeAccount(
    storage,
    isSponsored ? withSponsorship(account, { sponsored: 2, sponsoring: 0 }) : account,
    ext,
  );
  return inner(Tr.createAccount(result.createAccountSuccess()));
}

/** An account by its key; the number of a muxed one is for its owner. */
export function accountOf(muxed: xdr.MuxedAccount): AccountId {
  const key = muxed.type === 'keyTypeEd25519' ? muxed.ed25519 : muxed.med25519.ed25519;
  return xdr.PublicKey.publicKeyTypeEd25519(key);
}

function pay({ destination, asset, amount }: xdr.PaymentOp, { storage, source }: OperationContext) {
  const result = xdr.PaymentResult;
  if (amount <= 0n) throw fail(Tr.payment(result.paymentMalformed()));
  const to = accountOf(destination);
  if (!readAccount(storage, to)) throw fail(Tr.payment(result.paymentNoDestination()));
  const spent: Partial<Record<MoveFailure, xdr.PaymentResult>> = {
    'no trust line': result.paymentSrcNoTrust(),
    'not authorized': result.paymentSrcNotAuthorized(),
  };
  const left = moveClassic(storage, source, asset, -amount);
  if (left) throw fail(Tr.payment(spent[left] ?? result.paymentUnderfunded()));
  const received: Partial<Record<MoveFailure, xdr.PaymentResult>> = {
    'no trust line': result.paymentNoTrust(),
    'not authorized': result.paymentNotAuthorized(),
  };
  const got = moveClassic(storage, to, asset, amount);
  if (got) throw fail(Tr.payment(received[got] ?? result.paymentLineFull()));
  return inner(Tr.payment(result.paymentSuccess()));
}

function changeTrust(
  { line, limit }: xdr.ChangeTrustOp,
  { storage, source, sponsors }: OperationContext,
) {
  const result = xdr.ChangeTrustResult;
  if (line.type === 'assetTypePoolShare')
    throw new OperationFailure(xdr.OperationResult.opNotSupported());
  if (line.type === 'assetTypeNative' || limit < 0n)
    throw fail(Tr.changeTrust(result.changeTrustMalformed()));
  const issuer = issuerOf(line)!;
  if (sameAccount(issuer, source)) throw fail(Tr.changeTrust(result.changeTrustMalformed()));
  const known = readTrustLine(storage, source, line);
  const count = { owner: source, count: 1, isSubEntry: true };
  if (limit === 0n) {
    if (!known || known.balance > 0n) throw fail(Tr.changeTrust(result.changeTrustInvalidLimit()));
    const key = trustLineKey(source, line);
    release(storage, storage.get(key)?.entry.ext, count);
    storage.delete(key);
    return inner(Tr.changeTrust(result.changeTrustSuccess()));
  }
  if (known) {
    if (limit < known.balance) throw fail(Tr.changeTrust(result.changeTrustInvalidLimit()));
    writeTrustLine(storage, changeTrustLine(known, { limit }));
    return inner(Tr.changeTrust(result.changeTrustSuccess()));
  }
  const issuing = readAccount(storage, issuer);
  if (!issuing) throw fail(Tr.changeTrust(result.changeTrustNoIssuer()));
  const ext = reserve(storage, sponsors, count);
  if (!ext) throw fail(Tr.changeTrust(result.changeTrustLowReserve()));
  const authorized = issuing.flags & accountFlags.authRequired ? 0 : trustLineFlags.authorized;
  const clawback = issuing.flags & accountFlags.clawback ? trustLineFlags.clawback : 0;
  const fields = {
    accountId: source,
    asset: trustLineAsset(line),
    balance: 0n,
    limit,
    flags: authorized | clawback,
  };
  writeTrustLine(
    storage,
    new xdr.TrustLineEntry({ ...fields, ext: xdr.TrustLineEntryExt.v0() }),
    ext,
  );
  return inner(Tr.changeTrust(result.changeTrustSuccess()));
}

function manageData(
  { dataName, dataValue }: xdr.ManageDataOp,
  { storage, source, sponsors }: OperationContext,
) {
  const result = xdr.ManageDataResult;
  const key = xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: source, dataName }));
  const known = storage.get(key);
  const count = { owner: source, count: 1, isSubEntry: true };
  if (!dataValue) {
    if (!known) throw fail(Tr.manageData(result.manageDataNameNotFound()));
    release(storage, known.entry.ext, count);
    storage.delete(key);
    return inner(Tr.manageData(result.manageDataSuccess()));
  }
  const ext = known ? known.entry.ext : reserve(storage, sponsors, count);
  if (!ext) throw fail(Tr.manageData(result.manageDataLowReserve()));
  const entry = new xdr.DataEntry({
    accountId: source,
    dataName,
    dataValue,
    ext: xdr.DataEntryExt.v0(),
  });
  storage.put(key, xdr.LedgerEntryData.data(entry), undefined, ext);
  return inner(Tr.manageData(result.manageDataSuccess()));
}

function bumpSequence({ bumpTo }: xdr.BumpSequenceOp, { storage, source }: OperationContext) {
  const result = xdr.BumpSequenceResult;
  if (bumpTo < 0n) throw fail(Tr.bumpSequence(result.bumpSequenceBadSeq()));
  const account = readAccount(storage, source)!;
  if (bumpTo > account.seqNum) writeAccount(storage, changeAccount(account, { seqNum: bumpTo }));
  return inner(Tr.bumpSequence(result.bumpSequenceSuccess()));
}

const balanceKey = (balanceId: xdr.ClaimableBalanceId) =>
  xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId }));

function createClaimableBalance(
  op: xdr.CreateClaimableBalanceOp,
  { storage, source, sponsors, origin, time }: OperationContext,
) {
  const result = xdr.CreateClaimableBalanceResult;
  const { asset, amount, claimants } = op;
  if (amount <= 0n || claimants.length === 0)
    throw fail(Tr.createClaimableBalance(result.createClaimableBalanceMalformed()));
  const failures: Partial<Record<MoveFailure, xdr.CreateClaimableBalanceResult>> = {
    'no trust line': result.createClaimableBalanceNoTrust(),
    'not authorized': result.createClaimableBalanceNotAuthorized(),
  };
  const failure = moveClassic(storage, source, asset, -amount);
  if (failure)
    throw fail(
      Tr.createClaimableBalance(failures[failure] ?? result.createClaimableBalanceUnderfunded()),
    );
  // The reserve of a claimable balance is always sponsored: by its creator where by nobody else.
  const payer = sponsors.has(accountAddress(source))
    ? sponsors
    : new Map([...sponsors, [accountAddress(source), accountAddress(source)]]);
  const ext = reserve(storage, payer, {
    owner: source,
    count: claimants.length,
    isSubEntry: false,
  });
  if (!ext) throw fail(Tr.createClaimableBalance(result.createClaimableBalanceLowReserve()));
  const preimage = xdr.HashIdPreimage.envelopeTypeOpId(
    new xdr.HashIdPreimageOperationId({
      sourceAccount: origin.account,
      seqNum: origin.sequence,
      opNum: origin.index,
    }),
  );
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(hash(preimage.toXdr()));
  const entry = new xdr.ClaimableBalanceEntry({
    balanceId,
    claimants: claimants.map((claimant) => startClock(claimant, time)),
    asset,
    amount,
    ext: xdr.ClaimableBalanceEntryExt.v0(),
  });
  storage.put(balanceKey(balanceId), xdr.LedgerEntryData.claimableBalance(entry), undefined, ext);
  return inner(Tr.createClaimableBalance(result.createClaimableBalanceSuccess(balanceId)));
}

function claim(
  { balanceId }: xdr.ClaimClaimableBalanceOp,
  { storage, source, time }: OperationContext,
) {
  const result = xdr.ClaimClaimableBalanceResult;
  const stored = storage.get(balanceKey(balanceId));
  if (stored?.entry.data.type !== 'claimableBalance')
    throw fail(Tr.claimClaimableBalance(result.claimClaimableBalanceDoesNotExist()));
  const { claimants, asset, amount } = stored.entry.data.claimableBalance;
  const mine = claimants.find((claimant) => sameAccount(claimant.v0.destination, source));
  if (!mine || !isClaimable(mine.v0.predicate, time))
    throw fail(Tr.claimClaimableBalance(result.claimClaimableBalanceCannotClaim()));
  const failures: Partial<Record<MoveFailure, xdr.ClaimClaimableBalanceResult>> = {
    'no trust line': result.claimClaimableBalanceNoTrust(),
    'not authorized': result.claimClaimableBalanceNotAuthorized(),
  };
  const failure = moveClassic(storage, source, asset, amount);
  if (failure)
    throw fail(
      Tr.claimClaimableBalance(failures[failure] ?? result.claimClaimableBalanceLineFull()),
    );
  release(storage, stored.entry.ext, { owner: source, count: claimants.length, isSubEntry: false });
  storage.delete(balanceKey(balanceId));
  return inner(Tr.claimClaimableBalance(result.claimClaimableBalanceSuccess()));
}

function beginSponsoring(
  { sponsoredId }: xdr.BeginSponsoringFutureReservesOp,
  { source, sponsors }: OperationContext,
) {
  const result = xdr.BeginSponsoringFutureReservesResult;
  const sponsored = accountAddress(sponsoredId);
  const own = accountAddress(source);
  if (sponsored === own)
    throw fail(Tr.beginSponsoringFutureReserves(result.beginSponsoringFutureReservesMalformed()));
  if (sponsors.has(sponsored))
    throw fail(
      Tr.beginSponsoringFutureReserves(result.beginSponsoringFutureReservesAlreadySponsored()),
    );
  if (sponsors.has(own) || [...sponsors.values()].includes(sponsored))
    throw fail(Tr.beginSponsoringFutureReserves(result.beginSponsoringFutureReservesRecursive()));
  sponsors.set(sponsored, own);
  return inner(Tr.beginSponsoringFutureReserves(result.beginSponsoringFutureReservesSuccess()));
}

function endSponsoring({ source, sponsors }: OperationContext) {
  const result = xdr.EndSponsoringFutureReservesResult;
  if (!sponsors.delete(accountAddress(source)))
    throw fail(Tr.endSponsoringFutureReserves(result.endSponsoringFutureReservesNotSponsored()));
  return inner(Tr.endSponsoringFutureReserves(result.endSponsoringFutureReservesSuccess()));
}
