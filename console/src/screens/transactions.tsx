import type { TransactionLine } from '../api.ts';
import { List } from '../list.tsx';
import { Amount, Badge, Id, Time, words } from '../ui.tsx';

/** How much of what: a token without a name of its own is its address. */
function Sent({
  send: { amount },
  tokenLocator,
}: {
  readonly send: NonNullable<TransactionLine['send']>;
  readonly tokenLocator: string | undefined;
}) {
  const token = tokenLocator?.slice(tokenLocator.indexOf(':') + 1) ?? '';
  if (amount !== undefined && /^[a-z0-9]{1,10}$/i.test(token))
    return <Amount of={{ amount, currency: token }} />;
  return (
    <>
      {amount} <Id>{token}</Id>
    </>
  );
}

/** What a wallet sent, and what became of it. */
export function Transactions({ id }: { readonly id: string }) {
  return (
    <List<TransactionLine>
      label="Transactions"
      path={`/wallets/${id}/transactions`}
      hasCsv
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: ['awaiting-approval', 'pending', 'success', 'failed'],
        },
      ]}
      keyOf={(one) => one.id}
      empty={{
        title: 'Nothing was sent yet',
        text: 'Transfers and calls of this wallet come here by themselves.',
      }}
      columns={[
        { title: 'When', of: ({ createdAt }) => <Time at={createdAt} /> },
        {
          title: 'What',
          kind: 'wrap',
          of: ({ subject, send, tokenLocator, chain }) => (
            <>
              {send ? <Sent send={send} tokenLocator={tokenLocator} /> : words(subject)}{' '}
              <span className="faint">on {chain}</span>
              {send?.recipient !== undefined && (
                <small className="faint under">
                  to <Id>{send.recipient}</Id>
                </small>
              )}
            </>
          ),
        },
        {
          title: 'Status',
          of: ({ status, error, approvals: { given, open } }) => (
            <>
              <Badge>{status}</Badge>
              {given + open > 0 && (
                <small className="faint under">
                  {given} of {given + open} approved
                </small>
              )}
              {error !== undefined && <span className="attention">{error}</span>}
            </>
          ),
        },
        {
          title: 'Transaction',
          of: ({ txId, explorerLink }) =>
            explorerLink?.startsWith('https://') ? (
              <a href={explorerLink} rel="noreferrer noopener" target="_blank">
                <Id>{txId ?? 'explorer'}</Id>
              </a>
            ) : txId === undefined ? (
              '–'
            ) : (
              <Id>{txId}</Id>
            ),
        },
      ]}
    />
  );
}
