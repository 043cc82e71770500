import { randomUUID } from 'node:crypto';
import type { RelayItem } from '../../src/chains/evm/relay/types.ts';
import type { Queue } from '../../src/chains/family/late/queue-table.ts';
import { intents } from '../../src/chains/family/late/store.ts';
import { solanaOperations } from '../../src/chains/solana/relay/queue/store.ts';

export const common = (operationId: string) => ({
  operationId,
  subject: 'transaction',
  projectId: randomUUID(),
  owner: 'userId:ann',
  validUntil: new Date('2040-01-01'),
});

export const anEvmItem = (operationId: string): RelayItem => ({
  ...common(operationId),
  chain: 'base-sepolia',
  operationHash: `0x${'1'.repeat(64)}`,
  gasLimit: 200_000n,
  op: {
    wallet: `0x${'a'.repeat(40)}`,
    calls: [],
    nonce: 1n,
    epoch: 0n,
    validAfter: 0,
    validUntil: 1,
    callGas: 0n,
  },
  signature: '0x',
  deployment: '0x',
});

/** The bytes of these rows are their ids. */
export const identify = (_: unknown, raw: Uint8Array) => {
  if (raw.length === 0) throw new Error('there are none');
  return Buffer.from(raw).toString();
};

/** Items of two queues, of which no two have anything in common but what is said. */
export const lateItems = {
  operation_intents: (id: string, more: object) => ({
    ...common(id),
    chain: randomUUID(),
    walletId: randomUUID(),
    operation: { to: randomUUID() },
    costMax: 7n,
    ...more,
  }),
  solana_operations: (id: string, more: object) => ({
    ...common(id),
    chain: randomUUID(),
    wallet: randomUUID(),
    lease: randomUUID(),
    message: new Uint8Array(Buffer.from(randomUUID())),
    signatures: { [randomUUID()]: 'signature' },
    costMax: 7n,
    walletId: randomUUID(),
    ...more,
  }),
};

export const lateQueues = [
  ['operation_intents', intents as Queue<any>, lateItems.operation_intents],
  ['solana_operations', solanaOperations as Queue<any>, lateItems.solana_operations],
] as const;
