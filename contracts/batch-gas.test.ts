import { type Address, concatHex, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  encodeDelegateSignature,
  operationEpoch,
  safeAbi,
} from './index.ts';
import {
  anOperation,
  aWallet,
  type BatchItem,
  batchData,
  executeBatch,
  executeOk,
  readExecuted,
  readFailed,
  recipient,
  sign,
  startTestChain,
  submit,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import { aDelegateOperation } from './test/delegates.ts';
import { aHostile } from './test/hostile.ts';

/**
 * Who pays for the batch chose its gas: what refused items may take of it, and what is kept for the
 * others.
 */

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

/** A signature that asks the contract `owner`, which is what a Safe does for v = 0. */
const signatureOfContract = (owner: Address): Hex =>
  concatHex([
    adminSignerId,
    numberToHex(BigInt(owner), { size: 32 }),
    numberToHex(65, { size: 32 }),
    '0x00',
    numberToHex(0, { size: 32 }),
  ]);

async function aWalletOfContract(owner: Address) {
  const wallet = await aWallet(chain, { deployed: true });
  const data = encodeFunctionData({
    abi: safeAbi,
    functionName: 'addOwnerWithThreshold',
    args: [owner, 1n],
  });
  await executeOk(
    chain,
    wallet,
    anOperation(chain, wallet, { calls: [{ to: wallet.address, value: 0n, data }] }),
  );
  return wallet;
}

const callGas = 8_000_000n;
/** What the relay gives beside the calls: for checks, and for the proof of a contract. */
const besideCalls = 500_000n;

describe('a contract that burns all the gas it is asked with', () => {
  test('as an owner takes nothing of what the calls are to get, and the other items run', async () => {
    const hostile = await aHostile(chain, 'eatGas');
    const [wallet, other] = [
      await aWalletOfContract(hostile),
      await aWallet(chain, { deployed: true }),
    ];
    const op = anOperation(chain, wallet, { epoch: operationEpoch(1), callGas });
    const next = anOperation(chain, other);
    const items: BatchItem[] = [
      {
        op,
        signature: signatureOfContract(hostile),
        deployment: '0x',
        gasLimit: (callGas * 64n) / 63n + besideCalls,
      },
      { op: next, signature: await sign(chain, other, next), deployment: '0x', gasLimit: 400_000n },
    ];
    const { receipt } = await executeBatch(chain, items, 12_000_000n);
    expect(readFailed(receipt).map(({ index }) => index)).toEqual([0n]);
    expect(readExecuted(receipt)).toMatchObject([{ wallet: other.address, success: true }]);
    expect(receipt.gasUsed).toBeLessThan(besideCalls + 200_000n);
  });

  test('as a delegate takes nothing of it either', async () => {
    const hostile = await aHostile(chain, 'eatGas');
    const key = { kind: 'ecdsa', address: hostile } as const;
    const wallet = await aWallet(chain, {
      delegates: [{ signer: key, scopes: [] }],
      deployed: true,
    });
    const op = aDelegateOperation(
      chain,
      wallet,
      { key, prove: () => Promise.reject(new Error('asked on the chain')) },
      { callGas },
    );
    const signature = encodeDelegateSignature({
      key,
      proof: { kind: 'ecdsa', signature: '0x01', scheme: 'contract' },
    });
    const { receipt } = await executeBatch(
      chain,
      [{ op, signature, deployment: '0x', gasLimit: (callGas * 64n) / 63n + besideCalls }],
      12_000_000n,
    );
    expect(readFailed(receipt)).toHaveLength(1);
    expect(receipt.gasUsed).toBeLessThan(besideCalls + 200_000n);
  });
});

describe('a batch that was given too little gas', { tags: 'slow' }, () => {
  test('says so, at every amount, also when its items burn their caps and are refused at length', async () => {
    const [long, burner] = [
      await aHostile(chain, 'revertBomb', 5_000n),
      await aHostile(chain, 'eatGas'),
    ];
    const wallet = await aWalletOfContract(long);
    const refused = (op: BatchItem['op'], signature: Hex): BatchItem => ({
      op,
      signature,
      deployment: '0x',
      gasLimit: 200_000n,
    });
    const op = anOperation(chain, wallet, { epoch: operationEpoch(1), callGas: 0n, calls: [] });
    // No wallet, and what it is asked for takes all its gas.
    const last = anOperation(
      chain,
      { address: burner },
      { calls: [transferCall(chain.token, recipient, 1n)] },
    );
    const items = [
      ...Array.from({ length: 7 }, () => refused(op, signatureOfContract(long))),
      refused(last, signatureOfContract(burner)),
    ];
    let enough: bigint | undefined;
    const errors = new Set<string | undefined>();
    for (let gas = 300_000n; gas < 1_200_000n && enough === undefined; gas += 2_000n) {
      const { status, error, receipt } = await submit(chain, {
        to: addresses.batchExecutor,
        data: batchData(items),
        gas,
      });
      if (status === 'reverted') errors.add(error?.replace(/\(.*/, ''));
      else {
        enough = gas;
        const failed = readFailed(receipt);
        expect(failed).toHaveLength(items.length);
        // 512 bytes of reason, and what stands in front of it.
        expect(failed.slice(0, 7).map(({ reason }) => reason.length)).toEqual(
          Array(7).fill(2 + 2 * 608),
        );
      }
    }
    expect(enough).toBeDefined();
    expect([...errors]).toEqual(['InsufficientBatchGas']);
  });
});
