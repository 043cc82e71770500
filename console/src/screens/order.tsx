import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get, type InboxItem, type Timeline } from '../api.ts';
import { projectName, useMe } from '../me.ts';
import {
  Amount,
  Badge,
  Facts,
  formatMinor,
  Head,
  Id,
  Loading,
  Problem,
  type TimelineEvent,
  Timeline as TimelineList,
  termsAmount,
  useNow,
  When,
  words,
} from '../ui.tsx';
import { Decisions } from './decide.tsx';

export function Order() {
  const me = useMe();
  const now = useNow();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['order', id],
    queryFn: () => get<Timeline & { readonly waiting?: InboxItem }>(`/orders/${id}`),
    refetchInterval: 10_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { order, payoutWait, waiting } = found.data;
  const { terms } = order;
  return (
    <>
      <Head
        back={<Link to="/orders">Orders</Link>}
        title={
          terms ? (
            <>
              <Amount of={termsAmount(terms.pay)} /> <span className="arrow">→</span>{' '}
              <Amount of={termsAmount(terms.receive)} />
            </>
          ) : (
            `${words(order.kind)} without a price`
          )
        }
        about={
          <p className="meta">
            <Badge>{order.state}</Badge>
            <span>{order.kind}</span>
            <code className="whole">{order.id}</code>
          </p>
        }
        command={`purser orders show ${order.id}`}
      />
      {(order.attention !== undefined || waiting) && (
        <Waiting item={waiting} reason={waiting?.reason ?? order.attention ?? ''} />
      )}
      <div className="columns">
        <section>
          <div className="between above">
            <h2>What happened</h2>
            {order.deadlineAt !== undefined && !waiting && (
              <Decisions
                projectId={order.projectId}
                decisions={[lookAt(order.id)]}
                subject={order.id}
              />
            )}
          </div>
          <TimelineList events={eventsOf(found.data)} />
        </section>
        <aside>
          <h2>Facts</h2>
          <Facts
            rows={[
              ['Made', <When key="made" at={order.createdAt} now={now} />],
              order.deadlineAt !== undefined && [
                'Until',
                <When key="until" at={order.deadlineAt} now={now} />,
              ],
              order.userLocator !== undefined && ['Buyer', order.userLocator],
              me.projects.length > 1 && ['Project', projectName(me, order.projectId)],
              ...(terms?.fees ?? []).map(
                (fee) =>
                  [`Fee: ${fee.type}`, <Amount key={fee.type} of={termsAmount(fee)} />] as const,
              ),
              payoutWait !== undefined && ['Payout', payoutWait],
            ]}
          />
          <h2>What the order has</h2>
          <p className="faint">What its account in the books holds for somebody.</p>
          <Balances timeline={found.data} />
        </aside>
      </div>
    </>
  );
}

const lookAt = (orderId: string) => ({
  rule: 'orders.look',
  label: 'Look now',
  effect:
    'No money moves by itself. Acquirer, bank and chain are asked at once, instead of at the next turn; what they say counts as ever.',
  params: { orderId },
});

/** Why something waits, and what can be decided about it. */
export function Waiting({
  item,
  reason,
}: {
  readonly item: InboxItem | undefined;
  readonly reason: string;
}) {
  return (
    <section className="waiting" aria-label="What waits">
      <p className="reason">{reason}</p>
      {item && (
        <>
          <ul className="effects">
            {item.decisions.map(({ label, effect }) => (
              <li key={label}>
                <b>{label}:</b> {effect}
              </li>
            ))}
          </ul>
          <Decisions projectId={item.projectId} decisions={item.decisions} subject={item.title} />
        </>
      )}
    </section>
  );
}

function Balances({ timeline: { ledger, assets } }: { readonly timeline: Timeline }) {
  const open = ledger.filter(
    ({ postedMinor, pendingMinor }) => postedMinor !== '0' || pendingMinor !== '0',
  );
  if (open.length === 0) return <p>Nothing: it owes nobody anything.</p>;
  return (
    <Facts
      rows={open.map(({ asset, postedMinor, pendingMinor }) => [
        assets[asset]?.symbol ?? asset,
        <span key={asset}>
          {formatMinor(negate(postedMinor), assets[asset]?.decimals ?? 0)}
          {pendingMinor !== '0' && (
            <span className="faint">
              {' '}
              ({formatMinor(negate(pendingMinor), assets[asset]?.decimals ?? 0)} on its way)
            </span>
          )}
        </span>,
      ])}
    />
  );
}

const negate = (minor: string) =>
  minor === '0' ? minor : minor.startsWith('-') ? minor.slice(1) : `-${minor}`;

/** Everything of an order in one list, in the order in which it happened. */
function eventsOf({
  moves,
  deposits,
  refunds,
  entries,
  payout,
  assets,
}: Timeline): readonly TimelineEvent[] {
  const events: TimelineEvent[] = [
    ...moves.map(({ nr, at, event, from, to, note }) => ({
      key: `move ${nr}`,
      at,
      kind: 'state',
      title: (
        <>
          <b>{words(event)}</b>
          {from !== to && (
            <>
              {' '}
              <span className="faint">→</span> <Badge>{to}</Badge>
            </>
          )}
        </>
      ),
      detail: note,
    })),
    ...deposits.map((one) => ({
      key: `deposit ${one.id}`,
      at: one.seenAt,
      kind: 'money',
      title: (
        <>
          <b>Deposit</b>{' '}
          <Amount
            of={{
              amount: formatMinor(one.amountMinor, one.token.decimals),
              currency: one.token.symbol ?? one.token.locator,
            }}
          />{' '}
          <Badge>{one.status}</Badge>
        </>
      ),
      detail: (
        <>
          from <Id>{one.sender}</Id> on {one.chain},{' '}
          {one.explorerLink?.startsWith('https://') ? (
            <a href={one.explorerLink} rel="noreferrer noopener" target="_blank">
              transaction
            </a>
          ) : (
            <Id>{one.txId}</Id>
          )}
        </>
      ),
    })),
    ...refunds.map((one) => ({
      key: `refund ${one.id}`,
      at: one.createdAt,
      kind: 'money',
      title: (
        <>
          <b>Refund</b>{' '}
          <Amount
            of={{
              amount: formatMinor(one.amountMinor, one.decimals),
              currency: assets[one.asset]?.symbol ?? one.asset,
            }}
          />{' '}
          <Badge>{one.status}</Badge>
        </>
      ),
      detail: (
        <>
          {words(one.reason)}, to <Id>{one.recipient}</Id>
          {one.error !== undefined && `: ${one.error}`}
        </>
      ),
    })),
    ...(payout
      ? [
          {
            key: 'payout',
            at: payout.askedAt,
            kind: 'money',
            title: (
              <>
                <b>Payout</b> by {payout.rail} <Badge>{payout.status}</Badge>
              </>
            ),
            detail: [payout.code, payout.reason].filter(Boolean).join(': '),
          },
        ]
      : []),
    ...entries.map((entry) => ({
      key: `entry ${entry.id}`,
      at: entry.recordedAt,
      kind: 'books',
      title: (
        <>
          Booked: {words(entry.kind)}{' '}
          {entry.phase !== 'post' && <Badge tone="plain">{entry.phase}</Badge>}
        </>
      ),
      detail: (
        <ul className="legs">
          {entry.postings.map(({ account, asset, amountMinor }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: legs have no name but their place, and never change.
            <li key={index}>
              <code>{account.startsWith('order:') ? 'this order' : account}</code>{' '}
              <Amount
                of={{
                  amount: formatMinor(amountMinor, assets[asset]?.decimals ?? 0),
                  currency: assets[asset]?.symbol ?? asset,
                }}
              />
            </li>
          ))}
        </ul>
      ),
    })),
  ];
  return events.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}
