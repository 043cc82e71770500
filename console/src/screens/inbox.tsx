import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, type InboxItem } from '../api.ts';
import { List, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import { Amount, Badge, Command, Head, Id, Since, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';

const kindNames: Readonly<Record<string, string>> = {
  'second-person': 'Second person',
  order: 'Orders',
  'refund-request': 'Refund requests',
  deposit: 'Deposits',
  return: 'Failed returns',
  checkout: 'Checkouts',
  difference: 'Differences',
};

export function Inbox() {
  const { search, go } = useAddress();
  const { project, kind } = search;
  const counts = useQuery({
    queryKey: ['inbox-count', project],
    queryFn: () => get<Record<string, number>>('/inbox/count', { project }),
    refetchInterval: 10_000,
  });
  const total = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Head
        title="Inbox"
        about="What waits for a decision, the oldest first."
        command="purser orders list --waiting"
      />
      <nav className="chips" aria-label="Kinds">
        <button type="button" aria-pressed={kind === undefined} onClick={() => go({ project })}>
          All <b>{said(total)}</b>
        </button>
        {Object.entries(kindNames).map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-pressed={kind === name}
            onClick={() => go({ project, kind: name })}
          >
            {title} <b>{said(counts.data?.[name] ?? 0)}</b>
          </button>
        ))}
      </nav>
      <List<InboxItem>
        label="What waits"
        path="/inbox"
        query={{ kind }}
        keyOf={({ kind: of, id }) => `${of} ${id}`}
        item={(item, now) => <Item item={item} now={now} />}
        empty={{
          title: kind === undefined ? 'Nothing waits' : `No ${kindNames[kind]?.toLowerCase()} wait`,
          text: (
            <>
              Orders that stop, deposits that match none and purchases with an unknown end come here
              by themselves. To see how one looks, pay a sandbox order with a card that asks for it:{' '}
              <code>docs/guides/cards.md</code>.
            </>
          ),
        }}
      />
    </>
  );
}

const said = (count: number) => (count > 99 ? '99+' : String(count));

/** What waits, with what can be decided about it; below it what helps to decide. */
export function Item({
  item,
  now,
  children,
}: {
  readonly item: InboxItem;
  readonly now: number;
  readonly children?: ReactNode;
}) {
  const {
    id,
    kind,
    projectId,
    orderId,
    since,
    deadlineAt,
    title,
    reason,
    amount,
    decisions,
    command,
  } = item;
  const project = projectName(useMe(), projectId);
  return (
    <>
      <div className="what">
        <h2>
          {orderId === undefined ? (
            title
          ) : (
            <Link to="/orders/$id" params={{ id: orderId }}>
              {title}
            </Link>
          )}
        </h2>
        <p className="reason">{reason}</p>
        <p className="meta">
          <Badge tone="plain">{kind}</Badge>
          <Id>{id}</Id>
          {project !== undefined && <span>{project}</span>}
          <span>
            waits for <Since at={since} now={now} />
          </span>
          {deadlineAt !== undefined && (
            <span className={Date.parse(deadlineAt) - now < 3_600_000 ? 'urgent' : ''}>
              due <When at={deadlineAt} now={now} />
            </span>
          )}
        </p>
        {children}
      </div>
      <div className="sum">{amount && <Amount of={amount} />}</div>
      <div className="do">
        {decisions.length > 0 ? (
          <>
            <p className="effect">
              <b>{decisions[0]!.label}:</b> {decisions[0]!.effect}
            </p>
            <Decisions
              projectId={projectId}
              decisions={decisions}
              subject={`${title}${amount ? `, ${amount.amount} ${amount.currency}` : ''}`}
            />
          </>
        ) : (
          <p className="faint">It ends by itself when both sides agree, or elsewhere.</p>
        )}
        <Command>{command}</Command>
      </div>
    </>
  );
}
