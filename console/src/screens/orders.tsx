import { Link } from '@tanstack/react-router';
import type { OrderLine } from '../api.ts';
import { List, useAddress } from '../list.tsx';
import { Amount, Badge, Head, Id, termsAmount, When } from '../ui.tsx';

const states = [
  'awaiting_payment',
  'awaiting_deposit',
  'on_hold',
  'needs_operator',
  'delivered',
  'payout_final',
  'refunded',
  'closed',
];

export function Orders() {
  const { waiting, state } = useAddress().search;
  return (
    <>
      <Head
        title="Orders"
        about="The newest first."
        command={`purser orders list${waiting ? ' --waiting' : ''}${state ? ` --state ${state}` : ''}`}
      />
      <List<OrderLine>
        label="Orders"
        path="/orders"
        hasCsv
        filters={[
          { name: 'state', label: 'State', options: states },
          { name: 'waiting', label: 'wait for an operator' },
          { name: 'user', label: 'User', kind: 'text' },
        ]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{ title: 'No orders yet', text: 'Make one in the sandbox: npm run demo:onramp.' }}
        columns={[
          {
            title: 'Order',
            of: ({ id }) => (
              <Link to="/orders/$id" params={{ id }}>
                <Id>{id}</Id>
              </Link>
            ),
          },
          { title: 'Kind', of: ({ kind }) => kind },
          {
            title: 'State',
            of: ({ state: now, attention }) => (
              <>
                <Badge>{now}</Badge>
                {attention !== null && <span className="attention">{attention}</span>}
              </>
            ),
          },
          {
            title: 'Paid',
            kind: 'num',
            of: ({ terms }) => (terms ? <Amount of={termsAmount(terms.pay)} /> : '–'),
          },
          {
            title: 'Received',
            kind: 'num',
            of: ({ terms }) => (terms ? <Amount of={termsAmount(terms.receive)} /> : '–'),
          },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
    </>
  );
}
