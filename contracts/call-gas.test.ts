import { type Address, encodeFunctionData, type Hex, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  encodeDelegateSignature,
  encodeScopeIndexes,
  type Operation,
  signerIdOf,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  deploy,
  execute,
  executeData,
  readSimulation,
  recipient,
  sign,
  simulate,
  startTestChain,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import { aDelegateOperation, anEcdsaSigner, signAs } from './test/delegates.ts';
import { describeError } from './test/errors.ts';
import { aHostile, testArtifact } from './test/hostile.ts';

/** With how much gas an operation runs: never with less than its calls were promised. */

let chain: TestChain;
let worker: Address;
beforeAll(async () => {
  chain = await startTestChain();
  worker = await deploy(chain, testArtifact('GasTrap'));
});
afterAll(() => chain.stop());

type Simulation = Awaited<ReturnType<typeof simulate>>;

const callTo = (to: Address, data: Hex = '0x') => ({ to, value: 0n, data });
const work = (gas: bigint) =>
  callTo(
    worker,
    encodeFunctionData({ abi: testArtifact('GasTrap').abi, functionName: 'work', args: [gas] }),
  );

/** The operation with hardly more gas than its calls need to end so. */
async function withLeastCallGas(
  op: Operation,
  ask: (op: Operation) => Promise<Simulation>,
  isWanted: (result: Simulation) => boolean,
): Promise<Operation> {
  const { gasUsed } = await ask({ ...op, callGas: 0n });
  // What was used is more: what the module does around the calls is in it.
  for (let callGas = (gasUsed * 3n) / 4n; callGas < gasUsed * 2n; callGas += gasUsed / 200n)
    if (isWanted(await ask({ ...op, callGas }))) return { ...op, callGas };
  throw new Error('No gas is enough.');
}

/** What an operation answers at an amount of gas: whether its calls succeeded, or its refusal. */
async function executeWith(gas: bigint, op: Operation, signature: Hex): Promise<boolean | string> {
  const [data, account] = [executeData(op, signature), chain.accounts[4]!];
  try {
    const answer = await chain.client.call({ account, to: addresses.walletModule, data, gas });
    return BigInt(answer.data!.slice(0, 66)) === 1n;
  } catch (error) {
    return describeError(error);
  }
}

/**
 * Raises the gas until the operation runs.
 * @returns the amount at which it ran, whether its calls succeeded, and what it said just before
 */
async function findLeast(op: Operation, signature: Hex, step: bigint) {
  let before: boolean | string = '';
  for (let gas = op.callGas + 45_000n; gas < op.callGas * 2n + 2_000_000n; gas += step) {
    const answer = await executeWith(gas, op, signature);
    if (typeof answer === 'boolean') return { gas, success: answer, before };
    before = answer;
  }
  throw new Error('No gas is enough.');
}

describe('an operation runs with all the gas of its calls, or says that it is too little', () => {
  test.each([1, 2])('when it has %i calls that need all of it', async (count) => {
    const wallet = await aWallet(chain, { deployed: true });
    const calls = Array.from({ length: count }, () => work(100_000n / BigInt(count)));
    const op = await withLeastCallGas(
      anOperation(chain, wallet, { calls }),
      (asked) => simulate(chain, asked),
      ({ success }) => success,
    );
    expect(await findLeast(op, await sign(chain, wallet, op), 500n)).toMatchObject({
      success: true,
      before: `InsufficientGas(${op.callGas})`,
    });
  });

  test('when its calls fail at length and leave nothing for the event that says so', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const bomb = await aHostile(chain, 'revertBomb', 512n);
    const op = await withLeastCallGas(
      anOperation(chain, wallet, { calls: [work(100_000n), callTo(bomb)] }),
      (asked) => simulate(chain, asked),
      ({ failedCall, returnData }) => failedCall === 1n && size(returnData) === 512,
    );
    expect(await findLeast(op, await sign(chain, wallet, op), 500n)).toMatchObject({
      success: false,
      before: `InsufficientGas(${op.callGas})`,
    });
  });

  test('when a delegate’s transfers fail and all their budgets are given back', {
    tags: 'slow',
  }, async () => {
    const delegate = anEcdsaSigner(anAccount('delegate'));
    const scopes = [{ token: chain.token, limit: 10n ** 12n, interval: 60 }];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const count = 60;
    const indexes = Array.from({ length: count }, () => 0);
    // The wallet has less than the last one sends.
    const calls = indexes.map((_, index) =>
      transferCall(chain.token, recipient, index < count - 1 ? 1n : 10n ** 10n),
    );
    const op = await withLeastCallGas(
      aDelegateOperation(chain, wallet, delegate, { calls }),
      (asked) =>
        readSimulation(
          chain,
          encodeFunctionData({
            abi: walletModuleAbi,
            functionName: 'simulateAs',
            args: [asked, '0x', signerIdOf(delegate.key), encodeScopeIndexes(indexes)],
          }),
        ),
      ({ failedCall }) => failedCall === BigInt(count - 1),
    );
    const least = await findLeast(op, await signAs(chain, delegate, op, indexes), 4_000n);
    expect(least).toMatchObject({ success: false, before: `InsufficientGas(${op.callGas})` });
    // Calldata, checks and what is kept back: 12,000 for each of the calls.
    expect(least.gas).toBeLessThan((op.callGas * 64n) / 63n + 1_000_000n);
  });

  test('and keeps some for what follows its calls', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = await withLeastCallGas(
      anOperation(chain, wallet, { calls: [callTo(recipient)] }),
      (asked) => simulate(chain, asked),
      ({ success }) => success,
    );
    const signature = await sign(chain, wallet, op);
    let least = 45_000n;
    while ((await executeWith(least, op, signature)) !== true) least += 500n;
    const { receipt } = await execute(chain, op, signature, least);
    expect(least - receipt.gasUsed).toBeGreaterThan(8_000n);
  });

  test('and a proof that burns all it gets burns nothing of it', { tags: 'slow' }, async () => {
    const key = { kind: 'ecdsa', address: await aHostile(chain, 'eatGas') } as const;
    const wallet = await aWallet(chain, {
      delegates: [{ signer: key, scopes: [] }],
      deployed: true,
    });
    const prove = () => Promise.reject(new Error('asked on the chain'));
    const op = aDelegateOperation(chain, wallet, { key, prove }, { callGas: 32_000_000n });
    const signature = encodeDelegateSignature({
      key,
      proof: { kind: 'ecdsa', signature: '0x01', scheme: 'contract' },
    });
    for (let gas = 32_500_000n; gas < 32_700_000n; gas += 4_000n) {
      const { status, receipt } = await execute(chain, op, signature, gas);
      expect(status).toBe('reverted');
      expect(receipt.gasUsed).toBeLessThan(1_000_000n);
    }
  });

  test('of which a call passes on 63 of 64 parts, and no more is asked for', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet, { callGas: 32_000_000n });
    const signature = await sign(chain, wallet, op);
    expect(await executeWith(32_200_000n, op, signature)).toBe('InsufficientGas(32000000)');
    expect(await executeWith(32_800_000n, op, signature)).toBe(true);
  });
});
