import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get, type PayoutLine, type PayoutSwitch } from '../api.ts';
import { List, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Amount,
  Badge,
  Command,
  formatMinor,
  grouped,
  Head,
  Id,
  Loading,
  Problem,
  Used,
  When,
} from '../ui.tsx';

const statuses = ['asked', 'held', 'settled', 'final', 'rejected', 'returned'];

export function Payouts() {
  const me = useMe();
  const { status } = useAddress().search;
  return (
    <>
      <Head
        title="Payouts"
        about="What banks were asked to pay for orders, the newest order first."
        command="purser payouts list"
      />
      {me.seesWhole && <Switch />}
      <List<PayoutLine>
        label="Payouts"
        path="/payouts"
        hasCsv
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          { name: 'rail', label: 'Rail', kind: 'text' },
          { name: 'late', label: 'late' },
        ]}
        keyOf={({ payoutId }) => payoutId}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'No payouts yet',
          text: 'Sell tokens for bank money in the sandbox: npm run demo:offramp.',
        }}
        columns={[
          {
            title: 'Order',
            of: ({ id }) => (
              <Link to="/orders/$id" params={{ id }}>
                <Id>{id}</Id>
              </Link>
            ),
          },
          { title: 'Rail', of: ({ payout }) => payout.rail },
          {
            title: 'Amount',
            kind: 'num',
            of: ({ payout: { amountMinor, currency, decimals } }) => (
              <Amount of={{ amount: formatMinor(amountMinor, decimals), currency }} />
            ),
          },
          {
            title: 'Status',
            of: ({ payout, waits, isLate }) => (
              <>
                <Badge>{payout.status}</Badge> {isLate && <Badge tone="warn">late</Badge>}
                {(waits !== undefined || payout.reason !== undefined) && (
                  <span className="attention">
                    {waits ?? [payout.code, payout.reason].filter(Boolean).join(': ')}
                  </span>
                )}
              </>
            ),
          },
          { title: 'Asked', of: ({ payout }, now) => <When at={payout.askedAt} now={now} /> },
        ]}
      />
      {status === 'held' && (
        <p className="below faint">
          Who approves one has the vault’s token: see purser payouts held.
        </p>
      )}
    </>
  );
}

/** What the vault pays at most, and the switch that stops all of it. */
function Switch() {
  const me = useMe();
  const found = useQuery({
    queryKey: ['payout-switch'],
    queryFn: () => get<PayoutSwitch>('/payouts/switch'),
    refetchInterval: 15_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { limits, stop, newDestinationWaitHours } = found.data;
  if (limits === undefined)
    return <p className="note">No vault is configured here: nothing is paid out.</p>;
  return (
    <section className={stop ? 'waiting' : 'card'} aria-label="Stop switch">
      {stop ? (
        <>
          <p className="reason">Payouts are stopped: {stop.reason}</p>
          <p>
            Nothing more is handed to a bank. On the vault’s host, to go on:{' '}
            <Command>purser payouts start</Command>
          </p>
        </>
      ) : (
        <>
          <p>
            Payouts run.{' '}
            {newDestinationWaitHours > 0 && `A new account waits ${newDestinationWaitHours} h.`}
          </p>
          {limits.map(({ currency, perPayout, projectDay, secondPersonAbove, used }) => (
            <p key={currency}>
              {`${currency.toUpperCase()}: at most ${grouped(perPayout)} each, ${grouped(projectDay)} a day and project; a second person above ${grouped(secondPersonAbove)}. `}
              <span className="faint">
                {used.length === 0
                  ? 'Nothing counts against the day now.'
                  : used.map((one) => (
                      <Used
                        key={one.projectId}
                        name={projectName(me, one.projectId)}
                        used={one.amount}
                        limit={projectDay}
                        isFull={one.isFull}
                      />
                    ))}
              </span>
            </p>
          ))}
          <p className="below">
            Something is wrong? On the vault’s host, since nothing that can be broken into from here
            may hold the switch: <Command>purser payouts stop --reason "…"</Command>
          </p>
        </>
      )}
    </section>
  );
}
