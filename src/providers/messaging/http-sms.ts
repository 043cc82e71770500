import { z } from 'zod';
import { parseJson } from '../../lib/json/parse-json.ts';
import { BodyTooLongError, readBounded } from '../../lib/net/bounded-body.ts';
import { countedFetch } from '../../lib/net/call-counts.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { renderSms } from './kinds.ts';
import { MessagingError, type Sender, type SendInput, type SendOutcome } from './messaging.ts';
import { AttemptError, type AttemptOptions, createSender } from './send-attempts.ts';

/**
 * Short messages by a company with a messages endpoint:
 * `POST <url>/Accounts/<account id>/Messages.json`, a form with `To`, `From` and `Body`, signed in
 * with account id and auth token.
 */
export interface HttpSmsOptions extends AttemptOptions {
  /** Base address, e.g. `https://api.twilio.com/2010-04-01`. */
  readonly url: string;
  readonly accountId: string;
  readonly authToken: Secret;
  /** Number or sender id that messages come from. */
  readonly from: string;
}

const answerBytesMax = 64 * 1024;
/**
 * Codes of the company for numbers that it will never reach: not valid, not mobile, unsubscribed,
 * not in a served region.
 */
const recipientCodes = new Set([21211, 21214, 21217, 21408, 21610, 21612, 21614]);

const sentSchema = z.looseObject({ sid: z.string().min(1).max(200) });
const refusalSchema = z.looseObject({
  code: z.number().optional(),
  message: z.string().optional(),
});

export function createHttpSmsSender(options: HttpSmsOptions): Sender {
  return createSender('sms', (input, signal) => sendOnce(options, input, signal), options);
}

async function sendOnce(
  options: HttpSmsOptions,
  input: SendInput,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { status, retryAfterSeconds, body } = await post(options, input, signal);
  if (status >= 200 && status < 300) {
    const sent = sentSchema.safeParse(body);
    if (!sent.success)
      throw new MessagingError('The SMS company answered in a form that we do not know.', {
        maybeSent: true,
      });
    return { status: 'sent', messageId: sent.data.sid };
  }
  const answer = refusalSchema.safeParse(body);
  const { code, message } = answer.success ? answer.data : {};
  const detail = `status ${status}${code === undefined ? '' : `, code ${code}`}${message === undefined ? '' : `: ${message.slice(0, 200)}`}`;
  if (status === 429)
    throw new AttemptError(`The SMS company asks us to wait (${detail}).`, {
      repeatable: true,
      retryAfterSeconds,
    });
  // The key makes a repetition the same message, and a code that comes twice is still the same
  // code.
  if (status >= 500)
    throw new AttemptError(`The SMS company has trouble (${detail}).`, {
      repeatable: true,
      maybeSent: true,
      retryAfterSeconds,
    });
  if (code !== undefined && recipientCodes.has(code))
    return { status: 'refused', reason: 'recipient', detail };
  if (status === 400 || status === 422) return { status: 'refused', reason: 'message', detail };
  throw new MessagingError(`The SMS company does not accept our account or request (${detail}).`);
}

interface HttpAnswer {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** Parsed JSON; undefined when it is none. */
  readonly body: unknown;
}

async function post(
  options: HttpSmsOptions,
  input: SendInput,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { url, accountId, authToken, from } = options;
  const address = `${url.replace(/\/+$/, '')}/Accounts/${encodeURIComponent(accountId)}/Messages.json`;
  try {
    const response = await countedFetch('sms', address, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${accountId}:${authToken.reveal()}`).toString('base64')}`,
        'idempotency-key': input.idempotencyKey,
      },
      body: new URLSearchParams({ To: input.to, From: from, Body: renderSms(input.message) }),
      redirect: 'error',
      signal,
    });
    return {
      status: response.status,
      retryAfterSeconds: readSeconds(response.headers.get('retry-after')),
      body: parseJson(await readAnswer(response)),
    };
  } catch (cause) {
    // Refused or unknown hosts never saw the message; after anything else it may be on its way.
    const maybeSent = !neverConnected(cause);
    throw new AttemptError(
      signal.aborted
        ? 'The SMS company did not answer in time.'
        : 'The connection to the SMS company failed.',
      {
        repeatable: !signal.aborted,
        maybeSent,
        cause,
      },
    );
  }
}

function neverConnected(error: unknown): boolean {
  const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO|ERR_TLS|SELF_SIGNED)/.test(
    code,
  );
}

/** What is longer than any answer is none: the status says whether the message was taken. */
async function readAnswer(response: Response): Promise<string> {
  try {
    return String(await readBounded(response.body, answerBytesMax));
  } catch (error) {
    if (error instanceof BodyTooLongError) return '';
    throw error;
  }
}

function readSeconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
