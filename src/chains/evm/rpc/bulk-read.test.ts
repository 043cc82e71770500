import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  localNetwork,
  startWatchedChain,
  type WatchedChain,
} from '../../../../test/harness/watched-chain.ts';
import { readWords } from './bulk-read.ts';
import type { EvmConnection } from './connections.ts';
import { type RpcCall, RpcError, type RpcResult } from './rpc.ts';

const contracts = {
  /** Answers its first word of arguments. */
  echo: ['0x00000000000000000000000000000000000e0001', '0x60043560005260206000f3'],
  /** Answers 31 bytes. */
  short: ['0x00000000000000000000000000000000000e0002', '0x601f6000f3'],
  /** Answers four words: 1, 0, 0, 0. */
  long: ['0x00000000000000000000000000000000000e0003', '0x600160005260806000f3'],
  reverting: ['0x00000000000000000000000000000000000e0004', '0x60206000fd'],
  burning: ['0x00000000000000000000000000000000000e0005', '0x5b600056'],
  /** Tries to write, which a static call forbids. */
  writing: ['0x00000000000000000000000000000000000e0006', '0x600160005560206000f3'],
  /** Answers the length of its calldata. */
  measuring: ['0x00000000000000000000000000000000000e0007', '0x3660005260206000f3'],
} as const;
const nobody = '0x00000000000000000000000000000000000e00ff';

let chain: WatchedChain;
let asked: RpcCall[] = [];

beforeAll(async () => {
  chain = await startWatchedChain();
  for (const [address, code] of Object.values(contracts))
    await chain.call('anvil_setCode', [address, code]);
});
afterAll(() => chain?.stop());

function connectionTo(
  answer: (calls: readonly RpcCall[]) => Promise<RpcResult[]> = (calls) => chain.rpc.batch(calls),
): EvmConnection {
  asked = [];
  return {
    network: localNetwork(),
    chainId: 84_532,
    ask(calls) {
      asked.push(...calls);
      return answer(calls);
    },
  };
}

const word = (value: number) => value.toString(16).padStart(64, '0');
const read = (to: string, data = `${'ab'.repeat(4)}${word(7)}`) =>
  ({ to, data: `0x${data}` }) as const;
const everything = [
  read(contracts.echo[0]),
  read(contracts.short[0]),
  read(contracts.long[0]),
  read(contracts.reverting[0]),
  read(contracts.burning[0]),
  read(contracts.writing[0]),
  read(nobody),
  read(contracts.measuring[0]),
  read(contracts.measuring[0], 'abcdef01'),
  read(contracts.measuring[0], `abcdef01${word(1)}${word(2)}`),
  read(contracts.echo[0], `abcdef01${'f'.repeat(64)}`),
];
const expected = [
  7n,
  undefined,
  1n,
  undefined,
  undefined,
  undefined,
  undefined,
  36n,
  4n,
  68n,
  2n ** 256n - 1n,
];

describe('reading many words', () => {
  it('takes one call, and each contract answers for itself only', async () => {
    expect(await readWords(connectionTo(), everything)).toEqual(expected);
    expect(asked).toHaveLength(1);
  });

  it('of more than one call can hold takes a call per hundred', async () => {
    const reads = Array.from({ length: 230 }, (_, index) =>
      read(contracts.echo[0], `abcdef01${word(index)}`),
    );
    expect(await readWords(connectionTo(), reads)).toEqual(reads.map((_, index) => BigInt(index)));
    expect(asked).toHaveLength(3);
  });

  it('works read by read where the node runs no init code', async () => {
    const refusing = async (calls: readonly RpcCall[]): Promise<RpcResult[]> =>
      Promise.all(
        calls.map(
          async (call): Promise<RpcResult> =>
            (call.params[0] as { to?: string }).to === undefined
              ? {
                  ok: false,
                  error: new RpcError(call.method, -32_000, 'no contract creation here'),
                }
              : (await chain.rpc.batch([call]))[0]!,
        ),
      );
    // Only the reader forbids writing; a call by itself may write, and nothing remains of it.
    expect(await readWords(connectionTo(refusing), everything)).toEqual(expected.with(5, 0n));
    expect(asked).toHaveLength(1 + everything.length);
  });

  it('of few contracts asks them directly, and nothing of none', async () => {
    expect(await readWords(connectionTo(), everything.slice(0, 2))).toEqual([7n, undefined]);
    expect(asked).toHaveLength(2);
    expect(await readWords(connectionTo(), [])).toEqual([]);
    expect(asked).toHaveLength(0);
  });
});
