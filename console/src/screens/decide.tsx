import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useContext, useState } from 'react';
import { type Decision, type Me, roles } from '../api.ts';
import { useMe } from '../me.ts';
import { decide } from '../passkey.ts';
import { Dialog, Problem } from '../ui.tsx';

/** Whether the operator's role in the project is enough for a rule. */
export function mayDecide(me: Me, projectId: string, rule: string): boolean {
  const role = me.projects.find(({ id }) => id === projectId)?.role;
  const needs = me.rules[rule];
  return role !== undefined && needs !== undefined && roles.indexOf(role) >= roles.indexOf(needs);
}

interface Chosen {
  readonly decision: Decision;
  readonly projectId: string;
  readonly subject: string;
}

const Choose = createContext<(chosen: Chosen) => void>(() => undefined);

/**
 * The dialog stands beside the screens: what was decided leaves its list while somebody still reads
 * what became of it.
 */
export function DecisionHost({ children }: { readonly children: ReactNode }) {
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <Choose.Provider value={setChosen}>
      {children}
      {chosen && <DecisionDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </Choose.Provider>
  );
}

/** What can be decided, as buttons; each says first what it does to the money. */
export function Decisions({
  projectId,
  decisions,
  subject,
  isQuiet,
}: {
  readonly projectId: string;
  readonly decisions: readonly Decision[];
  readonly subject: string;
  /** Not what the screen is for: no button stands out. */
  readonly isQuiet?: boolean;
}) {
  const me = useMe();
  const choose = useContext(Choose);
  return (
    <div className="decisions">
      {decisions.map((decision, index) => {
        const may = mayDecide(me, projectId, decision.rule);
        return (
          <button
            key={decision.label}
            type="button"
            className={index === 0 && !isQuiet ? 'primary' : ''}
            disabled={!may}
            title={
              may ? decision.effect : `It takes the role ${me.rules[decision.rule] ?? 'admin'}`
            }
            onClick={() => choose({ decision, projectId, subject })}
          >
            {decision.label}
          </button>
        );
      })}
    </div>
  );
}

function DecisionDialog({
  decision,
  projectId,
  subject,
  onClose,
}: {
  readonly decision: Decision;
  readonly projectId: string;
  readonly subject: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [isSigned, setSigned] = useState(false);
  const deciding = useMutation({
    mutationFn: async (form: FormData) => {
      setSigned(false);
      const asked = (decision.asks ?? []).flatMap(({ name }) => {
        const value = String(form.get(name) ?? '').trim();
        return value === '' ? [] : [[name, value] as const];
      });
      return decide({
        projectId,
        action: decision.rule,
        params: { ...decision.params, ...Object.fromEntries(asked) },
        reason: String(form.get('reason') ?? ''),
        onSigned: () => setSigned(true),
      });
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    deciding.mutate(new FormData(event.currentTarget));
  };
  if (deciding.isSuccess)
    return (
      <Dialog
        title={deciding.data === undefined ? 'Done' : 'It waits for a second person'}
        onClose={onClose}
      >
        <p>{deciding.data ?? decision.effect}</p>
        <p className="faint">
          {deciding.data === undefined
            ? 'It is in the audit log with your name and reason.'
            : 'It stands in the inbox for a day. Nothing is done until somebody else approves it.'}
        </p>
        <div className="actions">
          <button type="button" className="primary" autoFocus onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={decision.label} onClose={onClose}>
      <p className="faint">{subject}</p>
      <p className="effect">{decision.effect}</p>
      <form onSubmit={submit}>
        {(decision.asks ?? []).map(({ name, label, optional }) => (
          <label key={name}>
            {label}
            {optional && <span className="faint"> (if there is one)</span>}
            <input
              name={name}
              required={!optional}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
            />
          </label>
        ))}
        <label>
          Why
          <textarea
            name="reason"
            required
            rows={3}
            maxLength={500}
            placeholder="Kept in the history and in the audit log; no personal data."
          />
        </label>
        {deciding.isError && <Problem error={deciding.error} />}
        <p className="faint" role="status">
          {deciding.isPending
            ? isSigned
              ? 'Signed. The worker is doing it…'
              : 'Use your passkey…'
            : 'You sign this one decision with your passkey.'}
        </p>
        <div className="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={deciding.isPending}>
            {decision.label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
