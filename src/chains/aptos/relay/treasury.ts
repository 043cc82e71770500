import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { z } from 'zod';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { MintNetwork } from '../../family/funding/run-mints.ts';
import type { SentBytes, SentBytesNetwork } from '../../family/nodes/sent-bytes.ts';
import type { TopUpNetwork } from '../../family/spending/top-ups.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import { senderMessage, transactionHash } from '../encoding/hashes.ts';
import {
  decodeRaw,
  type EntryFunction,
  encodeOrderless,
  signedTransaction,
} from '../encoding/transactions.ts';
import { transferCall } from '../operation/calls.ts';
import { lookUp } from '../operation/look-up.ts';
import { type GasCeilings, lifetimeS, readPrice } from '../operation/prepare.ts';
import type { AptosNode } from '../rpc/node.ts';
import { aptCoin, readAsset } from '../tokens/assets.ts';

export interface TreasuryDeps {
  readonly connect: () => Promise<AptosNode>;
  /** Seed of the Ed25519 key of the treasury. */
  readonly key: Secret<Uint8Array>;
  readonly ceilings: GasCeilings;
}

export interface Treasury {
  readonly address: string;
  /** Gives test tokens that it holds. */
  readonly mints: MintNetwork;
  readonly topUps: TopUpNetwork;
}

/** What the service's own account sends: it pays for itself, with a nonce and one expiry each. */
export function createTreasury({ connect, key, ceilings }: TreasuryDeps): Treasury {
  const seed = key.reveal();
  const publicKey = ed25519.getPublicKey(seed);
  const address = addressOfEd25519(publicKey);

  async function sign(call: EntryFunction): Promise<SentBytes> {
    const node = await connect();
    const expirationSeconds = (await timeOf(node)) + BigInt(lifetimeS);
    const bytes = encodeOrderless({
      sender: address,
      call,
      nonce: randomBytes(8).readBigUInt64LE(),
      maxGasAmount: ceilings.gasAmountMax,
      gasUnitPrice: await readPrice(node, ceilings),
      expirationSeconds,
      chainId: node.network.networkId,
    });
    const signature = ed25519.sign(senderMessage(bytes), seed);
    const raw = signedTransaction
      .serialize({ raw: decodeRaw(bytes), authenticator: { ed25519: { publicKey, signature } } })
      .toBytes();
    return { txId: transactionHash(raw), raw, mark: expirationSeconds.toString() };
  }
  const sent: SentBytesNetwork = {
    send: async (raw) => void (await (await connect()).post('/transactions', raw, z.unknown())),
    async look({ txId, mark }) {
      const found = await lookUp(await connect(), txId, BigInt(mark));
      if (typeof found === 'string') return found;
      const costMinor = found.gas_used * found.gas_unit_price;
      return found.success ? { costMinor } : { costMinor, failed: found.vm_status };
    },
  };
  return {
    address,
    mints: {
      ...sent,
      sign: ({ token, recipient, amountMinor }) =>
        sign(transferCall({ asset: readAsset(token), recipient, amountMinor })),
    },
    topUps: {
      ...sent,
      address,
      // One call moves to one account.
      receiversMax: 1,
      sign: ([recipient], amountMinor) =>
        sign(transferCall({ asset: aptCoin, recipient: recipient!, amountMinor })),
    },
  };
}

/** By the node's own time, in seconds: expiries are measured with it. */
async function timeOf(node: AptosNode): Promise<bigint> {
  return (await node.get('', z.unknown())).ledger.timestampUs / 1_000_000n;
}
