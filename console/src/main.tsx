import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider, redirect, useNavigate } from '@tanstack/react-router';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, get, getMe, type Me, post } from './api.ts';
import { Audit, type AuditSearch } from './screens/audit.tsx';
import { Books, type BooksSearch } from './screens/books.tsx';
import { DecisionHost } from './screens/decide.tsx';
import { Health } from './screens/health.tsx';
import { Inbox, type InboxSearch } from './screens/inbox.tsx';
import { Operators } from './screens/operators.tsx';
import { Order } from './screens/order.tsx';
import { Orders, type OrdersSearch } from './screens/orders.tsx';
import { Join, SignIn } from './screens/sign-in.tsx';
import { Empty, Loading, Problem } from './ui.tsx';
import './style.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      staleTime: 2_000,
    },
  },
});

const useMe = () => useQuery({ queryKey: ['me'], queryFn: getMe, refetchInterval: 60_000 });

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <Empty title="There is no such page">Go back to the inbox.</Empty>,
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

const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

/** Whoever is signed in; without one nothing of the screens is there. */
function Shell() {
  const me = useMe();
  const client = useQueryClient();
  if (me.isPending) return <Loading />;
  if (me.error instanceof ApiError && me.error.status === 401) return <SignIn onDone={() => void client.resetQueries()} />;
  if (me.isError) return <Problem error={me.error} retry={() => void me.refetch()} />;
  return <Frame me={me.data} />;
}

function Frame({ me }: { readonly me: Me }) {
  const client = useQueryClient();
  const { project } = shellRoute.useSearch() as { project?: string };
  const navigate = useNavigate();
  const counts = useQuery({
    queryKey: ['inbox-count', project],
    queryFn: () => get<Record<string, number>>('/inbox/count', { project }),
    refetchInterval: 5_000,
  });
  const waiting = Object.values(counts.data ?? {}).reduce((sum, count) => sum + count, 0);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) Purser console` : 'Purser console';
  }, [waiting]);
  const search = { project };
  return (
    <div className="frame">
      <a className="skip" href="#main">
        To the content
      </a>
      <nav className="side" aria-label="Screens">
        <p className="brand">
          Purser <small className={`environment ${me.environment}`}>{me.environment}</small>
        </p>
        <Link to="/inbox" search={search} activeProps={{ 'aria-current': 'page' }}>
          Inbox {waiting > 0 && <b className="count">{waiting > 99 ? '99+' : waiting}</b>}
        </Link>
        <Link to="/orders" search={search} activeProps={{ 'aria-current': 'page' }}>
          Orders
        </Link>
        <Link to="/books" search={search} activeProps={{ 'aria-current': 'page' }}>
          Books
        </Link>
        <Link to="/audit" search={search} activeProps={{ 'aria-current': 'page' }}>
          Audit log
        </Link>
        {me.seesWhole && (
          <Link to="/health" search={search} activeProps={{ 'aria-current': 'page' }}>
            Health
          </Link>
        )}
        {me.isAdmin && (
          <Link to="/operators" search={search} activeProps={{ 'aria-current': 'page' }}>
            Operators
          </Link>
        )}
        <div className="who">
          {me.projects.length > 1 && (
            <label>
              Project
              <select
                value={project ?? ''}
                onChange={(event) => void navigate({ to: '.', search: { project: event.target.value || undefined } as never })}
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
            <small className="faint">{me.projects.find(({ id }) => id === project)?.role ?? me.projects[0]?.role ?? 'no role'}</small>
          </p>
          <div className="row">
            <Theme />
            <button type="button" onClick={() => void post('/sign-out').finally(() => client.resetQueries())}>
              Sign out
            </button>
          </div>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        {me.projects.length === 0 ? (
          <Empty title="You have no role yet">Ask whoever invited you: purser operators role.</Empty>
        ) : (
          <DecisionHost>
            <Outlet />
          </DecisionHost>
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
    <button type="button" onClick={() => setTheme(next)} aria-label={`Colours: ${theme}. Change to ${next}`}>
      {theme === 'auto' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'}
    </button>
  );
}

/** Screens are below the frame, which knows who it is. */
function requireMe(): Me {
  const me = queries.getQueryData<Me>(['me']);
  if (!me) throw new Error('nobody is signed in');
  return me;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' });
  },
});
const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: (search): InboxSearch => ({ project: text(search.project), kind: text(search.kind), cursor: text(search.cursor) }),
  component: () => {
    const navigate = useNavigate();
    return <Inbox me={requireMe()} search={inboxRoute.useSearch()} go={(search) => void navigate({ to: '/inbox', search })} />;
  },
});
const ordersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/orders',
  validateSearch: (search): OrdersSearch => ({
    project: text(search.project),
    state: text(search.state),
    waiting: search.waiting === 'yes' ? 'yes' : undefined,
    cursor: text(search.cursor),
  }),
  component: () => {
    const navigate = useNavigate();
    return <Orders me={requireMe()} search={ordersRoute.useSearch()} go={(search) => void navigate({ to: '/orders', search })} />;
  },
});
const orderRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/orders/$id',
  component: () => <Order me={requireMe()} id={orderRoute.useParams().id} />,
});
const booksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/books',
  validateSearch: (search): BooksSearch => ({ project: text(search.project), account: text(search.account), cursor: text(search.cursor) }),
  component: () => {
    const navigate = useNavigate();
    return <Books me={requireMe()} search={booksRoute.useSearch()} go={(search) => void navigate({ to: '/books', search })} />;
  },
});
const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: (search): AuditSearch => ({ project: text(search.project), cursor: text(search.cursor) }),
  component: () => {
    const navigate = useNavigate();
    return <Audit me={requireMe()} search={auditRoute.useSearch()} go={(search) => void navigate({ to: '/audit', search })} />;
  },
});
const healthRoute = createRoute({ getParentRoute: () => shellRoute, path: '/health', component: Health });
const operatorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operators',
  component: () => <Operators me={requireMe()} />,
});

const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([
    indexRoute,
    joinRoute,
    shellRoute.addChildren([inboxRoute, ordersRoute, orderRoute, booksRoute, auditRoute, healthRoute, operatorsRoute]),
  ]),
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
