import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  addresses,
  encodeAddSigner,
  encodeBumpEpoch,
  encodeRemoveSigner,
  type OperationCall,
} from '../../../../contracts/index.ts';
import { listEvmNetworks } from '../config/networks.ts';
import { hashOperation } from '../operation/operation.ts';
import { storeOperation } from '../operation/prepared-operation.ts';
import { describeEvmSigned } from './describe-signed.ts';
import { storeSignatureRequest } from './signature-request.ts';

const wallet = '0x1111111111111111111111111111111111111111';
const friend = '0x000000000000000000000000000000000000bEEF';
const unknownToken = '0x4444444444444444444444444444444444444444';
const testToken = '0x5555555555555555555555555555555555555555';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const networks = listEvmNetworks({ testTokenAddress: testToken });

function describeCalls(calls: readonly OperationCall[], chain = 'base', chainId = 8453): string {
  const operation = {
    wallet,
    calls,
    nonce: 1n,
    epoch: 0n,
    validAfter: 0,
    validUntil: 1,
    callGas: 1n,
  } as const;
  const hash = hashOperation(chainId, operation);
  return describeEvmSigned(
    networks,
    storeOperation({
      chain,
      chainId,
      hash,
      deployed: true,
      authority: undefined,
      authorityGas: 0n,
      operation,
    }),
  );
}

const transfer = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
const pay = (to: string, amount: bigint): OperationCall => ({
  to: to.toLowerCase() as `0x${string}`,
  value: 0n,
  data: encodeFunctionData({ abi: transfer, args: [friend, amount] }),
});
const ofModule = (data: `0x${string}`): OperationCall => ({
  to: addresses.walletModule,
  value: 0n,
  data,
});

describe('what is signed, for the message that asks for it', () => {
  it('names amount, token and recipient of a transfer', () => {
    expect(describeCalls([pay(usdc, 2_500_000n)])).toBe(`send 2.5 USDC to ${friend} on base`);
    expect(describeCalls([{ to: friend, value: 10n ** 15n, data: '0x' }])).toBe(
      `send 0.001 ETH to ${friend} on base`,
    );
    expect(describeCalls([pay(testToken, 1n)], 'base-sepolia', 84532)).toBe(
      `send 0.000001 USDXM to ${friend} on base-sepolia`,
    );
  });

  it('names a token by its address where the service does not know it, whatever its contract calls itself', () => {
    expect(describeCalls([pay(unknownToken, 7n)])).toBe(
      `send 7 of the smallest unit of ${unknownToken} to ${friend} on base`,
    );
    // The test token of another chain is a stranger here.
    expect(describeCalls([pay(testToken, 7n)])).toContain(testToken);
  });

  it('says what manages the wallet, and which contract is called', () => {
    const signer = { kind: 'ecdsa', address: friend } as const;
    expect(describeCalls([ofModule(encodeAddSigner({ signer, scopes: [] }))])).toBe(
      'let another signer act for this wallet on base',
    );
    expect(describeCalls([ofModule(encodeRemoveSigner(signer))])).toBe(
      'remove a signer of this wallet on base',
    );
    expect(describeCalls([ofModule(encodeBumpEpoch())])).toMatch(/^end everything that was signed/);
    expect(describeCalls([ofModule('0x12345678')])).toMatch(/^change what signers/);
    expect(describeCalls([{ to: wallet, value: 0n, data: '0x12345678' }])).toBe(
      'change who owns this wallet on base',
    );
    expect(describeCalls([{ to: friend, value: 10n ** 18n, data: '0x12345678' }])).toBe(
      `call the contract ${friend} and pay it 1 ETH on base`,
    );
  });

  it('stays short: of many calls it says how many there are', () => {
    const most = pay(unknownToken, 2n ** 256n - 1n);
    for (const count of [1, 2, 100])
      expect(describeCalls(Array(count).fill(most)).length).toBeLessThanOrEqual(300);
    expect(describeCalls(Array(5).fill(pay(usdc, 1n)))).toMatch(
      /^send 0\.000001 USDC to 0x\w+, then send .*, then make 3 more calls, 3 of which move money or change the wallet on base$/,
    );
  });

  it('does not quote a text, which could bear a link', () => {
    const base = {
      chain: 'base',
      chainId: 8453,
      wallet,
      authority: undefined,
      own: false,
    } as const;
    const text = storeSignatureRequest({
      ...base,
      content: { message: 'see https://evil.example' },
    });
    expect(describeEvmSigned(networks, text.value)).toBe('sign a text of 24 characters');
  });
});
