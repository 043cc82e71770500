import { useQuery } from '@tanstack/react-query';
import { type ChainHealth, get, type Health as HealthAnswer } from '../api.ts';
import { Amount, Badge, Command, Head, Id, Loading, Problem, useNow, When, words } from '../ui.tsx';

/** How the instance goes as a whole. */
export function Health() {
  const now = useNow();
  const health = useQuery({ queryKey: ['health'], queryFn: () => get<HealthAnswer>('/health'), refetchInterval: 10_000 });
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
              <p className="faint">None is followed yet: each starts with its first wallet or order.</p>
            ) : (
              <Networks chains={health.data.chains} />
            )}
          </section>
          <section>
            <h2>Work that has stopped</h2>
            {health.data.stopped.length === 0 ? (
              <p className="faint">None. What fails is tried again by itself; what failed too often would stand here.</p>
            ) : (
              <Stopped rows={health.data.stopped} now={now} />
            )}
          </section>
        </div>
      )}
    </>
  );
}

function troubleOf({ failure, watch, relay }: ChainHealth): string | undefined {
  return (
    failure ??
    watch?.failure ??
    watch?.alarm ??
    relay?.alarm ??
    (watch?.stalled ? `no node has answered for ${Math.floor(watch.silentMs / 1_000)} s` : undefined)
  );
}

function Networks({ chains }: { readonly chains: readonly ChainHealth[] }) {
  return (
    <div className="scroll">
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
    </div>
  );
}

function State({ of }: { readonly of: ChainHealth }) {
  const trouble = troubleOf(of);
  if (trouble === undefined)
    return <Badge tone={of.watch?.followed ? 'good' : 'plain'}>{of.watch?.followed ? 'followed' : 'not followed'}</Badge>;
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
      {role} <Id>{address}</Id> {balance !== undefined && <Amount of={{ amount: roughly(balance), currency: currency ?? '' }} />}
      {alarm !== undefined && <span className="attention">{alarm}</span>}
    </span>
  ));
}

/** Four digits after the point say whether there is enough. */
const roughly = (amount: string) => {
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.slice(0, 4).replace(/0+$/, '');
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ' ')}${kept === '' ? '' : `.${kept}`}`;
};

function Stopped({ rows, now }: { readonly rows: HealthAnswer['stopped']; readonly now: number }) {
  return (
    <div className="scroll">
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
    </div>
  );
}
