import { useQuery } from '@tanstack/react-query';
import { type ChainHealth, get, type Health as HealthAnswer, type HealthHours } from '../api.ts';
import {
  Amount,
  Badge,
  Command,
  Head,
  Id,
  Loading,
  Problem,
  Scroll,
  Since,
  useNow,
  When,
  words,
} from '../ui.tsx';

/** How the instance goes as a whole. */
export function Health() {
  const now = useNow();
  const health = useQuery({
    queryKey: ['health'],
    queryFn: () => get<HealthAnswer>('/health'),
    refetchInterval: 10_000,
  });
  return (
    <>
      <Head
        title="Health"
        about="The database, the networks that somebody follows or sends on, and work that has stopped."
        command="purser chains status"
      />
      {health.isError ? (
        <Problem error={health.error} retry={() => void health.refetch()} />
      ) : health.isPending ? (
        <Loading />
      ) : (
        <div className="groups">
          <section>
            <h2>Ready</h2>
            <p className="meta">
              {Object.entries(health.data.readiness.checks).map(([name, answer]) => (
                <span key={name}>
                  {name} <Badge tone={answer === 'ok' ? 'good' : 'bad'}>{answer}</Badge>
                </span>
              ))}
            </p>
          </section>
          <section>
            <h2>Networks</h2>
            {health.data.chains.length === 0 ? (
              <p className="faint">
                None is followed yet: each starts with its first wallet or order.
              </p>
            ) : (
              <Networks chains={health.data.chains} />
            )}
          </section>
          <section>
            <h2>Companies and nodes</h2>
            {health.data.providers.length === 0 ? (
              <p className="faint">
                None was called within two days. Nodes, acquirer, bank and others stand here, with
                how many calls had no usable answer.
              </p>
            ) : (
              <Providers rows={health.data.providers} now={now} />
            )}
          </section>
          <Hours />
          <section>
            <h2>Queues</h2>
            <Queues health={health.data} />
          </section>
          <section>
            <h2>Work that fails, and is tried again</h2>
            {health.data.failing.length === 0 ? (
              <p className="faint">
                None. A company or node that does not answer stands here, with what it said.
              </p>
            ) : (
              <Failing rows={health.data.failing} now={now} />
            )}
          </section>
          <section>
            <h2>Work that has stopped</h2>
            {health.data.stopped.length === 0 ? (
              <p className="faint">
                None. What fails is tried again by itself; what failed too often would stand here.
              </p>
            ) : (
              <Stopped rows={health.data.stopped} now={now} />
            )}
          </section>
        </div>
      )}
    </>
  );
}

const span = (ms: number) =>
  ms < 1_000
    ? 'at once'
    : ms < 120_000
      ? `${Math.round(ms / 1_000)} s`
      : `${Math.round(ms / 60_000)} min`;

/** What waits for its turn, and what was given up on; each says how long the oldest waits. */
function Queues({ health: { due, readers, webhooks } }: { readonly health: HealthAnswer }) {
  const rows = [
    ...due.map(({ kind, due: count, oldestMs }) => ({
      name: words(kind),
      count,
      state: `the oldest for ${span(oldestMs)}`,
      isBad: oldestMs > 60_000,
    })),
    ...readers.map(({ name, behind, parked, lastError }) => ({
      name: `news for ${words(name)}`,
      count: behind,
      state:
        parked > 0
          ? `${parked} parked: ${lastError ?? 'purser outbox parked says why'}`
          : 'none parked',
      isBad: parked > 0,
    })),
    {
      name: 'webhooks',
      count: webhooks.due,
      state: `${webhooks.waiting} wait for their next try`,
      isBad: webhooks.oldestDueMs > 60_000,
    },
  ];
  return (
    <Scroll label="Queues">
      <table>
        <thead>
          <tr>
            <th>Queue</th>
            <th className="num">Due</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, state, isBad }) => (
            <tr key={name}>
              <td data-label="Queue">{name}</td>
              <td className="num" data-label="Due">
                {count}
              </td>
              <td className="wrap" data-label="State">
                {isBad ? (
                  <span className="attention">{state}</span>
                ) : (
                  <span className="faint">{state}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The last two days, hour by hour. */
function Hours() {
  const found = useQuery({
    queryKey: ['health-hours'],
    queryFn: () => get<HealthHours>('/health/hours'),
    refetchInterval: 60_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { since, orders, events } = found.data;
  return (
    <section className="plots">
      <Plot title="Orders made" counts={orders} since={since} />
      <Plot title="Events" counts={events} since={since} />
    </section>
  );
}

const hourMs = 3_600_000;

function Plot({
  title,
  counts,
  since,
}: {
  readonly title: string;
  readonly counts: readonly number[];
  readonly since: string;
}) {
  const most = Math.max(...counts, 1);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const timeOf = (index: number) =>
    new Date(Date.parse(since) + index * hourMs).toLocaleString(undefined, {
      weekday: 'short',
      hour: '2-digit',
    });
  return (
    <figure>
      <figcaption>
        <b>{title}</b>{' '}
        <span className="faint">
          {total} in two days, {counts.at(-1)} in this hour
        </span>
      </figcaption>
      <svg
        className="plot"
        viewBox={`0 0 ${counts.length * 4} 60`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} by the hour since ${timeOf(0)}: at most ${most}, ${total} in all`}
      >
        {counts.map((count, index) => {
          const height = count === 0 ? 0.75 : Math.max((count / most) * 58, 2);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place.
            <rect key={index} x={index * 4 + 0.5} y={60 - height} width="3" height={height}>
              <title>{`${timeOf(index)}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="between faint">
        <small>{timeOf(0)}</small>
        <small>now</small>
      </p>
    </figure>
  );
}

function troubleOf({ failure, watch, relay }: ChainHealth): string | undefined {
  return (
    failure ??
    watch?.failure ??
    watch?.alarm ??
    relay?.alarm ??
    (watch?.stalled
      ? `no node has answered for ${Math.floor(watch.silentMs / 1_000)} s`
      : undefined)
  );
}

function Networks({ chains }: { readonly chains: readonly ChainHealth[] }) {
  return (
    <Scroll label="Networks">
      <table>
        <thead>
          <tr>
            <th>Network</th>
            <th>State</th>
            <th className="num">Behind</th>
            <th className="num">Waiting</th>
            <th className="num">Under way</th>
            <th>Who pays the fees</th>
          </tr>
        </thead>
        <tbody>
          {chains.map((one) => (
            <tr key={one.chain}>
              <td data-label="Network">{one.chain}</td>
              <td data-label="State">
                <State of={one} />
              </td>
              <td className="num" data-label="Behind">
                {one.watch?.followed ? `${one.watch.lagBlocks} blocks` : '–'}
                {one.watch?.followed && (
                  <small className="faint under">
                    heard {one.watch.silentMs < 1_000 ? 'now' : `${span(one.watch.silentMs)} ago`}
                  </small>
                )}
              </td>
              <td className="num" data-label="Waiting">
                {one.relay?.queued ?? '–'}
              </td>
              <td className="num" data-label="Under way">
                {one.relay?.inFlight ?? '–'}
              </td>
              <td className="wrap" data-label="Pays fees">
                <Accounts of={one} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function State({ of }: { readonly of: ChainHealth }) {
  const trouble = troubleOf(of);
  if (trouble === undefined)
    return (
      <Badge tone={of.watch?.followed ? 'good' : 'plain'}>
        {of.watch?.followed ? 'followed' : 'not followed'}
      </Badge>
    );
  return (
    <>
      <Badge tone="bad">needs a look</Badge>
      <span className="attention">{trouble}</span>
    </>
  );
}

function Accounts({ of }: { readonly of: ChainHealth }) {
  return (of.relay?.accounts ?? []).map(({ address, role, balance, currency, alarm }) => (
    <span className="change" key={`${role} ${address}`}>
      {role} <Id>{address}</Id>{' '}
      {balance !== undefined && (
        <Amount isRough of={{ amount: balance, currency: currency ?? '' }} />
      )}
      {alarm !== undefined && <span className="attention">{alarm}</span>}
    </span>
  ));
}

/** Of a hundred calls, how many had no usable answer. */
const shareOf = ({ calls, failures }: HealthAnswer['providers'][number]['hour']) =>
  failures === 0
    ? `none of ${calls}`
    : `${failures} of ${calls} (${((failures / calls) * 100).toFixed(1)} %)`;

function Providers({
  rows,
  now,
}: {
  readonly rows: HealthAnswer['providers'];
  readonly now: number;
}) {
  return (
    <Scroll label="Companies and nodes">
      <table>
        <thead>
          <tr>
            <th>Who is called</th>
            <th>Failed in the last hour</th>
            <th>Failed in two days</th>
            <th>Last failure</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ provider, hour, twoDays, lastFailureAt }) => (
            <tr key={provider}>
              <td data-label="Who">{provider}</td>
              <td data-label="In the last hour">
                <span className={hour.failures > 0 ? 'attention' : 'faint'}>{shareOf(hour)}</span>
              </td>
              <td data-label="In two days">
                <span className="faint">{shareOf(twoDays)}</span>
              </td>
              <td data-label="Last failure">
                {lastFailureAt === undefined ? '–' : <LastFailure at={lastFailureAt} now={now} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Calls are counted by ten minutes, of which only the start is known. */
function LastFailure({ at, now }: { readonly at: string; readonly now: number }) {
  if (now - Date.parse(at) >= hourMs) return <When at={at} now={now} />;
  return (
    <>
      in the last <Since at={at} now={now} />
    </>
  );
}

function Failing({ rows, now }: { readonly rows: HealthAnswer['failing']; readonly now: number }) {
  return (
    <Scroll label="Work that fails">
      <table>
        <thead>
          <tr>
            <th>Work</th>
            <th className="num">How many</th>
            <th>Last</th>
            <th>What went wrong</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, lastError, count, lastAt }) => (
            <tr key={`${kind} ${lastError}`}>
              <td data-label="Work">{words(kind)}</td>
              <td className="num" data-label="How many">
                {count}
              </td>
              <td data-label="Last">
                <When at={lastAt} now={now} />
              </td>
              <td className="wrap" data-label="What went wrong">
                {lastError}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Stopped({ rows, now }: { readonly rows: HealthAnswer['stopped']; readonly now: number }) {
  return (
    <Scroll label="Work that has stopped">
      <table>
        <thead>
          <tr>
            <th>Work</th>
            <th>Step</th>
            <th className="num">Tries</th>
            <th>Since</th>
            <th>Last error, and how to go on</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td data-label="Work">{words(row.kind)}</td>
              <td data-label="Step">{row.step}</td>
              <td className="num" data-label="Tries">
                {row.attempts}
              </td>
              <td data-label="Since">
                <When at={row.updatedAt} now={now} />
              </td>
              <td className="wrap" data-label="Error">
                {row.lastError}
                <Command>{`purser jobs retry ${row.id}`}</Command>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
