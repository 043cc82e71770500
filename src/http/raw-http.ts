import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Ids } from '../lib/id.ts';
import { lingerMs } from './linger.ts';

const requestIdPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The caller's own request id when it is harmless in a log and a header; else a new one. */
export function readRequestId(header: string | string[] | undefined, ids: Ids): string {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : ids.uuid();
}

const refusals: Readonly<Record<string, readonly [status: string, code: string, message: string]>> =
  {
    HPE_HEADER_OVERFLOW: [
      '431 Request Header Fields Too Large',
      'validation-error',
      'The request headers are too large.',
    ],
    HPE_CHUNK_EXTENSIONS_OVERFLOW: [
      '413 Payload Too Large',
      'payload-too-large',
      'The request body is too large.',
    ],
    ERR_HTTP_REQUEST_TIMEOUT: [
      '408 Request Timeout',
      'validation-error',
      'The request did not arrive in time: send it again.',
    ],
  };

/**
 * Says the last word on a connection: Node waits for the other end to hang up as well, for ever.
 */
export function endWith(socket: Duplex, text: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(text);
}

/**
 * Answers what is no HTTP request, before there is a route: in JSON, and with the headers of
 * everything else.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'validation-error',
    'The request is not valid HTTP.',
  ];
  const body = JSON.stringify({ error: true, message, code });
  const lines = Object.entries({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  endWith(socket, `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}
