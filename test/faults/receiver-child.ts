import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { Webhook } from 'standardwebhooks';

// A receiver of webhooks as a process of its own, which is killed: it writes down what it was told
// before it answers.

export interface ReceiverArguments {
  readonly port: number;
  /** A line of JSON per event, as they were taken. */
  readonly file: string;
  readonly secret: string;
}

/** What a receiver has written down of an event that it had not seen before. */
export interface TakenEvent {
  readonly id: string;
  readonly type: string;
  readonly orderId: string;
  readonly data: unknown;
}

const { port, file, secret } = JSON.parse(process.argv[2]!) as ReceiverArguments;
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
const seen = new Set(
  lines.flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as TakenEvent).id])),
);
const webhook = new Webhook(secret);

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    let event: { type: string; actionId?: string; data: unknown };
    try {
      event = webhook.verify(body, request.headers as Record<string, string>) as typeof event;
    } catch {
      return void response.writeHead(400).end();
    }
    const id = request.headers['webhook-id'] as string;
    if (!seen.has(id)) {
      const taken: TakenEvent = {
        id,
        type: event.type,
        orderId: event.actionId ?? '',
        data: event.data,
      };
      appendFileSync(file, `${JSON.stringify(taken)}\n`);
      seen.add(id);
    }
    response.writeHead(204).end();
  });
});
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
