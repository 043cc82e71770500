import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import {
  get,
  type SignerLimits,
  type SignerLine,
  type WalletAnswer,
  type WalletLine,
} from '../api.ts';
import { List } from '../list.tsx';
import { projectName, useMe } from '../me.ts';
import {
  Amount,
  Badge,
  Facts,
  Head,
  Id,
  Loading,
  Problem,
  Scroll,
  Used,
  useNow,
  When,
  words,
} from '../ui.tsx';
import { Transactions } from './transactions.tsx';

const families = ['evm', 'solana', 'stellar', 'sui', 'aptos'];

export function Wallets() {
  return (
    <>
      <Head
        title="Wallets"
        about="Accounts of users, of the shop and of the treasury, the newest first."
        command="purser wallets list"
      />
      <List<WalletLine>
        label="Wallets"
        path="/wallets"
        hasCsv
        filters={[
          { name: 'chainType', label: 'Family', options: families },
          { name: 'find', label: 'Address or owner', kind: 'text' },
        ]}
        keyOf={({ id }) => id}
        projectOf={({ projectId }) => projectId}
        empty={{
          title: 'No wallets yet',
          text: (
            <>
              A shop makes one for each of its users: <code>POST /wallets</code>, or npm run
              quickstart.
            </>
          ),
        }}
        columns={[
          {
            title: 'Address',
            of: ({ id, address, isChanged }) => (
              <>
                <Link to="/wallets/$id" params={{ id }}>
                  <Id>{address}</Id>
                </Link>
                {isChanged && <span className="attention">changed behind the service</span>}
              </>
            ),
          },
          { title: 'Family', of: ({ chainType }) => chainType },
          {
            title: 'Kind',
            of: ({ type, purpose }) =>
              purpose ? <Badge tone="plain">{purpose}</Badge> : words(type),
          },
          {
            title: 'Owner',
            kind: 'wrap',
            of: ({ owner, alias }) => [owner, alias].filter(Boolean).join(' · ') || '–',
          },
          { title: 'Made', of: ({ createdAt }, now) => <When at={createdAt} now={now} /> },
        ]}
      />
    </>
  );
}

export function Wallet() {
  const me = useMe();
  const now = useNow();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useQuery({
    queryKey: ['wallet', id],
    queryFn: () => get<WalletAnswer>(`/wallets/${id}`),
    refetchInterval: 30_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { wallet, recovery, signers } = found.data;
  return (
    <>
      <Head
        back={<Link to="/wallets">Wallets</Link>}
        title={<code className="whole">{wallet.address}</code>}
        about={
          <p className="meta">
            <span>{wallet.chainType}</span>
            <span>{words(wallet.type)}</span>
            {wallet.purpose && <Badge tone="plain">{wallet.purpose}</Badge>}
          </p>
        }
        command={`purser wallets signers ${wallet.address}`}
      />
      <div className="columns">
        <div className="groups">
          <section>
            <h2>Who may sign</h2>
            <p className="faint">
              Those with limits act by themselves within them; who recovers the wallet may do
              everything.
            </p>
            <Signers id={id} recovery={recovery} signers={signers} now={now} />
          </section>
          <section>
            <h2>Transactions</h2>
            <Transactions id={id} />
          </section>
        </div>
        <aside>
          <h2>Facts</h2>
          <Facts
            rows={[
              wallet.owner !== undefined && ['Owner', wallet.owner],
              wallet.alias !== undefined && ['Alias', wallet.alias],
              ['Made', <When key="made" at={wallet.createdAt} now={now} />],
              me.projects.length > 1 && ['Project', projectName(me, wallet.projectId)],
            ]}
          />
          <h2>Balances</h2>
          <Balances id={id} />
        </aside>
      </div>
    </>
  );
}

function Balances({ id }: { readonly id: string }) {
  const found = useQuery({
    queryKey: ['balances', id],
    queryFn: () =>
      get<{
        readonly balances: readonly {
          readonly chain: string;
          readonly amount: string;
          readonly currency: string;
        }[];
        readonly unreachable: readonly { readonly chain: string; readonly error: string }[];
      }>(`/wallets/${id}/balances`),
    staleTime: 15_000,
  });
  if (found.isError) return <Problem error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  return (
    <>
      <Facts
        rows={found.data.balances.map(({ chain, amount, currency }) => [
          `${currency.toUpperCase()} on ${chain}`,
          <Amount key={chain} of={{ amount, currency: '' }} />,
        ])}
      />
      {found.data.unreachable.map(({ chain, error }) => (
        <p key={chain} className="attention">
          {chain}: {error}
        </p>
      ))}
    </>
  );
}

/** What tells a signer from others of its kind. */
const nameOf = ({ type, locator, address, email, phone, publicKey, name }: SignerLine) => {
  const found = String(locator ?? email ?? phone ?? address ?? name ?? publicKey ?? type);
  return found.startsWith(`${type}:`) ? found.slice(type.length + 1) : found;
};

function Signers({
  id,
  recovery,
  signers,
  now,
}: Pick<WalletAnswer, 'recovery' | 'signers'> & { readonly id: string; readonly now: number }) {
  const isLimited = signers.some(({ scopes }) => scopes?.some((scope) => scope.spendingLimit));
  const used = useQuery({
    queryKey: ['limits', id],
    queryFn: () => get<{ readonly limits: readonly SignerLimits[] }>(`/wallets/${id}/limits`),
    enabled: isLimited,
    staleTime: 15_000,
  });
  return (
    <Scroll label="Signers">
      <table>
        <thead>
          <tr>
            <th>Signer</th>
            <th>May</th>
            <th>Where</th>
          </tr>
        </thead>
        <tbody>
          {recovery.map((one) => (
            <tr key={`${one.type} ${nameOf(one)}`}>
              <td className="wrap" data-label="Signer">
                {nameOf(one)}
                <small className="faint under">{words(one.type)}</small>
                {one.members?.map((member) => (
                  <small className="faint under" key={nameOf(member)}>
                    {words(member.type)} {nameOf(member)}
                  </small>
                ))}
              </td>
              <td data-label="May">
                everything
                {one.threshold !== undefined && `, ${one.threshold} of ${one.members?.length}`}
              </td>
              <td data-label="Where">everywhere</td>
            </tr>
          ))}
          {signers.map((one) => (
            <tr key={`${nameOf(one)} ${one.addedAt}`}>
              <td className="wrap" data-label="Signer">
                {nameOf(one)}
                <small className="faint under">
                  {words(one.type)}, added <When at={one.addedAt} now={now} />
                </small>
              </td>
              <td className="wrap" data-label="May">
                <Scopes of={one.scopes} />
                {used.data?.limits
                  .filter(({ signer }) => signer === one.locator)
                  .map((limits) => (
                    <Limits key={limits.chain} of={limits} now={now} />
                  ))}
                {one.expiresAt !== undefined && (
                  <small className="faint under">
                    until{' '}
                    <When
                      at={new Date(Number(one.expiresAt) || one.expiresAt).toISOString()}
                      now={now}
                    />
                  </small>
                )}
              </td>
              <td data-label="Where">
                {one.chains.length === 0
                  ? one.withWallet && 'everywhere'
                  : one.chains.map(({ chain, state, registration }) => (
                      <span className="change" key={chain}>
                        {chain}{' '}
                        <Badge tone={state === 'in-force' ? 'good' : 'warn'}>
                          {registration ?? state}
                        </Badge>
                      </span>
                    ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {used.isError && <Problem error={used.error} retry={() => void used.refetch()} />}
    </Scroll>
  );
}

function Scopes({ of }: { readonly of: SignerLine['scopes'] }) {
  if (of === undefined || of.length === 0) return 'everything';
  return of.map(({ tokenLocator, recipients, spendingLimit }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: scopes have no name but their place.
    <span className="change" key={index}>
      transfers of {tokenLocator}
      {spendingLimit &&
        `, at most ${spendingLimit.amount} ${spendingLimit.interval === undefined ? 'in all' : `in ${seconds(spendingLimit.interval)}`}`}
      {recipients && (
        <small className="faint under">
          to{' '}
          {recipients.slice(0, recipientsShown).map((address) => (
            <Fragment key={address}>
              <Id>{address}</Id>{' '}
            </Fragment>
          ))}
          {recipients.length > recipientsShown &&
            `and ${recipients.length - recipientsShown} others`}
        </small>
      )}
    </span>
  ));
}

const recipientsShown = 3;

/** An interval in the largest unit that it is a whole number of. */
function seconds(count: number): string {
  const [length, name] = intervalUnits.find(([one]) => count % one === 0) ?? [1, 'second'];
  const whole = count / length;
  return `${whole} ${name}${whole === 1 ? '' : 's'}`;
}

const intervalUnits = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** What the network says is used of the limits of one signer. */
function Limits({ of, now }: { readonly of: SignerLimits; readonly now: number }) {
  if ('unknown' in of)
    return (
      <small className="attention">
        used on {of.chain}: not known. {of.unknown}
      </small>
    );
  return of.limits.map(({ currency, limit, used, renewsAt }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: limits have no name but their place.
    <small className="change" key={index}>
      <Used
        name={`${currency.toUpperCase()} used on ${of.chain}`}
        used={used}
        limit={limit}
        isFull={used === limit}
      />
      {renewsAt !== undefined && (
        <span className="faint">
          anew <When at={renewsAt} now={now} />
        </span>
      )}
    </small>
  ));
}
