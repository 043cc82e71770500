import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Hex, numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import {
  encodeAdminSignature,
  type Operation,
  operationTypedData,
} from '../../../../contracts/index.ts';
import type { Signer, SubmittedApproval } from '../../family.ts';
import { bytesOf } from '../abi/words.ts';
import { hashOperation } from '../operation/operation.ts';
import { addressOfPublicKey, approvalScheme, custodyApproval, custodyDigest } from './approvals.ts';
import { encodeApprovals } from './encode-approvals.ts';

const chainId = 84_532;
const account = privateKeyToAccount(generatePrivateKey());
const operation: Operation = {
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  calls: [{ to: account.address, value: 1n, data: '0x' }],
  nonce: 7n,
  epoch: 0n,
  validAfter: 0,
  validUntil: 2_000_000_000,
  callGas: 50_000n,
};
const hash = hashOperation(chainId, operation);

const signerOf = (address: string, type: Signer['type'] = 'external-wallet'): Signer => ({
  type,
  locator: `${type}:${address}`,
  address,
});
const anApproval = (
  signature: SubmittedApproval['signature'],
  signer = signerOf(account.address),
): SubmittedApproval => ({
  signer,
  signature,
});
const signPersonally = (by = account) => by.signMessage({ message: { raw: hash } });
const signTyped = (by = account) => by.signTypedData(operationTypedData(chainId, operation));

function withV(signature: Hex, v: number): Hex {
  return `${signature.slice(0, -2)}${v.toString(16).padStart(2, '0')}` as Hex;
}

/** The other signature of the same key over the same hash: n - s and the other parity. */
function malleate(signature: Hex): Hex {
  const s = secp256k1.Point.CURVE().n - BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number(`0x${signature.slice(130)}`) === 27 ? 28 : 27;
  return `${signature.slice(0, 66)}${numberToHex(s, { size: 32 }).slice(2)}${v.toString(16)}` as Hex;
}

describe('an approval of an evm operation', () => {
  it('is personal_sign over the 32 bytes of the message, or EIP-712 over the typed data', async () => {
    expect(approvalScheme(hash, anApproval(await signPersonally()))).toBe('eip191');
    expect(approvalScheme(hash, anApproval(await signTyped()))).toBe('eip712');
  });

  it('may give v as 0 or 1, and hex and signer address in any case', async () => {
    const signature = await signPersonally();
    const parity = Number(`0x${signature.slice(130)}`) - 27;
    expect(approvalScheme(hash, anApproval(withV(signature, parity)))).toBe('eip191');
    expect(approvalScheme(hash, anApproval(`0x${signature.slice(2).toUpperCase()}`))).toBe(
      'eip191',
    );
    expect(
      approvalScheme(hash, anApproval(signature, signerOf(account.address.toLowerCase()))),
    ).toBe('eip191');
  });

  it('by another key, or over another hash, does not verify', async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    expect(approvalScheme(hash, anApproval(await signPersonally(other)))).toBeUndefined();
    expect(approvalScheme(hash, anApproval(await signTyped(other)))).toBeUndefined();
    expect(
      approvalScheme(hashOperation(1, operation), anApproval(await signPersonally())),
    ).toBeUndefined();
    expect(
      approvalScheme(hashOperation(1, operation), anApproval(await signTyped())),
    ).toBeUndefined();
    // personal_sign over the hex text instead of the bytes is a common mistake.
    expect(
      approvalScheme(hash, anApproval(await account.signMessage({ message: hash }))),
    ).toBeUndefined();
  });

  it('is not remembered for another signer or another hash', async () => {
    const signature = await signPersonally();
    expect(approvalScheme(hash, anApproval(signature))).toBe('eip191');
    expect(
      approvalScheme(
        hash,
        anApproval(signature, signerOf('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')),
      ),
    ).toBeUndefined();
    expect(approvalScheme(hashOperation(1, operation), anApproval(signature))).toBeUndefined();
  });

  it('with a malleated signature does not verify', async () => {
    const signature = malleate(await signPersonally());
    expect(approvalScheme(hash, anApproval(signature))).toBeUndefined();
    expect(approvalScheme(hash, anApproval(malleate(await signTyped())))).toBeUndefined();
    expect(approvalScheme(hash, anApproval(malleate(signature)))).toBe('eip191');
  });

  it('of any other shape does not verify', async () => {
    const signature = await signPersonally();
    const shapes = [
      null,
      5,
      true,
      [],
      {},
      { r: '0x1', s: '0x2' },
      '',
      '0x',
      signature.slice(2),
      `${signature}00`,
      signature.slice(0, -2),
      withV(signature, 2),
      withV(signature, 29),
      withV(signature, 31),
      withV(signature, 255),
      `0x${'0'.repeat(130)}`,
      `0x${'f'.repeat(128)}1b`,
      `0x${'g'.repeat(130)}`,
    ];
    for (const shape of shapes)
      expect(approvalScheme(hash, anApproval(shape)), JSON.stringify(shape)).toBeUndefined();
    expect(
      approvalScheme(hash, { signer: { type: 'email', locator: 'email:a@b.c' }, signature }),
    ).toBeUndefined();
  });

  it('of a custody key is its signature of the hash', () => {
    const secretKey = secp256k1.utils.randomSecretKey();
    const uncompressed = secp256k1.getPublicKey(secretKey, false);
    const address = addressOfPublicKey(uncompressed);
    expect(addressOfPublicKey(secp256k1.getPublicKey(secretKey, true))).toBe(address);
    expect(address).toBe(
      privateKeyToAccount(`0x${Buffer.from(secretKey).toString('hex')}`).address,
    );
    const recovered = secp256k1.sign(custodyDigest(hash), secretKey, {
      prehash: false,
      format: 'recovered',
    });
    const signature = Buffer.concat([recovered.subarray(1), Buffer.from([recovered[0]! + 27])]);
    const approval = custodyApproval(signerOf(address, 'api-key'), signature);
    expect(approvalScheme(hash, approval)).toBe('eip712');
  });

  it('is encoded for the chain as the contracts take it, owners in ascending order', async () => {
    const accounts = [
      account,
      privateKeyToAccount(generatePrivateKey()),
      privateKeyToAccount(generatePrivateKey()),
    ];
    const signed = await Promise.all(
      accounts.map(async (owner, index) => ({
        owner: owner.address,
        signature: index === 1 ? await signTyped(owner) : await signPersonally(owner),
        scheme: index === 1 ? ('eip712' as const) : ('eip191' as const),
      })),
    );
    const approvals = signed.map(({ owner, signature }) => anApproval(signature, signerOf(owner)));
    expect(encodeApprovals(hash, approvals)).toBe(encodeAdminSignature(signed));
    expect(() =>
      encodeApprovals(hash, [
        anApproval(signed[1]!.signature, signerOf(account.address, 'server')),
      ]),
    ).toThrow('does not sign');
    expect(bytesOf(encodeApprovals(hash, approvals)).length).toBe(32 + 3 * 65);
  });
});
