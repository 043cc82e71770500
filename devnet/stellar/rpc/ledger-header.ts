import { hash, xdr } from '@stellar/stellar-sdk/base';
import { type Chain, protocol } from '../ledger/chain.ts';

/** Headers are made up of what is known: nobody has agreed on them. */
export function latestLedger(chain: Chain): object {
  const none = new Uint8Array(32);
  const header = new xdr.LedgerHeader({
    ledgerVersion: protocol,
    previousLedgerHash: none,
    scpValue: new xdr.StellarValue({
      txSetHash: none,
      closeTime: BigInt(chain.closeTime),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: none,
    bucketListHash: none,
    ledgerSeq: chain.sequence,
    totalCoins: 0n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1_000,
    skipList: [none, none, none, none],
    ext: xdr.LedgerHeaderExt.v0(),
  });
  const id = hash(header.toXdr());
  const metadata = xdr.LedgerCloseMeta.v0(
    new xdr.LedgerCloseMetaV0({
      ledgerHeader: new xdr.LedgerHeaderHistoryEntry({
        hash: id,
        header,
        ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
      }),
      txSet: new xdr.TransactionSet({ previousLedgerHash: none, txs: [] }),
      txProcessing: [],
      upgradesProcessing: [],
      scpInfo: [],
    }),
  );
  return {
    id: Buffer.from(id).toString('hex'),
    sequence: chain.sequence,
    protocolVersion: protocol,
    closeTime: String(chain.closeTime),
    headerXdr: header.toXdr('base64'),
    metadataXdr: metadata.toXdr('base64'),
  };
}
