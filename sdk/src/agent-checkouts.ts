import type { Answer, Body, CallOptions, Schema } from './call-types.ts';
import { OperationFailedError } from './errors.ts';
import { formOfSchema, type QuestionForm } from './questions.ts';
import { pause, type WaitOptions, waitUntil } from './wait.ts';

export type AgentCheckout = Schema<'AgentCheckout'>;
export type ProgressItem = AgentCheckout['progressItems'][number];

/**
 * The answers to the questions that runs ask (guide "Agent checkouts"); the form of the question
 * says which is wanted.
 */
export type QuestionAnswer =
  /** Product, total and delivery are right: buy it. */
  | { readonly approved: true }
  /** Signed in, confirmed at the bank, passed the human check. */
  | { readonly done: true }
  | { readonly choice: string }
  | { readonly code: string }
  | { readonly username: string; readonly password: string }
  | {
      readonly number: string;
      readonly expirationMonth: number;
      readonly expirationYear: number;
      readonly cvc: string;
      readonly holder: string;
      readonly postalCode?: string;
    }
  | { readonly paymentMethodId: string; readonly cvc: string }
  | { readonly outcome: 'placed' | 'not-placed'; readonly merchantOrderId?: string }
  | { readonly answer: string }
  /** Contact, delivery, and whatever a form names. */
  | Readonly<Record<string, string | number | boolean>>;

/**
 * What a checkout asks its user. The run goes on once it is answered; unanswered it ends at
 * `expiresAt`.
 */
export interface Question {
  readonly id: string;
  readonly message: string;
  readonly expiresAt: Date | undefined;
  readonly form: QuestionForm;
  /** JSON Schema of the answer, as it came. */
  readonly responseSchema: object;
  /** Sends the answer. Values that do not fit throw a BadRequestError and can be sent again. */
  answer(values: QuestionAnswer, call?: CallOptions): Promise<Answer<'respondToUserAction'>>;
  /** Declines: the run ends, unless it can do without. */
  decline(reason?: string, call?: CallOptions): Promise<Answer<'respondToUserAction'>>;
}

/** What is new in a checkout. */
export type AgentCheckoutUpdate =
  | { readonly type: 'progress'; readonly item: ProgressItem; readonly checkout: AgentCheckout }
  | { readonly type: 'question'; readonly question: Question; readonly checkout: AgentCheckout }
  | { readonly type: 'ended'; readonly checkout: AgentCheckout };

export interface FollowOptions extends WaitOptions {
  /** Between two looks. Default 1,500. */
  readonly pollMs?: number;
}

export interface BuyOptions extends FollowOptions, Pick<CallOptions, 'idempotencyKey'> {
  /** Asked for each question; nothing declines it. */
  readonly onQuestion: (
    question: Question,
    checkout: AgentCheckout,
  ) => Promise<QuestionAnswer | undefined> | QuestionAnswer | undefined;
  readonly onProgress?: (item: ProgressItem, checkout: AgentCheckout) => void;
}

interface Calls {
  createAgentCheckout(
    body: Body<'createAgentCheckout'>,
    call?: CallOptions,
  ): Promise<AgentCheckout>;
  getAgentCheckout(id: string, call?: CallOptions): Promise<AgentCheckout>;
  respondToUserAction(
    id: string,
    actionId: string,
    body: Body<'respondToUserAction'>,
    call?: CallOptions,
  ): Promise<Answer<'respondToUserAction'>>;
}

const pollDefaultMs = 1_500;
/**
 * A purchase with all its questions open until their end takes hours; one that is followed by a
 * person does not.
 */
const followTimeoutMs = 60 * 60_000;
const ends: readonly AgentCheckout['status'][] = ['succeeded', 'failed', 'cancelled'];

/** @param service where the interface is */
export function createAgentCheckoutActs(calls: Calls, service: { readonly baseUrl: string }) {
  /**
   * Progress, questions and the end of a checkout as they come. Leave the loop, and the checkout
   * goes on without you.
   */
  async function* followAgentCheckout(
    id: string,
    options: FollowOptions = {},
  ): AsyncGenerator<AgentCheckoutUpdate, void, undefined> {
    const { signal, pollMs = pollDefaultMs, timeoutMs = followTimeoutMs } = options;
    const endsAt = Date.now() + timeoutMs;
    let told = 0;
    let asked: string | undefined;
    for (;;) {
      const isNew = (checkout: AgentCheckout) =>
        checkout.progressItems.length > told ||
        ends.includes(checkout.status) ||
        (checkout.pendingUserAction !== undefined && checkout.pendingUserAction.id !== asked);
      const checkout = await waitUntil(
        () => calls.getAgentCheckout(id, signal ? { signal } : {}),
        isNew,
        { ...(signal ? { signal } : {}), timeoutMs: Math.max(endsAt - Date.now(), 1) },
        (_ms, leftMs, stop) => pause(Math.min(pollMs, leftMs), stop),
      );
      for (const item of checkout.progressItems.slice(told))
        yield { type: 'progress', item, checkout };
      told = checkout.progressItems.length;
      const action = checkout.pendingUserAction;
      if (action !== undefined && action.id !== asked) {
        asked = action.id;
        yield { type: 'question', question: questionOf(checkout.id, action), checkout };
      }
      if (ends.includes(checkout.status)) {
        yield { type: 'ended', checkout };
        return;
      }
    }
  }

  function questionOf(
    checkoutId: string,
    action: NonNullable<AgentCheckout['pendingUserAction']>,
  ): Question {
    const respond = (body: object, call?: CallOptions) =>
      calls.respondToUserAction(checkoutId, action.id, body as Body<'respondToUserAction'>, call);
    return {
      id: action.id,
      message: action.message,
      expiresAt: action.expiresAt === undefined ? undefined : new Date(action.expiresAt),
      form: formOfSchema(action.responseSchema),
      responseSchema: action.responseSchema,
      answer: (values, call) => respond({ action: 'submit', values }, call),
      decline: (reason, call) =>
        respond({ action: 'decline', ...(reason === undefined ? {} : { reason }) }, call),
    };
  }

  /**
   * Follows a checkout to its end, answers what it asks, and gives it back with its `receipt`.
   * @throws OperationFailedError
   */
  async function finishAgentCheckout(
    id: string,
    { onQuestion, onProgress, ...options }: BuyOptions,
  ): Promise<AgentCheckout> {
    for await (const update of followAgentCheckout(id, options)) {
      if (update.type === 'progress') onProgress?.(update.item, update.checkout);
      else if (update.type === 'question') {
        const values = await onQuestion(update.question, update.checkout);
        await (values === undefined ? update.question.decline() : update.question.answer(values));
      } else return succeeded(update.checkout);
    }
    throw new Error('a checkout is followed until it ends');
  }

  return {
    followAgentCheckout,
    finishAgentCheckout,
    /**
     * The live page of a checkout, for a frame: `browser.embedUrl` may be relative to the service,
     * and a page of your app would read it as one of its own.
     * @returns undefined while there is no browser to see
     */
    livePageUrl({ browser }: Pick<AgentCheckout, 'browser'>): string | undefined {
      const { embedUrl } = browser ?? {};
      if (embedUrl === undefined || !URL.canParse(embedUrl, service.baseUrl)) return undefined;
      const url = new URL(embedUrl, service.baseUrl);
      // Not `javascript:`: whoever answers must not act in the page that frames it.
      return ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
    },
    /**
     * Buys something: creates the checkout and follows it to its end.
     * @throws OperationFailedError
     */
    async buy(
      body: Body<'createAgentCheckout'>,
      { idempotencyKey, ...options }: BuyOptions,
    ): Promise<AgentCheckout> {
      const { signal } = options;
      const created = await calls.createAgentCheckout(body, {
        ...(signal ? { signal } : {}),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      return finishAgentCheckout(created.id, options);
    },
  };
}

function succeeded(checkout: AgentCheckout): AgentCheckout {
  if (checkout.status === 'succeeded') return checkout;
  const { failure } = checkout;
  const why = failure
    ? `${failure.reason}: ${failure.message ?? 'no reason was given'}`
    : `The checkout was ${checkout.status}.`;
  throw new OperationFailedError(why, { status: 0, body: checkout });
}
