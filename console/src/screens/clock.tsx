import { useQuery } from '@tanstack/react-query';
import { type ClockAnswer, get } from '../api.ts';
import { useMe } from '../me.ts';
import { Badge, Facts, Head, Loading, Problem, Scroll } from '../ui.tsx';
import { Decisions } from './decide.tsx';

const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** A length in its two largest units. */
function length(ms: number): string {
  const parts = units.flatMap(([unit, name], index) => {
    const count = Math.floor((index === 0 ? ms : ms % units[index - 1]![0]) / unit);
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(' ') || 'nothing';
}

/** The time that the service lives by, which is moved in development alone. */
export function Clock() {
  const me = useMe();
  const found = useQuery({
    queryKey: ['clock'],
    queryFn: () => get<ClockAnswer>('/clock'),
    refetchInterval: 5_000,
  });
  return (
    <>
      <Head
        title="Clock"
        about="The service’s time. In development it can be moved on, so that what takes days is seen in a minute; never back."
        command={found.data?.mayAdvance ? 'purser clock advance 1d' : 'purser clock show'}
      />
      {found.isError ? (
        <Problem error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <Loading />
      ) : (
        <div className="groups">
          <section className="narrow">
            <Facts
              rows={[
                ['Now', new Date(found.data.now).toLocaleString()],
                [
                  'Ahead of this machine',
                  found.data.aheadMs === 0 ? 'by nothing' : length(found.data.aheadMs),
                ],
              ]}
            />
            {found.data.mayAdvance && me.projects[0] && (
              <div className="above">
                <Decisions
                  projectId={me.projects[0].id}
                  subject="The time of the whole instance"
                  decisions={[
                    {
                      rule: 'clock.advance',
                      label: 'Move it on',
                      effect:
                        'What is due by then happens: deadlines pass, payouts arrive, limits begin anew. Sessions of operators end by this clock, too. Time never goes back.',
                      params: {},
                      asks: [{ name: 'by', label: 'How far: 90m, 12h, 3d or 1d12h' }],
                    },
                  ]}
                />
              </div>
            )}
          </section>
          <section>
            <h2>Parts that run</h2>
            <Parts of={found.data} />
          </section>
        </div>
      )}
    </>
  );
}

function Parts({ of: { parts, aheadMs } }: { readonly of: ClockAnswer }) {
  if (parts.length === 0)
    return (
      <p className="faint">None has told its time yet: what starts next begins at this one.</p>
    );
  return (
    <Scroll label="Parts that run">
      <table>
        <thead>
          <tr>
            <th>Part</th>
            <th>Its time</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name}>
              <td data-label="Part">{part.name}</td>
              <td data-label="Its time">
                {part.aheadMs >= aheadMs ? (
                  <Badge tone="good">the same</Badge>
                ) : (
                  <Badge tone="warn">{`${length(aheadMs - part.aheadMs)} behind`}</Badge>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
