import { parseJson } from '../../../lib/json/parse-json.ts';
import { readBounded } from '../../../lib/net/bounded-body.ts';
import { KekError } from '../kek.ts';

const timeoutMs = 5_000;
const answerBytesMax = 64 * 1_024;
const triesMax = 3;
const pauseMs = 100;

export interface KeyServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * One call of a key service with a time-out; what may go away by itself (no answer, 429, 5xx) is
 * tried three times in all. Wrapping and unwrapping change nothing, so a repeat is harmless.
 * Messages hold neither request nor answer.
 * @throws KekError unavailable
 */
export async function callKeyService(
  what: string,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<KeyServiceAnswer> {
  for (let tries = 1; ; tries++) {
    try {
      const response = await send(AbortSignal.timeout(timeoutMs));
      const text = String(await readBounded(response.body, answerBytesMax));
      if (response.status !== 429 && response.status < 500)
        return { status: response.status, body: parseJson(text) };
      if (tries >= triesMax)
        throw new KekError('unavailable', `${what} answered ${response.status}.`);
    } catch (error) {
      if (error instanceof KekError) throw error;
      if (tries >= triesMax) throw new KekError('unavailable', `${what} cannot be reached.`, error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * tries));
  }
}
