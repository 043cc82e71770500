import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../lib/errors.ts';
import { readTypedData } from './typed-data.ts';

const network = { name: 'base-sepolia', chainId: 84_532 };
const verifyingContract = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const domain = { name: 'Shop', chainId: 84_532, verifyingContract };
const mail = (
  fields: readonly { name: string; type: string }[],
  message: unknown,
  extra: object = {},
) => ({
  domain,
  types: { Mail: fields },
  primaryType: 'Mail',
  message,
  ...extra,
});

function refusalOf(input: unknown): string {
  try {
    readTypedData(input, network);
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no refusal';
}

describe('typed data', () => {
  it('has the hash that others give it, with integers as text, hex or numbers', () => {
    const fields = [
      { name: 'amount', type: 'uint256' },
      { name: 'delta', type: 'int128' },
      { name: 'to', type: 'address' },
      { name: 'raw', type: 'bytes' },
      { name: 'flag', type: 'bool' },
      { name: 'pairs', type: 'uint8[2][]' },
    ];
    const message = {
      amount: 2n ** 200n,
      delta: -5n,
      to: verifyingContract,
      raw: '0x1234',
      flag: true,
      pairs: [[1, 2]],
    };
    const hash = hashTypedData({
      domain,
      types: { Mail: fields },
      primaryType: 'Mail',
      message,
    } as never);
    for (const amount of [(2n ** 200n).toString(), `0x${(2n ** 200n).toString(16)}`])
      expect(readTypedData(mail(fields, { ...message, amount, delta: '-5' }), network)).toEqual({
        hash,
        verifyingContract: verifyingContract.toLowerCase(),
      });
    expect(
      readTypedData(
        mail(fields, {
          ...message,
          amount: (2n ** 200n).toString(),
          delta: -5,
          to: verifyingContract.toLowerCase(),
        }),
        network,
      ).hash,
    ).toBe(hash);
  });

  it('may define its domain, and be for a chain by number or text or for none', () => {
    const fields = [{ name: 'text', type: 'string' }];
    const plain = readTypedData(mail(fields, { text: 'a' }), network).hash;
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ];
    const types = { Mail: fields, EIP712Domain };
    expect(readTypedData(mail(fields, { text: 'a' }, { types }), network).hash).toBe(plain);
    expect(
      readTypedData(
        mail(fields, { text: 'a' }, { domain: { ...domain, chainId: '84532' } }),
        network,
      ).hash,
    ).toBe(plain);
    expect(
      readTypedData(mail(fields, { text: 'a' }, { domain: { name: 'Shop' } }), network),
    ).toMatchObject({
      verifyingContract: undefined,
    });
  });

  it('is refused with the place of what is wrong', () => {
    const fields = [{ name: 'amount', type: 'uint8' }];
    const cases: [unknown, RegExp][] = [
      [undefined, /params\.typedData/],
      [mail(fields, { amount: '256' }), /params\.typedData\.message\.amount.*between 0 and 255/],
      [mail(fields, { amount: 1.5 }), /message\.amount/],
      [mail(fields, {}), /message\.amount: is required/],
      [mail([{ name: 'a', type: 'Missing' }], { a: {} }), /message\.a: has the type "Missing"/],
      [mail([{ name: 'a', type: 'toString' }], { a: {} }), /has the type "toString"/],
      [mail([{ name: 'a', type: 'tuple' }], { a: [] }), /has the type "tuple"/],
      [mail([{ name: 'a', type: 'uint7' }], { a: 1 }), /has the type "uint7"/],
      [mail([{ name: 'a', type: 'bool[2]' }], { a: [true] }), /must have 2 elements/],
      [mail([...fields, ...fields], { amount: 1 }), /names a field twice/],
      [mail(fields, { amount: 1 }, { primaryType: 'Other' }), /primaryType/],
      [mail(fields, { amount: 1 }, { primaryType: 'constructor' }), /primaryType/],
      [
        mail(fields, { amount: 1 }, { domain: { ...domain, chainId: 1 } }),
        /domain\.chainId: is 1, but "base-sepolia" has 84532/,
      ],
      [
        mail(fields, { amount: 1 }, { domain: { verifyingContract: '0x12' } }),
        /domain\.verifyingContract: is not an address/,
      ],
      [mail([{ name: 'self', type: 'Mail' }], nested(40)), /nested too deeply/],
    ];
    for (const [input, expected] of cases) {
      const refusal = refusalOf(input);
      expect(refusal, JSON.stringify(input)).toMatch(/^validation-error: /);
      expect(refusal).toMatch(expected);
    }
  });

  it('never fails in another way, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.record({
          domain: fc.oneof(fc.anything(), fc.constant(domain)),
          types: fc.dictionary(
            fc.string(),
            fc.array(fc.record({ name: fc.string(), type: fc.string() })),
          ),
          primaryType: fc.string(),
          message: fc.anything(),
        }),
        (input) => {
          expect(refusalOf(input)).toMatch(/^(validation-error: params\.typedData|no refusal)/);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function nested(depth: number): object {
  return depth === 0 ? {} : { self: nested(depth - 1) };
}
