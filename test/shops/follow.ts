import { setTimeout as delay } from 'node:timers/promises';
import { ended } from '../harness/checkout-world.ts';
import type { CallAnswer } from '../harness/http.ts';
import type { CustomerAnswer, Question } from './customer.ts';

export interface FollowInput {
  readonly id: string;
  /** Calls the interface below the checkouts, as their user. */
  readonly call: (method: string, below: string, body?: object) => Promise<CallAnswer>;
  /** Undefined: not answered. */
  readonly answer: (question: Question) => Promise<CustomerAnswer | undefined>;
  /** Sees every view. */
  readonly onView?: (view: CallAnswer['body']) => Promise<void> | void;
  readonly endMaxMs: number;
}

const pollMs = 150;

/**
 * Answers what is asked until the checkout has ended.
 * @returns its last view; with the status `stuck` when it does not end
 */
export async function followCheckout({
  id,
  call,
  answer,
  onView,
  endMaxMs,
}: FollowInput): Promise<CallAnswer['body']> {
  const answered = new Set<string>();
  for (const endMs = Date.now() + endMaxMs; ; await delay(pollMs)) {
    const { body: view } = await call('GET', `/${id}`);
    await onView?.(view);
    if (ended.includes(view.status)) return view;
    if (Date.now() > endMs)
      return stuck(view, `it does not end; last: ${view.progressItems.at(-1)?.title}`);
    const question = view.pendingUserAction as Question | undefined;
    if (!question || answered.has(question.id)) continue;
    const values = await answer(question);
    if (values === undefined) continue;
    answered.add(question.id);
    const said = values === 'decline' ? { action: 'decline' } : { action: 'submit', values };
    const { status, body } = await call('POST', `/${id}/actions/${question.id}`, said);
    // 409: it has ended meanwhile.
    if (status !== 202 && status !== 409)
      return stuck(view, `the answer was refused: ${JSON.stringify({ body, question })}`);
  }
}

const stuck = (view: object, message: string) => ({
  ...view,
  status: 'stuck',
  failure: { reason: 'stuck', message },
});
