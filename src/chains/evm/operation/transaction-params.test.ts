import fc from 'fast-check';
import {
  type Abi,
  type AbiParameter,
  encodeFunctionData,
  type Hex,
  parseAbi,
  serializeTransaction,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { encodeContractCall } from '../abi/contract-call.ts';
import {
  evmTransactionParamsSchema,
  readChain,
  readTransactionParams,
} from './transaction-params.ts';

const network = { name: 'base-sepolia', chainId: 84_532 };
const to = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const read = (...calls: unknown[]) =>
  readTransactionParams({ calls, chain: 'base' } as JsonObject, network);
const encode = (functionName: string, abi: readonly unknown[], args: readonly unknown[]) =>
  encodeContractCall({ functionName, abi, args, place: 'params.calls[0]' });

function refusal(run: () => unknown): { code: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('expected a refusal');
}

const anAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const bytesOf = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);

/** A type of the ABI with a value as JSON has it and as the reference encoder takes it. */
interface Sample {
  readonly param: AbiParameter;
  readonly json: unknown;
  readonly value: unknown;
}

const integers = fc.integer({ min: 1, max: 32 }).chain((size) => {
  const bits = BigInt(size * 8);
  const unsigned = fc
    .bigInt({ min: 0n, max: (1n << bits) - 1n })
    .map((value) => ({ type: `uint${bits}`, value }));
  const signed = fc
    .bigInt({ min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n })
    .map((value) => ({ type: `int${bits}`, value }));
  return fc.oneof(unsigned, signed);
});
const integerSample: fc.Arbitrary<Sample> = fc
  .tuple(integers, fc.boolean())
  .map(([{ type, value }, asHex]) => ({
    param: { name: '', type },
    // viem takes numbers for integers of up to 48 bits.
    value: Number(type.replace(/\D/g, '')) <= 48 ? Number(value) : value,
    json:
      value >= 0n && asHex
        ? `0x${value.toString(16)}`
        : value <= 9_007_199_254_740_991n && value >= -9_007_199_254_740_991n && !asHex
          ? Number(value)
          : value.toString(),
  }));
const plainSample = (type: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Sample> =>
  values.map((value) => ({ param: { name: '', type }, json: value, value }));
const elementary: fc.Arbitrary<Sample> = fc.oneof(
  integerSample,
  plainSample('address', anAddress),
  plainSample('bool', fc.boolean()),
  plainSample('string', fc.string({ unit: 'grapheme' })),
  plainSample('bytes', bytesOf(0, 70)),
  fc.integer({ min: 1, max: 32 }).chain((size) => plainSample(`bytes${size}`, bytesOf(size, size))),
);
const { sample: aSample } = fc.letrec<{ sample: Sample; array: Sample; tuple: Sample }>((tie) => ({
  sample: fc.oneof({ maxDepth: 3 }, elementary, tie('array'), tie('tuple')),
  // Elements of one array are copies of one value: they have to be of one type.
  array: fc
    .tuple(tie('sample'), fc.integer({ min: 1, max: 3 }), fc.boolean())
    .map(([{ param, json, value }, length, isFixed]) => ({
      param: { ...param, type: `${param.type}[${isFixed ? length : ''}]` },
      json: Array.from({ length }, () => json),
      value: Array.from({ length }, () => value),
    })),
  tuple: fc
    .tuple(fc.array(tie('sample'), { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([members, asObject]) => {
      const named = members.map((member, index) => ({ ...member, name: `m${index}` }));
      const fields = (of: 'json' | 'value') =>
        Object.fromEntries(named.map((member) => [member.name, member[of]]));
      return {
        param: {
          name: '',
          type: 'tuple',
          components: named.map(({ name, param }) => ({ ...param, name })),
        } as AbiParameter,
        json: asObject ? fields('json') : members.map(({ json }) => json),
        value: fields('value'),
      };
    }),
}));

describe('a call by function name', () => {
  it('is encoded as the reference encoder does, whatever the types', () => {
    fc.assert(
      fc.property(fc.array(aSample, { maxLength: 5 }), (samples) => {
        const abi = [
          {
            type: 'function',
            name: 'f',
            stateMutability: 'nonpayable',
            outputs: [],
            inputs: samples.map(({ param }) => param),
          },
        ] as const;
        const expected = encodeFunctionData({
          abi: abi as unknown as Abi,
          functionName: 'f',
          args: samples.map(({ value }) => value),
        });
        expect(
          encode(
            'f',
            JSON.parse(JSON.stringify(abi)) as unknown[],
            JSON.parse(JSON.stringify(samples.map(({ json }) => json))) as unknown[],
          ),
        ).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('takes the short names uint and int', () => {
    const abi = [{ type: 'function', name: 'f', inputs: [{ type: 'uint' }, { type: 'int[]' }] }];
    expect(encode('f', abi, ['1', ['-1']])).toBe(
      encodeFunctionData({ abi: parseAbi(['function f(uint256, int256[])']), args: [1n, [-1n]] }),
    );
  });

  it('picks an overload by the number of arguments, by their fit, or by its signature', () => {
    const abi = parseAbi([
      'function f(address)',
      'function f(address,uint256)',
      'function f(uint256)',
      'function g(uint8)',
      'function g(uint256)',
    ]) as readonly unknown[];
    expect(encode('f', abi, [to, 1])).toBe(
      encodeFunctionData({ abi: parseAbi(['function f(address,uint256)']), args: [to, 1n] }),
    );
    expect(encode('f', abi, ['5'])).toBe(
      encodeFunctionData({ abi: parseAbi(['function f(uint256)']), args: [5n] }),
    );
    expect(encode('g(uint8)', abi, ['5'])).toBe(
      encodeFunctionData({ abi: parseAbi(['function g(uint8)']), args: [5] }),
    );
    expect(refusal(() => encode('g', abi, ['5']))).toEqual({
      code: 'transaction-invalid',
      message: expect.stringContaining('g(uint8), g(uint256)') as string,
    });
    expect(refusal(() => encode('f', abi, [true]))).toMatchObject({ code: 'transaction-invalid' });
  });

  it('names the argument that does not fit', () => {
    const abi = [
      {
        type: 'function',
        name: 'f',
        inputs: [
          { name: 'amount', type: 'uint8' },
          {
            name: 'orders',
            type: 'tuple[]',
            components: [
              { name: 'id', type: 'bytes2' },
              { name: 'who', type: 'address' },
            ],
          },
        ],
      },
    ];
    const cases: [unknown[], string][] = [
      [['256', []], 'params.calls[0].args[0] (amount, uint8): must be between 0 and 255.'],
      [['-1', []], 'params.calls[0].args[0] (amount, uint8): must be between 0 and 255.'],
      [
        ['1.5', []],
        'params.calls[0].args[0] (amount, uint8): must be an integer, as decimal text, e.g. "1000000".',
      ],
      [
        [true, []],
        'params.calls[0].args[0] (amount, uint8): must be an integer, as decimal text, e.g. "1000000".',
      ],
      [
        [1e21, []],
        'params.calls[0].args[0] (amount, uint8): is a number that JSON does not carry exactly: send it as decimal text, e.g. "1000000000000000000".',
      ],
      [['1', 'x'], 'params.calls[0].args[1] (orders, tuple[]): must be an array.'],
      [
        ['1', [{ id: '0x12' }]],
        'params.calls[0].args[1][0].id (id, bytes2): must have 2 bytes, it has 1.',
      ],
      [
        ['1', [{ id: '0x1234' }]],
        'params.calls[0].args[1][0].who (who, address): must be an address: 0x and 40 hex characters.',
      ],
      [['1', [['0x1234']]], 'params.calls[0].args[1][0] (tuple): must have 2 elements, it has 1.'],
      [
        ['1', [null]],
        'params.calls[0].args[1][0] (tuple): must be an object with the names of the tuple, or an array.',
      ],
      [
        ['1'],
        'params.calls[0].args: there are 1 arguments, but f(uint8,(bytes2,address)[]) takes 2.',
      ],
    ];
    for (const [args, message] of cases)
      expect(refusal(() => encode('f', abi, args))).toEqual({
        code: 'transaction-invalid',
        message,
      });
  });

  it('does not read members that an object has by birth', () => {
    const abi = [
      {
        type: 'function',
        name: 'f',
        inputs: [{ type: 'tuple', components: [{ name: 'constructor', type: 'string' }] }],
      },
    ];
    expect(refusal(() => encode('f', abi, [{}]))).toMatchObject({ code: 'transaction-invalid' });
  });

  it('is refused when the ABI does not have the function, or has nonsense', () => {
    const nonsense = [
      null,
      5,
      'f',
      {},
      { type: 'function' },
      { type: 'function', name: 'f', inputs: 5 },
      { type: 'function', name: 'f', inputs: [{ type: 'uint7' }] },
      { type: 'function', name: 'f', inputs: [{ type: 'tuple' }] },
      { type: 'function', name: 'f', inputs: [{ type: 'uint256', name: 'x'.repeat(1_000) }] },
      { type: 'event', name: 'f', inputs: [] },
    ];
    expect(refusal(() => encode('f', nonsense, []))).toEqual({
      code: 'transaction-invalid',
      message:
        'params.calls[0].functionName: the abi has no function "f". Send the function\'s ABI entry in abi.',
    });
    for (const type of [
      'uint0',
      'uint264',
      'uint08',
      'bytes0',
      'bytes33',
      'bytes01',
      'address20',
      'bool1',
      'mapping',
      'uint256[',
      'tuple[]x',
      'fixed128x18',
      '',
    ]) {
      expect(
        refusal(() =>
          encode('f', [{ type: 'function', name: 'f', inputs: [{ type, components: [] }] }], [0]),
        ).code,
        type,
      ).toBe('transaction-invalid');
    }
  });

  it('nested without end is refused, not followed', () => {
    let param: Record<string, unknown> = { type: 'uint256' };
    for (let depth = 0; depth < 5_000; depth++) param = { type: 'tuple', components: [param] };
    expect(
      refusal(() => encode('f', [{ type: 'function', name: 'f', inputs: [param] }], [[]])).code,
    ).toBe('transaction-invalid');
    expect(
      refusal(() =>
        encode(
          'f',
          [{ type: 'function', name: 'f', inputs: [{ type: `uint256${'[1]'.repeat(18)}` }] }],
          [[]],
        ),
      ).code,
    ).toBe('transaction-invalid');
    expect(
      refusal(() =>
        encode(
          'f',
          [{ type: 'function', name: 'f', inputs: [{ type: 'uint8[99999999999999999999]' }] }],
          [[1]],
        ),
      ).code,
    ).toBe('transaction-invalid');
  });
});

describe('params of an evm transaction', () => {
  it('are read in all three forms, with defaults filled in and unknown fields left out', () => {
    const entry = { type: 'function', name: 'ping', inputs: [] };
    const transaction = serializeTransaction({
      type: 'eip1559',
      chainId: 84_532,
      to,
      value: 3n,
      data: '0xAB',
    });
    const { calls, params } = read(
      { address: to, functionName: 'ping', abi: [entry] },
      { to, value: 5, data: '0xAb', nonsense: 1 },
      { to },
      { transaction },
    );
    const ping = encodeFunctionData({ abi: parseAbi(['function ping()']) });
    expect(calls).toEqual([
      { to: to.toLowerCase(), value: 0n, data: ping, abi: [entry] },
      { to: to.toLowerCase(), value: 5n, data: '0xab' },
      { to: to.toLowerCase(), value: 0n, data: '0x' },
      { to: to.toLowerCase(), value: 3n, data: '0xab' },
    ]);
    expect(params).toEqual({
      chain: 'base-sepolia',
      calls: [
        { address: to, functionName: 'ping', abi: [entry], args: [], value: '0' },
        { to, value: '5', data: '0xAb' },
        { to, value: '0', data: '0x' },
        { transaction },
      ],
    });
    expect(evmTransactionParamsSchema.safeParse(params).success).toBe(true);
  });

  it('may name the only call as call, which means the same and is answered as a list', () => {
    const [listed, single] = [
      readTransactionParams({ calls: [{ to, value: '5' }], chain: 'base-sepolia' }, network),
      readTransactionParams({ call: { to, value: '5' }, chain: 'base-sepolia' }, network),
    ];
    expect(single.params).toEqual(listed.params);
    expect(single.calls).toEqual(listed.calls.map((call) => ({ ...call, place: 'params.call' })));
  });

  it('of another form are validation-error, and the message says where and what', () => {
    const cases: [JsonObject, string][] = [
      [{}, 'params.chain: is required'],
      [{ chain: 'base' }, 'params.calls: is required: the calls to make, or one as "call".'],
      [{ call: { to }, calls: [{ to }], chain: 'base' }, 'params: has both "call" and "calls".'],
      [
        { call: { to: '0x12' }, chain: 'base' },
        'params.call.to: is not an address of the evm family',
      ],
      [{ call: [{ to }], chain: 'base' }, 'params.call: must be an object.'],
      [{ calls: [], chain: 'base' }, 'params.calls: must have at least one call.'],
      [{ calls: 5, chain: 'base' }, 'params.calls: is required'],
      [{ calls: [{ to }] }, 'params.chain: is required'],
      [{ calls: [{ to }], chain: 5 }, 'params.chain: is required'],
      [
        { calls: Array.from({ length: 101 }, () => ({ to })), chain: 'base' },
        'params.calls: must not have more than 100 calls.',
      ],
      [{ calls: [5], chain: 'base' }, 'params.calls[0]: must be an object.'],
      [{ calls: [[]], chain: 'base' }, 'params.calls[0]: must be an object.'],
      [{ calls: [{}], chain: 'base' }, 'params.calls[0]: is none of the forms'],
      [
        { calls: [{ to: '0x12' }], chain: 'base' },
        'params.calls[0].to: is not an address of the evm family',
      ],
      [
        { calls: [{ to: '0x036CbD53842c5426634e7929541eC2318f3dCF7E' }], chain: 'base' },
        'params.calls[0].to: has a wrong checksum (EIP-55)',
      ],
      [
        { calls: [{ to }, { to, data: '0x1' }], chain: 'base' },
        'params.calls[1].data: must be 0x and an even number',
      ],
      [
        { calls: [{ to, value: '1.5' }], chain: 'base' },
        'params.calls[0].value: must be wei as decimal text',
      ],
      [{ calls: [{ to, value: -1 }], chain: 'base' }, 'params.calls[0].value: '],
      [{ calls: [{ to, value: 1e21 }], chain: 'base' }, 'params.calls[0].value: '],
      [
        { calls: [{ to, value: (2n ** 256n).toString() }], chain: 'base' },
        'params.calls[0].value: must be below 2^256.',
      ],
      [{ calls: [{ to, value: true }], chain: 'base' }, 'params.calls[0].value: '],
      [{ calls: [{ address: to, functionName: 'f' }], chain: 'base' }, 'params.calls[0].abi: '],
      [{ calls: [{ address: to, abi: [{}] }], chain: 'base' }, 'params.calls[0].functionName: '],
      [
        { calls: [{ address: to, functionName: 'f', abi: [5] }], chain: 'base' },
        'params.calls[0].abi[0]: ',
      ],
      [{ calls: [{ transaction: 5 }], chain: 'base' }, 'params.calls[0].transaction: '],
      [{ calls: [{ transaction: '0x' }], chain: 'base' }, 'params.calls[0].transaction: '],
      [
        { calls: [{ to, data: `0x${'00'.repeat(98_305)}` }], chain: 'base' },
        'params.calls[0].data: must not have more than 98304 bytes.',
      ],
    ];
    for (const [params, message] of cases) {
      const refused = refusal(() => {
        readChain(params);
        readTransactionParams(params, network);
      });
      expect(refused.code, message).toBe('validation-error');
      expect(refused.message).toContain(message);
      expect(refused.message.length).toBeLessThan(400);
    }
  });

  it('with more calldata in all than a transaction may have are transaction-invalid', () => {
    const data: Hex = `0x${'00'.repeat(60_000)}`;
    expect(refusal(() => read({ to, data }, { to, data })).code).toBe('transaction-invalid');
    expect(read({ to, data }).calls).toHaveLength(1);
  });

  it('refuse serialised transactions that a wallet cannot make', () => {
    const cases: [Hex, string][] = [
      ['0x1234', 'is not a serialised EVM transaction.'],
      [
        serializeTransaction({ chainId: 84_532, type: 'eip1559', data: '0x6000' }),
        'creates a contract',
      ],
      [
        serializeTransaction({ chainId: 1, type: 'eip1559', to }),
        'is for chain id 1, but the chain of params has 84532.',
      ],
      [
        serializeTransaction({ chainId: 84_532, type: 'eip7702', to, authorizationList: [] }),
        'of type eip7702',
      ],
    ];
    for (const [transaction, message] of cases) {
      const refused = refusal(() => read({ transaction }));
      expect(refused.code, message).toBe('transaction-invalid');
      expect(refused.message).toContain(message);
    }
    expect(
      read({ transaction: serializeTransaction({ type: 'legacy', to, value: 1n }) }).calls[0]!
        .value,
    ).toBe(1n);
  });

  it('never fail in another way, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record(
              { to: fc.constantFrom(to, 'x'), value: fc.jsonValue(), data: fc.jsonValue() },
              { requiredKeys: [] },
            ),
            fc.record({
              address: fc.constant(to),
              functionName: fc.constantFrom('f', ''),
              abi: fc.array(
                fc.oneof(
                  fc.jsonValue(),
                  fc.record({
                    type: fc.constant('function'),
                    name: fc.constant('f'),
                    inputs: fc.jsonValue(),
                  }),
                ),
              ),
              args: fc.array(fc.jsonValue()),
            }),
            fc.record({ transaction: bytesOf(0, 60) }),
          ),
        ),
        (calls) => {
          try {
            read(...calls);
          } catch (error) {
            expect(error).toBeInstanceOf(ServiceError);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
