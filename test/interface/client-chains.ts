import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { messageBytesOf } from '../../src/chains/solana/operation/message.ts';
import { encodeStrKey } from '../../src/lib/locator/strkey.ts';
import type { Body } from './expected-calls.ts';

/**
 * A key of the caller, which signs as existing clients of its family do (supplement, section 7).
 */
export interface ClientAccount {
  readonly address: string;
  /** Every way to write the address. */
  readonly spellings: readonly string[];
  /** Of a transaction or signature that is pending. */
  sign(object: Body): Promise<string>;
}

/** What clients of one family send and expect. */
export interface ClientChain {
  readonly chainType: string;
  readonly chain: string;
  readonly token: string;
  /** `chain` of bodies and queries where a family has several. */
  readonly named: { readonly chain?: string };
  /** The form of `onChain.txId`. */
  readonly txId: RegExp;
  /** An address of nobody. */
  readonly somebody: string;
  account(): ClientAccount;
}

export const pendingOf = (object: Body) =>
  object.approvals.pending as { signer: { locator: string }; message: string }[];

export const evmClient: ClientChain = {
  chainType: 'evm',
  chain: 'base-sepolia',
  token: 'base-sepolia:usdxm',
  named: { chain: 'base-sepolia' },
  txId: /^0x[0-9a-f]{64}$/,
  somebody: '0x000000000000000000000000000000000000bEEF',
  account() {
    const account = privateKeyToAccount(generatePrivateKey());
    return {
      address: account.address,
      spellings: [account.address, account.address.toLowerCase()],
      sign: (object) =>
        account.signMessage({ message: { raw: pendingOf(object)[0]!.message as Hex } }),
    };
  },
};

export const solanaClient: ClientChain = {
  chainType: 'solana',
  chain: 'solana',
  token: 'solana:usdxm',
  named: {},
  txId: /^[1-9A-HJ-NP-Za-km-z]{80,90}$/,
  somebody: bs58.encode(ed25519.getPublicKey(randomBytes(32))),
  account() {
    const seed = randomBytes(32);
    const address = bs58.encode(ed25519.getPublicKey(seed));
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return {
      address,
      spellings: [address],
      // Over the message of the transaction, not over `message`.
      sign: async ({ onChain }) =>
        bs58.encode(sign(null, messageBytesOf(onChain.transaction), key)),
    };
  },
};

export const stellarClient: ClientChain = {
  chainType: 'stellar',
  chain: 'stellar',
  token: 'stellar:usdxm',
  named: {},
  txId: /^[0-9a-f]{64}$/,
  // A contract: it holds what it is sent without a trust line.
  somebody: encodeStrKey({ kind: 'C', bytes: randomBytes(32) }),
  account() {
    const seed = randomBytes(32);
    const address = encodeStrKey({ kind: 'G', bytes: ed25519.getPublicKey(seed) });
    return {
      address,
      spellings: [address],
      // Over the bytes that `message` is the base64 of.
      sign: async (object) =>
        Buffer.from(
          ed25519.sign(Buffer.from(pendingOf(object)[0]!.message, 'base64'), seed),
        ).toString('base64'),
    };
  },
};
