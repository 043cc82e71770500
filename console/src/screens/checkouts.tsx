import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { addressOf, type CheckoutAnswer, type CheckoutLine, get } from '../api.ts';
import { List, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Badge,
  Facts,
  formatMinor,
  Head,
  Id,
  Loading,
  Problem,
  spelled,
  Timeline,
  type TimelineEvent,
  useNow,
  When,
  words,
} from '../ui.tsx';
import { Waiting } from './order.tsx';

const statuses = ['queued', 'running', 'awaiting_user_action', 'succeeded', 'failed', 'cancelled'];

/** The shop, as its address says it: text of others, never a link. */
function shopOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return url;
  }
}

export function Checkouts() {
  const { status, unknown } = useAddress().search;
  return (
    <>
      <Head
        title="Checkouts"
        about="Purchases that agents make for users, the newest first."
        command={`purser checkouts list${status ? ` --status ${status}` : ''}${unknown ? ' --unknown' : ''}`}
      />
      <List<CheckoutLine>
        label="Checkouts"
        path="/checkouts"
        hasCsv
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          { name: 'unknown', label: 'with an unknown end' },
        ]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'No checkouts yet',
          text: 'Let an agent buy something in the sandbox: npm run demo:checkout.',
        }}
        columns={[
          {
            title: 'Checkout',
            of: ({ id }) => (
              <Link to="/checkouts/$id" params={{ id }}>
                <Id>{id}</Id>
              </Link>
            ),
          },
          { title: 'Shop', kind: 'wrap', of: ({ target }) => shopOf(target.url) },
          { title: 'Status', of: ({ status: now }) => <Badge>{now}</Badge> },
          { title: 'Last step', of: ({ step }) => words(step) },
          {
            title: 'Order at the shop',
            of: ({ outcome, failure }) => (
              <>
                {outcome === undefined ? (
                  '–'
                ) : (
                  <Badge tone={outcome === 'unknown' ? 'warn' : undefined}>{outcome}</Badge>
                )}
                {failure?.message !== undefined && (
                  <span className="attention">{String(failure.message)}</span>
                )}
              </>
            ),
          },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
    </>
  );
}

export function Checkout() {
  const me = useMe();
  const now = useNow();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['checkout', id],
    queryFn: () => get<CheckoutAnswer>(`/checkouts/${id}`),
    refetchInterval: 5_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { checkout, permit, waiting, cards, decision } = found.data;
  const { failure, receipt, constraints } = checkout;
  return (
    <>
      <Head
        back={<Link to="/checkouts">Checkouts</Link>}
        title={shopOf(checkout.target.url)}
        about={
          <p className="meta">
            <Badge>{checkout.status}</Badge>
            {checkout.outcome !== undefined && (
              <Badge tone={checkout.outcome === 'unknown' ? 'warn' : undefined}>
                {checkout.outcome}
              </Badge>
            )}
            <code className="whole">{checkout.id}</code>
          </p>
        }
        command={`purser checkouts show ${checkout.id}`}
      />
      {waiting && <Waiting item={waiting} reason={waiting.reason} />}
      {!waiting && failure && (
        <p className="waiting reason">
          It stopped at “{words(checkout.step)}”: {String(failure.message ?? failure.reason ?? '')}
        </p>
      )}
      <div className="columns">
        <section>
          <h2>What happened</h2>
          <Timeline events={eventsOf(found.data)} />
        </section>
        <aside>
          <h2>Facts</h2>
          <Facts
            rows={[
              ['Product', <code key="url">{checkout.target.url}</code>],
              checkout.target.request !== undefined && ['Asked for', checkout.target.request],
              ['Last step', words(checkout.step)],
              ...factsOf(constraints ?? {}),
              permit !== undefined && [
                'May pay',
                `${permit.amount} ${permit.currency.toUpperCase()} at ${permit.origin}`,
              ],
              ['Made', <When key="made" at={checkout.createdAt} now={now} />],
              checkout.endedAt !== undefined && [
                'Ended',
                <When key="ended" at={checkout.endedAt} now={now} />,
              ],
              me.projects.length > 1 && ['Project', projectName(me, checkout.projectId)],
              decision !== undefined && [
                'Decided',
                `${decision.outcome} by ${decision.by}: ${decision.note}`,
              ],
            ]}
          />
          {cards.length > 0 && (
            <>
              <h2>Cards</h2>
              <Facts
                rows={cards.map(({ nr, source, limit, closedAt }) => [
                  `Nr ${nr}, ${source}`,
                  `up to ${limit.amount} ${limit.currency.toUpperCase()}${closedAt === undefined ? '' : ', closed'}`,
                ])}
              />
            </>
          )}
          {receipt && (
            <>
              <h2>Receipt</h2>
              <Facts rows={factsOf(receipt)} />
            </>
          )}
        </aside>
      </div>
    </>
  );
}

type Told = Readonly<Record<string, unknown>>;

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** An amount as one. */
function amountIn(value: unknown): string | undefined {
  const { amount, currency, ...rest } = value as Told;
  const isAmount = amount !== undefined && currency !== undefined && Object.keys(rest).length === 0;
  return isAmount ? `${String(amount)} ${String(currency).toUpperCase()}` : undefined;
}

const isTold = (value: unknown): value is Told =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A list as its parts, a time as one. */
function say(value: unknown): string {
  if (Array.isArray(value)) return value.map(say).join(', ');
  if (isTold(value)) return amountIn(value) ?? JSON.stringify(value);
  return isoTime.test(String(value)) ? new Date(String(value)).toLocaleString() : String(value);
}

/** Names and values in words; what is within something stands beside it. */
function factsOf(told: Told): readonly (readonly [name: string, value: string])[] {
  return Object.entries(told).flatMap(([name, value]) =>
    isTold(value) && amountIn(value) === undefined
      ? factsOf(value)
      : [[spelled(name), say(value)] as const],
  );
}

/** What a step found: a total is written in the smallest unit, beside its currency. */
function foundAt(detail: Told): readonly (readonly [name: string, value: string])[] {
  const { total, currency, ...rest } = detail;
  if (typeof currency !== 'string' || !/^-?\d+$/.test(String(total))) return factsOf(detail);
  return factsOf({
    total: { amount: formatMinor(String(total), decimalsOf(currency)), currency },
    ...rest,
  });
}

function decimalsOf(currency: string): number {
  try {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions();
    return maximumFractionDigits ?? 0;
  } catch {
    return 0;
  }
}

type Step = CheckoutAnswer['steps'][number];

/**
 * What a step did and its picture are written one after the other, often with others between: they
 * are one line here, as they are where its user sees them again.
 */
function joined(steps: readonly Step[]): readonly (Step & { readonly pictureNr?: number })[] {
  const lines: (Step & { pictureNr?: number })[] = [];
  for (const entry of steps) {
    const line =
      entry.hasPicture &&
      lines.findLast(({ step, pictureNr }) => step === entry.step && pictureNr === undefined);
    if (line) line.pictureNr = entry.nr;
    else lines.push({ ...entry, ...(entry.hasPicture && { pictureNr: entry.nr }) });
  }
  return lines;
}

/** Steps with their evidence, what the user was shown and asked, in one list. */
function eventsOf({
  checkout,
  steps,
  progress,
  actions,
}: CheckoutAnswer): readonly TimelineEvent[] {
  const events: TimelineEvent[] = [
    ...joined(steps).map(({ nr, step, at, url, detail, pictureNr }) => ({
      key: `step ${nr}`,
      at,
      kind: 'state',
      title: (
        <>
          <b>{words(step)}</b> {url !== undefined && <code>{url}</code>}
        </>
      ),
      detail: (detail || pictureNr !== undefined) && (
        <>
          {detail &&
            foundAt(detail).map(([name, value]) => (
              <span className="change" key={name}>{`${name}: ${value}`}</span>
            ))}
          {pictureNr !== undefined && (
            <img
              className="picture"
              loading="lazy"
              src={addressOf(`/checkouts/${checkout.id}/pictures/${pictureNr}`)}
              alt={`The page at “${words(step)}”`}
            />
          )}
        </>
      ),
    })),
    ...progress.map(({ title, message, createdAt }, index) => ({
      key: `told ${index}`,
      at: createdAt,
      kind: 'books',
      title: <>The user was told: {title}</>,
      detail: message,
    })),
    ...actions.map(({ kind, status, createdAt }, index) => ({
      key: `asked ${index}`,
      at: createdAt,
      kind: 'money',
      title: (
        <>
          The user was asked: {words(kind)} <Badge>{status}</Badge>
        </>
      ),
    })),
  ];
  return events.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}
