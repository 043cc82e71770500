import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AuditLine, get, type Me, type Page } from '../api.ts';
import { Badge, Command, Empty, Id, Loading, Pager, Problem, Time } from '../ui.tsx';

export interface AuditSearch {
  readonly project?: string | undefined;
  readonly cursor?: string | undefined;
}

export function Audit({ me, search, go }: { readonly me: Me; readonly search: AuditSearch; readonly go: (search: AuditSearch) => void }) {
  const { project, cursor } = search;
  const list = useQuery({
    queryKey: ['audit', project, cursor],
    queryFn: () => get<Page<AuditLine>>('/audit', { project, cursor }),
    placeholderData: (before) => before,
  });
  return (
    <>
      <header className="head">
        <div>
          <h1>Audit log</h1>
          <p className="faint">Every decision, here and at the command line. Each entry carries the hash of the one before.</p>
        </div>
        <Command>purser audit check</Command>
      </header>
      {list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : list.data.items.length === 0 ? (
        <Empty title="Nothing was decided yet">
          What you decide in the inbox, or with purser at the command line, is written down here.
        </Empty>
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th className="num">Nr</th>
                <th>When</th>
                <th>Who</th>
                <th>What</th>
                <th>To</th>
                <th>Why, and what it changed</th>
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((line) => (
                <tr key={line.seq}>
                  <td className="num faint" data-label="Nr">
                    {line.seq}
                  </td>
                  <td data-label="When">
                    <Time at={line.at} />
                  </td>
                  <td data-label="Who">
                    {line.actor.kind === 'operator' ? line.actor.name : `${line.actor.osUser}@${line.actor.host}`}
                    <small className="faint under">{line.actor.kind === 'operator' ? line.actor.role : 'command line'}</small>
                  </td>
                  <td data-label="What">
                    <code>{line.action}</code> {line.outcome !== 'done' && <Badge>{line.outcome}</Badge>}
                  </td>
                  <td data-label="To">
                    <Subject text={line.subject ?? ''} />
                    {me.projects.length > 1 && (
                      <small className="faint under">{me.projects.find(({ id }) => id === line.projectId)?.name ?? ''}</small>
                    )}
                  </td>
                  <td className="wrap" data-label="Why">
                    {line.reason}
                    <small className="faint">
                      <Changes of={line.changed} />
                    </small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager hasCursor={cursor !== undefined} nextCursor={list.data?.nextCursor} onGo={(next) => go({ project, cursor: next })} />
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
