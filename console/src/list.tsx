import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import { addressOf, get, type Page } from './api.ts';
import { projectName, useMe } from './me.ts';
import { Empty, Loading, Problem, Scroll, useNow, words } from './ui.tsx';

/** What stands in the address: the project, filters, and the place in the list. */
export type Search = Readonly<Record<string, string | undefined>>;

export function useAddress(): { readonly search: Search; readonly go: (search: Search) => void } {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  return { search, go: (next) => void navigate({ to: '.', search: next as never }) };
}

export interface Column<Row> {
  readonly title: string;
  readonly kind?: 'num' | 'wrap' | undefined;
  readonly of: (row: Row, now: number) => ReactNode;
}

/** A filter of the list, by its name in the address. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** What can be chosen; absent: it is on or off, or any text. */
  readonly options?: readonly string[];
  readonly kind?: 'text';
}

interface ListProps<Row> {
  /** Below `/console/api`. */
  readonly path: string;
  /** What is asked beside the filters, e.g. which endpoint. */
  readonly query?: Search;
  readonly filters?: readonly Filter[];
  readonly keyOf: (row: Row) => string;
  /** A table; otherwise `item` makes of each row what stands in the list. */
  readonly columns?: readonly Column<Row>[];
  readonly item?: (row: Row, now: number) => ReactNode;
  /** What is said where nothing is there, and what to do next. */
  readonly empty: { readonly title: string; readonly text: ReactNode };
  readonly projectOf?: (row: Row) => string | undefined;
  /** The route answers the same list as CSV. */
  readonly hasCsv?: boolean;
  readonly label: string;
}

const liveMs = 10_000;

/**
 * One list for every screen: it asks with what stands in the address, says what is missing or
 * wrong, and leads on from page to page. Arrow keys go from row to row.
 */
export function List<Row>({
  path,
  query = {},
  filters = [],
  columns,
  item,
  keyOf,
  empty,
  projectOf,
  hasCsv,
  label,
}: ListProps<Row>) {
  const me = useMe();
  const now = useNow();
  const { search, go } = useAddress();
  const chosen = Object.fromEntries(filters.map(({ name }) => [name, search[name]]));
  const { project, cursor } = search;
  const asked = { project, ...chosen, ...query };
  const list = useQuery({
    queryKey: [path, asked, cursor],
    queryFn: () => get<Page<Row>>(path, { ...asked, cursor }),
    refetchInterval: liveMs,
    placeholderData: (before, of) => (of?.queryKey[0] === path ? before : undefined),
  });
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  const ofProject = projectOf && me.projects.length > 1 ? projectOf : undefined;
  const rows = list.data?.items ?? [];
  return (
    <section aria-label={label} onKeyDown={goByArrows}>
      {(filters.length > 0 || hasCsv) && (
        <Filters filters={filters} search={search} go={go}>
          {hasCsv && rows.length > 0 && (
            <a className="csv" href={addressOf(path, { ...asked, format: 'csv' })} download>
              CSV
            </a>
          )}
        </Filters>
      )}
      {list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        <Empty title={isFiltered ? 'Nothing is like that' : empty.title}>
          {isFiltered ? 'Choose otherwise above, or take the filter away.' : empty.text}
        </Empty>
      ) : columns ? (
        <Scroll label={`${label}, table`} isBusy={list.isPlaceholderData}>
          <table>
            <thead>
              <tr>
                {columns.map(({ title, kind }) => (
                  <th key={title} className={kind === 'num' ? 'num' : undefined}>
                    {title}
                  </th>
                ))}
                {ofProject && <th>Project</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ title, kind, of }) => (
                    <td key={title} className={kind} data-label={title}>
                      {of(row, now)}
                    </td>
                  ))}
                  {ofProject && <td data-label="Project">{projectName(me, ofProject(row))}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : (
        <ul className="items" aria-busy={list.isPlaceholderData}>
          {rows.map((row) => (
            <li className="item" key={keyOf(row)}>
              {item?.(row, now)}
            </li>
          ))}
        </ul>
      )}
      <Pager
        hasCursor={cursor !== undefined}
        nextCursor={list.data?.nextCursor}
        onGo={(next) => go({ ...search, cursor: next })}
      />
    </section>
  );
}

function Filters({
  filters,
  search,
  go,
  children,
}: {
  readonly filters: readonly Filter[];
  readonly search: Search;
  readonly go: (search: Search) => void;
  readonly children: ReactNode;
}) {
  const choose = (name: string, value: string | undefined) =>
    go({ ...search, cursor: undefined, [name]: value });
  return (
    <div className="filters">
      {filters.map(({ name, label, options, kind }) => {
        const value = search[name];
        if (kind === 'text')
          return (
            <form
              key={`${name} ${value}`}
              role="search"
              onSubmit={(event) => {
                event.preventDefault();
                choose(
                  name,
                  String(new FormData(event.currentTarget).get(name) ?? '').trim() || undefined,
                );
              }}
            >
              <label>
                {label}
                <input
                  name={name}
                  type="search"
                  defaultValue={value}
                  maxLength={200}
                  autoComplete="off"
                  spellCheck={false}
                />
              </label>
            </form>
          );
        if (options === undefined)
          return (
            <label className="check" key={name}>
              <input
                type="checkbox"
                checked={value === 'yes'}
                onChange={(event) => choose(name, event.target.checked ? 'yes' : undefined)}
              />
              {label}
            </label>
          );
        const all = value === undefined || options.includes(value) ? options : [value, ...options];
        return (
          <label key={name}>
            {label}
            <select
              value={value ?? ''}
              onChange={(event) => choose(name, event.target.value || undefined)}
            >
              <option value="">any</option>
              {all.map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </select>
          </label>
        );
      })}
      {children}
    </div>
  );
}

/** Up and down go to the first thing in the row before or behind that can be pressed. */
function goByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const here = event.target as HTMLElement;
  if (step === 0 || here.matches('select, input, textarea')) return;
  const rows = [...event.currentTarget.querySelectorAll('tbody > tr, .items > li')];
  const place = rows.findIndex((row) => row.contains(here));
  if (place < 0) return;
  event.preventDefault();
  rows[place + step]?.querySelector<HTMLElement>('a, button:not(:disabled)')?.focus();
}

/** The way to the page behind, and back to the first. */
function Pager({
  hasCursor,
  nextCursor,
  onGo,
}: {
  readonly hasCursor: boolean;
  readonly nextCursor: string | undefined;
  readonly onGo: (cursor: string | undefined) => void;
}) {
  if (!hasCursor && nextCursor === undefined) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" disabled={!hasCursor} onClick={() => onGo(undefined)}>
        First page
      </button>
      <button type="button" disabled={nextCursor === undefined} onClick={() => onGo(nextCursor)}>
        Next page
      </button>
    </nav>
  );
}
