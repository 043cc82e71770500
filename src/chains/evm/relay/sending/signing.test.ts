import fc from 'fast-check';
import { signRecoverable } from 'tiny-secp256k1';
import { type Hex, keccak256, serializeTransaction, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { addresses } from '../../../../../contracts/generated.ts';
import { Secret } from '../../../../lib/sealing/secret.ts';
import {
  type Delegation,
  delegationDigest,
  delegatorOf,
  type SignedDelegation,
} from '../../wallet/delegation.ts';
import { createSigningAccount, readTxContent, signTx } from './signing.ts';

const key: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const account = createSigningAccount(new Secret(key));
const reference = privateKeyToAccount(key);

const delegatorKey: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const delegator = privateKeyToAccount(delegatorKey);

function signedDelegation(delegation: Delegation): SignedDelegation {
  const { signature, recoveryId } = signRecoverable(
    delegationDigest(delegation),
    Buffer.from(delegatorKey.slice(2), 'hex'),
  );
  return {
    ...delegation,
    signature: `0x${Buffer.from(signature).toString('hex')}${(27 + recoveryId).toString(16)}`,
  };
}

const contents = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  to: fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`),
  valueWei: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 200n })),
  data: fc.oneof(
    fc.uint8Array({ maxLength: 2 }),
    fc.uint8Array({ minLength: 50, maxLength: 60 }),
    fc.uint8Array({ minLength: 250, maxLength: 70_000 }),
  ),
  gasLimit: fc.bigInt({ min: 21_000n, max: 2n ** 24n }),
  delegationNonces: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 2 }),
});
const fees = fc
  .record({ maxFeeWei: fc.bigInt({ min: 2n, max: 2n ** 80n }), legacy: fc.boolean() })
  .map(({ maxFeeWei, legacy }) => ({
    maxFeeWei,
    tipWei: legacy ? maxFeeWei : maxFeeWei / 2n,
    legacy,
  }));

describe('signing a transaction', () => {
  it('gives the bytes and the hash that the reference gives, and they can be read back', async () => {
    await fc.assert(
      fc.asyncProperty(contents, fees, async ({ delegationNonces, ...plain }, fee) => {
        const { chainId, to } = plain;
        const delegations = delegationNonces.map((nonce) =>
          signedDelegation({ chainId, nonce: BigInt(nonce) }),
        );
        const content = { ...plain, ...(delegations.length > 0 && { delegations }) };
        const common = {
          chainId,
          to,
          nonce: Number(content.nonce),
          value: content.valueWei,
          gas: content.gasLimit,
          data: `0x${Buffer.from(content.data).toString('hex')}` as Hex,
        };
        const dynamic = {
          ...common,
          maxFeePerGas: fee.maxFeeWei,
          maxPriorityFeePerGas: fee.tipWei,
        };
        const authorizationList = await Promise.all(
          delegationNonces.map((nonce) =>
            delegator.signAuthorization({
              chainId,
              nonce,
              contractAddress: addresses.delegatedAccount,
            }),
          ),
        );
        const tx: TransactionSerializable =
          authorizationList.length > 0
            ? { ...dynamic, type: 'eip7702', authorizationList }
            : fee.legacy
              ? { ...common, type: 'legacy', gasPrice: fee.maxFeeWei }
              : { ...dynamic, type: 'eip1559' };
        const expected = await reference.signTransaction(tx, { serializer: serializeTransaction });
        const signed = await signTx(account, content, fee);
        expect(`0x${signed.raw.toString('hex')}`).toBe(expected);
        expect(signed.hash).toBe(keccak256(expected));
        for (const delegation of delegations)
          expect(delegatorOf(delegation)).toBe(delegator.address.toLowerCase());
        const read = readTxContent(signed.raw, chainId);
        expect({ ...read, data: Buffer.from(read.data) }).toEqual({
          ...content,
          data: Buffer.from(content.data),
        });
      }),
      { numRuns: 60 },
    );
  });
});
