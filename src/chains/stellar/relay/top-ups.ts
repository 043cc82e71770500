import { Account, Asset, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { SentBytes } from '../../family/nodes/sent-bytes.ts';
import type { TopUpNetwork } from '../../family/spending/top-ups.ts';
import { accountKey, readAccountEntry } from '../account/entry.ts';
import { treasuryOf } from '../dev/fund.ts';
import { createMintNetwork, type MintDeps } from '../dev/mint.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';

/** Receivers of one transaction, of the 100 operations that it may have. */
const receiversMax = 50;
/** Ledgers in which it may land: a minute. */
const ledgersMax = 12;
const feePerOperation = '1000';

/** What the treasury gives fee payers: payments, and accounts for those that are not there yet. */
export function createTopUps(deps: MintDeps): TopUpNetwork {
  const { connect, treasuryKey } = deps;
  const { send, look } = createMintNetwork(deps);
  return {
    send,
    look,
    address: treasuryOf(treasuryKey.reveal()).publicKey(),
    receiversMax,
    sign: async (receivers, amountMinor) =>
      sign(await connect(), { treasuryKey, receivers, amountMinor }),
  };
}

interface SignInput extends Pick<MintDeps, 'treasuryKey'> {
  readonly receivers: readonly string[];
  readonly amountMinor: bigint;
}

async function sign(
  connection: StellarConnection,
  { treasuryKey, receivers, amountMinor }: SignInput,
): Promise<SentBytes> {
  const { network } = connection;
  const treasury = treasuryOf(treasuryKey.reveal());
  const { entries, latestLedger } = await readEntries(
    connection,
    [treasury.publicKey(), ...receivers].map(accountKey),
  );
  const [source, ...there] = entries.map((entry) => readAccountEntry(entry?.data));
  if (!source)
    throw new Error(
      `The treasury ${treasury.publicKey()} does not exist on "${network.name}": fund it.`,
    );
  const maxLedger = latestLedger + ledgersMax;
  const builder = new TransactionBuilder(
    new Account(treasury.publicKey(), source.seqNum.toString()),
    {
      fee: feePerOperation,
      networkPassphrase: network.passphrase,
      ledgerbounds: { minLedger: 0, maxLedger },
    },
  );
  const amount = formatAmount(amountMinor, network.native.decimals);
  for (const [index, destination] of receivers.entries())
    builder.addOperation(
      there[index]
        ? Operation.payment({ destination, asset: Asset.native(), amount })
        : Operation.createAccount({ destination, startingBalance: amount }),
    );
  const transaction = builder.setTimeout(0).build();
  transaction.sign(treasury);
  const txId = Buffer.from(transaction.hash()).toString('hex');
  return {
    txId,
    raw: new Uint8Array(Buffer.from(transaction.toXdr(), 'base64')),
    mark: maxLedger.toString(),
  };
}
