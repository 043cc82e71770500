import { Link } from '@tanstack/react-router';
import type { HoldLine } from '../api.ts';
import { List } from '../list.tsx';
import { Amount, Badge, Head, Id, Since } from '../ui.tsx';

/** Where it is decided. */
const inboxOf = { order: 'order', deposit: 'deposit' } as const;

export function Holds() {
  return (
    <>
      <Head
        title="Holds"
        about="Money that does not go on by itself: since when, and what keeps it. The oldest first."
        command="purser orders list --waiting"
      />
      <List<HoldLine>
        label="Holds"
        path="/holds"
        hasCsv
        filters={[{ name: 'kind', label: 'Kind', options: ['order', 'payout', 'deposit'] }]}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'Nothing is held back',
          text: 'Orders that screening stops, payouts that wait for a second person, and deposits of nobody stand here.',
        }}
        columns={[
          {
            title: 'What',
            kind: 'wrap',
            of: ({ title, orderId, id }) =>
              orderId === undefined ? (
                <>
                  {title} <Id>{id}</Id>
                </>
              ) : (
                <Link to="/orders/$id" params={{ id: orderId }}>
                  {title}
                </Link>
              ),
          },
          {
            title: 'Why',
            kind: 'wrap',
            of: ({ reason }) => <span className="reason">{reason}</span>,
          },
          { title: 'For', of: ({ since }, now) => <Since at={since} now={now} /> },
          { title: 'Amount', kind: 'num', of: ({ amount }) => <Amount of={amount} /> },
          {
            title: 'Decided',
            of: ({ kind }) =>
              kind === 'payout' ? (
                <>
                  <Badge tone="plain">at the vault</Badge>
                  <small className="faint under">purser payouts held</small>
                </>
              ) : (
                <Link to="/inbox" search={{ kind: inboxOf[kind] } as never}>
                  in the inbox
                </Link>
              ),
          },
        ]}
      />
    </>
  );
}
