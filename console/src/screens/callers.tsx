import { Link } from '@tanstack/react-router';
import type { IssuerLine, KeyLine, ProjectLine } from '../api.ts';
import { List } from '../list.tsx';
import { Badge, Head, Id, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';

/** Lists that a project's line leads to. */
const ofProject = [
  ['/orders', 'orders'],
  ['/users', 'users'],
  ['/keys', 'keys'],
  ['/issuers', 'issuers'],
] as const;

export function Projects() {
  return (
    <>
      <Head
        title="Projects"
        about="Shops that this instance serves, the newest first. Each has its own money, users and keys."
        command="purser projects list"
      />
      <List<ProjectLine>
        label="Projects"
        path="/projects"
        keyOf={({ id }) => id}
        empty={{ title: 'No projects yet', text: 'Make one: purser projects create "My shop".' }}
        columns={[
          {
            title: 'Name',
            kind: 'wrap',
            of: ({ id, name }) => (
              <Link to="/projects/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          { title: 'Id', of: ({ id }) => <Id>{id}</Id> },
          { title: 'You are', of: ({ role }) => <Badge tone="plain">{role}</Badge> },
          {
            title: 'What it has',
            of: ({ id }) => (
              <span className="links">
                {ofProject.map(([to, title]) => (
                  <Link key={to} to={to} search={{ project: id } as never}>
                    {title}
                  </Link>
                ))}
              </span>
            ),
          },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
    </>
  );
}

const scopesShown = 3;

/** The first few, and the rest to open. */
function Few({ of, none }: { readonly of: readonly string[]; readonly none: string }) {
  if (of.length === 0) return <span className="faint">{none}</span>;
  if (of.length <= scopesShown) return <>{of.join(', ')}</>;
  return (
    <details>
      <summary>
        {of.slice(0, scopesShown).join(', ')} and {of.length - scopesShown} more
      </summary>
      {of.slice(scopesShown).join(', ')}
    </details>
  );
}

export function Keys() {
  return (
    <>
      <Head
        title="API keys"
        about="What programs of shops call with. Nobody sees a key again after it was made: it is known here by how it ends."
        command="purser keys list"
      />
      <List<KeyLine>
        label="API keys"
        path="/keys"
        hasCsv
        filters={[
          { name: 'kind', label: 'Kind', options: ['server', 'client'] },
          { name: 'state', label: 'State', options: ['active', 'ended'] },
        ]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'No keys yet',
          text: 'Nobody can call. Make one: purser keys create --kind server.',
        }}
        columns={[
          {
            title: 'Key',
            kind: 'wrap',
            of: ({ id, name, hint, kind }) => (
              <>
                {name}
                <small className="faint under">
                  {kind}, ends with <code>{hint}</code> · <Id>{id}</Id>
                </small>
              </>
            ),
          },
          {
            title: 'State',
            of: ({ state, revokedAt, isChanged }, now) => (
              <>
                <Badge tone={{ active: 'good', ending: 'warn', ended: 'plain' }[state]}>
                  {state}
                </Badge>
                {revokedAt !== undefined && (
                  <small className="faint under">
                    <When at={revokedAt} now={now} />
                  </small>
                )}
                {isChanged && <span className="attention">changed behind the service</span>}
              </>
            ),
          },
          { title: 'May', kind: 'wrap', of: ({ scopes }) => <Few of={scopes} none="nothing" /> },
          {
            title: 'From',
            kind: 'wrap',
            of: ({ kind, allowedOrigins }) =>
              kind === 'server' ? 'anywhere' : <Few of={allowedOrigins} none="no page" />,
          },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
          {
            title: 'Decide',
            of: ({ id, projectId, name, hint, state }) =>
              state !== 'ended' && (
                <Decisions
                  projectId={projectId}
                  subject={`${name}, ends with ${hint}`}
                  decisions={[
                    {
                      rule: 'keys.revoke',
                      label: 'Revoke',
                      effect:
                        'No money moves. Within seconds nobody can call with this key any more, and it never comes back: make a new one first where programs use it.',
                      params: { keyId: id },
                    },
                  ]}
                />
              ),
          },
        ]}
      />
    </>
  );
}

const days = (seconds: number) =>
  seconds >= 86_400 ? `${Math.round(seconds / 86_400)} days` : `${Math.round(seconds / 60)} min`;

export function Issuers() {
  return (
    <>
      <Head
        title="Issuers"
        about="Who vouches for the users of a project: whoever has an issuer’s key can sign in as any of them."
        command="purser issuers list"
      />
      <List<IssuerLine>
        label="Issuers"
        path="/issuers"
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'Nobody vouches for users yet',
          text: 'Client keys need one: purser issuers add <iss> --jwks-url <address>.',
        }}
        columns={[
          {
            title: 'Issuer',
            kind: 'wrap',
            of: ({ issuer, isChanged }) => (
              <>
                {issuer}
                {isChanged && (
                  <span className="attention">
                    changed behind the service: it vouches for nobody
                  </span>
                )}
              </>
            ),
          },
          { title: 'For', kind: 'wrap', of: ({ audiences }) => audiences.join(', ') },
          {
            title: 'Key',
            kind: 'wrap',
            of: ({ algorithm, jwksUrl, keys }) => (
              <>
                {algorithm}
                <small className="faint under">
                  {jwksUrl ?? `${keys ?? 0} ${keys === 1 ? 'key' : 'keys'} kept here`}
                </small>
              </>
            ),
          },
          {
            title: 'Its users',
            kind: 'wrap',
            of: ({ rules: { namespace, vouchesForEmail, ageMaxSeconds } }) => (
              <>
                <code>{namespace === '' ? 'userId:…' : `userId:${namespace}|…`}</code>
                <small className="faint under">
                  {vouchesForEmail ? 'e-mail addresses count' : 'e-mail addresses do not count'},
                  for {days(ageMaxSeconds)}
                </small>
              </>
            ),
          },
          { title: 'Trusted', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
          {
            title: 'Decide',
            of: ({ id, projectId, issuer }) => (
              <Decisions
                projectId={projectId}
                subject={issuer}
                decisions={[
                  {
                    rule: 'issuers.remove',
                    label: 'Trust no more',
                    effect:
                      'No money moves. From the next call on no token of this issuer counts: its users cannot sign in until it is added again.',
                    params: { issuerId: id },
                  },
                ]}
              />
            ),
          },
        ]}
      />
    </>
  );
}
