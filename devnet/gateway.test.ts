import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from './gateway.ts';

/** A node of no family: it tells what it was asked, streams in two parts, or says nothing. */
const node = http.createServer((request, response) => {
  if (request.url === '/silent') return;
  if (request.url === '/stream') {
    response.writeHead(200, { 'content-type': 'application/grpc-web+proto' }).write('first');
    finishStream = () => response.end('second');
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(201, {
      'content-type': 'application/x-bcs',
      'x-method': method,
      'x-url': url,
      'x-got': headers['x-sent'] ?? '',
    });
    response.end(Buffer.concat(parts));
  });
});
/** It says a line back, after the protocol was changed. */
node.on('upgrade', (request, socket) => {
  if (request.url !== '/talk')
    return void socket.end(
      'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
    );
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: line\r\nx-node: itself\r\n\r\nhello ',
  );
  socket
    .on('data', (part: Buffer) => socket.write(part.toString().toUpperCase()))
    .on('error', () => undefined);
});
let finishStream = (): void => undefined;
let gateway: Gateway;
const bodyBytesMax = 100_000;
const silenceMsMax = 300;

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const { port } = node.address() as { port: number };
  const chains = {
    has: (name: string) => name === 'aptos',
    urlOf: () => `http://127.0.0.1:${port}`,
    list: () => [],
  };
  gateway = await startGateway(chains, 0, { bodyBytesMax, silenceMsMax });
});
afterAll(async () => {
  await gateway.close();
  node.closeAllConnections();
  node.close();
});

describe('the gateway of the local chains', () => {
  it('passes method, path, query and headers on, and the answer’s back', async () => {
    const answer = await fetch(`${gateway.url}/aptos/v1/accounts/0x1?limit=2&start=a%2Fb`, {
      headers: { 'x-sent': 'as it was' },
    });
    expect(answer.status).toBe(201);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-method': 'GET',
      'x-url': '/v1/accounts/0x1?limit=2&start=a%2Fb',
      'x-got': 'as it was',
      'content-type': 'application/x-bcs',
      'access-control-allow-origin': '*',
    });
    expect((await fetch(`${gateway.url}/aptos?a=1`)).headers.get('x-url')).toBe('/?a=1');
    expect(
      (await fetch(`${gateway.url}/aptos`, { method: 'DELETE' })).headers.get('x-method'),
    ).toBe('DELETE');
  });

  it('passes bodies on byte by byte', async () => {
    const body = randomBytes(70_000);
    const answer = await fetch(`${gateway.url}/aptos/v1/transactions`, { method: 'POST', body });
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  });

  it('passes a stream on while it is being written', async () => {
    const answer = await fetch(`${gateway.url}/aptos/stream`, { method: 'POST', body: 'x' });
    const reader = answer.body!.getReader();
    // The node has not said more yet: it goes on when the first part has arrived.
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
    finishStream();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('second');
    expect((await reader.read()).done).toBe(true);
  });

  it('passes on what a client changes its connection to, both ways, and a refusal', async () => {
    const change = (path: string) =>
      new Promise<{ readonly status: number | undefined; readonly said: string }>(
        (resolve, reject) => {
          const request = http.request(`${gateway.url}${path}`, {
            headers: { connection: 'Upgrade', upgrade: 'line' },
          });
          request.on('error', reject);
          request.on('response', (answer) =>
            resolve({ status: answer.resume().statusCode, said: '' }),
          );
          request.on('upgrade', (answer, socket, head) => {
            let said = head.toString();
            socket.write('and back');
            socket.on('data', (part: Buffer) => {
              said += part.toString();
              if (said.length < 14) return;
              socket.destroy();
              resolve({
                status: answer.headers['x-node'] === 'itself' ? answer.statusCode : undefined,
                said,
              });
            });
          });
          request.end();
        },
      );
    expect(await change('/aptos/talk')).toEqual({ status: 101, said: 'hello AND BACK' });
    expect((await change('/aptos/other')).status).toBe(403);
    expect((await change('/nowhere/talk')).status).toBe(404);
  });

  it('does not wait for ever for a node that says nothing', async () => {
    const answer = await fetch(`${gateway.url}/aptos/silent`);
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      error: { message: 'The local chain did not answer within 0.3 s.' },
    });
  });

  it('refuses bodies that are too large, those of unknown length as well', async () => {
    const tooLarge = randomBytes(bodyBytesMax + 1);
    expect((await fetch(`${gateway.url}/aptos`, { method: 'POST', body: tooLarge })).status).toBe(
      413,
    );
    const status = await new Promise((resolve, reject) => {
      const request = http.request(`${gateway.url}/aptos`, { method: 'POST' }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      request.on('error', reject);
      request.write(tooLarge.subarray(0, bodyBytesMax));
      request.write(tooLarge);
    });
    expect(status).toBe(413);
  });
});
