import type { Review, ReviewedCall, ReviewedScope, ReviewedToken } from '@purser/sdk';
import { visible } from './visible.ts';

type Row = readonly [name: string, value: string];

/**
 * What is about to be signed, as the client read it out of what is hashed, and not as the service
 * says it.
 */
export function ReviewSummary({ review }: { review: Review }) {
  return <Rows rows={rowsOfReview(review)} />;
}

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="purser-summary">
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two calls may say the same, and none moves.
        <div key={index}>
          <dt>{name}</dt>
          <dd className={value.startsWith('0x') ? 'purser-code' : undefined}>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function rowsOfReview(review: Review): Row[] {
  if (review.kind === 'message') return [['Message', review.text]];
  if (review.kind === 'typed-data')
    return [
      ['Signed by', review.signedBy === 'wallet' ? 'your wallet' : 'your own key'],
      ['Data', JSON.stringify(review.typedData, undefined, 2)],
    ];
  const rows = review.calls.flatMap(rowsOfCall);
  return [
    ...(rows.length === 0 ? ([['Transaction', 'calls nothing']] satisfies Row[]) : rows),
    ['Network', review.chain],
  ];
}

function rowsOfCall(call: ReviewedCall): Row[] {
  switch (call.kind) {
    case 'transfer':
      return [
        ['Amount', amountOf(call)],
        [call.isTokenAccount ? 'To the token account' : 'To', call.recipient],
        ...(call.recipientNumber === undefined
          ? []
          : ([['Number', call.recipientNumber]] satisfies Row[])),
      ];
    case 'transfer-item':
      return [
        ['Sends', `${call.amount} of item ${call.tokenId}`],
        ['Collection', call.collection],
        ['To', call.recipient],
      ];
    case 'approve':
      return [
        ['Lets others take', amountOf(call)],
        ['Who may', call.spender],
      ];
    case 'add-signer':
      return [
        ['Adds a signer', call.signerId],
        [
          'It may',
          call.scopes.length === 0
            ? 'do everything but change signers'
            : call.scopes.map(scopeOf).join('; '),
        ],
        ['Until', call.expiresAt?.toISOString() ?? 'it is removed'],
      ];
    case 'remove-signer':
      return [['Removes a signer', call.signerId]];
    case 'end-all-signed':
      return [['Ends', 'everything that was signed so far, and all delegated signers']];
    case 'cancel':
      return [['Cancels', `number ${call.nonce}`]];
    case 'manage-wallet':
      return [
        [
          'Changes your wallet',
          `${call.functionName ?? 'an unknown function'}: whoever asks for this may take it over`,
        ],
        ['Data', call.data],
      ];
    case 'call':
      return [
        ['Calls', call.to],
        ...(call.valueWei === '0' ? [] : ([['Pays (wei)', call.valueWei]] satisfies Row[])),
        ['Data', call.data],
        ...(call.inputs && call.inputs.length > 0
          ? ([['With', call.inputs.join(', ')]] satisfies Row[])
          : []),
      ];
  }
}

interface Amount {
  readonly token: ReviewedToken;
  readonly amountMinor: string;
  readonly amount?: string;
}

/** A token is named by its symbol only where the client knows it. */
function amountOf({ token, amount, amountMinor }: Amount): string {
  const { symbol, address } = token;
  if (amount !== undefined && symbol !== undefined) return `${amount} ${symbol.toUpperCase()}`;
  return `${amountMinor} of the smallest unit of ${address ?? 'the native money'}`;
}

/** A length of time as people say it: `one day`, `90 seconds`. */
export function spanOf(seconds: number): string {
  for (const [unit, name] of [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const)
    if (seconds % unit === 0)
      return seconds === unit ? `one ${name}` : `${seconds / unit} ${name}s`;
  return `${seconds} seconds`;
}

function scopeOf({ token, limit, limitMinor, intervalSeconds, recipients }: ReviewedScope): string {
  const name = token.symbol?.toUpperCase() ?? token.address ?? 'the native money';
  const amount =
    limitMinor === undefined
      ? `any amount of ${name}`
      : amountOf({
          token,
          amountMinor: limitMinor,
          ...(limit === undefined ? {} : { amount: limit }),
        });
  const again = intervalSeconds === undefined ? '' : ` in ${spanOf(intervalSeconds)}`;
  return `send ${amount}${again} to ${recipients?.join(', ') ?? 'anybody'}`;
}
