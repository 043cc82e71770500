import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PlannerConfig } from '../../../config/runner/read-planner.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { PageView } from '../page-view.ts';

/** What the endpoint was asked, as it came over the wire. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly system: string;
  /** Our whole question, read. */
  readonly user: {
    readonly goal: string;
    readonly values: readonly string[];
    readonly history: readonly string[];
    readonly page: PageView;
  };
}

/** What it answers: actions as a model gives them, any text in their place, or a fault. */
export type ModelReply =
  | { readonly actions: readonly unknown[] }
  | { readonly text: string }
  | { readonly status: number; readonly body?: string }
  | { readonly redirect: string }
  | { readonly silent: true }
  | { readonly endless: true };
export type ModelScript = (request: ModelRequest, nr: number) => ModelReply | Promise<ModelReply>;

export interface ModelEndpoint {
  readonly origin: string;
  readonly requests: readonly ModelRequest[];
  script: ModelScript;
  config(provider?: PlannerConfig['provider'], more?: Partial<PlannerConfig>): PlannerConfig;
  close(): Promise<void>;
}

/** A key that must turn up nowhere but in the header. */
export const endpointKey = 'sk-test-5f0c2b7e9d';

/** An endpoint of both wire formats, scripted. */
export async function startModelEndpoint(
  script: ModelScript = () => ({ actions: [{ do: 'give-up', reason: 'nothing to do' }] }),
): Promise<ModelEndpoint> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let raw = '';
      for await (const chunk of request) raw += String(chunk);
      const read = readRequest(request.url ?? '', request.headers, raw);
      requests.push(read);
      const said = await answerOf(endpoint.script, read, requests.length);
      await reply(response, read.path.endsWith('/messages'), said);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint: ModelEndpoint = {
    origin,
    requests,
    script,
    config: (provider = 'openai-compatible', more = {}) => ({
      provider,
      url: `${origin}/v1`,
      model: 'planner-1',
      key: new Secret(endpointKey),
      callsMax: 8,
      timeoutMs: 20_000,
      ...more,
    }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return endpoint;
}

interface WireBody {
  readonly system?: string | readonly { readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text: string }[];
  }[];
}

function readRequest(path: string, headers: IncomingHttpHeaders, raw: string): ModelRequest {
  const body = JSON.parse(raw) as WireBody;
  const textOf = (content: WireBody['system']) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('');
  const said = (role: string) => textOf(body.messages.find((one) => one.role === role)?.content);
  return {
    path,
    headers,
    raw,
    system: textOf(body.system) || said('system'),
    user: JSON.parse(said('user')) as ModelRequest['user'],
  };
}

/** A script that finds something missing shows up as an error of the endpoint. */
async function answerOf(
  script: ModelScript,
  request: ModelRequest,
  nr: number,
): Promise<ModelReply> {
  try {
    return await script(request, nr);
  } catch (error) {
    return { status: 500, body: JSON.stringify({ error: { message: String(error) } }) };
  }
}

function* endlessAnswer(): Generator<string> {
  yield '{"choices":[{"message":{"content":"';
  for (;;) yield 'x'.repeat(64 * 1024);
}

async function reply(
  response: ServerResponse,
  isAnthropic: boolean,
  said: ModelReply,
): Promise<void> {
  if ('silent' in said) return;
  if ('endless' in said) {
    response.writeHead(200, { 'content-type': 'application/json' });
    await pipeline(Readable.from(endlessAnswer()), response).catch(() => undefined);
    return;
  }
  if ('redirect' in said) {
    response.writeHead(307, { location: said.redirect }).end();
    return;
  }
  if ('status' in said) {
    response
      .writeHead(said.status, { 'content-type': 'application/json' })
      .end(said.body ?? '{"error":{"message":"no"}}');
    return;
  }
  const json = 'actions' in said ? { actions: said.actions } : undefined;
  const text = json === undefined && 'text' in said ? said.text : JSON.stringify(json);
  const openAi = {
    id: 'answer-1',
    object: 'chat.completion',
    created: 1,
    model: 'planner-1',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  const anthropic = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'planner-1',
    content:
      json === undefined
        ? [{ type: 'text', text }]
        : [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: json }],
    stop_reason: json === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(isAnthropic ? anthropic : openAi));
}

/** The ref of what a page view calls so. @throws when it is not shown */
export function refOf({ user }: ModelRequest, name: RegExp): string {
  const found = user.page.elements.find((element) => name.test(element.name));
  if (found === undefined)
    throw new Error(
      `${String(name)} is not among ${user.page.elements.map((element) => element.name).join(' | ')}`,
    );
  return found.ref;
}
