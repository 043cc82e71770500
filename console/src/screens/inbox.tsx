import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get, type InboxItem, type Me, type Page } from '../api.ts';
import { Amount, Badge, Command, Empty, Id, Loading, Pager, Problem, Since, useNow, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';

export interface InboxSearch {
  readonly project?: string | undefined;
  readonly kind?: string | undefined;
  readonly cursor?: string | undefined;
}

const kindNames: Readonly<Record<string, string>> = {
  order: 'Orders',
  'refund-request': 'Refund requests',
  deposit: 'Deposits',
  return: 'Failed returns',
  checkout: 'Checkouts',
  difference: 'Differences',
};

const liveMs = 5_000;

export function Inbox({ me, search, go }: { readonly me: Me; readonly search: InboxSearch; readonly go: (search: InboxSearch) => void }) {
  const now = useNow();
  const { project, kind, cursor } = search;
  const list = useQuery({
    queryKey: ['inbox', project, kind, cursor],
    queryFn: () => get<Page<InboxItem>>('/inbox', { project, kind, cursor }),
    refetchInterval: liveMs,
    placeholderData: (before) => before,
  });
  const counts = useQuery({
    queryKey: ['inbox-count', project],
    queryFn: () => get<Record<string, number>>('/inbox/count', { project }),
    refetchInterval: liveMs,
  });
  const total = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <header className="head">
        <div>
          <h1>Inbox</h1>
          <p className="faint">What waits for a decision, the oldest first.</p>
        </div>
        <Command>purser orders list --waiting</Command>
      </header>
      <nav className="chips" aria-label="Kinds">
        <button type="button" aria-pressed={kind === undefined} onClick={() => go({ project })}>
          All <b>{said(total)}</b>
        </button>
        {Object.entries(kindNames).map(([name, title]) => (
          <button key={name} type="button" aria-pressed={kind === name} onClick={() => go({ project, kind: name })}>
            {title} <b>{said(counts.data?.[name] ?? 0)}</b>
          </button>
        ))}
      </nav>
      {list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : list.data.items.length === 0 ? (
        <Empty title={kind === undefined ? 'Nothing waits' : `No ${kindNames[kind]?.toLowerCase()} wait`}>
          Orders that stop, deposits that match none and purchases with an unknown end come here by themselves. To see how one looks, pay a
          sandbox order with a card that asks for it: <code>docs/guides/cards.md</code>.
        </Empty>
      ) : (
        <ul className="items" aria-busy={list.isPlaceholderData}>
          {list.data.items.map((item) => (
            <Item key={`${item.kind} ${item.id}`} me={me} item={item} now={now} />
          ))}
        </ul>
      )}
      <Pager hasCursor={cursor !== undefined} nextCursor={list.data?.nextCursor} onGo={(next) => go({ project, kind, cursor: next })} />
    </>
  );
}

const said = (count: number) => (count > 99 ? '99+' : String(count));

function Item({ me, item, now }: { readonly me: Me; readonly item: InboxItem; readonly now: number }) {
  const { id, kind, projectId, orderId, since, deadlineAt, title, reason, amount, decisions, command } = item;
  const project = me.projects.find((one) => one.id === projectId);
  return (
    <li className="item">
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
          {me.projects.length > 1 && project && <span>{project.name}</span>}
          <span>
            waits for <Since at={since} now={now} />
          </span>
          {deadlineAt !== undefined && (
            <span className={Date.parse(deadlineAt) - now < 3_600_000 ? 'urgent' : ''}>
              due <When at={deadlineAt} now={now} />
            </span>
          )}
        </p>
      </div>
      <div className="sum">{amount && <Amount of={amount} />}</div>
      <div className="do">
        {decisions.length > 0 ? (
          <>
            <p className="effect">
              <b>{decisions[0]!.label}:</b> {decisions[0]!.effect}
            </p>
            <Decisions
              me={me}
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
    </li>
  );
}
