import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get, type UserAnswer, type UserLine } from '../api.ts';
import { List } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Badge,
  Facts,
  grouped,
  Head,
  Id,
  Loading,
  Problem,
  Scroll,
  spelled,
  Used,
  useNow,
  When,
} from '../ui.tsx';
import { Decisions } from './decide.tsx';

export function Users() {
  return (
    <>
      <Head
        title="Users"
        about="End users of shops by the name that the shop gave them, the newest first. What is known of them is sealed, and not shown."
        command="purser users list"
      />
      <List<UserLine>
        label="Users"
        path="/users"
        filters={[{ name: 'find', label: 'E-mail, locator or id', kind: 'text' }]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'No users yet',
          text: (
            <>
              A shop names them: <code>PUT /users/userId:alice</code>, or its first call with a
              user’s token does.
            </>
          ),
        }}
        columns={[
          {
            title: 'User',
            kind: 'wrap',
            of: ({ id, locator, isChanged }) => (
              <>
                <Link to="/users/$id" params={{ id }}>
                  {locator ?? <Id>{id}</Id>}
                </Link>
                {isChanged && (
                  <span className="attention">
                    cannot be opened: changed, or its key is missing
                  </span>
                )}
              </>
            ),
          },
          {
            title: 'Data',
            of: ({ hasData }) => (hasData ? <Badge tone="plain">given</Badge> : '–'),
          },
          { title: 'Id', of: ({ id }) => <Id>{id}</Id> },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
    </>
  );
}

export function User() {
  const me = useMe();
  const now = useNow();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['user', id],
    queryFn: () => get<UserAnswer>(`/users/${id}`),
    refetchInterval: 30_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { user, eligibility, limits } = found.data;
  return (
    <>
      <Head
        back={<Link to="/users">Users</Link>}
        title={<span className="whole">{user.locator}</span>}
        about={
          <p className="meta">
            <code className="whole">{id}</code>
          </p>
        }
        command={`purser users sign-out ${user.locator}`}
      />
      <div className="above">
        <Decisions
          projectId={user.projectId}
          subject={user.locator}
          decisions={[
            {
              rule: 'users.sign-out',
              label: 'Sign out',
              effect:
                'No money moves. Every session of the user ends within seconds, here and at the vault; signing in again is possible.',
              params: { locator: user.locator },
            },
            {
              rule: 'users.erase',
              label: 'Erase',
              effect:
                'It cannot be undone. Data, documents, links and payment methods of the user are gone, here and at the vault, and the identity company is asked to redact its inquiries. Wallets keep the name, since they hold money; orders keep their amounts. While money of the user is on its way it is refused.',
              params: { locator: user.locator },
            },
          ]}
        />
      </div>
      <div className="columns">
        <div className="groups">
          <section>
            <h2>What the user is verified for</h2>
            <Eligibility rows={eligibility} />
          </section>
          <section>
            <h2>Limits, and what is used of them</h2>
            <Limits rows={limits} />
          </section>
          <section>
            <h2>What the user has</h2>
            <p className="links">
              <Link to="/orders" search={{ user: id } as never}>
                Orders
              </Link>
              {user.locators.map((locator) => (
                <Link key={locator} to="/wallets" search={{ find: locator } as never}>
                  Wallets of {locator}
                </Link>
              ))}
            </p>
          </section>
        </div>
        <aside>
          <h2>Facts</h2>
          <Facts
            rows={[
              ['Names', user.locators.join(', ') || '–'],
              ['Data', user.data.map(spelled).join(', ') || 'none given'],
              ['Documents', user.documents.map(spelled).join(', ') || 'none'],
              ...user.legalDocuments.map(
                ({ type, acceptedAt, isInForce }) =>
                  [
                    `Accepted ${spelled(type)}`,
                    <span key={type}>
                      <When at={acceptedAt} now={now} />
                      {!isInForce && <span className="attention">an older version</span>}
                    </span>,
                  ] as const,
              ),
              ['Made', <When key="made" at={user.createdAt} now={now} />],
              me.projects.length > 1 && ['Project', projectName(me, user.projectId)],
            ]}
          />
        </aside>
      </div>
    </>
  );
}

const tones: Readonly<Record<string, string>> = {
  verified: 'good',
  rejected: 'bad',
  'requires-data': 'warn',
  'pending-review': 'warn',
};

function Eligibility({ rows }: { readonly rows: UserAnswer['eligibility'] }) {
  return (
    <Scroll label="What the user is verified for">
      <table>
        <thead>
          <tr>
            <th>For</th>
            <th>State</th>
            <th>What is missing</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ type, status, missingData = [], missingDocuments = [] }) => (
            <tr key={type}>
              <td data-label="For">{spelled(type)}</td>
              <td data-label="State">
                <Badge tone={tones[status] ?? 'plain'}>{status}</Badge>
              </td>
              <td className="wrap" data-label="Missing">
                {[...missingData, ...missingDocuments].map(spelled).join(', ') || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Limits({ rows }: { readonly rows: UserAnswer['limits'] }) {
  if (rows.length === 0)
    return <p className="faint">None: the project has set no limits for orders.</p>;
  return (
    <Scroll label="Limits">
      <table>
        <thead>
          <tr>
            <th>Limit</th>
            <th>Used, in USD</th>
            <th className="num">Begins anew</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify(row)}>
              <td data-label="Limit">
                {row.period === 'single' ? 'one order' : row.period}
                <small className="faint under">
                  {[
                    row.subject === 'user' ? 'this user' : 'all users',
                    row.kind,
                    row.method,
                    row.token,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </small>
              </td>
              <td data-label="Used">
                {row.period === 'single' ? (
                  `at most ${grouped(row.limit)}`
                ) : (
                  <Used used={row.used} limit={row.limit} />
                )}
              </td>
              <td className="num" data-label="Begins anew">
                {row.period === 'single' ? '–' : `in ${row.hoursUntilReset} h`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
