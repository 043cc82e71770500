import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
  redirect,
  useNavigate,
} from '@tanstack/react-router';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, get, getMe, type Me, post } from './api.ts';
import { type Search, useAddress } from './list.tsx';
import { useLive } from './live.ts';
import { MeContext } from './me.ts';
import { Audit } from './screens/audit.tsx';
import { Books } from './screens/books.tsx';
import { Issuers, Keys, Projects } from './screens/callers.tsx';
import { Checkout, Checkouts } from './screens/checkouts.tsx';
import { Clock } from './screens/clock.tsx';
import { DecisionHost } from './screens/decide.tsx';
import { Health } from './screens/health.tsx';
import { Holds } from './screens/holds.tsx';
import { Inbox } from './screens/inbox.tsx';
import { Liquidity } from './screens/liquidity.tsx';
import { Operators } from './screens/operators.tsx';
import { Order } from './screens/order.tsx';
import { Orders } from './screens/orders.tsx';
import { Payouts } from './screens/payouts.tsx';
import { Project } from './screens/project.tsx';
import { Join, SignIn } from './screens/sign-in.tsx';
import { Unmatched } from './screens/unmatched.tsx';
import { User, Users } from './screens/users.tsx';
import { Wallet, Wallets } from './screens/wallets.tsx';
import { Delivery, Events, Webhook, Webhooks } from './screens/webhooks.tsx';
import { Empty, Loading, Problem } from './ui.tsx';
import 'theme.css';
import './style.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      staleTime: 2_000,
    },
  },
});

const useSession = () => useQuery({ queryKey: ['me'], queryFn: getMe, refetchInterval: 60_000 });

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <main className="empty">
      <h1>There is no such page</h1>
      <p>
        <Link to="/inbox">Go back to the inbox</Link>
      </p>
    </main>
  ),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: () => {
    const client = useQueryClient();
    const navigate = useNavigate();
    return (
      <Join
        onDone={() => {
          void client.resetQueries();
          void navigate({ to: '/inbox' });
        }}
      />
    );
  },
});

/** Whatever stands in the address is text: each screen asks with what it knows. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  validateSearch: (search): Search =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, text(value)])),
});

/** Whoever is signed in; without one nothing of the screens is there. */
function Shell() {
  const me = useSession();
  const client = useQueryClient();
  if (me.isPending) return <Loading />;
  if (me.error instanceof ApiError && me.error.status === 401)
    return <SignIn onDone={() => void client.resetQueries()} />;
  if (me.isError) return <Problem error={me.error} retry={() => void me.refetch()} />;
  return <Frame me={me.data} />;
}

function Frame({ me }: { readonly me: Me }) {
  const client = useQueryClient();
  const { search: address, go } = useAddress();
  const { project } = address;
  const isLive = useLive(project);
  const counts = useQuery({
    queryKey: ['inbox-count', project],
    queryFn: () => get<Record<string, number>>('/inbox/count', { project }),
    refetchInterval: 10_000,
  });
  const waiting = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0);
  useEffect(() => {
    document.title =
      waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) Purser console` : 'Purser console';
  }, [waiting]);
  const search = { project };
  return (
    <div className="frame">
      <a className="skip" href="#main">
        To the content
      </a>
      <nav className="side" aria-label="Screens">
        <p className="brand">
          Purser{' '}
          <small
            className={`environment ${me.environment}`}
            title={isLive ? 'News come as they happen' : 'Looks every ten seconds'}
          >
            {me.environment} <span className={isLive ? 'dot live' : 'dot'} aria-hidden="true" />
          </small>
        </p>
        {nav.map(([to, title, may]) =>
          may === undefined || may(me) ? (
            <Link key={to} to={to} search={search} activeProps={{ 'aria-current': 'page' }}>
              {title}{' '}
              {to === '/inbox' && waiting > 0 && (
                <b className="count">{waiting > 99 ? '99+' : waiting}</b>
              )}
            </Link>
          ) : null,
        )}
        <div className="who">
          {me.projects.length > 1 && (
            <label>
              Project
              <select
                value={project ?? ''}
                onChange={(event) => go({ project: event.target.value || undefined })}
              >
                <option value="">all of mine</option>
                {me.projects.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <p>
            {me.name}
            <small className="faint">
              {me.projects.find(({ id }) => id === project)?.role ??
                me.projects[0]?.role ??
                'no role'}
            </small>
          </p>
          <div className="row">
            <Theme />
            <button
              type="button"
              onClick={() => void post('/sign-out').finally(() => client.resetQueries())}
            >
              Sign out
            </button>
          </div>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        {me.projects.length === 0 ? (
          <Empty title="You have no role yet">
            Ask whoever invited you: purser operators role.
          </Empty>
        ) : (
          <MeContext value={me}>
            <DecisionHost>
              <Outlet />
            </DecisionHost>
          </MeContext>
        )}
      </main>
    </div>
  );
}

const themes = ['auto', 'light', 'dark'] as const;

function Theme() {
  const [theme, setTheme] = useState(() => localStorage.getItem('theme') ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
  }, [theme]);
  const next = themes[(themes.indexOf(theme as 'auto') + 1) % themes.length]!;
  return (
    <button
      type="button"
      onClick={() => setTheme(next)}
      aria-label={`Colours: ${theme}. Change to ${next}`}
    >
      {theme === 'auto' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'}
    </button>
  );
}

const text = (value: unknown) =>
  value === undefined || value === null || value === '' ? undefined : String(value);

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' });
  },
});

const screen = <const Path extends string>(path: Path, component: () => ReactNode) =>
  createRoute({ getParentRoute: () => shellRoute, path, component });

const screens = [
  screen('/inbox', Inbox),
  screen('/orders', Orders),
  screen('/orders/$id', Order),
  screen('/wallets', Wallets),
  screen('/wallets/$id', Wallet),
  screen('/checkouts', Checkouts),
  screen('/checkouts/$id', Checkout),
  screen('/liquidity', Liquidity),
  screen('/payouts', Payouts),
  screen('/books', Books),
  screen('/webhooks', Webhooks),
  screen('/webhooks/$id', Webhook),
  screen('/deliveries/$id', Delivery),
  screen('/events', Events),
  screen('/audit', Audit),
  screen('/health', Health),
  screen('/operators', Operators),
  screen('/holds', Holds),
  screen('/unmatched', Unmatched),
  screen('/users', Users),
  screen('/users/$id', User),
  screen('/projects', Projects),
  screen('/projects/$id', Project),
  screen('/keys', Keys),
  screen('/issuers', Issuers),
  screen('/clock', Clock),
] as const;

/**
 * In the order of the day: what waits, where money is, who is told, who may call, how the house
 * stands.
 */
const nav = [
  ['/inbox', 'Inbox'],
  ['/orders', 'Orders'],
  ['/holds', 'Holds'],
  ['/unmatched', 'Unmatched'],
  ['/wallets', 'Wallets'],
  ['/users', 'Users'],
  ['/checkouts', 'Checkouts'],
  ['/liquidity', 'Liquidity'],
  ['/payouts', 'Payouts'],
  ['/books', 'Books'],
  ['/webhooks', 'Webhooks'],
  ['/events', 'Events'],
  ['/projects', 'Projects'],
  ['/keys', 'Keys'],
  ['/issuers', 'Issuers'],
  ['/audit', 'Audit log'],
  ['/health', 'Health', ({ seesWhole }: Me) => seesWhole],
  ['/operators', 'Operators', ({ isAdmin }: Me) => isAdmin],
  [
    '/clock',
    'Clock',
    ({ seesWhole, environment }: Me) => seesWhole && environment === 'development',
  ],
] as const satisfies readonly (readonly [to: string, title: string, may?: (me: Me) => boolean])[];

const router = createRouter({
  basepath: '/console',
  // Text is text: the router's own way makes a number of what looks like one.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    return given.length === 0
      ? ''
      : `?${new URLSearchParams(given as [string, string][]).toString()}`;
  },
  routeTree: rootRoute.addChildren([indexRoute, joinRoute, shellRoute.addChildren(screens)]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
