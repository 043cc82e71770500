import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { cardFromAnswer } from './card-answer.ts';
import type { Deadline } from './deadline.ts';
import { RunStop } from './engine/index.ts';
import type { HoldCall, RunHold } from './hold.ts';
import { LinkAwayError, LinkRefusedError, type RunLink } from './link/client.ts';
import { linkBodyBytesMax, toWire } from './link/wire.ts';
import { clipEvidence, clipRequest, clipText, limits } from './port-limits.ts';
import { Scrubber } from './scrub.ts';
import {
  RunCancelledError,
  type RunCard,
  type RunEnd,
  type RunPorts,
  runSteps,
  type StepEvidence,
  type UserActionAnswer,
  type UserActionKind,
  type UserActionRequest,
} from './types.ts';

/** What one hold of a run remembers across its browsers. */
export interface RunMemory {
  readonly evidence: StepEvidence[];
  /** From the moment in which the permit is asked for, unless the worker has refused it. */
  mayBeArmed: boolean;
  /** Answers without secrets, by their questions: a second browser does not ask again. */
  readonly answers: Map<string, UserActionAnswer>;
  /** Knows what the run has typed: all that it says goes through it. */
  readonly scrubber: Scrubber;
  /** The question that the user still has. */
  open?: { readonly text: string; readonly key: string };
}

export const createRunMemory = (mayBeArmed: boolean): RunMemory => ({
  evidence: [],
  mayBeArmed,
  answers: new Map(),
  scrubber: new Scrubber(),
});

export interface RunPortsInput {
  readonly link: RunLink;
  readonly held: RunHold;
  readonly memory: RunMemory;
  readonly deadline: Deadline;
  readonly clock: Clock;
  /** Aborted when this browser is given up: from then on nothing of it is said any more. */
  readonly signal: AbortSignal;
  /** Called when the user is asked (true) and when that is over. */
  onAsking(kind: UserActionKind, isAsked: boolean): void;
  /**
   * Before the user is asked.
   * @throws RunBrowserError when the browser is no more: then it is no use
   */
  checkBrowser(): Promise<void>;
}

const answerWaitMs = 15_000;
/** The log of steps is for people: a run does not wait long for it. */
const logAgainMsMax = 3_000;
const drainMsMax = 5_000;
const keptKinds: readonly UserActionKind[] = [
  'contact-and-shipping',
  'option-choice',
  'free-question',
  'approve-purchase',
];

export interface ConnectedPorts {
  readonly ports: RunPorts;
  /** Until what is said in passing (progress, pictures) has arrived; not for long. */
  drain(): Promise<void>;
}

/** The ports of a run, served by the worker. */
export function createRunPorts(input: RunPortsInput): ConnectedPorts {
  const { link, held, memory, clock } = input;
  const { scrubber } = memory;
  const ask: typeof held.ask = async (send, call: HoldCall = {}) => {
    input.signal.throwIfAborted();
    if (held.stopped.aborted && !memory.mayBeArmed) throw held.stopped.reason;
    return held.ask(send, { signal: input.signal, ...call });
  };
  const questions = createQuestions(input, ask);
  let passing = Promise.resolve();
  const sayInPassing = (work: () => Promise<unknown>) => {
    passing = passing.then(work).then(
      () => undefined,
      () => undefined,
    );
  };
  const drain = async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainMsMax);
    });
    await Promise.race([passing, late]).finally(() => clearTimeout(timer));
  };
  const askUser = async (request: UserActionRequest) => {
    await input.checkBrowser();
    await drain();
    return questions(request);
  };

  const ports: RunPorts = {
    async record(evidence) {
      // Behind the permit, with or without one: whoever comes next only looks.
      if (runSteps.indexOf(evidence.step) >= runSteps.indexOf('armed')) memory.mayBeArmed = true;
      await ask((hold, call) =>
        link.record({ hold, evidence: clipEvidence(scrubber.evidence(evidence)) }, call),
      );
      memory.evidence.push(evidence);
    },
    async progress({ title, message }) {
      const item = {
        title: clipText(scrubber.text(title), limits.title),
        ...(message !== undefined && { message: clipText(scrubber.text(message)) }),
      };
      sayInPassing(() =>
        ask((hold, call) => link.progress({ hold, item }, call), { againMsMax: logAgainMsMax }),
      );
    },
    async picture({ step, jpeg }) {
      const at = clock.now().toISOString();
      sayInPassing(() =>
        ask((hold, call) => link.picture({ hold, step, at, jpeg: jpeg.toString('base64') }, call), {
          againMsMax: logAgainMsMax,
        }),
      );
    },
    ask: askUser,
    async arm({ total, origin, sources }) {
      const wasArmed = memory.mayBeArmed;
      const request = {
        key: randomUUID(),
        total,
        origin: scrubber.origin(origin),
        sources: sources.slice(0, limits.sources).map(({ source, text }) => ({
          source: clipText(scrubber.text(source), limits.title),
          text: clipText(scrubber.text(text), limits.title),
        })),
      };
      memory.mayBeArmed = true;
      try {
        return await ask((hold, call) => link.arm({ hold, ...request }, call));
      } catch (error) {
        // Whether the permit was given is not known: then nobody clicks, and what is there is read.
        if (error instanceof LinkAwayError) return false;
        if (error instanceof LinkRefusedError || error instanceof RunCancelledError)
          memory.mayBeArmed = wasArmed;
        if (error instanceof LinkRefusedError) throw stopBecause(error.message);
        throw error;
      }
    },
    async card({ total, origin }) {
      const request = { total, origin: scrubber.origin(origin) };
      const given = await ask((hold, call) => link.card({ hold, ...request }, call)).catch(
        refusedAsStop,
      );
      const card =
        given ?? cardOfAnswer(await askUser({ kind: 'payment-credential', origin, total }), clock);
      scrubber.learnCard(card);
      return card;
    },
    cardUse: () =>
      ask((hold, call) => link['card-use']({ hold }, call)).catch((error: unknown) => {
        if (error instanceof LinkAwayError || error instanceof LinkRefusedError)
          return { state: 'unknown' as const };
        throw error;
      }),
    async saveBrowserState(state) {
      const isTooLarge = (one: object) =>
        Buffer.byteLength(toWire(one)) > linkBodyBytesMax('save-state') - limits.envelopeBytes;
      // The databases of pages are large and seldom what a login needs.
      const smaller = isTooLarge(state)
        ? { ...state, origins: state.origins.map(({ indexedDB: _, ...origin }) => origin) }
        : state;
      if (isTooLarge(smaller)) return false;
      const sent = smaller as Parameters<RunLink['save-state']>[0]['state'];
      return held.ask((hold, call) => link['save-state']({ hold, state: sent }, call));
    },
  };
  return { ports, drain };
}

/** Asks the user and waits, for whichever browser of the hold. */
function createQuestions(input: RunPortsInput, ask: RunHold['ask']) {
  const { link, memory } = input;

  async function waitFor(key: string, request: UserActionRequest): Promise<UserActionAnswer> {
    const { scrubber } = memory;
    const { actionId } = await ask((hold, call) =>
      link.ask({ hold, key, request: clipRequest(scrubber.request(request)) }, call),
    );
    for (;;) {
      const answer = await ask((hold, call) =>
        link['take-answer']({ hold, actionId, waitMs: answerWaitMs }, call),
      );
      if (answer) {
        scrubber.learnAnswer(request, answer);
        return scrubber.answer(request, answer);
      }
    }
  }

  /**
   * What an earlier browser has asked is answered first: two questions at once are one too many.
   */
  async function settleOpen(text: string): Promise<void> {
    if (!memory.open || memory.open.text === text) return;
    const { key, text: openText } = memory.open;
    const answer = await waitFor(key, JSON.parse(openText, reviveAmounts) as UserActionRequest);
    remember(memory, openText, answer);
  }

  return async (request: UserActionRequest): Promise<UserActionAnswer> => {
    const text = toWire(request);
    const known = memory.answers.get(text);
    if (known) return known;
    input.onAsking(request.kind, true);
    try {
      return await input.deadline.pauseFor(async () => {
        await settleOpen(text);
        memory.open ??= { text, key: randomUUID() };
        const answer = await waitFor(memory.open.key, request);
        remember(memory, text, answer);
        return answer;
      });
    } catch (error) {
      return refusedAsStop(error);
    } finally {
      input.onAsking(request.kind, false);
    }
  };
}

function remember(memory: RunMemory, text: string, answer: UserActionAnswer): void {
  delete memory.open;
  const { kind } = JSON.parse(text) as UserActionRequest;
  if (answer.action === 'submit' && keptKinds.includes(kind)) memory.answers.set(text, answer);
}

const reviveAmounts = (name: string, value: unknown): unknown =>
  name === 'amountMinor' ? BigInt(String(value)) : value;

function stopBecause(
  message: string,
  reason: Extract<RunEnd, { outcome: 'failed' }>['reason'] = 'automation_failed',
): RunStop {
  return new RunStop({ outcome: 'failed', reason, message, placed: 'no' });
}

function refusedAsStop(error: unknown): never {
  throw error instanceof LinkRefusedError ? stopBecause(error.message) : error;
}

/** Only before the paying click: nothing can have been placed. @throws RunStop */
function cardOfAnswer(answer: UserActionAnswer, clock: Clock): RunCard {
  if (answer.action === 'decline') throw stopBecause('The user declined.', 'user_cancelled');
  if (answer.action === 'expired')
    throw stopBecause('The user did not answer in time.', 'user_action_expired');
  const read = cardFromAnswer(answer.values, clock.now());
  if ('problem' in read) throw stopBecause(read.problem);
  return read.card;
}
