import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';

/** Class names, the empty ones left out. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

export function Card({
  title,
  className,
  children,
}: {
  title: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes('purser-card', className)} aria-labelledby={id}>
      <h2 id={id} className="purser-title">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function Button({
  kind = 'primary',
  busy = false,
  children,
  ...rest
}: ComponentProps<'button'> & { kind?: 'primary' | 'quiet'; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classes('purser-button', `purser-${kind}`)}
    >
      {busy && <span className="purser-spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

export function Field({
  label,
  hint,
  ...input
}: ComponentProps<'input'> & { label: string; hint?: string | undefined }) {
  const id = useId();
  return (
    <div className="purser-field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="purser-input"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="purser-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Read out when it changes. */
export function Status({ children }: { children?: ReactNode }) {
  return (
    <p role="status" className="purser-status">
      {children}
    </p>
  );
}

export function Failure({ error }: { error: Error | undefined }) {
  return error === undefined ? null : (
    <p role="alert" className="purser-failure">
      {error.message}
    </p>
  );
}

/** A modal dialog of the platform: it keeps the focus, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="purser-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id} className="purser-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
