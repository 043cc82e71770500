import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { keccak256 } from '../../abi/keccak.ts';
import { bytesOf, hexOf } from '../../abi/words.ts';
import { findEvmNetwork } from '../../config/networks.ts';
import { receiptSchema } from '../rpc-schemas.ts';
import { doubtOf } from './receipts.ts';

const gwei = 10n ** 9n;

/** A signed transaction with so many bytes of data, and its receipt. */
async function aLanded(chainId: number, dataBytes: number) {
  const raw = bytesOf(
    await privateKeyToAccount(generatePrivateKey()).signTransaction({
      chainId,
      type: 'eip1559',
      nonce: 1,
      to: `0x${'1'.repeat(40)}`,
      data: `0x${'ab'.repeat(dataBytes)}`,
      gas: 1_000_000n,
      maxFeePerGas: gwei,
      maxPriorityFeePerGas: 1n,
    }),
  );
  const hash = hexOf(keccak256(raw));
  const receipt = (l1Fee: bigint) =>
    receiptSchema.parse({
      transactionHash: hash,
      blockHash: hash,
      blockNumber: '0x1',
      status: '0x1',
      gasUsed: '0x5208',
      effectiveGasPrice: '0x1',
      l1Fee: `0x${l1Fee.toString(16)}`,
      logs: [],
    });
  return { signed: { hash, raw }, receipt };
}

// What Ethereum took for bytes in its dearest hours, in coins of the rollup: its receipts are
// believed then too.
describe.each([
  ['base', 8453, 1n],
  // So many of its coins are worth one ether.
  ['mantle', 5000, 4_000n],
])('a receipt of %s', (name, chainId, coinsPerEther) => {
  const network = findEvmNetwork(name)!;

  it.each([1n, 30n, 100n, 300n])('is believed while Ethereum takes %s gwei', async (price) => {
    const { signed, receipt } = await aLanded(chainId, 500);
    const fee = 16n * BigInt(signed.raw.length) * price * gwei * coinsPerEther;
    expect(doubtOf(signed, receipt(fee), network)).toBeUndefined();
  });

  it('is not when it names what Ethereum never took', async () => {
    const { signed, receipt } = await aLanded(chainId, 500);
    const fee = 16n * BigInt(signed.raw.length) * 10_000n * gwei * coinsPerEther;
    expect(doubtOf(signed, receipt(fee), network)).toContain('for its bytes');
  });
});
