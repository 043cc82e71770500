import { ed25519 } from '@noble/curves/ed25519.js';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json.ts';
import type { Secret } from '../../../lib/secret.ts';
import { explorerLinkOf } from '../config/networks.ts';
import { addressBytes, addressOfEd25519 } from '../encoding/addresses.ts';
import { feePayerMessage, transactionHash } from '../encoding/hashes.ts';
import { decodeRaw, decodeSigned, signedTransaction } from '../encoding/transactions.ts';
import type { AptosNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import { executedSchema, executionError } from './outcome.ts';
import { readBuilt, readOperation, writeBuilt } from './stored.ts';

/** An account of the service that pays for operations. */
export interface FeePayer {
  readonly address: string;
  /** Seed of its Ed25519 key. */
  readonly seed: Secret<Uint8Array>;
}

export function createFeePayer(seed: Secret<Uint8Array>): FeePayer {
  return { seed, address: addressOfEd25519(ed25519.getPublicKey(seed.reveal())) };
}

const foundSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pending_transaction'), hash: z.string() }),
  executedSchema.extend({ type: z.literal('user_transaction') }),
]);

/** What the relay of intents asks of the network: see `LateNetwork`. */
export function createAptosNetwork(deps: { readonly connect: () => Promise<AptosNode>; readonly feePayers: readonly FeePayer[] }) {
  const { connect, feePayers } = deps;
  let turn = 0;

  return {
    /** The operation's own transaction, and whose turn it is to pay. */
    async build(operation: JsonObject) {
      const payer = feePayers[turn++ % feePayers.length];
      if (!payer) throw new Error('no account pays fees on Aptos');
      return { bytes: writeBuilt(readOperation(operation).rawBytes, addressBytes(payer.address)) };
    },

    async complete(operation: JsonObject, built: Uint8Array, signature: Uint8Array) {
      const { publicKey } = readOperation(operation);
      const { rawBytes, feePayer } = readBuilt(built);
      const payer = feePayers.find(({ address }) => address === feePayer);
      if (!payer) throw new Error(`no key of ${feePayer} is known here`);
      const seed = payer.seed.reveal();
      const raw = signedTransaction
        .serialize({
          raw: decodeRaw(rawBytes),
          authenticator: {
            feePayer: {
              sender: { ed25519: { publicKey, signature } },
              secondaryAddresses: [],
              secondary: [],
              feePayerAddress: feePayer,
              feePayer: {
                ed25519: { publicKey: ed25519.getPublicKey(seed), signature: ed25519.sign(feePayerMessage(rawBytes, feePayer), seed) },
              },
            },
          },
        })
        .toBytes();
      return { txId: transactionHash(raw), raw };
    },

    /** A refusal says nothing of what became of the bytes: they may have been taken before. */
    async send(raw: Uint8Array): Promise<void> {
      await (await connect()).post('/transactions', raw, z.unknown());
    },

    /**
     * Gone is what a node does not have whose own time is past the expiry: blocks that could still take it are behind.
     * @throws Error where the node tells of another transaction
     */
    async look({ txId, raw }: { readonly txId: string; readonly raw: Uint8Array }) {
      const node = await connect();
      const { expirationSeconds, maxGasAmount, gasUnitPrice } = decodeSigned(raw).raw;
      const found = await node.get(`/transactions/by_hash/${txId}`, foundSchema).catch((error: unknown) => {
        if (error instanceof RestRefusal && error.status === 404) return error.ledger;
        throw error;
      });
      if (!('value' in found)) return found.timestampUs / 1_000_000n > expirationSeconds ? 'gone' : 'pending';
      const { value } = found;
      if (value.hash !== txId) throw new Error(`the node tells of ${value.hash} when it is asked for ${txId}`);
      if (value.type === 'pending_transaction') return 'pending';
      const costMinor = value.gas_used * value.gas_unit_price;
      // What cannot be is not written down as spent.
      if (costMinor > maxGasAmount * gasUnitPrice) throw new Error(`the node says that ${txId} cost more than was signed for`);
      const link = explorerLinkOf(node.network, txId);
      const onChain: JsonObject = { txId, ...(link === undefined ? {} : { explorerLink: link }) };
      const end = { onChain, costMinor, fees: { actual: { amountOctas: costMinor.toString(), token: node.network.native.symbol } } };
      return value.success ? { ...end, status: 'success' } : { ...end, status: 'failed', error: executionError(value.vm_status) };
    },
  } as const;
}
