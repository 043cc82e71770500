import {
  Account,
  type Keypair,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import {
  addressValue,
  amountValue,
  type ContractCall,
} from '../../../../contracts/stellar/index.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { MintNetwork } from '../../family/funding/run-mints.ts';
import type { MintRequest } from '../../family/funding/store.ts';
import type { SentBytes } from '../../family/nodes/sent-bytes.ts';
import { accountKey, readAccountEntry } from '../account/entry.ts';
import { invokeOperation } from '../operation/simulate.ts';
import { isTransaction, readEntries, readTransaction, send, simulate } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { treasuryOf } from './fund.ts';

export interface MintDeps {
  readonly connect: () => Promise<StellarConnection>;
  /** Seed of the treasury. */
  readonly treasuryKey: Secret<Uint8Array>;
  /** Whatever a node says. */
  readonly feeMaxStroops: bigint;
}

/** Ledgers in which a mint may land: a minute. */
const ledgersMax = 12;
const inclusionStroops = 100n;

/**
 * Mints by the treasury, which is the source and so allows them. The mark is the first ledger that
 * does not take the bytes any more.
 */
export function createMintNetwork({ connect, treasuryKey, feeMaxStroops }: MintDeps): MintNetwork {
  return {
    sign: async (mint) =>
      sign(await connect(), { mint, treasury: treasuryOf(treasuryKey.reveal()), feeMaxStroops }),
    async send(raw) {
      const { status, errorResultXdr } = await send(
        await connect(),
        Buffer.from(raw).toString('base64'),
      );
      if (status === 'ERROR' || status === 'TRY_AGAIN_LATER')
        throw new Error(`The node did not take it: ${errorResultXdr?.result.type ?? status}`);
    },
    look: async (sent) => look(await connect(), sent),
  };
}

/**
 * Nothing has it, and nothing can: its last ledger has passed, or its number was used by another
 * transaction.
 */
async function look(
  connection: StellarConnection,
  { txId, raw, mark }: SentBytes,
): ReturnType<MintNetwork['look']> {
  const { sequence, source } = readRaw(raw, connection);
  const { entries, latestLedger } = await readEntries(connection, [accountKey(source)]);
  const found = await readTransaction(connection, txId);
  if (found.status !== 'NOT_FOUND' && !isTransaction(connection.network, found, txId))
    throw new Error(`The node answers another transaction where ${txId} was asked for.`);
  if (found.status === 'SUCCESS') return { costMinor: found.resultXdr.feeCharged };
  if (found.status === 'FAILED')
    return { costMinor: found.resultXdr.feeCharged, failed: found.resultXdr.result.type };
  const isUsed =
    (readAccountEntry(entries[0]?.data)?.seqNum ?? 0n) >= BigInt(sequence) &&
    found.latestLedger >= latestLedger;
  return isUsed || found.latestLedger >= Number(mark) ? 'gone' : 'pending';
}

function readRaw(raw: Uint8Array, { network }: StellarConnection): Transaction {
  const transaction = TransactionBuilder.fromXdr(
    Buffer.from(raw).toString('base64'),
    network.passphrase,
  );
  if (!(transaction instanceof Transaction)) throw new Error('A mint is no fee bump.');
  return transaction;
}

interface SignInput {
  readonly mint: MintRequest;
  readonly treasury: Keypair;
  readonly feeMaxStroops: bigint;
}

async function sign(
  connection: StellarConnection,
  { mint, treasury, feeMaxStroops }: SignInput,
): Promise<SentBytes> {
  const source = treasury.publicKey();
  const { entries, latestLedger } = await readEntries(connection, [accountKey(source)]);
  const account = readAccountEntry(entries[0]?.data);
  if (!account)
    throw new Error(`The treasury ${source} does not exist on "${mint.chain}": fund it.`);
  const args = [addressValue(mint.recipient), amountValue(mint.amountMinor)];
  const call: ContractCall = { contract: mint.token, method: 'mint', args };
  const maxLedger = latestLedger + ledgersMax;
  const builder = (auth: readonly xdr.SorobanAuthorizationEntry[] = []) =>
    new TransactionBuilder(new Account(source, account.seqNum.toString()), {
      fee: inclusionStroops.toString(),
      networkPassphrase: connection.network.passphrase,
      ledgerbounds: { minLedger: 0, maxLedger },
    })
      .addOperation(invokeOperation(call, auth))
      .setTimeout(0);
  const { error, transactionData, results } = await simulate(
    connection,
    builder().build().toXdr(),
    'record',
  );
  if (error != null || !transactionData)
    throw new Error(`The mint cannot be made: ${(error ?? 'no resources').slice(0, 300)}`);
  const transaction = builder(results?.[0]?.auth ?? [])
    .setSorobanData(transactionData)
    .build();
  if (BigInt(transaction.fee) > feeMaxStroops)
    throw new Error(`The node asks ${transaction.fee} stroops for a mint.`);
  transaction.sign(treasury);
  return {
    txId: Buffer.from(transaction.hash()).toString('hex'),
    raw: new Uint8Array(Buffer.from(transaction.toXdr(), 'base64')),
    mark: String(maxLedger),
  };
}
