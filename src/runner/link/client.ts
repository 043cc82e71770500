import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Clock, type MovableClock, machineClock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import { readBounded } from '../../lib/net/bounded-body.ts';
import {
  type InternalIdentity,
  internalHeaders,
  readInternalPublicKey,
  signRequest,
  verifyAnswer,
} from '../../lib/net/signed-requests.ts';
import { deadlineSignal } from '../../lib/waiting/deadline.ts';
import { openCardLetter } from '../card-letter.ts';
import { openLinkAnswer, sealLinkRequest } from './envelope.ts';
import {
  type LinkAnswer,
  type LinkInput,
  type LinkOperation,
  linkOperations,
  toWire,
} from './wire.ts';

export interface RunLinkOptions {
  /** Where the worker's gateway is, e.g. `http://127.0.0.1:3002`. */
  readonly origin: string;
  readonly identity: InternalIdentity;
  /** Ed25519 public key of the worker, 32 bytes. */
  readonly workerPublicKey: Uint8Array;
  /** Moved along with the worker's where it can be moved. */
  readonly clock: Clock & Partial<Pick<MovableClock, 'moveTo'>>;
  readonly log: Logger;
}

export interface LinkCall {
  /**
   * The same request is sent again, with pauses, for so long after the call when nobody answers it.
   * 0: it is sent once.
   */
  readonly againMs: number;
  /** Ends the call and its repeats. */
  readonly signal?: AbortSignal;
}

/**
 * The worker, one function for each operation of the wire. What is sent again is sent with the same
 * body.
 */
export type RunLink = {
  /**
   * @throws LinkRefusedError when the worker says no, LinkAwayError when it does not answer in time
   */
  readonly [Name in LinkOperation]: (
    input: LinkInput<Name>,
    call: LinkCall,
  ) => Promise<LinkAnswer<Name>>;
};

/** The worker understood the request and refused it: the same request is refused again. */
export class LinkRefusedError extends Error {
  override readonly name = 'LinkRefusedError';
}
/** The worker does not answer, or what answers is not the worker. */
export class LinkAwayError extends Error {
  override readonly name = 'LinkAwayError';
}

const timeoutMs = 10_000;
const answerBytesMax = 32 * 1_024 * 1_024;
const pauseMs = { first: 100, max: 2_000 };
const refusalSchema = z.looseObject({ code: z.string().max(200).optional(), message: z.string() });

/**
 * Speaks with the worker over sealed and signed requests, and believes only answers that the worker
 * signed for them.
 */
export function createRunLink(options: RunLinkOptions): RunLink {
  const worker = new Worker(options);
  const names = Object.keys(linkOperations) as LinkOperation[];
  return Object.fromEntries(
    names.map((name) => [name, (input: unknown, call: LinkCall) => worker.ask(name, input, call)]),
  ) as unknown as RunLink;
}

type RenewedAnswer = Extract<LinkAnswer<'renew'>, { readonly done: unknown }>;

interface Exchanged {
  readonly status: number;
  readonly body: Buffer;
  readonly nonce: string;
  readonly signature: string | null;
}

class Worker {
  readonly #options: RunLinkOptions;
  readonly #key: ReturnType<typeof readInternalPublicKey>;

  constructor(options: RunLinkOptions) {
    this.#options = options;
    this.#key = readInternalPublicKey(options.workerPublicKey);
  }

  async ask(name: LinkOperation, input: unknown, { againMs, signal }: LinkCall): Promise<unknown> {
    const body = Buffer.from(
      await sealLinkRequest(this.#options.workerPublicKey, name, toWire(input)),
    );
    const endMs = performance.now() + againMs;
    // The worker may hold an answer back for so long.
    const heldMs =
      name === 'take-answer' || name === 'claim'
        ? (input as LinkInput<'take-answer' | 'claim'>).waitMs
        : 0;
    for (let pause = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.max)) {
      signal?.throwIfAborted();
      try {
        const answer = await this.#read(
          name,
          await this.#exchange(name, body, { timeoutMs: timeoutMs + heldMs, signal }),
        );
        if (name === 'claim') this.#followClock(answer as LinkAnswer<'claim'>);
        if (name === 'renew' && 'done' in (answer as LinkAnswer<'renew'>))
          this.#followClock((answer as RenewedAnswer).done);
        return name === 'take-answer'
          ? await this.#openCard(
              input as LinkInput<'take-answer'>,
              answer as LinkAnswer<'take-answer'>,
            )
          : answer;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof LinkRefusedError) throw error;
        if (performance.now() + pause > endMs) throw away(name, error);
      }
      await delay(pause * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  async #exchange(
    name: LinkOperation,
    body: Buffer<ArrayBuffer>,
    call: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<Exchanged> {
    const { identity, clock, origin } = this.#options;
    const path = `/runner/v1/${name}`;
    const signed = signRequest(identity, { method: 'POST', path, body }, machineClock(clock).now());
    const response = await fetch(new URL(path, origin), {
      method: 'POST',
      headers: signed.headers,
      body,
      redirect: 'error',
      signal: deadlineSignal(call.timeoutMs, call.signal),
    });
    return {
      status: response.status,
      body: await readBounded(response.body, answerBytesMax),
      nonce: signed.nonce,
      signature: response.headers.get(internalHeaders.signature),
    };
  }

  /** @throws LinkRefusedError for what the worker refused; any other error may be tried again */
  async #read(name: LinkOperation, exchanged: Exchanged): Promise<unknown> {
    if (!verifyAnswer(this.#key, exchanged)) throw this.#explainUnsigned(name, exchanged.status);
    const value: unknown = JSON.parse(
      await openLinkAnswer(this.#options.identity.seed, name, exchanged.body),
    );
    if (exchanged.status === 200) return linkOperations[name].answer.parse(value);
    const refusal = refusalSchema.safeParse(value).data;
    const sentence =
      refusal?.message ?? `The worker answered ${name} with status ${exchanged.status}.`;
    const isPassing = exchanged.status >= 500 || exchanged.status === 429;
    throw isPassing ? new LinkAwayError(sentence) : new LinkRefusedError(sentence);
  }

  #followClock({ clockAheadMs }: { readonly clockAheadMs: number }): void {
    this.#options.clock.moveTo?.(clockAheadMs);
  }

  /** A saved card comes sealed to this runner's key: the worker cannot read it. */
  async #openCard(
    { hold }: LinkInput<'take-answer'>,
    answer: LinkAnswer<'take-answer'>,
  ): Promise<LinkAnswer<'take-answer'>> {
    if (!('done' in answer) || answer.done?.action !== 'submit') return answer;
    try {
      const values = await openCardLetter(this.#options.identity.seed, {
        checkoutId: hold.checkoutId,
        values: answer.done.values,
      });
      return { done: { ...answer.done, values } };
    } catch (cause) {
      throw new LinkRefusedError(
        'The saved card cannot be opened: was the vault told another runner’s key?',
        { cause },
      );
    }
  }

  #explainUnsigned(operation: LinkOperation, status: number): LinkAwayError {
    const { log, identity } = this.#options;
    log.error(
      { operation, status, runner: identity.name },
      status === 401
        ? 'the worker did not accept our request: check the runner’s seed here, the runner’s public key there, and both clocks'
        : 'an answer in the worker’s name is not signed by it: check the worker’s public key, and what stands between',
    );
    return new LinkAwayError(`an answer with status ${status} and no good signature`);
  }
}

const away = (name: LinkOperation, cause: unknown): LinkAwayError =>
  cause instanceof LinkAwayError
    ? cause
    : new LinkAwayError(`The worker does not answer ${name}.`, { cause });
