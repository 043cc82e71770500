import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Headers of one hop. They end here, the credential of the proxy among them. */
const hopHeaders = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Passes one request on over a connection that was checked, under the name that was checked, and
 * its answer back.
 */
export function forwardRequest(input: {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  socket: Socket;
}): void {
  const { request, response, url, socket } = input;
  const outgoing = http.request({
    createConnection: () => socket,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: [
      ...withoutHopHeaders(request.rawHeaders),
      'Host',
      url.host,
      ...bodyHeaders(request),
      'Connection',
      'close',
    ],
  });
  // Never tried again: the request may have done its work already.
  const fail = () =>
    response.headersSent
      ? response.destroy()
      : response.writeHead(502, { connection: 'close' }).end();
  outgoing.on('response', (answer) => {
    answer.on('error', () => response.destroy());
    const status = answer.statusCode ?? 502;
    // Node reads numbers that it does not write: one shop's odd answer must not end the runs in all
    // the others.
    if (status < 200) {
      outgoing.destroy();
      return void fail();
    }
    response.writeHead(status, withoutHopHeaders(answer.rawHeaders));
    answer.pipe(response);
  });
  // Nobody asked for it.
  outgoing.on('upgrade', (_, upgraded) => {
    upgraded.destroy();
    fail();
  });
  outgoing.on('error', fail);
  response.once('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

function bodyHeaders(request: IncomingMessage): string[] {
  return request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
}

function withoutHopHeaders(raw: readonly string[]): string[] {
  const named = raw.flatMap((text, index) =>
    index % 2 === 0 ? [[text, raw[index + 1]!] as const] : [],
  );
  const connectionOnly = named
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((word) => word.trim().toLowerCase()));
  return named
    .filter(
      ([name]) =>
        !hopHeaders.has(name.toLowerCase()) && !connectionOnly.includes(name.toLowerCase()),
    )
    .flatMap(([name, value]) => [name, value]);
}
