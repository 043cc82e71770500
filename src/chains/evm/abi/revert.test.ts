import fc from 'fast-check';
import { encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { cleanText, decodeRevert } from './revert.ts';

const account = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const errorText = (text: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] });

describe('what a revert says', () => {
  it('is the text of a require', () => {
    expect(decodeRevert(errorText('ERC20: transfer amount exceeds balance'))).toEqual({
      reason: 'ERC20: transfer amount exceeds balance',
    });
    expect(decodeRevert(errorText(''))).toEqual({ reason: 'reverted with an empty reason' });
  });

  it('is the meaning of a panic', () => {
    const panic = (code: bigint) =>
      decodeRevert(encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), args: [code] }))
        .reason;
    expect(panic(0x11n)).toBe('arithmetic overflow or underflow');
    expect(panic(0x32n)).toBe('array index out of bounds');
    expect(panic(0x99n)).toBe('panic 153');
  });

  it('is the name and the arguments of a known error of tokens', () => {
    const data = encodeErrorResult({
      abi: parseAbi(['error ERC20InsufficientBalance(address,uint256,uint256)']),
      args: [account, 5n, 7n],
    });
    expect(decodeRevert(data)).toEqual({
      reason: `ERC20InsufficientBalance(sender: ${account}, balance: 5, needed: 7)`,
      reasonData: {
        name: 'ERC20InsufficientBalance',
        args: { sender: account, balance: '5', needed: '7' },
      },
    });
  });

  it('is the error of the ABI that came with the call, structures included', () => {
    const abi = parseAbi([
      'struct Order { uint256 id; address[] owners; }',
      'error Rejected(Order order, bool, bytes4 code)',
    ]);
    const data = encodeErrorResult({
      abi,
      args: [{ id: 1n, owners: [account] }, true, '0x12345678'],
    });
    expect(
      decodeRevert(data, [
        null,
        { type: 'error', name: 5 },
        { type: 'error', name: 'Bad', inputs: [{ type: 'nonsense' }] },
        ...abi,
      ]),
    ).toEqual({
      reason: `Rejected(order: {"id":"1","owners":["${account}"]}, 1: true, code: 0x12345678)`,
      reasonData: {
        name: 'Rejected',
        args: { order: { id: '1', owners: [account] }, '1': true, code: '0x12345678' },
      },
    });
  });

  it('is said to be unknown when it is', () => {
    expect(decodeRevert('0x')).toEqual({ reason: 'reverted without a reason' });
    expect(decodeRevert('0xdeadbeef')).toEqual({
      reason: 'reverted with an unknown error 0xdeadbeef',
    });
    expect(decodeRevert('0xde')).toEqual({ reason: 'reverted with an unknown error 0xde' });
    // The selector of Error(string) and then something else.
    expect(decodeRevert('0x08c379a0ffff').reason).toContain('unknown error');
  });

  it('explains the texts of a Safe', () => {
    expect(decodeRevert(errorText('GS026'))).toEqual({
      reason: 'GS026 (a signature is of nobody who owns the Safe, or out of order)',
    });
    for (const text of ['GS999', 'constructor', 'GS026 too'])
      expect(decodeRevert(errorText(text))).toEqual({ reason: text });
  });

  it('is bounded and without controls, however hostile the contract', () => {
    const { reason } = decodeRevert(
      errorText(`\u0000\u001b[31mpaid\u202e\u2028${'x'.repeat(10_000)}`),
    );
    expect(reason).toMatch(/^\[31mpaidx+$/);
    expect(reason.length).toBe(500);
    const abi = parseAbi(['error Many(uint256[])']);
    const decoded = decodeRevert(
      encodeErrorResult({ abi, args: [Array.from({ length: 1_000 }, () => 1n)] }),
      abi,
    );
    expect(decoded.reason).toMatch(/^Many\(/);
    expect(JSON.stringify(decoded).length).toBeLessThan(2_000);
  });

  it('never throws, whatever the data', () => {
    const selectors = ['', '08c379a0', '4e487b71', 'e450d38c'];
    fc.assert(
      fc.property(
        fc.constantFrom(...selectors),
        fc.uint8Array({ maxLength: 300 }),
        (selector, bytes) => {
          expect(
            decodeRevert(`0x${selector}${Buffer.from(bytes).toString('hex')}`).reason.length,
          ).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('text that a contract chose', () => {
  it('loses what could deceive', () => {
    expect(cleanText(' US\u200bDC\u202e\n ', 32)).toBe('USDC');
    expect(cleanText('USD₮0', 32)).toBe('USD₮0');
    expect(cleanText('x'.repeat(50), 32)).toHaveLength(32);
  });

  it('is not cut in the middle of a character: a JSON column does not take the half', () => {
    expect(cleanText(`${'x'.repeat(31)}😀`, 32)).toBe('x'.repeat(31));
    const { reason } = decodeRevert(errorText(`${'x'.repeat(499)}😀`));
    expect(reason).toBe('x'.repeat(499));
  });
});
