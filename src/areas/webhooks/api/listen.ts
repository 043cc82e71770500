import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, formatJson, type Print } from '../../../lib/command.ts';
import { BodyTooLongError, readBounded } from '../../../lib/net/bounded-body.ts';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  type WebhooksCtx,
} from '../endpoints/endpoints.ts';
import { isLoopback } from '../endpoints/target.ts';
import { createEndpointSchema } from './schema.ts';

/**
 * Marks endpoints of this command, and its server: one that was killed leaves its endpoint behind,
 * and the next one removes it.
 */
const description = 'purser listen';
/** Whoever runs is on this machine and has nothing to think about. */
const callTimeoutMs = 2_000;
/** A delivery is given up after 15 s. */
const forwardTimeoutMs = 14_000;
const answerBytesMax = 64 * 1_024;
/** Events are a few kilobytes; whoever else finds the port sends what he likes. */
const deliveryBytesMax = 1_024 * 1_024;
const bodyShownMax = 4_000;
const forwardedHeaders = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

export interface ListenInput {
  readonly projectId: string;
  /** Where deliveries are passed on to. */
  readonly to: string;
  /** All when absent. */
  readonly events?: readonly string[];
  readonly print: Print;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Passes the webhooks of a local instance on to a receiver on this machine and prints them, until
 * the signal: with the signature, order and retries of any other endpoint, which it is as long as
 * it runs.
 * @throws CommandError
 */
export async function listen(ctx: WebhooksCtx, input: ListenInput): Promise<void> {
  const { projectId, print, signal } = input;
  if (ctx.config.environment !== 'development')
    throw new CommandError(
      'purser listen is for a local instance: elsewhere make an endpoint with purser webhooks create.',
    );
  const to = readTarget(input.to);
  const server = createServer(
    (request, response) => void forward({ request, response, to, print }),
  );
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', resolve),
  );
  try {
    await removeLeftovers(ctx, projectId);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = createEndpointSchema.safeParse({
      url,
      description,
      ...(input.events && { events: input.events }),
    });
    if (!body.success) throw new CommandError(`--events: ${body.error.issues[0]!.message}`);
    const { endpoint, secret } = await createEndpoint(ctx, { ...body.data, projectId });
    try {
      print(`Webhooks go to ${to.href}. Their secret, until you stop with Ctrl-C: ${secret}`);
      await new Promise<void>((resolve) =>
        signal.aborted
          ? resolve()
          : signal.addEventListener('abort', () => resolve(), { once: true }),
      );
    } finally {
      await deleteEndpoint(ctx, { projectId, id: endpoint.id });
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function readTarget(to: string): URL {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(
      `--to ${to} is no address: it is one such as http://localhost:4000/hooks.`,
    );
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:' && hostname !== 'localhost' && !isLoopback(hostname))
    throw new CommandError(
      `--to ${to} would send webhooks in clear to another machine: name one on this machine, or https.`,
    );
  return url;
}

async function removeLeftovers(ctx: WebhooksCtx, projectId: string): Promise<void> {
  const { entries } = await listEndpoints(ctx, { projectId });
  for (const { id, url } of entries.filter((endpoint) => endpoint.description === description))
    if (!(await isListening(url))) await deleteEndpoint(ctx, { projectId, id });
}

/**
 * Whether the command of an endpoint still runs, and not something else that was given its port.
 */
async function isListening(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  const answer = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.headers.get('server') === description;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly to: URL;
  readonly print: Print;
}

/**
 * The receiver's answer is that of the endpoint; without one the delivery has failed and is tried
 * again.
 */
async function forward({ request, response, to, print }: Exchange): Promise<void> {
  try {
    response.setHeader('server', description);
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const body = await readBounded(request, deliveryBytesMax);
    const headers = Object.fromEntries(
      forwardedHeaders.map((name) => [name, String(request.headers[name] ?? '')]),
    );
    const outcome = await send(to, headers, body);
    print(describe(body, outcome));
    response.writeHead(outcome.status ?? 502).end();
  } catch {
    response.destroy();
  }
}

async function send(
  to: URL,
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ readonly status?: number; readonly text: string }> {
  try {
    const signal = AbortSignal.timeout(forwardTimeoutMs);
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    });
    const text = await readBounded(answer.body, answerBytesMax).then(String, (error: unknown) => {
      if (error instanceof BodyTooLongError) return error.message;
      throw error;
    });
    return { status: answer.status, text };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    return { text: cause?.code ?? cause?.message ?? message };
  }
}

function describe(
  body: Buffer,
  { status, text }: { readonly status?: number; readonly text: string },
): string {
  const event = JSON.parse(body.toString('utf8')) as { type?: unknown };
  const shown = formatJson(event);
  const cut =
    shown.length > bodyShownMax
      ? `${shown.slice(0, bodyShownMax)}\n… (${shown.length} characters)`
      : shown;
  const isTaken = status !== undefined && status >= 200 && status < 300;
  const refusal =
    status === undefined
      ? `nobody answered (${text}); it is tried again`
      : `${status} ${text.slice(0, 200)}; it is tried again`;
  return `${String(event.type)} → ${isTaken ? status : refusal}\n${cut}`;
}
