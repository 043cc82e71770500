/** What an endpoint may answer at most, in bytes. */
const answerBytesMax = 256 * 1024;

/** The endpoint said more than an answer has. */
export class AnswerTooLongError extends Error {}

/**
 * Asks the configured origin and no other, follows nobody elsewhere, and reads so much and no more.
 */
export function createBoundedFetch(origin: string): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (url.origin !== origin) throw new TypeError('The endpoint of the planner is another one.');
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > answerBytesMax) controller.error(new AnswerTooLongError());
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
