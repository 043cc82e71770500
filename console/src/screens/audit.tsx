import { Link } from '@tanstack/react-router';
import type { AuditLine } from '../api.ts';
import { List } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import { Badge, Head, Id, Time } from '../ui.tsx';

export function Audit() {
  const me = useMe();
  return (
    <>
      <Head
        title="Audit log"
        about="Every decision, here and at the command line. Each entry carries the hash of the one before."
        command="purser audit check"
      />
      <List<AuditLine>
        label="Entries"
        path="/audit"
        hasCsv
        keyOf={({ seq }) => seq}
        empty={{
          title: 'Nothing was decided yet',
          text: 'What you decide in the inbox, or with purser at the command line, is written down here.',
        }}
        columns={[
          { title: 'Nr', kind: 'num', of: ({ seq }) => <span className="faint">{seq}</span> },
          { title: 'When', of: ({ at }) => <Time at={at} /> },
          {
            title: 'Who',
            of: ({ actor }) => (
              <>
                {actor.kind === 'operator' ? actor.name : `${actor.osUser}@${actor.host}`}
                <small className="faint under">
                  {actor.kind === 'operator' ? actor.role : 'command line'}
                </small>
              </>
            ),
          },
          {
            title: 'What',
            of: ({ action, outcome }) => (
              <>
                <code>{action}</code> {outcome !== 'done' && <Badge>{outcome}</Badge>}
              </>
            ),
          },
          {
            title: 'To',
            of: ({ subject, projectId }) => (
              <>
                <Subject text={subject ?? ''} />
                <small className="faint under">{projectName(me, projectId)}</small>
              </>
            ),
          },
          {
            title: 'Why',
            kind: 'wrap',
            of: ({ reason, changed }) => (
              <>
                {reason}
                <small className="faint">
                  <Changes of={changed} />
                </small>
              </>
            ),
          },
        ]}
      />
    </>
  );
}

function Subject({ text }: { readonly text: string }) {
  const [kind = '', id = ''] = text.split(':');
  if (kind === 'order')
    return (
      <Link to="/orders/$id" params={{ id }}>
        order <Id>{id}</Id>
      </Link>
    );
  return (
    <>
      {kind} <Id>{id}</Id>
    </>
  );
}

/** `state: on_hold → refunding`; what is no pair as it is. */
function Changes({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  const say = (value: unknown): string =>
    value !== null && typeof value === 'object'
      ? Object.entries(value)
          .map(([key, one]) => `${key === '*' ? 'all projects' : key}: ${String(one)}`)
          .join(', ') || 'none'
      : String(value);
  return Object.entries(of).map(([name, value]) => (
    <span key={name} className="change">
      {name}:{' '}
      {Array.isArray(value) && value.length === 2
        ? say(value[0]) === say(value[1])
          ? say(value[0])
          : `${say(value[0])} → ${say(value[1])}`
        : say(value)}
    </span>
  ));
}
