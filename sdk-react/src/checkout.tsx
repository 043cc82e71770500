import type { AgentCheckout, Body, Question } from '@purser/sdk';
import { useEffect, useRef, useState } from 'react';
import { Button, Dialog, Failure, Status } from './parts.tsx';
import { usePurser } from './provider.tsx';
import { QuestionForm } from './question.tsx';
import { useAction } from './use-action.ts';

export interface AgentCheckoutState {
  /** As last read. */
  readonly checkout: AgentCheckout | undefined;
  /** What waits for the user, until it is answered. */
  readonly question: Question | undefined;
  readonly error: Error | undefined;
  readonly isOver: boolean;
}

/** Follows an agent checkout of the user while the component is there. */
export function useAgentCheckout(id: string | undefined): AgentCheckoutState {
  const { client } = usePurser();
  const [state, setState] = useState<Omit<AgentCheckoutState, 'isOver'> & { readonly id?: string }>(
    {
      checkout: undefined,
      question: undefined,
      error: undefined,
    },
  );
  useEffect(() => {
    if (id === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    (async () => {
      for await (const update of client.followAgentCheckout(id, { signal })) {
        const { checkout } = update;
        setState((known) => ({
          id,
          checkout,
          error: undefined,
          question:
            update.type === 'question'
              ? update.question
              : checkout.pendingUserAction?.id === known.question?.id
                ? known.question
                : undefined,
        }));
      }
    })().catch((error: unknown) => {
      if (!signal.aborted) setState((known) => ({ ...known, id, error: error as Error }));
    });
    return () => controller.abort();
  }, [client, id]);
  const { checkout, question, error } =
    state.id === id ? state : { checkout: undefined, question: undefined, error: undefined };
  return {
    checkout,
    question,
    error,
    isOver:
      checkout !== undefined && ['succeeded', 'failed', 'cancelled'].includes(checkout.status),
  };
}

export interface CheckoutDialogProps {
  /** What is to be bought; or the `id` of a checkout that runs already. */
  readonly wish?: Body<'createAgentCheckout'>;
  readonly id?: string;
  readonly onClose: (checkout: AgentCheckout | undefined) => void;
}

/**
 * Buys something in a shop in front of the user: progress, the live page, questions, and the
 * receipt.
 */
export function CheckoutDialog({ wish, id, onClose }: CheckoutDialogProps) {
  const { client } = usePurser();
  // The same key for the same dialog: a second call finds the first one's checkout.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const created = useAction((signal) =>
    client.createAgentCheckout(wish!, { signal, idempotencyKey }),
  );
  const { run } = created;
  useEffect(() => {
    if (id === undefined) void run();
  }, [id, run]);
  const [answered, setAnswered] = useState<string>();
  const { checkout, question, error, isOver } = useAgentCheckout(id ?? created.value?.id);
  const cancel = useAction((signal) => client.cancelAgentCheckout(checkout!.id, { signal }));
  const close = () => onClose(checkout);
  const liveUrl = checkout && client.livePageUrl(checkout);
  const shownQuestion = question && question.id !== answered && !isOver ? question : undefined;

  return (
    <Dialog title="Buying for you" onClose={close}>
      <Progress items={checkout?.progressItems ?? []} isOver={isOver} />
      {shownQuestion && (
        <QuestionForm
          key={shownQuestion.id}
          question={shownQuestion}
          onAnswered={() => setAnswered(shownQuestion.id)}
        />
      )}
      {liveUrl !== undefined && !isOver && (
        <iframe
          className="purser-live"
          title="What the browser sees"
          src={liveUrl}
          sandbox="allow-scripts allow-same-origin"
        />
      )}
      <Status>
        {!checkout && !created.error && 'Starting …'}
        {checkout && !isOver && !shownQuestion && 'Working …'}
        {checkout?.status === 'succeeded' && receiptText(checkout)}
        {checkout?.status === 'cancelled' && 'Cancelled. Nothing was bought.'}
      </Status>
      <Failure error={failureOf(checkout) ?? created.error ?? cancel.error ?? error} />
      <div className="purser-row purser-foot">
        {checkout && !isOver && (
          <Button
            kind="quiet"
            busy={cancel.status === 'running'}
            disabled={cancel.status === 'done'}
            onClick={() => void cancel.run()}
          >
            Stop buying
          </Button>
        )}
        <Button kind={isOver ? 'primary' : 'quiet'} onClick={close}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Progress({ items, isOver }: { items: AgentCheckout['progressItems']; isOver: boolean }) {
  const ref = useRef<HTMLOListElement>(null);
  useEffect(() => {
    ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [items.length]);
  return (
    <ol ref={ref} className="purser-progress" aria-label="Progress">
      {items.map(({ title, message, createdAt }, index) => (
        // Items are only ever added at the end.
        <li
          key={`${index} ${createdAt}`}
          aria-current={!isOver && index === items.length - 1 ? 'step' : undefined}
        >
          {title ?? message}
        </li>
      ))}
    </ol>
  );
}

function receiptText({ receipt }: AgentCheckout): string {
  const total = receipt?.total ? ` for ${receipt.total.amount} ${receipt.total.currency}` : '';
  return `Bought${total}.${receipt?.merchantOrderId === undefined ? '' : ` Order ${receipt.merchantOrderId}.`}`;
}

function failureOf(checkout: AgentCheckout | undefined): Error | undefined {
  return checkout?.failure && new Error(checkout.failure.message ?? checkout.failure.reason);
}
