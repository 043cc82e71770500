import { describe, expect, it } from 'vitest';
import { RpcError, RpcTransportError } from '../../rpc/rpc.ts';
import { type BroadcastResult, sortBroadcastError } from './broadcast.ts';

/** What nodes answer, word for word. */
const answers: readonly (readonly [string, BroadcastResult])[] = [
  ['already known', 'accepted'],
  ['AlreadyKnown', 'accepted'],
  ['transaction already imported', 'accepted'],
  ['known transaction: 7b1f9c', 'accepted'],
  ['nonce too low', 'accepted'],
  ['nonce too low: next nonce 12, tx nonce 11', 'accepted'],
  ['OldNonce', 'accepted'],
  ['replacement transaction underpriced', 'underpriced'],
  ['transaction underpriced: tip needed 1000000000, tip permitted 1', 'underpriced'],
  [
    'max fee per gas less than block base fee: address 0xab, maxFeePerGas: 1, baseFee: 7',
    'underpriced',
  ],
  ['FeeTooLow, MaxFeePerGas too low', 'underpriced'],
  ['insufficient funds for gas * price + value: balance 0, tx cost 5', 'unfunded'],
  ['Insufficient funds for gas * price + value', 'unfunded'],
  ['upfront cost exceeds account balance', 'unfunded'],
  ['txpool is full', 'later'],
  ['too many requests', 'later'],
  ['nonce too high', 'later'],
  ['in-flight transaction limit reached for delegated accounts', 'later'],
  ['exceeds block gas limit', 'refused'],
  ['intrinsic gas too low: gas 21000, minimum needed 53000', 'refused'],
  ['oversized data: transaction size 200000, limit 131072', 'refused'],
  ['transaction type not supported', 'refused'],
  ['invalid chain id for signer: have 1 want 5', 'refused'],
  ['rlp: expected input list for types.LegacyTx', 'refused'],
  ['tx fee (2.10 ether) exceeds the configured cap (1.00 ether)', 'refused'],
  ['Internal error', 'unknown'],
  ['some words that no table has', 'unknown'],
];

describe('what a node answers to a broadcast', () => {
  for (const [message, result] of answers) {
    it(`"${message}" is ${result}`, () => {
      expect(sortBroadcastError(new RpcError('eth_sendRawTransaction', -32000, message))).toBe(
        result,
      );
    });
  }

  it('a lost connection, a time-out and an unreadable answer leave open whether it was sent', () => {
    for (const kind of ['connection', 'timeout', 'malformed', 'http'] as const)
      expect(sortBroadcastError(new RpcTransportError(kind, 'lost'))).toBe('unknown');
  });

  it('a rate limit means later, by its code as well as by HTTP', () => {
    expect(sortBroadcastError(new RpcError('eth_sendRawTransaction', -32005, 'slow down'))).toBe(
      'later',
    );
    expect(sortBroadcastError(new RpcTransportError('http', 'HTTP 429', { status: 429 }))).toBe(
      'later',
    );
  });
});
