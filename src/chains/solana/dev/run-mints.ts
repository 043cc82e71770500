import { setTimeout as delay } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type Address, createNoopSigner } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction, getMintToInstruction } from '@solana-program/token';
import bs58 from 'bs58';
import type { Logger } from '../../../lib/log.ts';
import type { Secret } from '../../../lib/secret.ts';
import type { Store, Tx } from '../../../store/types.ts';
import type { Running } from '../../family.ts';
import { writeMessage, writeTransaction } from '../operation/message.ts';
import { programs } from '../operation/programs.ts';
import { readBlockHeight, readLatestBlockhash, readStatuses, send } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { associatedTokenAddress } from '../tokens/derived-addresses.ts';
import { endMint, lockOpenMint, type OpenMint, storeSigned } from './store.ts';

export interface MintsDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly connect: (chain: string) => Promise<SolanaConnection>;
  /** Keypair of the treasury: seed and public key. */
  readonly treasuryKey: Secret<Uint8Array>;
  readonly pollMs: number;
}

const busyPauseMs = 50;
const failurePauseMs = 2_000;

/** Mints the test tokens that were asked for: the bytes are stored before they are sent, and others are signed only when those have ended. */
export function runMints(deps: MintsDeps): Running {
  const stopping = new AbortController();
  const done = loop(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function loop(deps: MintsDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = deps.pollMs;
    try {
      if (await mintNext(deps)) pauseMs = busyPauseMs;
    } catch (error) {
      deps.log.warn({ err: error, chain: deps.chain }, 'test tokens cannot be minted now: trying again');
      pauseMs = failurePauseMs;
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** One step with the oldest. @returns whether there was one */
export async function mintNext(deps: MintsDeps): Promise<boolean> {
  const open = await deps.store.transaction((tx) => prepare(deps, tx));
  if (!open) return false;
  const connection = await deps.connect(deps.chain);
  const [status] = await readStatuses(connection, { signatures: [open.sent.signature], history: true });
  if (status && status.confirmationStatus !== 'processed')
    await endMint(deps.store, open.reference, status.err === null ? undefined : JSON.stringify(status.err));
  else if (!status) await send(connection, Buffer.from(open.sent.raw).toString('base64'), { checks: false });
  return true;
}

type SentMint = OpenMint & Required<Pick<OpenMint, 'sent'>>;

/** Signs what has not been, and anew what no block can have any more. */
async function prepare(deps: MintsDeps, tx: Tx): Promise<SentMint | undefined> {
  const open = await lockOpenMint(tx, deps.chain);
  if (!open) return undefined;
  const connection = await deps.connect(deps.chain);
  if (open.sent && !(await hasEnded(connection, open.sent))) return { ...open, sent: open.sent };
  if (open.isOld) {
    await endMint(tx, open.reference, 'No block took it within ten minutes.');
    return undefined;
  }
  const sent = await sign(deps, connection, open);
  await storeSigned(tx, open.reference, sent);
  return { ...open, sent };
}

/** By the finalized chain: it is past the last block that would let these bytes in, and has them nowhere. */
async function hasEnded(connection: SolanaConnection, { signature, lastHeight }: SentMint['sent']): Promise<boolean> {
  if ((await readBlockHeight(connection, 'finalized')) <= lastHeight) return false;
  const [status] = await readStatuses(connection, { signatures: [signature], history: true });
  return !status;
}

async function sign({ treasuryKey }: MintsDeps, connection: SolanaConnection, open: OpenMint): Promise<SentMint['sent']> {
  const keypair = treasuryKey.reveal();
  const treasury = bs58.encode(keypair.subarray(32)) as Address;
  const [mint, owner] = [open.mint as Address, open.recipient as Address];
  const token = associatedTokenAddress({ owner, mint, tokenProgram: programs.token }) as Address;
  const { blockhash, lastValidBlockHeight: lastHeight } = await readLatestBlockhash(connection, 'confirmed');
  const authority = createNoopSigner(treasury);
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({ payer: authority, ata: token, owner, mint, tokenProgram: programs.token }),
    getMintToInstruction({ mint, token, mintAuthority: authority, amount: open.amountMinor }),
  ];
  const message = writeMessage({ feePayer: treasury, instructions, tables: {}, blockhash });
  const signature = ed25519.sign(message, keypair.subarray(0, 32));
  return { raw: writeTransaction(message, { [treasury]: signature }), signature: bs58.encode(signature), lastHeight };
}
