import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get, type LiquidityAnswer, type LiquidityLine, type TransferLine } from '../api.ts';
import { List, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Amount,
  Badge,
  Empty,
  grouped,
  Head,
  Id,
  Loading,
  Problem,
  roughly,
  Scroll,
  When,
} from '../ui.tsx';
import { Decisions } from './decide.tsx';

const placeNames = {
  treasury: [
    'Treasury',
    'Tokens that orders are delivered from. What is promised belongs to open orders.',
  ],
  bank: ['Banks', 'Money at banks, and on its way to receivers.'],
  receivable: ['Receivable', 'What acquirers owe, and have not paid out yet.'],
} as const;

/** Whether what open orders are promised is there, and for how long it lasts. */
export function Liquidity() {
  const { project } = useAddress().search;
  const found = useQuery({
    queryKey: ['liquidity', project],
    queryFn: () => get<LiquidityAnswer>('/liquidity', { project }),
    refetchInterval: 30_000,
  });
  return (
    <>
      <Head
        title="Liquidity"
        about="Where money is by the books, and whether it is enough for open orders."
        command="purser treasury balances"
      />
      {found.isError ? (
        <Problem error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <Loading />
      ) : (
        <Found answer={found.data} />
      )}
      <section className="next">
        <h2>Sent from treasuries</h2>
        <Transfers />
      </section>
    </>
  );
}

function Transfers() {
  return (
    <List<TransferLine>
      label="Transfers"
      path="/transfers"
      hasCsv
      keyOf={({ id }) => id}
      projectOf={({ projectId }) => projectId}
      empty={{
        title: 'Nothing was sent yet',
        text: 'Deliveries of orders, refunds and withdrawals stand here.',
      }}
      columns={[
        {
          title: 'For',
          of: ({ subject }) => {
            const [kind, id] = subject.split(':');
            return kind === 'order' && id !== undefined ? (
              <Link to="/orders/$id" params={{ id }}>
                order <Id>{id}</Id>
              </Link>
            ) : (
              subject
            );
          },
        },
        {
          title: 'Status',
          kind: 'wrap',
          of: ({ status, error }) => (
            <>
              <Badge>{status}</Badge>
              {error !== undefined && <span className="attention">{error}</span>}
            </>
          ),
        },
        {
          title: 'Amount',
          kind: 'num',
          of: ({ amount, currency }) => <Amount of={{ amount, currency }} />,
        },
        { title: 'On', of: ({ chain }) => chain },
        { title: 'To', of: ({ recipient }) => <Id>{recipient}</Id> },
        { title: 'When', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
      ]}
    />
  );
}

function Found({ answer: { rows, gas } }: { readonly answer: LiquidityAnswer }) {
  if (rows.length === 0 && !gas?.length)
    return (
      <>
        <Empty title="No money yet">
          Fund the treasury: with test money in development, by a transfer to purser treasury
          address elsewhere.
        </Empty>
        <Fund />
      </>
    );
  return (
    <div className="groups">
      {Object.entries(placeNames).map(([place, [title, meaning]]) => {
        const here = rows.filter((row) => row.place === place);
        return here.length === 0 ? null : (
          <section key={place}>
            <h2>{title}</h2>
            <p className="faint">{meaning}</p>
            <Places rows={here} />
          </section>
        );
      })}
      {gas && gas.length > 0 && (
        <section>
          <h2>Fees</h2>
          <p className="faint">Accounts that pay for transactions of every project.</p>
          <Gas rows={gas} />
        </section>
      )}
      <Fund />
    </div>
  );
}

/** Test money, in development. */
function Fund() {
  const me = useMe();
  const { project } = useAddress().search;
  const projectId = project ?? me.projects[0]?.id ?? '';
  if (me.environment !== 'development' || projectId === '') return null;
  return (
    <Decisions
      projectId={projectId}
      subject={projectName(me, projectId) ?? 'The treasury'}
      decisions={[
        {
          rule: 'treasury.fund',
          label: 'Mint test money',
          effect: 'Test money is minted into the treasury of the project, in development only.',
          params: {},
          asks: [
            { name: 'chain', label: 'Chain, e.g. base-sepolia' },
            { name: 'token', label: 'Token, e.g. usdxm' },
            { name: 'amount', label: 'Amount, e.g. 1000' },
          ],
        },
      ]}
    />
  );
}

/** Takes money of a treasury out of the service. */
function Withdraw({ row }: { readonly row: LiquidityLine }) {
  const [, chain, token] = /^([^:]+):(.+)$/.exec(row.asset) ?? [];
  if (row.place !== 'treasury' || chain === undefined || token === undefined) return null;
  return (
    <Decisions
      isQuiet
      projectId={row.projectId}
      subject={`${row.held} ${row.currency.toUpperCase()} on ${chain}`}
      decisions={[
        {
          rule: 'treasury.withdraw',
          label: 'Withdraw',
          effect:
            'The amount leaves the service for the address that you name, and cannot be taken back. What open orders are promised is not kept from it.',
          params: { chain, token: token === 'native' ? row.currency : token },
          asks: [
            { name: 'amount', label: `Amount, in ${row.currency.toUpperCase()}` },
            { name: 'to', label: 'Address that is to have it' },
          ],
        },
      ]}
    />
  );
}

function Places({ rows }: { readonly rows: readonly LiquidityLine[] }) {
  const me = useMe();
  const isTreasury = rows.some(({ place, account }) => place === 'treasury' && account !== '');
  return (
    <Scroll label="Accounts">
      <table>
        <thead>
          <tr>
            <th>Account</th>
            <th className="num">Held</th>
            <th className="num">Promised</th>
            <th>Cover</th>
            <th className="num">Last day</th>
            <th className="num">Lasts</th>
            {isTreasury && <th>Out</th>}
            {me.projects.length > 1 && <th>Project</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.projectId} ${row.account} ${row.asset}`}>
              <td data-label="Account">
                {row.account === '' ? (
                  <span className="faint">nothing booked</span>
                ) : (
                  <Link to="/books" search={{ project: row.projectId, account: row.account }}>
                    <code>{row.account}</code>
                  </Link>
                )}
                {row.isShort && (
                  <span className="attention">less than is promised: fund it, or orders wait</span>
                )}
              </td>
              <td className="num" data-label="Held">
                <Amount of={{ amount: row.held, currency: row.currency }} />
                {row.pending !== '0' && (
                  <small className="faint under">{row.pending} on its way</small>
                )}
              </td>
              <td className="num" data-label="Promised">
                {row.promised ? (
                  <>
                    {row.promised.amount}
                    <small className="faint under">{row.promised.orders} orders</small>
                  </>
                ) : (
                  '–'
                )}
              </td>
              <td data-label="Cover">
                {row.promised ? <Cover held={row.held} promised={row.promised.amount} /> : '–'}
              </td>
              <td className="num faint" data-label="Last day">
                {row.lastDay === '0' ? '–' : row.lastDay}
              </td>
              <td className="num" data-label="Lasts">
                <Hours left={row.hoursLeft} />
              </td>
              {isTreasury && (
                <td data-label="Out">
                  <Withdraw row={row} />
                </td>
              )}
              {me.projects.length > 1 && (
                <td data-label="Project">{projectName(me, row.projectId)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** How much of what is held is promised; a bar that says so to those who do not see it, too. */
function Cover({ held, promised }: { readonly held: string; readonly promised: string }) {
  const share = Number(held) <= 0 ? 1 : Math.min(Number(promised) / Number(held), 1);
  const percent = Math.round(share * 100);
  return (
    <svg
      className={`bar ${share >= 1 ? 'bad' : share > 0.8 ? 'warn' : ''}`}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${percent} % of it is promised`}
    >
      <rect width="100" height="8" className="track" />
      <rect width={percent} height="8" />
    </svg>
  );
}

const soonHours = 24;
const daysShownMax = 3_650;

function Hours({ left }: { readonly left: number | undefined }) {
  if (left === undefined) return <span className="faint">–</span>;
  const days = Math.floor(left / 24);
  const text =
    days > daysShownMax ? 'years' : left >= 48 ? `${grouped(String(days))} days` : `${left} h`;
  return left < soonHours ? <Badge tone="bad">{text}</Badge> : text;
}

function Gas({ rows }: { readonly rows: NonNullable<LiquidityAnswer['gas']> }) {
  return (
    <Scroll label="Accounts that pay fees">
      <table>
        <thead>
          <tr>
            <th>Network</th>
            <th>Account</th>
            <th>For</th>
            <th className="num">Held</th>
            <th className="num">Last hour</th>
            <th className="num">Lasts</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ chain, address, role, balance, currency, alarm, spentHour }) => (
            <tr key={`${chain} ${role} ${address}`}>
              <td data-label="Network">{chain}</td>
              <td data-label="Account">
                <Id>{address}</Id>
                {alarm !== undefined && <span className="attention">{alarm}</span>}
              </td>
              <td data-label="For">{role}</td>
              <td className="num" data-label="Held">
                {balance === undefined ? (
                  '–'
                ) : (
                  <Amount isRough of={{ amount: balance, currency: currency ?? '' }} />
                )}
              </td>
              <td className="num faint" data-label="Last hour">
                {spentHour === undefined ? (
                  '–'
                ) : (
                  <span title={spentHour}>{roughly(spentHour)}</span>
                )}
              </td>
              <td className="num" data-label="Lasts">
                <Hours
                  left={
                    balance === undefined || !Number(spentHour)
                      ? undefined
                      : Math.round((Number(balance) / Number(spentHour)) * 10) / 10
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
