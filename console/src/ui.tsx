import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { serviceNow, type TermsAmount } from './api.ts';

/** Smallest units as a decimal, fiat with its cents. */
export function formatMinor(minor: string, decimals: number): string {
  const isNegative = minor.startsWith('-');
  const digits = minor.replace('-', '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
  const all = digits.slice(digits.length - decimals);
  const fraction = decimals <= 3 ? all : all.replace(/0+$/, '');
  return `${isNegative ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export const termsAmount = ({ amountMinor, decimals, currency }: TermsAmount) => ({
  amount: formatMinor(amountMinor, decimals),
  currency: currency.toUpperCase(),
});

/** What is longer is an address, whose letters mean something. */
const symbolLengthMax = 10;

/** Thousands apart, where they are not yet. */
export const grouped = (amount: string) => {
  const [whole = '', fraction] = amount.split('.');
  const apart = whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u202f');
  return fraction === undefined ? apart : `${apart}.${fraction}`;
};

/** Four digits behind the point, or behind its zeros, say whether there is enough. */
export function roughly(amount: string): string {
  const [, whole = amount, fraction = ''] = /^(-?\d+)\.(0*\d{0,4})/.exec(amount) ?? [];
  const kept = fraction.replace(/0+$/, '');
  return grouped(kept === '' ? whole : `${whole}.${kept}`);
}

export function Amount({
  of,
  isRough,
}: {
  readonly of: { readonly amount: string; readonly currency: string } | undefined;
  /** With the digits that matter; all of them when pointed at. */
  readonly isRough?: boolean;
}) {
  if (!of) return <span className="faint">no amount</span>;
  return (
    <span className="amount" title={isRough ? of.amount : undefined}>
      {isRough ? roughly(of.amount) : grouped(of.amount)}{' '}
      <small>
        {of.currency.length <= symbolLengthMax ? of.currency.toUpperCase() : of.currency}
      </small>
    </span>
  );
}

const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

function span(ms: number): string {
  for (const [unit, name] of units) {
    const count = Math.floor(ms / unit);
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'}`;
  }
  return 'a moment';
}

/** How long something lasts already. */
export function Since({ at, now }: { readonly at: string; readonly now: number }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {span(Math.max(now - Date.parse(at), 0))}
    </time>
  );
}

/** How long ago, or until when; the exact time when pointed at. */
export function When({ at, now }: { readonly at: string; readonly now: number }) {
  const ms = now - Date.parse(at);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ms >= 0 ? `${span(ms)} ago` : `in ${span(-ms)}`}
    </time>
  );
}

/** Ticks, so that ages are right on a page that stays open. */
export function useNow(): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toString()}>
      {date.toLocaleDateString(undefined, { day: '2-digit', month: 'short' })}{' '}
      {date.toLocaleTimeString(undefined, {
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      })}
    </time>
  );
}

const tones: Readonly<Record<string, string>> = {
  needs_operator: 'bad',
  on_hold: 'warn',
  refused: 'bad',
  failed: 'bad',
  revoked: 'bad',
  payment_failed: 'bad',
  delivered: 'good',
  succeeded: 'good',
  placed: 'good',
  done: 'good',
  success: 'good',
  'awaiting-approval': 'warn',
  active: 'good',
  final: 'good',
  payout_final: 'good',
  completed: 'good',
  invited: 'warn',
};

export const words = (text: string) => text.replaceAll(/[_-]/g, ' ');

/** `kycData` and `add-to-cart` as words. */
export const spelled = (name: string) =>
  words(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());

export function Badge({ children, tone }: { readonly children: string; readonly tone?: string }) {
  return <span className={`badge ${tone ?? tones[children] ?? ''}`}>{words(children)}</span>;
}

/** The same at the command line, to copy. */
export function Command({ children }: { readonly children: string }) {
  const [isCopied, setCopied] = useState(false);
  const text = `npx ${children}`;
  return (
    <button
      type="button"
      className="command"
      title="Copy: the same at the command line"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1_500);
        });
      }}
    >
      <code>{text}</code>
      <span aria-live="polite">{isCopied ? 'copied' : 'copy'}</span>
    </button>
  );
}

export function Id({ children }: { readonly children: string }) {
  return (
    <code className="id" title={children}>
      {children.length > 22 ? `${children.slice(0, 8)}…${children.slice(-6)}` : children}
    </code>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="empty">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="20" />
        <path d="m16 24 6 6 11-12" />
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

export function Problem({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
}) {
  return (
    <div className="problem" role="alert">
      <p>{error instanceof Error ? error.message : 'Something went wrong.'}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="faint">Loading…</span>
    </div>
  );
}

/**
 * A dialog of the browser itself: it keeps the focus inside, Escape closes it, and what is behind
 * is inert.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} onClose={onClose} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/**
 * Of every screen: what it is, how to get the same at the command line, and the way back to its
 * list.
 */
export function Head({
  title,
  about,
  command,
  back,
}: {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly command: string;
  readonly back?: ReactNode;
}) {
  return (
    <header className="head">
      <div>
        {back && <p className="crumbs">{back}</p>}
        <h1>{title}</h1>
        <div className="faint">{about}</div>
      </div>
      <Command>{command}</Command>
    </header>
  );
}

export type FactRow = readonly [name: string, value: ReactNode] | false | undefined;

/** Names and values; what is false or undefined is left out. */
export function Facts({ rows }: { readonly rows: readonly FactRow[] }) {
  return (
    <dl>
      {rows.map(
        (row) =>
          row && (
            <Fragment key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export interface TimelineEvent {
  readonly key: string;
  readonly at: string;
  readonly kind: string;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
}

/** What happened, in order. */
export function Timeline({ events }: { readonly events: readonly TimelineEvent[] }) {
  return (
    <ol className="timeline">
      {events.map(({ key, at, kind, title, detail }) => (
        <li key={key} className={kind}>
          <p className="at">
            <Time at={at} />
          </p>
          <div>
            <p>{title}</p>
            {detail && <div className="detail">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A table, which may be wider than its place: it is reached and moved by the keyboard too. */
export function Scroll({
  label,
  isBusy,
  children,
}: {
  readonly label: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className="scroll" aria-label={label} aria-busy={isBusy} tabIndex={0}>
      {children}
    </section>
  );
}

/** How much of a limit is used, in words and as a bar. */
export function Used({
  name,
  used,
  limit,
  isFull,
}: {
  readonly name?: string | undefined;
  readonly used: string;
  readonly limit: string;
  readonly isFull?: boolean;
}) {
  const [part, whole] = [Number(used), Number(limit)];
  return (
    <span className="used">
      {name !== undefined && `${name}: `}
      {grouped(used)} of {grouped(limit)} {isFull && <span className="attention">all of it</span>}
      <meter
        min={0}
        max={whole > 0 ? whole : 1}
        value={Math.min(part, whole)}
        aria-label={`${name ?? ''} used ${used} of ${limit}`.trim()}
      />
    </span>
  );
}
