import { describe, expect, it } from 'vitest';
import { type RpcClient, RpcError } from '../../rpc/rpc.ts';
import type { QueuedOperation } from './queue.ts';
import { type SimulatedSender, simulateOperations } from './simulate.ts';

const operation: QueuedOperation = {
  operationId: '00000000-0000-4000-8000-000000000001',
  subject: 'transaction',
  projectId: '00000000-0000-4000-8000-000000000002',
  owner: 'userId:alice',
  operationHash: `0x${'11'.repeat(32)}`,
  wallet: `0x${'22'.repeat(20)}`,
  validUntil: new Date(0),
  createdAt: new Date(0),
  gasLimit: 500_000n,
  batchGas: 550_000n,
  item: Buffer.alloc(64),
  refusals: 0,
  unknowns: 0,
  tries: 0,
  itemRefusals: 0,
  burnedWei: 0n,
  lastTx: null,
  isSent: false,
};

/** A node that answers every call with this error. */
function aNodeThatRefuses(code: number, message: string): RpcClient {
  const refuse = async () => {
    throw new RpcError('eth_call', code, message);
  };
  return { request: refuse, batch: refuse, close: () => undefined };
}

const sender: SimulatedSender = {
  from: `0x${'33'.repeat(20)}`,
  fees: { maxFeeWei: 2n, tipWei: 1n, legacy: false },
  balanceWei: 10n ** 18n,
  delegations: new Map(),
};

async function verdictOn(code: number, message: string) {
  const [verdict] = await simulateOperations(aNodeThatRefuses(code, message), sender, [operation]);
  return verdict!.kind;
}

describe('a simulation that the node fails', () => {
  it.each([
    ['geth', -32000, 'err: intrinsic gas too low: have 21000, want 32000 (supplied gas 21000)'],
    [
      'geth, floor',
      -32000,
      'insufficient gas for floor data gas cost: gas 2400000, minimum needed 2642440',
    ],
    ['reth', -32000, 'intrinsic gas too low'],
    ['anvil', -32003, 'intrinsic gas too low -- GasFloorMoreThanGasLimit'],
    ['erigon', -32000, 'intrinsic gas too low: execution reverted'],
  ])(
    "for too little gas for the calldata is never the wallet's refusal (%s)",
    async (_node, code, message) => {
      expect(await verdictOn(code, message)).toBe('unknown');
    },
  );

  it('with a revert is a refusal', async () => {
    expect(await verdictOn(3, 'execution reverted')).toBe('refused');
  });
});
