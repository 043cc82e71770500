import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import {
  type DeliveryAnswer,
  type DeliveryLine,
  type EndpointLine,
  type EventLine,
  get,
} from '../api.ts';
import { List, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import { Badge, Facts, Head, Id, Loading, Problem, Scroll, Time, useNow, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';

const stateOf = ({ status, disabledReason, failingSince }: EndpointLine) =>
  status === 'disabled'
    ? disabledReason === 'asked'
      ? 'off'
      : 'stopped'
    : failingSince === undefined
      ? 'active'
      : 'failing';

export function Webhooks() {
  return (
    <>
      <Head
        title="Webhooks"
        about="Addresses of shops that are told what happens."
        command="purser webhooks"
      />
      <List<EndpointLine>
        label="Endpoints"
        path="/webhooks"
        filters={[{ name: 'failing', label: 'in trouble' }]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'Nobody is told',
          text: 'A shop registers an address, or you do: purser webhooks create <url>.',
        }}
        columns={[
          {
            title: 'Address',
            kind: 'wrap',
            of: ({ id, url, description }) => (
              <>
                <Link to="/webhooks/$id" params={{ id }}>
                  {url}
                </Link>
                {description !== undefined && <small className="faint under">{description}</small>}
              </>
            ),
          },
          {
            title: 'State',
            of: (line, now) => (
              <>
                <Badge
                  tone={
                    { active: 'good', off: 'plain', failing: 'warn', stopped: 'bad' }[stateOf(line)]
                  }
                >
                  {stateOf(line)}
                </Badge>
                {line.failingSince !== undefined && (
                  <small className="faint under">
                    since <When at={line.failingSince} now={now} />
                  </small>
                )}
              </>
            ),
          },
          { title: 'Events', kind: 'wrap', of: ({ events }) => events?.join(', ') ?? 'all' },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
    </>
  );
}

export function Webhook() {
  const me = useMe();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => get<EndpointLine>(`/webhooks/${id}`),
    refetchInterval: 10_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { url, projectId, status } = found.data;
  const isOn = status === 'enabled';
  return (
    <>
      <Head
        back={<Link to="/webhooks">Webhooks</Link>}
        title={<span className="whole">{url}</span>}
        about={
          <p className="meta">
            <Badge tone={isOn ? 'good' : 'warn'}>{stateOf(found.data)}</Badge>
            {projectName(me, projectId) !== undefined && <span>{projectName(me, projectId)}</span>}
            <code className="whole">{id}</code>
          </p>
        }
        command={`purser webhooks deliveries ${id}`}
      />
      <div className="above">
        <Decisions
          projectId={projectId}
          subject={url}
          decisions={[
            isOn
              ? {
                  rule: 'webhooks.switch',
                  label: 'Turn off',
                  effect:
                    'No money moves. Nothing more is sent to the address; what is pending waits.',
                  params: { endpointId: id, enabled: 'no' },
                }
              : {
                  rule: 'webhooks.switch',
                  label: 'Turn on',
                  effect:
                    'No money moves. What is pending is sent, in order, and what happens from now on.',
                  params: { endpointId: id, enabled: 'yes' },
                },
          ]}
        />
      </div>
      <List<DeliveryLine>
        label="Deliveries"
        path={`/webhooks/${id}/deliveries`}
        hasCsv
        filters={[
          {
            name: 'status',
            label: 'Status',
            options: ['pending', 'retrying', 'delivered', 'failed'],
          },
        ]}
        keyOf={(one) => one.id}
        empty={{ title: 'Nothing was sent yet', text: `Send a test: purser webhooks test ${id}` }}
        columns={[
          { title: 'When', of: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Event',
            of: (one) => (
              <Link to="/deliveries/$id" params={{ id: one.id }}>
                {one.eventType}
              </Link>
            ),
          },
          { title: 'About', of: ({ object }) => <Id>{object}</Id> },
          {
            title: 'Status',
            of: (one) => (
              <>
                <Badge>{one.status}</Badge>{' '}
                {one.kind !== 'event' && <Badge tone="plain">{one.kind}</Badge>}
              </>
            ),
          },
          { title: 'Tries', kind: 'num', of: ({ attemptCount }) => attemptCount },
        ]}
      />
    </>
  );
}

export function Delivery() {
  const now = useNow();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => get<DeliveryAnswer>(`/deliveries/${id}`),
    refetchInterval: 5_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const {
    endpointId,
    projectId,
    eventType,
    status,
    object,
    attempts,
    payload,
    createdAt,
    nextAttemptAt,
  } = found.data;
  return (
    <>
      <Head
        back={
          <Link to="/webhooks/$id" params={{ id: endpointId }}>
            Deliveries
          </Link>
        }
        title={eventType}
        about={
          <p className="meta">
            <Badge>{status}</Badge>
            <code className="whole">{id}</code>
          </p>
        }
        command={`purser webhooks delivery ${id}`}
      />
      {(status === 'failed' || status === 'delivered') && (
        <div className="above">
          <Decisions
            projectId={projectId}
            subject={`${eventType} about ${object}`}
            decisions={[
              {
                rule: 'webhooks.resend',
                label: 'Send again',
                effect: 'No money moves. The shop gets the same event with the same id once more.',
                params: { deliveryId: id },
              },
            ]}
          />
        </div>
      )}
      <div className="columns">
        <section>
          <h2>Attempts</h2>
          {attempts.length === 0 ? (
            <p className="faint">None yet: it waits for its turn.</p>
          ) : (
            <Scroll label="Attempts">
              <table>
                <thead>
                  <tr>
                    <th>When</th>
                    <th>Answer</th>
                    <th className="num">Took</th>
                    <th>What it said</th>
                  </tr>
                </thead>
                <tbody>
                  {attempts.map(({ at, statusCode, durationMs, error, answer }) => (
                    <tr key={at}>
                      <td data-label="When">
                        <Time at={at} />
                      </td>
                      <td data-label="Answer">
                        <Badge tone={statusCode !== undefined && statusCode < 300 ? 'good' : 'bad'}>
                          {String(statusCode ?? 'none')}
                        </Badge>
                      </td>
                      <td className="num" data-label="Took">
                        {durationMs} ms
                      </td>
                      <td className="wrap" data-label="Said">
                        {error ?? answer ?? ''}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
          <h2 className="next">Body</h2>
          <Body of={payload} />
        </section>
        <aside>
          <h2>Facts</h2>
          <Facts
            rows={[
              ['About', <code key="about">{object}</code>],
              ['Made', <When key="made" at={createdAt} now={now} />],
              nextAttemptAt !== undefined && [
                'Next try',
                <When key="next" at={nextAttemptAt} now={now} />,
              ],
            ]}
          />
        </aside>
      </div>
    </>
  );
}

// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
const Body = ({ of }: { readonly of: unknown }) => (
  <pre className="body" tabIndex={0}>
    {JSON.stringify(of, null, 2)}
  </pre>
);

export function Events() {
  const { eventTypes } = useMe();
  const { object } = useAddress().search;
  return (
    <>
      <Head
        title="Events"
        about="Everything that shops may hear of, as it happens."
        command="purser listen --to http://localhost:4000/hooks"
      />
      <List<EventLine>
        label="Events"
        path="/events"
        filters={[
          { name: 'type', label: 'Type', options: eventTypes },
          { name: 'object', label: 'About', kind: 'text' },
        ]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'Nothing has happened yet',
          text: `${object === undefined ? '' : 'About this nothing. '}Make an order: npm run demo:onramp.`,
        }}
        columns={[
          { title: 'When', of: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Type',
            of: ({ type: one, isChanged }) => (
              <>
                {one}
                {isChanged && <span className="attention">not made by this service</span>}
              </>
            ),
          },
          {
            title: 'About',
            of: ({ object: one }) => {
              const [kind, id] = one.split(':');
              return kind === 'order' && id !== undefined ? (
                <Link to="/orders/$id" params={{ id }}>
                  order <Id>{id}</Id>
                </Link>
              ) : (
                <Id>{one}</Id>
              );
            },
          },
          {
            title: 'Body',
            kind: 'wrap',
            of: ({ payload }) => (
              <details>
                <summary>show</summary>
                <Body of={payload} />
              </details>
            ),
          },
        ]}
      />
    </>
  );
}
