import type { Address } from '@solana/kit';
import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import type { Db } from '../../../store/types.ts';
import { writeMessage, writeTransaction } from '../operation/message.ts';
import { readStatuses, send } from '../operation/node.ts';
import { readBlockHeight, readLatestBlockhash } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import type { SigningAccount } from './keys.ts';
import { allowTopUp } from './top-up-ceiling.ts';
import type { RelayDeps } from './types.ts';

/** Money of the treasury for fee payers: one transaction at a time, and another one only when the first has ended. */

const topUpsMax = 10;

interface TopUp {
  readonly signature: string;
  readonly raw: Uint8Array;
  readonly lastHeight: bigint;
}

export interface TopUpInput {
  readonly treasury: SigningAccount;
  readonly treasuryLamports: bigint;
  readonly short: readonly SigningAccount[];
}

/**
 * One look: what was signed goes on until it is final, whichever process signed it; else those that are short get some. The balances
 * may be older than the end of what was under way, so that the next look decides anew. @returns why nobody gets more today
 */
export async function topUp(deps: RelayDeps, connection: SolanaConnection, input: TopUpInput): Promise<string | undefined> {
  const open = await selectTopUp(deps.store, deps.chain);
  if (open) {
    await follow(deps, connection, open);
    return undefined;
  }
  const amount = deps.settings.feePayerBalanceMinLamports * 2n;
  const affordable = Number(input.treasuryLamports / amount) - 1;
  const receivers = input.short.slice(0, Math.max(0, Math.min(affordable, topUpsMax)));
  if (receivers.length === 0) return undefined;
  const refusal = await allowTopUp(deps, amount * BigInt(receivers.length));
  if (refusal !== undefined) {
    deps.log.error({ alarm: 'top-ups', chain: deps.chain }, refusal);
    return refusal;
  }
  const made = await sign(connection, input.treasury, { receivers, amount });
  if (await insertTopUp(deps.store, deps.chain, made)) await send(connection, made.raw);
  return undefined;
}

async function follow({ store, chain }: RelayDeps, connection: SolanaConnection, open: TopUp): Promise<void> {
  const height = await readBlockHeight(connection, 'finalized');
  const [status] = await readStatuses(connection, [open.signature]);
  const hasEnded = status ? status.level === 'finalized' : height > open.lastHeight;
  if (hasEnded) await deleteTopUp(store, chain, open.signature);
  else if (!status) await send(connection, open.raw);
}

async function sign(
  connection: SolanaConnection,
  treasury: SigningAccount,
  { receivers, amount }: { readonly receivers: readonly SigningAccount[]; readonly amount: bigint },
): Promise<TopUp> {
  const { blockhash, lastValidBlockHeight: lastHeight } = await readLatestBlockhash(connection, 'confirmed');
  const source = createNoopSigner(treasury.address);
  const instructions = receivers.map(({ address }) => getTransferSolInstruction({ source, destination: address as Address, amount }));
  const bytes = writeMessage({ feePayer: treasury.address, instructions, tables: {}, blockhash });
  const signature = treasury.sign(bytes);
  return { signature: bs58.encode(signature), raw: writeTransaction(bytes, { [treasury.address]: signature }), lastHeight };
}

async function selectTopUp(db: Db, chain: string): Promise<TopUp | undefined> {
  const { rows } = await db.query<{ signature: string; raw: Buffer; last_height: string }>({
    name: 'solana-top-up-select',
    text: 'select signature, raw, last_height from solana_top_ups where chain = $1',
    values: [chain],
  });
  return rows[0] && { signature: rows[0].signature, raw: rows[0].raw, lastHeight: BigInt(rows[0].last_height) };
}

/** From here on these bytes may be anywhere. False: another process was first. */
async function insertTopUp(db: Db, chain: string, { signature, raw, lastHeight }: TopUp): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'solana-top-up-insert',
    text: 'insert into solana_top_ups (chain, signature, raw, last_height) values ($1, $2, $3, $4) on conflict do nothing',
    values: [chain, signature, Buffer.from(raw), lastHeight.toString()],
  });
  return rowCount > 0;
}

async function deleteTopUp(db: Db, chain: string, signature: string): Promise<void> {
  await db.query({
    name: 'solana-top-up-delete',
    text: 'delete from solana_top_ups where chain = $1 and signature = $2',
    values: [chain, signature],
  });
}
