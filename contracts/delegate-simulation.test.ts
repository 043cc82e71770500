import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
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
  farFuture,
  readSigner,
  readSimulation,
  recipient,
  simulate,
  startTestChain,
  submit,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import {
  aDelegateOperation,
  addSigner,
  anEcdsaSigner,
  removeSigner,
  signAs,
} from './test/delegates.ts';
import { describeRevert } from './test/errors.ts';
import { testArtifact } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const delegate = anEcdsaSigner(anAccount('delegate'));
const id = signerIdOf(delegate.key);
const pay = (amount: bigint) => transferCall(chain.token, recipient, amount);
const dataOf = (
  op: Operation,
  scopes: readonly number[],
  deployment: Hex = '0x',
  signerId: Hex = id,
) =>
  encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'simulateAs',
    args: [op, deployment, signerId, encodeScopeIndexes(scopes)],
  });
const simulateAs = (op: Operation, scopes: readonly number[], deployment?: Hex, signerId?: Hex) =>
  readSimulation(chain, dataOf(op, scopes, deployment, signerId));

describe('a simulation of what a delegate signs', () => {
  test('tells what the operation would do, needs no signature, and changes nothing', async () => {
    const scopes = [{ token: chain.token, limit: 100n, interval: 60 }];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const op = aDelegateOperation(chain, wallet, delegate, {
      calls: [pay(60n), pay(40n)],
      callGas: 0n,
    });
    for (let times = 0; times < 2; times++)
      expect(await simulateAs(op, [0, 0])).toMatchObject({ success: true });
    expect((await readSigner(chain, wallet, delegate.key)).scopes).toMatchObject([
      { available: 100n },
    ]);
    const { gasUsed } = await simulateAs(op, [0, 0]);
    const signed = { ...op, callGas: gasUsed };
    expect(
      await execute(chain, signed, await signAs(chain, delegate, signed, [0, 0])),
    ).toMatchObject({ success: true });
  });

  test('refuses what execution refuses, with the same error', async () => {
    const scopes = [{ token: chain.token, limit: 100n, interval: 60, recipients: [recipient] }];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const refused: [Operation['calls'], number[]][] = [
      [[pay(101n)], [0]],
      [
        [pay(60n), pay(41n)],
        [0, 0],
      ],
      [[transferCall(chain.token, anAccount('stranger').address, 1n)], [0]],
      [[{ ...pay(1n), value: 1n }], [0]],
      [[pay(1n)], []],
      [[pay(1n)], [1]],
      [[{ to: wallet.address, value: 0n, data: '0x' }], [0]],
      [[{ to: addresses.walletModule, value: 0n, data: '0x' }], [0]],
    ];
    for (const [calls, indexes] of refused) {
      const op = aDelegateOperation(chain, wallet, delegate, { calls });
      const { error } = await execute(chain, op, await signAs(chain, delegate, op, indexes));
      expect(error).toMatch(/^[A-Z]\w+\(.+\)$/);
      await expect(simulateAs(op, indexes)).rejects.toThrow(error);
    }
  });

  test('refuses a signer that is not registered, or not in its time', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = aDelegateOperation(chain, wallet, delegate);
    await expect(simulateAs(op, [])).rejects.toThrow(`UnknownSigner(${wallet.address},${id})`);
    await addSigner(chain, wallet, { signer: delegate.key, validAfter: farFuture, scopes: [] });
    await expect(simulateAs(op, [])).rejects.toThrow(`SignerNotYetValid(${id},${farFuture})`);
    await addSigner(chain, wallet, { signer: delegate.key, validUntil: 1, scopes: [] });
    await expect(simulateAs(op, [])).rejects.toThrow(`SignerExpired(${id},1)`);
    await addSigner(chain, wallet, { signer: delegate.key, scopes: [] });
    expect(await simulateAs(op, [])).toMatchObject({ success: true });
    await removeSigner(chain, wallet, delegate);
    await expect(simulateAs(op, [])).rejects.toThrow('UnknownSigner');
  });

  test('deploys the wallet for the moment, with the delegates of its set-up', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [{ token: chain.token, limit: 5n }] }],
    });
    const op = aDelegateOperation(chain, wallet, delegate, { calls: [pay(5n)], callGas: 0n });
    expect(await simulateAs(op, [0], wallet.deployment)).toMatchObject({ success: true });
    await expect(simulateAs({ ...op, calls: [pay(6n)] }, [0], wallet.deployment)).rejects.toThrow(
      'SpendingLimitExceeded(0,6,5)',
    );
    expect(await chain.client.getCode({ address: wallet.address })).toBeUndefined();
  });

  test('names the transfer that fails, also where the token only answers false', async () => {
    const token = await deploy(chain, testArtifact('OddToken'));
    const set = encodeFunctionData({
      abi: testArtifact('OddToken').abi,
      functionName: 'set',
      args: [`0x${'00'.repeat(32)}`, false],
    });
    await submit(chain, { to: token, data: set });
    const scopes = [{ token: chain.token }, { token }];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const op = aDelegateOperation(chain, wallet, delegate, {
      calls: [pay(1n), transferCall(token, recipient, 1n)],
      callGas: 0n,
    });
    const result = await simulateAs(op, [0, 1]);
    expect([result.success, result.failedCall]).toEqual([false, 1n]);
    expect(describeRevert(result.returnData)).toContain('TransferNotConfirmed');
  });

  test('of the admin is what `simulate` says', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet, { callGas: 0n });
    const [asAdmin, plain] = [
      await simulateAs(op, [], '0x', adminSignerId),
      await simulate(chain, op),
    ];
    expect({ ...asAdmin, gasUsed: 0n }).toEqual({ ...plain, gasUsed: 0n });
  });

  test('is refused in a transaction', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
    const data = dataOf(aDelegateOperation(chain, wallet, delegate), []);
    expect(await submit(chain, { to: addresses.walletModule, data })).toMatchObject({
      status: 'reverted',
      error: 'SimulationOnChain()',
    });
  });
});
