import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type Assets,
  type BookedEntry,
  type Books as BooksAnswer,
  get,
  type TrialBalance as TrialBalanceAnswer,
} from '../api.ts';
import { List, type Search, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Amount,
  Badge,
  Command,
  Empty,
  formatMinor,
  Head,
  Id,
  Loading,
  Problem,
  Scroll,
  Time,
  words,
} from '../ui.tsx';

/** The books of a project: what each account holds, and what was booked on each. */
export function Books() {
  const me = useMe();
  const { search } = useAddress();
  const project = search.project ?? me.projects[0]!.id;
  const name = projectName(me, project);
  const { account } = search;
  const ofProject = name === undefined ? '' : ` Of ${name}.`;
  if (account === undefined)
    return (
      <>
        <Head
          title="Books"
          about={`What each account holds; negative is what we owe, or earned.${ofProject}`}
          command="purser ledger balances"
        />
        <Balances project={project} search={search} />
        <TrialBalance project={project} key={project} />
      </>
    );
  return (
    <>
      <Head
        back={
          <Link to="/books" search={{ project: search.project }}>
            Books
          </Link>
        }
        title={<code>{account}</code>}
        about={`What was booked on it, the newest first.${ofProject}`}
        command={`purser ledger entries ${account}`}
      />
      <Booked project={project} account={account} />
    </>
  );
}

const symbolOf = (assets: Assets, asset: string) => {
  const chain = asset.includes(':') ? ` on ${asset.split(':')[0]}` : '';
  return `${(assets[asset]?.symbol ?? asset).toUpperCase()}${chain}`;
};

function Balances({ project, search }: { readonly project: string; readonly search: Search }) {
  const books = useQuery({
    queryKey: ['books', project],
    queryFn: () => get<BooksAnswer>('/books', { project }),
    refetchInterval: 15_000,
  });
  if (books.isError) return <Problem error={books.error} retry={() => void books.refetch()} />;
  if (books.isPending) return <Loading />;
  const { groups, assets } = books.data;
  if (groups.length === 0)
    return (
      <Empty title="Nothing is booked yet">
        The first order that is paid books its money here. Make one in the sandbox: npm run
        demo:onramp.
      </Empty>
    );
  return (
    <div className="groups books">
      {groups.map(({ prefix, title, meaning, rows }) => (
        <section key={prefix}>
          <h2>{title}</h2>
          <p className="faint">{meaning}</p>
          <Scroll label="Balances">
            <table>
              <thead>
                <tr>
                  <th>Account</th>
                  <th>Asset</th>
                  <th className="num">Posted</th>
                  <th className="num">Held</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={`${row.account} ${row.asset}`}>
                    <td data-label="Account">
                      <Link to="/books" search={{ project: search.project, account: row.account }}>
                        <code>{row.account}</code>
                      </Link>
                    </td>
                    <td data-label="Asset" title={row.asset}>
                      {symbolOf(assets, row.asset)}
                    </td>
                    <td className="num" data-label="Posted">
                      {formatMinor(row.postedMinor, assets[row.asset]?.decimals ?? 0)}
                    </td>
                    <td className="num faint" data-label="Held">
                      {row.pendingMinor === '0'
                        ? '–'
                        : formatMinor(row.pendingMinor, assets[row.asset]?.decimals ?? 0)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </section>
      ))}
    </div>
  );
}

/** Debits against credits, summed from every posting: long work on large books, so it is asked for. */
function TrialBalance({ project }: { readonly project: string }) {
  const found = useQuery({
    queryKey: ['trial-balance', project],
    queryFn: () => get<TrialBalanceAnswer>('/books/trial-balance', { project }),
    enabled: false,
    retry: false,
  });
  return (
    <div className="groups books">
      <section>
        <h2>Trial balance</h2>
        <p className="faint">
          Debits and credits of each asset, summed anew from everything that was posted.
        </p>
        <Command>{`purser ledger trial-balance --project ${project}`}</Command>
      </section>
      <p>
        <button type="button" disabled={found.isFetching} onClick={() => void found.refetch()}>
          {found.isFetching ? 'Adding up every posting …' : 'Add it up'}
        </button>
      </p>
      {found.isError && <Problem error={found.error} retry={() => void found.refetch()} />}
      {found.data?.balances.length === 0 && <p className="faint">Nothing is posted yet.</p>}
      {found.data?.balances.map((one) => (
        <TrialLines key={one.asset} of={one} assets={found.data.assets} />
      ))}
    </div>
  );
}

function TrialLines({
  of: { asset, accounts, debitMinor, creditMinor },
  assets,
}: {
  readonly of: TrialBalanceAnswer['balances'][number];
  readonly assets: Assets;
}) {
  const amount = (minor: string) =>
    minor === '0' ? '–' : formatMinor(minor, assets[asset]?.decimals ?? 0);
  const lines = accounts.map((line) => ({ ...line, name: <code>{line.account}</code> }));
  return (
    <section>
      <h3 title={asset}>
        {symbolOf(assets, asset)}{' '}
        {debitMinor === creditMinor ? (
          <Badge tone="good">balances</Badge>
        ) : (
          <Badge tone="bad">does not balance</Badge>
        )}
      </h3>
      <Scroll label={`Trial balance of ${asset}`}>
        <table>
          <thead>
            <tr>
              <th>Account</th>
              <th className="num">Debit</th>
              <th className="num">Credit</th>
              <th className="num">Held</th>
            </tr>
          </thead>
          <tbody>
            {[
              ...lines,
              { account: 'total', name: <b>Total</b>, debitMinor, creditMinor, pendingMinor: '0' },
            ].map((line) => (
              <tr key={line.account}>
                <td data-label="Account">{line.name}</td>
                <td className="num" data-label="Debit">
                  {amount(line.debitMinor)}
                </td>
                <td className="num" data-label="Credit">
                  {amount(line.creditMinor)}
                </td>
                <td className="num faint" data-label="Held">
                  {amount(line.pendingMinor)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Booked({ project, account }: { readonly project: string; readonly account: string }) {
  return (
    <List<BookedEntry>
      label="Entries"
      path="/books/entries"
      query={{ project, account }}
      hasCsv
      keyOf={({ id }) => id}
      empty={{
        title: 'Nothing is booked on it',
        text: 'Go back to the books, and choose an account that is there.',
      }}
      columns={[
        { title: 'When', of: ({ recordedAt }) => <Time at={recordedAt} /> },
        {
          title: 'What',
          of: ({ kind, phase }) => (
            <>
              {words(kind)} {phase !== 'post' && <Badge tone="plain">{phase}</Badge>}
            </>
          ),
        },
        {
          title: 'Order',
          of: ({ orderId }) =>
            orderId === undefined ? (
              '–'
            ) : (
              <Link to="/orders/$id" params={{ id: orderId }}>
                <Id>{orderId}</Id>
              </Link>
            ),
        },
        {
          title: 'Amount',
          kind: 'num',
          of: ({ postings }) =>
            postings
              .filter((leg) => leg.account === account)
              .map(({ asset, amountMinor, decimals, symbol }) => (
                <span className="change" key={asset}>
                  <Amount of={{ amount: formatMinor(amountMinor, decimals), currency: symbol }} />
                </span>
              )),
        },
        {
          title: 'Against',
          of: ({ postings }) =>
            [...new Set(postings.map((leg) => leg.account).filter((one) => one !== account))].map(
              (one) => (
                <span className="change" key={one}>
                  <code>{one.startsWith('order:') ? 'the order' : one}</code>
                </span>
              ),
            ),
        },
      ]}
    />
  );
}
