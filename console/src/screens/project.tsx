import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get, type ProjectAnswer } from '../api.ts';
import { Badge, Facts, Head, Loading, Problem, useNow, When } from '../ui.tsx';
import { Decisions } from './decide.tsx';

/** What of the approval page can be said anew, each by itself; an empty one is left as it is. */
const pageAsks = [
  ['name', 'Name'],
  ['logo', 'Address of a logo'],
  ['accent', 'Colour on light, e.g. #0a6b57'],
  ['accentDark', 'Colour on dark, e.g. #5fd3b5'],
  ['frameOrigins', 'Pages that may hold it, with commas'],
  ['passkeyDomain', 'Domain of the passkeys'],
] as const;

export function Project() {
  const now = useNow();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['project', id],
    queryFn: () => get<ProjectAnswer>(`/projects/${id}`),
    refetchInterval: 10_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { project, approvalPage: page, hasIdentity, comparison } = found.data;
  return (
    <>
      <Head
        back={<Link to="/projects">Projects</Link>}
        title={project.name}
        about={
          <p className="meta">
            <Badge tone="plain">{project.role}</Badge>
            <code className="whole">{id}</code>
          </p>
        }
        command={`purser approval-page show --project ${id}`}
      />
      <div className="groups narrow">
        <section className="card">
          <h2>The page on which its users approve</h2>
          <Facts
            rows={[
              ['Name', page.name ?? 'Purser'],
              ['Logo', page.hasLogo ? 'its own' : 'none'],
              ['Colours', [page.accent, page.accentDark].filter(Boolean).join(', ') || 'ours'],
              ['In frames of', page.frameOrigins.join(', ') || 'no page'],
              ['Passkeys for', page.passkeyDomain ?? 'the host of this service'],
            ]}
          />
          <div className="above">
            <Decisions
              projectId={id}
              subject={project.name}
              decisions={[
                {
                  rule: 'approval-page.set',
                  label: 'Change the page',
                  effect:
                    'No money moves. What you fill in is changed at once, for everybody who approves; the rest stays.',
                  params: {},
                  asks: pageAsks.map(([name, label]) => ({ name, label, optional: true })),
                },
              ]}
            />
          </div>
        </section>
        <section className="card">
          <h2>Identity checks</h2>
          <p>
            <Badge tone={hasIdentity ? 'good' : 'plain'}>{hasIdentity ? 'on' : 'off'}</Badge>
          </p>
          <div className="above">
            <Decisions
              projectId={id}
              subject={project.name}
              decisions={[
                {
                  rule: 'identity.switch',
                  label: hasIdentity ? 'Turn off' : 'Turn on',
                  effect: hasIdentity
                    ? 'No money moves. Nobody of this project is checked any more, and orders that need a verified person are refused.'
                    : 'No money moves. Users of this project can be checked.',
                  params: { enabled: hasIdentity ? 'no' : 'yes' },
                },
              ]}
            />
          </div>
        </section>
        <section className="card">
          <h2>Books against chain, bank and acquirer</h2>
          <p>
            {comparison.endedAt === undefined ? (
              'They wait to be compared.'
            ) : (
              <>
                Compared <When at={comparison.endedAt} now={now} />: {comparison.compared} objects.{' '}
                <Link to="/unmatched" search={{ project: id, kind: 'difference' } as never}>
                  Differences
                </Link>
              </>
            )}
          </p>
          {comparison.skipped.map((sentence) => (
            <p className="attention" key={sentence}>
              {sentence}
            </p>
          ))}
          <div className="above">
            <Decisions
              projectId={id}
              subject={project.name}
              decisions={[
                {
                  rule: 'reconciliation.ask',
                  label: 'Compare now',
                  effect:
                    'No money moves. The worker compares within half a minute, instead of at the next turn.',
                  params: {},
                },
              ]}
            />
          </div>
        </section>
      </div>
    </>
  );
}
