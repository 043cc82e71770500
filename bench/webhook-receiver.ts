import http from 'node:http';
import type { AddressInfo } from 'node:net';

// Receivers as a process of their own: they note when each webhook arrived and acknowledge it.

const portCount = 40;
let arrivals: { readonly n: number; readonly atMs: number }[] = [];

const server = () =>
  http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        data: { n: number };
      };
      arrivals.push({ n: data.n, atMs: performance.timeOrigin + performance.now() });
      response.writeHead(204).end();
    });
  });

const ports = await Promise.all(
  Array.from({ length: portCount }, async () => {
    const one = server();
    one.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    return (one.address() as AddressInfo).port;
  }),
);
process.on('message', (message: 'count' | 'take') => {
  if (message === 'count') return void process.send?.({ count: arrivals.length });
  process.send?.({ arrivals });
  arrivals = [];
});
process.send?.({ ports });
