import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get, type Me, type OrderLine, type Page } from '../api.ts';
import { Amount, Badge, Command, Empty, Id, Loading, Pager, Problem, termsAmount, useNow, When } from '../ui.tsx';

export interface OrdersSearch {
  readonly project?: string | undefined;
  readonly state?: string | undefined;
  readonly waiting?: 'yes' | undefined;
  readonly cursor?: string | undefined;
}

const states = ['awaiting_payment', 'awaiting_deposit', 'on_hold', 'needs_operator', 'delivered', 'payout_final', 'refunded', 'closed'];

export function Orders({
  me,
  search,
  go,
}: {
  readonly me: Me;
  readonly search: OrdersSearch;
  readonly go: (search: OrdersSearch) => void;
}) {
  const now = useNow();
  const { project, state, waiting, cursor } = search;
  const list = useQuery({
    queryKey: ['orders', project, state, waiting, cursor],
    queryFn: () => get<Page<OrderLine>>('/orders', { project, state, waiting, cursor }),
    refetchInterval: 10_000,
    placeholderData: (before) => before,
  });
  const command = `purser orders list${waiting ? ' --waiting' : ''}${state ? ` --state ${state}` : ''}`;
  const isFiltered = state !== undefined || waiting !== undefined;
  return (
    <>
      <header className="head">
        <div>
          <h1>Orders</h1>
          <p className="faint">The newest first.</p>
        </div>
        <Command>{command}</Command>
      </header>
      <div className="filters">
        <label>
          State
          <select value={state ?? ''} onChange={(event) => go({ project, waiting, state: event.target.value || undefined })}>
            <option value="">any</option>
            {(state === undefined || states.includes(state) ? states : [state, ...states]).map((one) => (
              <option key={one} value={one}>
                {one.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={waiting === 'yes'}
            onChange={(event) => go({ project, state, waiting: event.target.checked ? 'yes' : undefined })}
          />
          wait for an operator
        </label>
      </div>
      {list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : list.data.items.length === 0 ? (
        <Empty title={isFiltered ? 'No order is like that' : 'No orders yet'}>
          {isFiltered ? 'Choose another state, or take the filter away.' : 'Make one in the sandbox: npm run demo:onramp.'}
        </Empty>
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th>Order</th>
                <th>Kind</th>
                <th>State</th>
                <th className="num">Paid</th>
                <th className="num">Received</th>
                <th>Made</th>
                {me.projects.length > 1 && <th>Project</th>}
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((line) => (
                <tr key={line.id}>
                  <td data-label="Order">
                    <Link to="/orders/$id" params={{ id: line.id }}>
                      <Id>{line.id}</Id>
                    </Link>
                  </td>
                  <td data-label="Kind">{line.kind}</td>
                  <td data-label="State">
                    <Badge>{line.state}</Badge>
                    {line.attention !== null && <span className="attention">{line.attention}</span>}
                  </td>
                  <td className="num" data-label="Paid">
                    {line.terms ? <Amount of={termsAmount(line.terms.pay)} /> : '–'}
                  </td>
                  <td className="num" data-label="Received">
                    {line.terms ? <Amount of={termsAmount(line.terms.receive)} /> : '–'}
                  </td>
                  <td data-label="Made">
                    <When at={line.createdAt} now={now} />
                  </td>
                  {me.projects.length > 1 && <td data-label="Project">{me.projects.find(({ id }) => id === line.projectId)?.name}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager hasCursor={cursor !== undefined} nextCursor={list.data?.nextCursor} onGo={(next) => go({ ...search, cursor: next })} />
    </>
  );
}
