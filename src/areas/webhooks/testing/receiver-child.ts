import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Webhook } from 'standardwebhooks';

// A receiver as a process of its own, for the tests that kill it. It verifies, keeps what it was
// told in a file before it answers, and knows events by their webhook-id.

export interface ReceiverArguments {
  readonly port: number;
  readonly stateFile: string;
  readonly secret: string;
}

export interface ReceiverState {
  /** Ids of events that were taken. */
  readonly taken: string[];
  /** By order: the numbers of its events, as they were taken. */
  readonly orders: Record<string, number[]>;
}

if (process.argv[2] === 'run') {
  const { port, stateFile, secret } = JSON.parse(process.argv[3]!) as ReceiverArguments;
  const state = existsSync(stateFile)
    ? (JSON.parse(readFileSync(stateFile, 'utf8')) as ReceiverState)
    : { taken: [], orders: {} };
  const taken = new Set(state.taken);
  const webhook = new Webhook(secret);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const event = webhook.verify(body, request.headers as Record<string, string>) as {
        actionId: string;
        data: { n: number };
      };
      const id = request.headers['webhook-id'] as string;
      if (!taken.has(id)) {
        taken.add(id);
        state.taken.push(id);
        (state.orders[event.actionId] ??= []).push(event.data.n);
        writeFileSync(`${stateFile}.new`, JSON.stringify(state));
        renameSync(`${stateFile}.new`, stateFile);
      }
      response.writeHead(204).end();
    });
  });
  server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
}
