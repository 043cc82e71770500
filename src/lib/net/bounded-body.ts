/** An answer is longer than any that its caller reads. */
export class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError';

  constructor(readonly bytesMax: number) {
    super(`The answer is longer than ${bytesMax} bytes.`);
  }
}

/**
 * Reads a body to its end and stops as soon as it is too long, which closes the connection.
 * @throws BodyTooLongError
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of body ?? []) {
    byteCount += chunk.byteLength;
    if (byteCount > bytesMax) throw new BodyTooLongError(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The same answer with a body that was read already, for libraries that read of whatever size.
 * @throws BodyTooLongError
 */
export async function boundResponse(response: Response, bytesMax: number): Promise<Response> {
  return new Response(await readBounded(response.body, bytesMax), {
    status: response.status,
    headers: response.headers,
  });
}
