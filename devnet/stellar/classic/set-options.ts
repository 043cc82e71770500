import { xdr } from '@stellar/stellar-sdk/base';
import { changeAccount, readAccount, writeAccount } from '../ledger/accounts.ts';
import type { OperationContext } from './operations.ts';
import { release, reserve } from './reserves.ts';
import { fail, inner } from './results.ts';

const signersMax = 20;
const weightMax = 255;
const flagsMask = 15;
const result = xdr.SetOptionsResult;
const refuse = (why: xdr.SetOptionsResult) => fail(xdr.OperationResultTr.setOptions(why));

export function setOptions(op: xdr.SetOptionsOp, context: OperationContext): xdr.OperationResult {
  const { storage, source } = context;
  const {
    clearFlags,
    setFlags,
    masterWeight,
    lowThreshold,
    medThreshold,
    highThreshold,
    homeDomain,
  } = op;
  const levels = [masterWeight, lowThreshold, medThreshold, highThreshold];
  if (levels.some((level) => level !== null && level > weightMax))
    throw refuse(result.setOptionsThresholdOutOfRange());
  if (((setFlags ?? 0) | (clearFlags ?? 0)) & ~flagsMask)
    throw refuse(result.setOptionsUnknownFlag());
  if ((setFlags ?? 0) & (clearFlags ?? 0)) throw refuse(result.setOptionsBadFlags());
  const account = readAccount(storage, source)!;
  const thresholds = Uint8Array.from(
    account.thresholds.value,
    (known, index) => levels[index] ?? known,
  );
  const flags = (account.flags & ~(clearFlags ?? 0)) | (setFlags ?? 0);
  writeAccount(
    storage,
    changeAccount(account, { thresholds, flags, homeDomain: homeDomain ?? account.homeDomain }),
  );
  if (op.signer) setSigner(op.signer, context);
  return inner(xdr.OperationResultTr.setOptions(result.setOptionsSuccess()));
}

/** A weight of nothing takes the signer away. */
function setSigner(signer: xdr.Signer, { storage, source, sponsors }: OperationContext): void {
  if (signer.weight > weightMax || signer.key.type !== 'signerKeyTypeEd25519')
    throw refuse(result.setOptionsBadSigner());
  if (Buffer.compare(signer.key.ed25519.value, source.ed25519.value) === 0)
    throw refuse(result.setOptionsBadSigner());
  const known = readAccount(storage, source)!.signers;
  const others = known.filter(({ key }) => !key.equals(signer.key));
  const isKnown = others.length < known.length;
  const count = { owner: source, count: 1, isSubEntry: true };
  if (signer.weight === 0) {
    if (isKnown) release(storage, undefined, count);
  } else if (!isKnown) {
    if (others.length >= signersMax) throw refuse(result.setOptionsTooManySigners());
    if (!reserve(storage, sponsors, count)) throw refuse(result.setOptionsLowReserve());
  }
  const signers = signer.weight === 0 ? others : [...others, signer];
  const ordered = signers.toSorted((a, b) => Buffer.compare(a.key.toXdr(), b.key.toXdr()));
  writeAccount(storage, changeAccount(readAccount(storage, source)!, { signers: ordered }));
}
