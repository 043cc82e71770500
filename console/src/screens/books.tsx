import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Assets, type Books as BooksAnswer, type Entries, get, type Me } from '../api.ts';
import { Amount, Badge, Command, Empty, formatMinor, Id, Loading, Pager, Problem, Time, words } from '../ui.tsx';

export interface BooksSearch {
  readonly project?: string | undefined;
  readonly account?: string | undefined;
  readonly cursor?: string | undefined;
}

interface Props {
  readonly me: Me;
  readonly search: BooksSearch;
  readonly go: (search: BooksSearch) => void;
}

/** The books of a project: what each account holds, and what was booked on it. */
export function Books({ me, search, go }: Props) {
  const project = search.project ?? me.projects[0]!.id;
  const name = me.projects.find(({ id }) => id === project)?.name;
  const { account, cursor } = search;
  return (
    <>
      <header className="head">
        <div>
          {account !== undefined && (
            <p className="crumbs">
              <Link to="/books" search={{ project: search.project }}>
                Books
              </Link>
            </p>
          )}
          <h1>{account === undefined ? 'Books' : <code>{account}</code>}</h1>
          <p className="faint">
            {account === undefined
              ? 'What each account holds; negative is what we owe, or earned.'
              : 'What was booked on it, the newest first.'}
            {me.projects.length > 1 && ` Of ${name}.`}
          </p>
        </div>
        <Command>{account === undefined ? 'purser ledger balances' : `purser ledger entries ${account}`}</Command>
      </header>
      {account === undefined ? (
        <Balances project={project} search={search} />
      ) : (
        <Booked project={project} account={account} cursor={cursor} go={(next) => go({ ...search, cursor: next })} />
      )}
    </>
  );
}

const symbolOf = (assets: Assets, asset: string) => {
  const chain = asset.includes(':') ? ` on ${asset.split(':')[0]}` : '';
  return `${(assets[asset]?.symbol ?? asset).toUpperCase()}${chain}`;
};

function Balances({ project, search }: { readonly project: string; readonly search: BooksSearch }) {
  const books = useQuery({ queryKey: ['books', project], queryFn: () => get<BooksAnswer>('/books', { project }), refetchInterval: 15_000 });
  if (books.isError) return <Problem error={books.error} retry={() => void books.refetch()} />;
  if (books.isPending) return <Loading />;
  const { groups, assets } = books.data;
  if (groups.length === 0)
    return (
      <Empty title="Nothing is booked yet">
        The first order that is paid books its money here. Make one in the sandbox: npm run demo:onramp.
      </Empty>
    );
  return (
    <div className="groups books">
      {groups.map(({ prefix, title, meaning, rows }) => (
        <section key={prefix}>
          <h2>{title}</h2>
          <p className="faint">{meaning}</p>
          <div className="scroll">
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
                      {row.pendingMinor === '0' ? '–' : formatMinor(row.pendingMinor, assets[row.asset]?.decimals ?? 0)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </div>
  );
}

function Booked({
  project,
  account,
  cursor,
  go,
}: {
  readonly project: string;
  readonly account: string;
  readonly cursor: string | undefined;
  readonly go: (cursor: string | undefined) => void;
}) {
  const list = useQuery({
    queryKey: ['entries', project, account, cursor],
    queryFn: () => get<Entries>('/books/entries', { project, account, cursor }),
    placeholderData: (before) => before,
  });
  if (list.isError) return <Problem error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <Loading />;
  const { items, assets, nextCursor } = list.data;
  if (items.length === 0) return <Empty title="Nothing is booked on it">Go back to the books, and choose an account that is there.</Empty>;
  return (
    <>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>Order</th>
              <th className="num">On this account</th>
              <th>Against</th>
            </tr>
          </thead>
          <tbody>
            {items.map((entry) => (
              <tr key={entry.id}>
                <td data-label="When">
                  <Time at={entry.recordedAt} />
                </td>
                <td data-label="What">
                  {words(entry.kind)} {entry.phase !== 'post' && <Badge tone="plain">{entry.phase}</Badge>}
                </td>
                <td data-label="Order">
                  {entry.orderId === undefined ? (
                    '–'
                  ) : (
                    <Link to="/orders/$id" params={{ id: entry.orderId }}>
                      <Id>{entry.orderId}</Id>
                    </Link>
                  )}
                </td>
                <td className="num" data-label="Amount">
                  {entry.postings
                    .filter((leg) => leg.account === account)
                    .map((leg) => (
                      <span className="change" key={leg.asset}>
                        <Amount
                          of={{
                            amount: formatMinor(leg.amountMinor, assets[leg.asset]?.decimals ?? 0),
                            currency: assets[leg.asset]?.symbol ?? leg.asset,
                          }}
                        />
                      </span>
                    ))}
                </td>
                <td data-label="Against">
                  {[...new Set(entry.postings.map((leg) => leg.account).filter((one) => one !== account))].map((one) => (
                    <span className="change" key={one}>
                      <code>{one.startsWith('order:') ? 'the order' : one}</code>
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager hasCursor={cursor !== undefined} nextCursor={nextCursor} onGo={go} />
    </>
  );
}
