import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import bs58 from 'bs58';
import { expect } from 'vitest';
import {
  approve,
  type P256TestKey,
  p256KeyOf,
} from '../../programs/solana-wallet/testing/p256-keys.ts';
import { aDevice } from '../../src/areas/signer-codes/test-kit.ts';
import { messageBytesOf } from '../../src/chains/solana/operation/message.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { listSandboxMessages } from '../../src/providers/messaging/sandbox.ts';
import type { Stack } from '../harness/stack.ts';
import { type Body, expectedCalls } from './expected-calls.ts';

/** Signers of Solana wallets whose keys a test has, and the calls that use them. */

export interface TestSigner {
  readonly input: Body;
  /** Of a device the service’s own spelling, which its wallet tells. */
  locator: string;
  /** The entry of an approval. */
  approve(object: Body): object;
}

export function ed25519Signer(type: 'external-wallet' | 'server'): TestSigner {
  const seed = randomBytes(32);
  const address = bs58.encode(ed25519.getPublicKey(seed));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const locator = `${type}:${address}`;
  return {
    input: { type, address },
    locator,
    // Over the message of the transaction, not over `message` (section 7).
    approve: ({ onChain }) => ({
      signer: locator,
      signature: bs58.encode(sign(null, messageBytesOf(onChain.transaction), key)),
    }),
  };
}

export function p256Signer(kind: P256TestKey['kind'], name: string): TestSigner {
  const key = p256KeyOf(kind, name);
  const { x, y } = p256.Point.fromBytes(key.key).toAffine();
  const publicKey = { x: x.toString(), y: y.toString() };
  const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
  return {
    input:
      kind === 'passkey'
        ? { type: kind, id: name, name, publicKey }
        : { type: kind, publicKey, name },
    locator: kind === 'passkey' ? `passkey:${name}` : '',
    approve(object) {
      const [entry] = object.approvals.pending;
      const pending = entry.quorumApprovals?.pending[0] ?? entry;
      const made = approve(key, Buffer.from(pending.message.slice(2), 'hex'));
      const signature = {
        r: hex(made.signature.subarray(0, 32)),
        s: hex(made.signature.subarray(32)),
      };
      if ('hash' in made.signed) return { signer: pending.signer.locator, signature };
      const clientDataJSON = Buffer.from(made.signed.clientData).toString();
      const metadata = {
        authenticatorData: hex(made.signed.authenticatorData),
        challengeIndex: 23,
        clientDataJSON,
        typeIndex: 1,
      };
      return {
        signer: pending.signer.locator,
        signature,
        metadata: { ...metadata, userVerificationRequired: true },
      };
    },
  };
}
export const somebody = () => bs58.encode(ed25519.getPublicKey(randomBytes(32)));

/** @param stackOf the running service, once it runs */
export function solanaCalls(stackOf: () => Stack) {
  /** Every successful answer that a test has seen. */
  const answers: Body[] = [];

  const { expectWallets } = expectedCalls((...call) => stackOf().call(...call));
  async function expectCall(...call: Parameters<typeof expectWallets>): Promise<Body> {
    const body = await expectWallets(...call);
    if (call[0] < 300) answers.push(body);
    return body;
  }

  return {
    answers,
    expectCall,

    create: (config: object, more: object = {}, status = 201) =>
      expectCall(status, 'POST', '', { chainType: 'solana', type: 'smart', config, ...more }),

    async fund(address: string, amount = 50): Promise<void> {
      const { status } = await stackOf().call('POST', `/v1-alpha2/wallets/${address}/balances`, {
        body: { amount, token: 'usdxm', chain: 'solana' },
      });
      expect(status).toBe(201);
    },

    transfer: (wallet: string, body: object) =>
      expectCall(201, 'POST', `/${wallet}/tokens/solana:usdxm/transfers`, body),

    /** As existing clients do: read it, post approvals, poll. */
    async finish(wallet: string, object: Body, signers: readonly TestSigner[]): Promise<Body> {
      const path = `/${wallet}/transactions/${object.id}`;
      const read = await expectCall(200, 'GET', path);
      const approvals = signers.map((signer) => signer.approve(read));
      const posted = await expectCall(201, 'POST', `${path}/approvals`, { approvals });
      expect(['pending', 'success']).toContain(posted.status);
      return stackOf().waitForTransaction(wallet, object.id);
    },

    /** As a person does who gets an e-mail or an SMS: the code of it, typed on one device. */
    async signByCode(of: {
      readonly address: string;
      readonly locator: string;
      /** Where the code goes. */
      readonly to: string;
      readonly message: string;
    }): Promise<{ readonly signature: string; readonly text: string }> {
      const { address, locator, to, message } = of;
      const { ctx } = stackOf();
      const device = aDevice();
      const base = `/${address}/signers/${encodeURIComponent(locator)}`;
      const { codeId } = await expectCall(201, 'POST', `${base}/codes`, {
        devicePublicKey: device.publicKey,
        message,
      });
      const sealer = createSealer(ctx.config.keyEncryptionKeys);
      const [sent] = await listSandboxMessages({ store: ctx.store, sealer }, { to, limit: 1 });
      const text = sent!.text!;
      const nonce = randomBytes(16).toString('base64url');
      const request = { codeId, code: /\b\d{6}\b/.exec(text)![0], nonce, message };
      const deviceSignature = device.sign({ walletAddress: address, signer: locator, ...request });
      const answer = await expectCall(201, 'POST', `${base}/signatures`, {
        ...request,
        deviceSignature,
      });
      return { signature: answer.signature, text };
    },

    async balanceOf(address: string): Promise<string> {
      const path = `/2025-06-09/wallets/${address}/balances?tokens=usdxm&chains=solana`;
      const headers = { 'x-client-name': 'some-sdk' };
      const { body } = await stackOf().call('GET', path, { headers });
      return body[0].amount;
    },
  };
}
