import { ed25519 } from '@noble/curves/ed25519.js';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { LateNetwork } from '../../family/late/network.ts';
import { type AptosNetwork, explorerLinkOf } from '../config/networks.ts';
import { addressBytes, addressOfEd25519 } from '../encoding/addresses.ts';
import { feePayerMessage, transactionHash } from '../encoding/hashes.ts';
import {
  decodeRaw,
  decodeSigned,
  rawTransaction,
  type SignedTransaction,
  signedTransaction,
} from '../encoding/transactions.ts';
import type { AptosNode } from '../rpc/node.ts';
import { lookUp } from './look-up.ts';
import { executionError } from './outcome.ts';
import { readBuilt, readOperation, type StoredOperation, writeBuilt } from './stored.ts';

/** An account of the service that pays for operations. */
export interface FeePayer {
  readonly address: string;
  /** Seed of its Ed25519 key. */
  readonly seed: Secret<Uint8Array>;
}

export function createFeePayer(seed: Secret<Uint8Array>): FeePayer {
  return { seed, address: addressOfEd25519(ed25519.getPublicKey(seed.reveal())) };
}

export interface NetworkDeps {
  readonly connect: () => Promise<AptosNode>;
  readonly feePayers: readonly FeePayer[];
  /** The service's own time: a node alone does not say when an expiry is past. */
  readonly now: () => Date;
  /** Whether a fee payer is known to have nothing. */
  readonly isEmpty?: (address: string) => boolean;
}

/**
 * What the relay of intents asks of the network. The mark of an operation is its nonce with its one
 * expiry.
 */
export function createAptosNetwork({
  connect,
  feePayers,
  now,
  isEmpty = () => false,
}: NetworkDeps): LateNetwork {
  let turn = 0;

  return {
    /** The operation's own transaction, and whose turn it is to pay. */
    async build(operation) {
      const solvent = feePayers.filter(({ address }) => !isEmpty(address));
      const payer = solvent[turn++ % solvent.length];
      return payer
        ? { bytes: writeBuilt(readOperation(operation).rawBytes, addressBytes(payer.address)) }
        : 'later';
    },

    async complete(operation, built, signature) {
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
                ed25519: {
                  publicKey: ed25519.getPublicKey(seed),
                  signature: ed25519.sign(feePayerMessage(rawBytes, feePayer), seed),
                },
              },
            },
          },
        })
        .toBytes();
      return { txId: transactionHash(raw), raw };
    },

    identify(operation, raw) {
      requireOwn(readOperation(operation), decodeSigned(raw));
      return transactionHash(raw);
    },

    /** A refusal says nothing of what became of the bytes: they may have been taken before. */
    async send(raw) {
      await (await connect()).post('/transactions', raw, z.unknown());
    },

    async look({ txId, raw }) {
      const node = await connect();
      const { expirationSeconds, maxGasAmount, gasUnitPrice } = decodeSigned(raw).raw;
      const found = await lookUp(node, txId, expirationSeconds);
      if (found === 'gone')
        return BigInt(Math.floor(now().getTime() / 1_000)) > expirationSeconds ? 'gone' : 'pending';
      if (found === 'pending') return found;
      const costMinor = found.gas_used * found.gas_unit_price;
      // What cannot be is not written down as spent.
      if (costMinor > maxGasAmount * gasUnitPrice)
        throw new Error(`the node says that ${txId} cost more than was signed for`);
      const fees = {
        actual: { amountOctas: costMinor.toString(), token: node.network.native.symbol },
      };
      const end = { onChain: onChainOf(node.network, txId), costMinor, fees };
      return found.success
        ? { ...end, status: 'success' }
        : { ...end, status: 'failed', error: executionError(found.vm_status) };
    },
  };
}

/** `onChain` of a transaction that was sent. */
export function onChainOf(network: AptosNetwork, txId: string): JsonObject {
  const explorerLink = explorerLinkOf(network, txId);
  return { txId, ...(explorerLink !== undefined && { explorerLink }) };
}

/**
 * @throws Error where the transaction is another one, or one of its two signatures is not right: no
 * block would ever have it
 */
function requireOwn(
  { rawBytes, publicKey }: StoredOperation,
  { raw, authenticator }: SignedTransaction,
): void {
  if (!Buffer.from(rawTransaction.serialize(raw).toBytes()).equals(rawBytes))
    throw new Error('its transaction is another one');
  const { sender, feePayer, feePayerAddress } = authenticator.feePayer ?? {};
  if (!sender?.ed25519 || !feePayer?.ed25519 || feePayerAddress === undefined)
    throw new Error('it is signed in another form');
  const message = feePayerMessage(rawBytes, feePayerAddress);
  const isSigned = [
    { ...sender.ed25519, address: addressOfEd25519(publicKey) },
    { ...feePayer.ed25519, address: feePayerAddress },
  ].every(
    ({ publicKey: key, signature, address }) =>
      addressOfEd25519(new Uint8Array(key)) === address &&
      ed25519.verify(new Uint8Array(signature), message, new Uint8Array(key), { zip215: false }),
  );
  if (!isSigned) throw new Error('its signatures are not those that were given');
}
