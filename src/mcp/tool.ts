import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../lib/json/json.ts';

/** One call of the public interface, with the key and the user token of whoever uses the tools. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `{base_url}`, with its parameters percent-encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The service had answered this idempotency key before, and did nothing again. */
  readonly isReplayed: boolean;
}

/** Signs what a delegated signer may, with a secret that no tool sees. */
export interface LocalSigner {
  /** `server:<address>` of this signer on a chain. */
  locatorOn(chain: string): string;
  sign(input: { readonly chain: string; readonly message: string }): Promise<string>;
}

/**
 * What tools work with. There is no way from them past the interface: its authenticator, scopes,
 * limits and idempotency hold.
 */
export interface ToolCtx {
  readonly call: (request: ApiRequest) => Promise<ApiAnswer>;
  readonly signer?: LocalSigner;
  /** For each user, by day: what checkouts may cost together. */
  readonly checkoutDailyMax?: { readonly amount: string; readonly currency: string };
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<void>;
}

/** "10.00 USD"; undefined when it is something else. */
export function readDailyMax(text: string): ToolCtx['checkoutDailyMax'] {
  const [, amount, currency] = /^(\d{1,12}(?:\.\d{1,4})?) ([A-Z]{3})$/.exec(text.trim()) ?? [];
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

export interface ToolAnswer {
  /** What it means and what comes next, in our words only. */
  readonly says: string;
  readonly data: JsonObject;
}

/** Refused, with a sentence for the model: what to do instead. */
export class ToolRefusal extends Error {}

export interface ToolSpec<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What it does and which limits hold. */
  readonly description: string;
  readonly input: S;
  /** Arguments as they are sent. */
  readonly examples: readonly z.input<S>[];
  readonly kind: 'reads' | 'writes';
  /** Operations of the interface that it calls. */
  readonly operations: readonly string[];
  readonly run: (ctx: ToolCtx, args: z.output<S>, key: string) => Promise<ToolAnswer>;
}
export type Tool = ToolSpec<z.ZodObject>;

export const defineTool = <S extends z.ZodObject>(spec: ToolSpec<S>): Tool =>
  spec as unknown as Tool;

/** An argument of every tool that does something. */
export const attempt = z
  .int()
  .min(1)
  .max(1_000)
  .optional()
  .describe(
    'The same arguments again do nothing again for 30 days and answer what they answered. To do it once more on purpose: 2, then 3.',
  );

/** The idempotency key of a call: made from what is asked, so that nobody has to remember one. */
export function keyOf(tool: string, args: JsonObject): string {
  const { attempt: nr = 1, ...rest } = args;
  return `mcp-${createHash('sha256')
    .update(JSON.stringify([tool, canonical(rest), nr]))
    .digest('hex')}`;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}

/** Half a minute: longer than any call runs. */
const looksMax = 60;
const betweenLooksMs = 500;

const refusalSchema = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  error: z.unknown(),
});

/**
 * Reads of an answer what `schema` names, and nothing else.
 * @throws ToolRefusal when the service refuses
 */
export async function ask<S extends z.ZodType>(
  ctx: ToolCtx,
  request: ApiRequest,
  schema: S,
): Promise<{ readonly data: z.output<S>; readonly isReplayed: boolean }> {
  const { status, body, isReplayed } = await callOnce(ctx, request);
  if (status >= 400)
    throw new ToolRefusal(`${refusalText(status, body)}${isReplayed ? refusedBefore : ''}`);
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new ToolRefusal(
      'The service gave an answer that this tool does not know: its version may be another one.',
    );
  return { data: parsed.data, isReplayed };
}

/** The same call twice at once: the second one waits for what the first one gets. */
async function callOnce(ctx: ToolCtx, request: ApiRequest): Promise<ApiAnswer> {
  for (let look = 1; ; look++) {
    const answer = await ctx.call(request);
    const isRunning =
      answer.status === 409 &&
      refusalSchema.safeParse(answer.body).data?.code === 'idempotency-key-in-progress';
    if (!isRunning || look === looksMax) return answer;
    await ctx.wait(betweenLooksMs);
  }
}

const refusedBefore =
  ' So it refused an earlier call with the same arguments; attempt: 2 asks anew.';

function refusalText(status: number, body: unknown): string {
  const { data } = refusalSchema.safeParse(body);
  const code = data?.code ?? (typeof data?.error === 'string' ? data.error : undefined);
  return `The service refused (${status}${code === undefined ? '' : `, ${code}`}): ${data?.message ?? 'it gave no reason.'}`;
}

/** A path with its values encoded. @throws ToolRefusal */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  // Dots alone would lead to another path.
  if (values.some((value) => /^\.{1,2}$/.test(value)))
    throw new ToolRefusal('"." and ".." are no ids and no locators.');
  return parts.reduce((text, part, index) => text + encodeURIComponent(values[index - 1]!) + part);
}

/** What is said of an answer that was given before. */
export const repeated = (isReplayed: boolean): string =>
  isReplayed
    ? ' These very arguments were sent before: nothing was done again, and this is how that call stands now.'
    : '';
