import { Link } from '@tanstack/react-router';
import type { UnmatchedItem } from '../api.ts';
import { List } from '../list.tsx';
import { Amount, Badge, Head, Id, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';
import { Item } from './inbox.tsx';

/** Money that is nobody's yet, how old it is, and the orders that it may have been meant for. */
export function Unmatched() {
  return (
    <>
      <Head
        title="Unmatched"
        about="Deposits of nobody, returns that failed, and what chain, bank or acquirer say otherwise than the books. The oldest first."
        command="purser deposits list"
      />
      <List<UnmatchedItem>
        label="Unmatched money"
        path="/unmatched"
        hasCsv
        filters={[
          { name: 'kind', label: 'Kind', options: ['deposit', 'return', 'difference'] },
          { name: 'older', label: 'Older than days', options: ['1', '7', '30'] },
        ]}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        empty={{
          title: 'Everything has its order',
          text: 'A deposit that names no order, or comes in another token, stands here with the orders that it may be for.',
        }}
        item={(item, now) => (
          <Item item={item} now={now}>
            {item.days > 0 && (
              <p className="meta">
                <Badge
                  tone={item.days >= 7 ? 'bad' : 'warn'}
                >{`${item.days} ${item.days === 1 ? 'day' : 'days'} old`}</Badge>
              </p>
            )}
            {item.likely && <Likely item={item} likely={item.likely} now={now} />}
          </Item>
        )}
      />
    </>
  );
}

function Likely({
  item,
  likely,
  now,
}: {
  readonly item: UnmatchedItem;
  readonly likely: NonNullable<UnmatchedItem['likely']>;
  readonly now: number;
}) {
  if (likely.length === 0)
    return <p className="faint">No order asks for this amount, and none of this sender is open.</p>;
  return (
    <ul className="likely" aria-label="Likely orders">
      {likely.map((order) => (
        <li key={order.id}>
          <Link to="/orders/$id" params={{ id: order.id }}>
            {order.kind} <Id>{order.id}</Id>
          </Link>
          <Badge>{order.state}</Badge>
          <Amount of={order.pay} />
          {order.isSameAmount && <Badge tone="good">same amount</Badge>}
          {order.isSameSender && <Badge tone="good">same sender</Badge>}
          <span className="faint">
            made <When at={order.createdAt} now={now} />
          </span>
          {order.takesIt && (
            <Decisions
              projectId={item.projectId}
              subject={`${item.title}${item.amount ? `, ${item.amount.amount} ${item.amount.currency}` : ''}`}
              decisions={[
                {
                  rule: 'deposits.assign',
                  label: 'Assign to it',
                  effect: `${item.amount?.amount ?? ''} ${item.amount?.currency ?? ''} pays the order ${order.id}, which goes on as if it had matched.`,
                  params: { depositId: item.id, orderId: order.id },
                },
              ]}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
