import type { Question, QuestionField, QuestionWay } from '@purser/sdk';
import { type FormEvent, useId, useState } from 'react';
import { Button, Failure, Field } from './parts.tsx';
import { useAction } from './use-action.ts';

export interface QuestionFormProps {
  readonly question: Question;
  /** Heard once the answer, or that there is none, has arrived. */
  readonly onAnswered?: () => void;
}

/** What a checkout asks, as a form. Values stay in this form: what is secret is kept nowhere. */
export function QuestionForm({ question, onAnswered }: QuestionFormProps) {
  const { fields, ways } = question.form;
  const [way, setWay] = useState(0);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const chosen = ways[way] ?? ways[0]!;
  const shown = fields.filter(({ name }) => isOfWay(name, chosen, ways));
  const send = useAction(async (signal, decline: boolean) => {
    await (decline
      ? question.decline(undefined, { signal })
      : question.answer(answerOf(shown, chosen, values), { signal }));
    onAnswered?.();
  });
  const isRunning = send.status === 'running' || send.status === 'done';

  return (
    <form
      className="purser-form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send.run(false);
      }}
    >
      {/* A single field asks it itself. */}
      {!(shown.length === 1 && shown[0]!.label === question.message) && (
        <p className="purser-message">{question.message}</p>
      )}
      {ways.length > 1 && (
        <div className="purser-row" role="group" aria-label="How to answer">
          {ways.map(({ title }, index) => (
            <Button
              key={title}
              kind="quiet"
              aria-pressed={index === way}
              onClick={() => setWay(index)}
            >
              {title}
            </Button>
          ))}
        </div>
      )}
      {shown.map((field) => (
        <FieldOf
          key={field.name}
          field={field}
          isRequired={chosen.required.includes(field.name)}
          value={values[field.name] ?? ''}
          onChange={(value) => setValues((known) => ({ ...known, [field.name]: value }))}
        />
      ))}
      <div className="purser-row">
        <Button kind="quiet" disabled={isRunning} onClick={() => void send.run(true)}>
          No, thank you
        </Button>
        <Button type="submit" busy={isRunning}>
          {submitLabel(shown, chosen)}
        </Button>
      </div>
      <Failure error={send.error} />
    </form>
  );
}

function FieldOf({
  field,
  value,
  isRequired,
  onChange,
}: {
  field: QuestionField;
  value: string;
  isRequired: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  if (field.kind === 'confirm') return null;
  if (field.kind === 'choice')
    return (
      <div className="purser-field">
        <label htmlFor={id}>{field.label}</label>
        <select
          id={id}
          className="purser-input"
          value={value}
          required={isRequired}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="" disabled>
            Choose …
          </option>
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    );
  const type = { secret: 'password', email: 'email', number: 'text', text: 'text' }[field.kind];
  return (
    <Field
      label={isRequired ? field.label : `${field.label} (optional)`}
      hint={field.description}
      type={type}
      inputMode={field.kind === 'number' ? 'numeric' : undefined}
      autoComplete={field.kind === 'secret' ? 'off' : undefined}
      value={value}
      required={isRequired}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Of several ways each shows what it needs, and what none of them needs. */
function isOfWay(name: string, chosen: QuestionWay, ways: readonly QuestionWay[]): boolean {
  return chosen.required.includes(name) || !ways.some(({ required }) => required.includes(name));
}

/** A lone confirmation is the button itself. */
function submitLabel(shown: readonly QuestionField[], { required }: QuestionWay): string {
  const [only] = shown.filter(({ name }) => required.includes(name));
  return only?.kind === 'confirm' && required.length === 1 ? only.label : 'Continue';
}

function answerOf(
  shown: readonly QuestionField[],
  { required }: QuestionWay,
  values: Readonly<Record<string, string>>,
) {
  const answered = shown.flatMap(({ name, kind }): [string, string | number | boolean][] => {
    if (kind === 'confirm') return required.includes(name) ? [[name, true]] : [];
    const value = values[name] ?? '';
    if (value === '' && !required.includes(name)) return [];
    return [[name, kind === 'number' ? Number(value) : value]];
  });
  return Object.fromEntries(answered);
}
