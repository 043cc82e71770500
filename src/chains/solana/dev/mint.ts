import { ed25519 } from '@noble/curves/ed25519.js';
import { type Address, createNoopSigner } from '@solana/kit';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { MintNetwork } from '../../family/funding/run-mints.ts';
import type { MintRequest } from '../../family/funding/store.ts';
import type { SentBytes } from '../../family/nodes/sent-bytes.ts';
import { messageBytesOfWire, writeMessage, writeTransaction } from '../operation/message.ts';
import { readLanded } from '../operation/node.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { costOf } from '../relay/cost-bounds.ts';
import { readBlockHeight, readLatestBlockhash, readStatuses, send } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { associatedTokenAddress } from '../tokens/derived-addresses.ts';

export interface MintDeps {
  readonly connect: () => Promise<SolanaConnection>;
  /** Keypair of the treasury: seed and public key. */
  readonly treasuryKey: Secret<Uint8Array>;
}

/** Mints by the treasury. The mark is the height of the last block that lets the bytes in. */
export function createMintNetwork({ connect, treasuryKey }: MintDeps): MintNetwork {
  return {
    sign: async (mint) => sign(await connect(), treasuryKey.reveal(), mint),
    send: async (raw) =>
      void (await send(await connect(), Buffer.from(raw).toString('base64'), { checks: false })),
    async look({ txId, raw, mark }) {
      const connection = await connect();
      const statusOf = async () =>
        (await readStatuses(connection, { signatures: [txId], history: true }))[0];
      const status = await statusOf();
      const landed =
        status && status.confirmationStatus !== 'processed'
          ? await readLanded(connection, txId)
          : undefined;
      if (landed) {
        const costMinor = costOf(messageBytesOfWire(raw), landed);
        return landed.err === null
          ? { costMinor }
          : { costMinor, failed: JSON.stringify(landed.err) };
      }
      // By the finalized chain: it is past the last block that would let these bytes in, and has
      // them nowhere.
      if (status) return 'seen';
      if ((await readBlockHeight(connection, 'finalized')) <= BigInt(mark)) return 'pending';
      return (await statusOf()) ? 'seen' : 'gone';
    },
  };
}

async function sign(
  connection: SolanaConnection,
  keypair: Uint8Array,
  { token: asked, recipient, amountMinor }: MintRequest,
): Promise<SentBytes> {
  const treasury = bs58.encode(keypair.subarray(32)) as Address;
  const [mint, owner] = [asked as Address, recipient as Address];
  const token = associatedTokenAddress({ owner, mint, tokenProgram: programs.token }) as Address;
  const { blockhash, lastValidBlockHeight } = await readLatestBlockhash(connection, 'confirmed');
  const authority = createNoopSigner(treasury);
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: authority,
      ata: token,
      owner,
      mint,
      tokenProgram: programs.token,
    }),
    getMintToInstruction({ mint, token, mintAuthority: authority, amount: amountMinor }),
  ];
  const message = writeMessage({ feePayer: treasury, instructions, tables: {}, blockhash });
  const signature = ed25519.sign(message, keypair.subarray(0, 32));
  const raw = writeTransaction(message, { [treasury]: signature });
  return { raw, txId: bs58.encode(signature), mark: lastValidBlockHeight.toString() };
}
