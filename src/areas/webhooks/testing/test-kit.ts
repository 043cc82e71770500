import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestDatabase } from '../../../../test/harness/database.ts';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { appendEvents, type DomainEvent, type OutboxReader } from '../../../jobs/index.ts';
import { createMovableClock, type MovableClock } from '../../../lib/clock.ts';
import type { Json } from '../../../lib/json/json.ts';
import { webhookRoutes } from '../api/routes.ts';
import { createSender, type Sender, type SenderOptions } from '../deliveries/sender.ts';
import { createEventFeed } from '../events/feed.ts';

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  readonly json: any;
}

export interface Receiver {
  url: string;
  readonly received: Received[];
  /** Answers from now on; 204 when absent. */
  answer: (request: Received, response: http.ServerResponse) => void;
  /** Connections that were opened. */
  readonly connectionCount: number;
  close(): Promise<void>;
}

/** A receiver of webhooks on a port of its own. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let connectionCount = 0;
  const receiver: Receiver = {
    received,
    url: '',
    answer: (_, response) => void response.writeHead(204).end(),
    get connectionCount() {
      return connectionCount;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body,
        json: JSON.parse(body),
      };
      received.push(one);
      receiver.answer(one, response);
    });
  });
  server.on('connection', () => {
    connectionCount += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Answers with a status. */
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Receiver['answer'] =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

export interface World {
  readonly api: TestApi;
  readonly clock: MovableClock;
  readonly feed: OutboxReader;
  readonly sender: Sender;
  /** Registers an endpoint and answers it with its secret. */
  anEndpoint(body: {
    url: string;
    events?: string[];
  }): Promise<{ readonly id: string; readonly secret: string }>;
  /** Something happens in the project: `order:1` unless another object is named. */
  happen(events: readonly Partial<DomainEvent>[]): Promise<void>;
  /** Sends all that is due. @returns the number of attempts */
  deliver(): Promise<number>;
  deliveriesOf(
    endpointId: string,
    query?: string,
  ): Promise<{ id: string; status: string; attemptCount: number; eventId: string }[]>;
  close(): Promise<void>;
}

/** The routes, the feed and a sender on one database, with a clock that can be moved. */
export async function startWorld(
  senderOptions: SenderOptions = {},
  database?: TestDatabase,
): Promise<World> {
  const clock = createMovableClock();
  const api = await startTestApi({ routes: webhookRoutes, clock, ...(database && { database }) });
  const { ctx } = api;
  const feed = createEventFeed(ctx);
  const sender = createSender(ctx, { random: () => 0, ...senderOptions });
  return {
    api,
    clock,
    feed,
    sender,
    async anEndpoint(body) {
      const answer = await api.call('POST', '/unstable/webhooks/endpoints', { body });
      if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
      return answer.body;
    },
    happen: (events) =>
      ctx.store.transaction((tx) =>
        appendEvents(
          tx,
          events.map((event) => anEvent(api.projectId, event)),
          ctx,
        ),
      ),
    async deliver() {
      await feed.drain();
      return sender.drain();
    },
    async deliveriesOf(endpointId, query = '') {
      const { body } = await api.call(
        'GET',
        `/unstable/webhooks/endpoints/${endpointId}/deliveries?limit=100${query}`,
      );
      return body.deliveries;
    },
    async close() {
      await sender.stop();
      await feed.stop();
      await api.close();
    },
  };
}

/** An event of a project. */
export function anEvent(projectId: string, event: Partial<DomainEvent> = {}): DomainEvent {
  const data: Json = { orderId: '1', status: 'completed' };
  return { projectId, type: 'orders.payment.succeeded', object: 'order:1', data, ...event };
}
