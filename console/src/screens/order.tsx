import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, type InboxItem, type Me, type Timeline } from '../api.ts';
import { Amount, Badge, Command, formatMinor, Id, Loading, Problem, Time, termsAmount, useNow, When, words } from '../ui.tsx';
import { Decisions } from './decide.tsx';

interface Event {
  readonly key: string;
  readonly at: string;
  readonly kind: string;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
}

export function Order({ me, id }: { readonly me: Me; readonly id: string }) {
  const now = useNow();
  const found = useQuery({
    queryKey: ['order', id],
    queryFn: () => get<Timeline & { readonly waiting?: InboxItem }>(`/orders/${id}`),
    refetchInterval: 5_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { order, payoutWait, waiting } = found.data;
  const { terms } = order;
  return (
    <>
      <header className="head">
        <div>
          <p className="crumbs">
            <Link to="/orders">Orders</Link>
          </p>
          <h1>
            {terms ? (
              <>
                <Amount of={termsAmount(terms.pay)} /> <span className="arrow">→</span> <Amount of={termsAmount(terms.receive)} />
              </>
            ) : (
              `${words(order.kind)} without a price`
            )}
          </h1>
          <p className="meta">
            <Badge>{order.state}</Badge>
            <span>{order.kind}</span>
            <code className="whole">{order.id}</code>
          </p>
        </div>
        <Command>{`purser orders show ${order.id}`}</Command>
      </header>
      {(order.attention !== undefined || waiting) && (
        <section className="waiting" aria-label="What waits">
          <p className="reason">{waiting?.reason ?? order.attention}</p>
          {waiting && (
            <>
              <ul className="effects">
                {waiting.decisions.map(({ label, effect }) => (
                  <li key={label}>
                    <b>{label}:</b> {effect}
                  </li>
                ))}
              </ul>
              <Decisions me={me} projectId={order.projectId} decisions={waiting.decisions} subject={waiting.title} />
            </>
          )}
        </section>
      )}
      <div className="columns">
        <section>
          <h2>What happened</h2>
          <ol className="timeline">
            {eventsOf(found.data).map(({ key, at, kind, title, detail }) => (
              <li key={key} className={kind}>
                <p className="at">
                  <Time at={at} />
                </p>
                <div>
                  <p>{title}</p>
                  {detail && <div className="detail">{detail}</div>}
                </div>
              </li>
            ))}
          </ol>
        </section>
        <aside>
          <h2>Facts</h2>
          <dl>
            <dt>Made</dt>
            <dd>
              <When at={order.createdAt} now={now} />
            </dd>
            {order.deadlineAt !== undefined && (
              <>
                <dt>Until</dt>
                <dd>
                  <When at={order.deadlineAt} now={now} />
                </dd>
              </>
            )}
            {order.userLocator !== undefined && (
              <>
                <dt>Buyer</dt>
                <dd>{order.userLocator}</dd>
              </>
            )}
            {me.projects.length > 1 && (
              <>
                <dt>Project</dt>
                <dd>{me.projects.find((project) => project.id === order.projectId)?.name}</dd>
              </>
            )}
            {terms?.fees.map((fee) => (
              <Fact key={fee.type} name={`Fee: ${fee.type}`}>
                <Amount of={termsAmount(fee)} />
              </Fact>
            ))}
            {payoutWait !== undefined && <Fact name="Payout">{payoutWait}</Fact>}
          </dl>
          <h2>What the order has</h2>
          <p className="faint">What its account in the books holds for somebody.</p>
          <Balances timeline={found.data} />
        </aside>
      </div>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Balances({ timeline: { ledger, assets } }: { readonly timeline: Timeline }) {
  const open = ledger.filter(({ postedMinor, pendingMinor }) => postedMinor !== '0' || pendingMinor !== '0');
  if (open.length === 0) return <p>Nothing: it owes nobody anything.</p>;
  return (
    <dl>
      {open.map(({ asset, postedMinor, pendingMinor }) => (
        <Fact key={asset} name={assets[asset]?.symbol ?? asset}>
          {formatMinor(negate(postedMinor), assets[asset]?.decimals ?? 0)}
          {pendingMinor !== '0' && (
            <span className="faint"> ({formatMinor(negate(pendingMinor), assets[asset]?.decimals ?? 0)} on its way)</span>
          )}
        </Fact>
      ))}
    </dl>
  );
}

const negate = (minor: string) => (minor === '0' ? minor : minor.startsWith('-') ? minor.slice(1) : `-${minor}`);

/** Everything of an order in one list, in the order in which it happened. */
function eventsOf({ moves, deposits, refunds, entries, payout, assets }: Timeline): readonly Event[] {
  const events: Event[] = [
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
          <Amount of={{ amount: formatMinor(one.amountMinor, one.token.decimals), currency: one.token.symbol ?? one.token.locator }} />{' '}
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
          <Amount of={{ amount: formatMinor(one.amountMinor, one.decimals), currency: assets[one.asset]?.symbol ?? one.asset }} />{' '}
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
          Booked: {words(entry.kind)} {entry.phase !== 'post' && <Badge tone="plain">{entry.phase}</Badge>}
        </>
      ),
      detail: (
        <ul className="legs">
          {entry.postings.map(({ account, asset, amountMinor }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: legs have no name but their place, and never change.
            <li key={index}>
              <code>{account.startsWith('order:') ? 'this order' : account}</code>{' '}
              <Amount of={{ amount: formatMinor(amountMinor, assets[asset]?.decimals ?? 0), currency: assets[asset]?.symbol ?? asset }} />
            </li>
          ))}
        </ul>
      ),
    })),
  ];
  return events.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}
