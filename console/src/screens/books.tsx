import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Assets, type BookedEntry, type Books as BooksAnswer, get } from '../api.ts';
import { List, type Search, useAddress } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Amount,
  Badge,
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
