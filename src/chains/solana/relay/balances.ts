import { type Address, createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import type { SentBytes } from '../../family/nodes/sent-bytes.ts';
import { type TopUpNetwork, watchFeeAccounts } from '../../family/spending/top-ups.ts';
import { writeMessage, writeTransaction } from '../operation/message.ts';
import { readAccounts, readStatuses, send } from '../operation/node.ts';
import { lamportsPerSignature } from '../operation/prices.ts';
import { readBlockHeight, readLatestBlockhash } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import type { SigningAccount } from './keys.ts';
import { relayLimits } from './limits.ts';
import type { RelayDeps } from './types.ts';

/** Of a transaction of the service for itself: one signature, and no bid for computation. */
export const ownFee = lamportsPerSignature;

/** What the accounts of the service hold, as they were seen last. */
const seen = new WeakMap<RelayDeps, ReadonlyMap<string, bigint>>();

/**
 * Those that can pay, the richest first; one that is nearly empty only while there is no other.
 */
export function payersByBalance(deps: RelayDeps): SigningAccount[] {
  const balances = seen.get(deps) ?? new Map<string, bigint>();
  const of = ({ address }: SigningAccount) => balances.get(address) ?? 0n;
  const having = (least: bigint) => deps.feePayers.filter((payer) => of(payer) >= least);
  const able = having(relayLimits.payerLeastLamports);
  return (able.length > 0 ? able : having(1n)).toSorted((a, b) =>
    of(a) < of(b) ? 1 : of(a) > of(b) ? -1 : 0,
  );
}

/** As `watchFeeAccounts`, of this cluster. */
export async function watchBalances(deps: RelayDeps, connection: SolanaConnection): Promise<void> {
  const { store, log, chain, feePayers, treasury, settings } = deps;
  const balances = await watchFeeAccounts({
    store,
    log,
    chain,
    feePayers: feePayers.map(({ address }) => address),
    balanceMinMinor: settings.feePayerBalanceMinLamports,
    topUpDayMaxMinor: settings.topUpDayMaxLamports,
    topUpSetting: 'SOLANA_TOP_UP_DAY_MAX_LAMPORTS',
    unit: 'lamports',
    coin: 'SOL',
    network: {
      readBalances: async (addresses) =>
        (await readAccounts(connection, addresses)).map((account) => account?.lamports ?? 0n),
      treasury: treasury && createTopUpNetwork(connection, treasury),
    },
  });
  seen.set(deps, balances);
}

/** The mark is the height of the last block that lets the bytes in. */
function createTopUpNetwork(connection: SolanaConnection, treasury: SigningAccount): TopUpNetwork {
  return {
    address: treasury.address,
    receiversMax: 10,
    sign: (receivers, amount) => sign(connection, treasury, { receivers, amount }),
    send: (raw) => send(connection, raw),
    async look({ txId, mark }) {
      const height = await readBlockHeight(connection, 'finalized');
      const [status] = await readStatuses(connection, [txId]);
      if (status?.level === 'finalized')
        return {
          costMinor: ownFee,
          ...(status.err !== null && { failed: JSON.stringify(status.err).slice(0, 300) }),
        };
      if (status) return 'seen';
      return height > BigInt(mark) ? 'gone' : 'pending';
    },
  };
}

async function sign(
  connection: SolanaConnection,
  treasury: SigningAccount,
  { receivers, amount }: { readonly receivers: readonly string[]; readonly amount: bigint },
): Promise<SentBytes> {
  const { blockhash, lastValidBlockHeight } = await readLatestBlockhash(connection, 'confirmed');
  const source = createNoopSigner(treasury.address);
  const instructions = receivers.map((address) =>
    getTransferSolInstruction({ source, destination: address as Address, amount }),
  );
  const bytes = writeMessage({ feePayer: treasury.address, instructions, tables: {}, blockhash });
  const signature = treasury.sign(bytes);
  const raw = writeTransaction(bytes, { [treasury.address]: signature });
  return { txId: bs58.encode(signature), raw, mark: lastValidBlockHeight.toString() };
}
