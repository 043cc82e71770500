import { encodeErrorResult, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { walletModuleAbi } from '../../../../contracts/index.ts';
import { localNetwork } from '../../../../test/harness/watched-chain.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { EvmConnection } from '../rpc/connections.ts';
import { RpcError, type RpcResult } from '../rpc/rpc.ts';
import { readSimulation } from './simulate.ts';
import type { ReadCall } from './transaction-params.ts';

const connection: EvmConnection = {
  network: localNetwork(),
  chainId: 84_532,
  ask: () => Promise.reject(new Error('not to be asked')),
};
const calls: ReadCall[] = [
  { to: '0x01', value: 0n, data: '0x' },
  { to: '0x02', value: 0n, data: '0x', abi: parseAbi(['error Rejected(uint8 code)']) },
];
const reverted = (data: unknown): RpcResult => ({
  ok: false,
  error: new RpcError('eth_call', 3, 'execution reverted', data),
});
const result = (args: readonly [boolean, bigint, Hex, bigint], epoch = 0n) =>
  reverted(
    encodeErrorResult({
      abi: walletModuleAbi,
      errorName: 'SimulationResult',
      args: [...args, epoch],
    }),
  );
const read = (answer: RpcResult) => readSimulation(answer, calls, connection);
const noCall = 2n ** 256n - 1n;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
  }
  return 'no refusal';
}

describe('the answer of a simulation', () => {
  it('tells gas and what the last call returned', () => {
    expect(read(result([true, noCall, '0x1234', 51_000n], 3n))).toEqual({
      success: true,
      gasUsed: 51_000n,
      returnData: '0x1234',
      epoch: 3n,
    });
    expect(read(result([true, noCall, '0x', 1n]))).toMatchObject({ returnData: '0x' });
  });

  it('tells which call reverts and why, by the ABI of that call', () => {
    const returnData = encodeErrorResult({
      abi: parseAbi(['error Rejected(uint8 code)']),
      args: [7],
    });
    expect(read(result([false, 1n, returnData, 9n]))).toEqual({
      success: false,
      error: {
        reason: 'execution_reverted',
        message: 'Call 1 reverts: Rejected(code: 7).',
        revertData: returnData,
        revert: {
          type: 'contract_call',
          reason: 'Rejected(code: 7)',
          reasonData: { name: 'Rejected', args: { code: 7 } },
        },
      },
    });
  });

  it('tells that the gas of all calls together did not suffice', () => {
    expect(read(result([false, noCall, '0x', 9n]))).toMatchObject({
      success: false,
      error: { message: 'The calls ran out of gas.' },
    });
  });

  it('tells that the wallet cannot be deployed', () => {
    const data = encodeErrorResult({
      abi: walletModuleAbi,
      errorName: 'UnknownWallet',
      args: ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
    });
    expect(read(reverted(data))).toMatchObject({
      success: false,
      error: {
        message: expect.stringMatching(/^The wallet cannot be deployed: UnknownWallet/),
        revert: { type: 'wallet_deployment' },
      },
    });
  });

  it('that is none of the module is upstream-error', () => {
    const answers: RpcResult[] = [
      { ok: true, value: '0x' },
      reverted(undefined),
      reverted('0x'),
      { ok: false, error: new RpcError('eth_call', -32_000, 'rate limit') },
    ];
    for (const answer of answers) expect(codeOf(() => read(answer))).toBe('upstream-error');
    // Cut off within: not taken for a result.
    const whole = encodeErrorResult({
      abi: walletModuleAbi,
      errorName: 'SimulationResult',
      args: [true, noCall, '0x1234', 1n, 0n],
    });
    expect(read(reverted(whole.slice(0, 200)))).toMatchObject({ success: false });
  });
});
