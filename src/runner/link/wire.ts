import { z } from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import { jsonSchema } from '../../lib/json/json-schema.ts';
import { runSteps, type UserActionKind } from '../types.ts';

/**
 * What runner and worker say to each other: `POST /runner/v1/<operation>`, sealed (`envelope.ts`)
 * and signed both ways as `src/lib/net/signed-requests.ts` has it. Both sides read what comes
 * through these schemas. Amounts are decimal text of smallest units on the wire, bytes base64.
 */

const moneySchema = z.object({
  amountMinor: z
    .union([z.bigint(), z.string().regex(/^\d{1,30}$/)])
    .transform((amount) => BigInt(amount)),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const objectSchema = z.record(z.string(), jsonSchema).transform((value) => value as JsonObject);
const stepSchema = z.enum(runSteps);
const evidenceSchema = z.object({
  step: stepSchema,
  at: z.string(),
  url: z.string().optional(),
  detail: objectSchema.optional(),
});

/** Who holds a run: after its lease has passed to another runner, its fence fails. */
const holdSchema = z.object({ checkoutId: z.uuid(), fence: z.string().regex(/^\d{1,19}$/) });
export type WireHold = z.output<typeof holdSchema>;

const nameValueSchema = z.object({ name: z.string(), value: z.string() });
const browserStateSchema = z.object({
  cookies: z.array(objectSchema),
  origins: z.array(
    z.object({
      origin: z.string(),
      localStorage: z.array(nameValueSchema),
      sessionStorage: z.array(nameValueSchema),
      indexedDB: jsonSchema.optional(),
    }),
  ),
});

const buyerSchema = z.object({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  shipping: z
    .object({
      addressLines: z.array(z.string()),
      locality: z.string(),
      administrativeAreaCode: z.string().optional(),
      postalCode: z.string().optional(),
      countryCode: z.string(),
    })
    .optional(),
});

const taskSchema = z.object({
  checkoutId: z.uuid(),
  url: z.string(),
  request: z.string().optional(),
  merchantContext: z.string().optional(),
  maxCost: moneySchema,
  buyer: buyerSchema,
  browserState: browserStateSchema.optional(),
  keepsBrowserState: z.boolean().optional(),
  resume: z.object({ step: stepSchema, evidence: z.array(evidenceSchema) }).optional(),
  allowedPrivateOrigins: z.array(z.string()),
  paymentFrameOrigins: z.array(z.string()),
  timeoutMs: z.number().int().positive(),
});

const userActionKinds = [
  'contact-and-shipping',
  'option-choice',
  'merchant-login',
  'one-time-code',
  'payment-credential',
  'approve-purchase',
  'three-d-secure',
  'human-verification',
  'confirm-outcome',
  'free-question',
] as const satisfies readonly UserActionKind[];
const textMax = 2_000;
const mebibyte = 1_048_576;
const sentenceSchema = z.string().max(textMax);
const originSchema = z.string().max(300);
const actionRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('contact-and-shipping'),
    missing: z.array(z.string().max(100)).max(50),
    countries: z.array(z.string().max(10)).max(300).optional(),
  }),
  z.object({
    kind: z.literal('option-choice'),
    question: sentenceSchema,
    options: z.array(z.object({ value: sentenceSchema, title: sentenceSchema })).max(200),
  }),
  z.object({
    kind: z.literal('merchant-login'),
    origin: originSchema,
    needs: z.array(z.enum(['username', 'password'])),
  }),
  z.object({
    kind: z.literal('one-time-code'),
    origin: originSchema,
    sentTo: z.string().max(200).optional(),
  }),
  z.object({ kind: z.literal('payment-credential'), origin: originSchema, total: moneySchema }),
  z.object({
    kind: z.literal('approve-purchase'),
    origin: originSchema,
    total: moneySchema,
    lines: z
      .array(z.object({ title: sentenceSchema, amount: z.string().max(100).optional() }))
      .max(100),
    delivery: sentenceSchema.optional(),
    paying: sentenceSchema.optional(),
    address: sentenceSchema.optional(),
  }),
  z.object({ kind: z.literal('three-d-secure'), origin: originSchema }),
  z.object({ kind: z.literal('human-verification'), origin: originSchema }),
  z.object({ kind: z.literal('confirm-outcome'), origin: originSchema, question: sentenceSchema }),
  z.object({ kind: z.literal('free-question'), question: sentenceSchema }),
]);
/** Kinds that the user may answer by hand in the live page. */
export const takeOverKinds: readonly (typeof userActionKinds)[number][] = [
  'merchant-login',
  'human-verification',
  'three-d-secure',
];

const cardSchema = z.object({
  number: z.string(),
  expirationMonth: z.number().int(),
  expirationYear: z.number().int(),
  cvc: z.string(),
  holder: z.string(),
  postalCode: z.string().optional(),
});

const endSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('succeeded'),
    total: moneySchema,
    merchantOrderId: z.string().max(200).optional(),
    confirmationUrl: z.string().max(2_048).optional(),
    confirmationText: z.string().max(textMax).optional(),
  }),
  z.object({
    outcome: z.literal('failed'),
    reason: z.enum([
      'max_cost_exceeded',
      'user_cancelled',
      'user_action_expired',
      'automation_failed',
    ]),
    message: z.string().max(textMax),
    placed: z.enum(['no', 'unknown']),
  }),
  z.object({ outcome: z.literal('cancelled'), placed: z.enum(['no', 'unknown']) }),
]);

/** The run was taken away, or its user has cancelled: every answer may be this instead. */
const stopSchema = z.object({ stop: z.enum(['lost', 'cancelled']) });
/**
 * The runner's own name of a request that must not happen twice: a new one for each question and
 * permit, the same one when it is sent again because no answer came.
 */
const key = z.uuid().optional();
const orStop = <Schema extends z.ZodType>(done: Schema) =>
  z.union([stopSchema, z.object({ done })]);
const nothing = z.null();
const hold = holdSchema;
/** The runner has no database to read it from: `purser clock` moves it along. 0 in production. */
const clockAheadMs = z.number().nonnegative();

/** Every operation with the schemas of its input and its answer. */
export const linkOperations = {
  /**
   * Hands out the next run, waiting up to `waitMs` for one. `liveOrigin`: where the API finds the
   * live pictures of this runner.
   */
  claim: {
    input: z.object({
      runner: z.string().min(1).max(200),
      leaseMs: z.number().int().min(1_000).max(300_000),
      liveOrigin: z.string().max(300).optional(),
      allowedPrivateOrigins: z.array(originSchema).max(200),
      paymentFrameOrigins: z.array(originSchema).max(200),
      waitMs: z.number().int().min(0).max(20_000),
    }),
    answer: z.object({ clockAheadMs, run: z.object({ hold, task: taskSchema }).nullable() }),
  },
  /** Keeps the lease. */
  renew: {
    input: z.object({ hold, leaseMs: z.number().int().min(1_000).max(300_000) }),
    answer: orStop(z.object({ clockAheadMs })),
  },
  /** Gives the run back at once, when its runner stops in good order before the paying click. */
  release: { input: z.object({ hold }), answer: orStop(nothing) },
  record: { input: z.object({ hold, evidence: evidenceSchema }), answer: orStop(nothing) },
  progress: {
    input: z.object({
      hold,
      item: z.object({ title: z.string().max(300), message: sentenceSchema.optional() }),
    }),
    answer: orStop(nothing),
  },
  picture: {
    input: z.object({
      hold,
      step: stepSchema,
      at: z.string(),
      url: z.string().optional(),
      jpeg: z.base64(),
    }),
    answer: orStop(nothing),
  },
  ask: {
    input: z.object({ hold, key, request: actionRequestSchema }),
    answer: orStop(z.object({ actionId: z.uuid() })),
  },
  /** Null: not answered yet, ask again. The worker may hold the answer back for up to `waitMs`. */
  'take-answer': {
    input: z.object({ hold, actionId: z.uuid(), waitMs: z.number().int().min(0).max(20_000) }),
    answer: orStop(
      z
        .discriminatedUnion('action', [
          z.object({ action: z.literal('submit'), values: objectSchema }),
          z.object({ action: z.literal('decline'), reason: z.string().optional() }),
          z.object({ action: z.literal('expired') }),
        ])
        .nullable(),
    ),
  },
  /**
   * False: the permit was given before; reconcile, never click. True again only for the same `key`
   * of the same hold.
   */
  arm: {
    input: z.object({
      hold,
      key,
      total: moneySchema,
      origin: originSchema,
      sources: z
        .array(z.object({ source: z.string().max(300), text: z.string().max(300) }))
        .max(20),
    }),
    answer: orStop(z.boolean()),
  },
  /** Null: no source has a card of its own, the user is asked (`payment-credential`). */
  card: {
    input: z.object({ hold, total: moneySchema, origin: originSchema }),
    answer: orStop(cardSchema.nullable()),
  },
  'card-use': {
    input: z.object({ hold }),
    answer: orStop(
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('unknown') }),
        z.object({ state: z.literal('not-used') }),
        z.object({ state: z.literal('authorised'), total: moneySchema }),
      ]),
    ),
  },
  'save-state': {
    input: z.object({ hold, state: browserStateSchema }),
    answer: orStop(z.boolean()),
  },
  end: {
    input: z.object({ hold, end: endSchema }),
    answer: z.union([stopSchema, z.object({ done: z.literal(true) })]),
  },
} as const satisfies Record<string, { readonly input: z.ZodType; readonly answer: z.ZodType }>;

/** Before the name of an operation in its path. */
export const linkPrefix = '/runner/v1/';
/** The name under which runners sign. All runners have one key; which one it is `claim` says. */
export const runnerPeer = 'runner';

export type LinkOperation = keyof typeof linkOperations;
export type LinkInput<Name extends LinkOperation> = z.output<
  (typeof linkOperations)[Name]['input']
>;
export type LinkAnswer<Name extends LinkOperation> = z.output<
  (typeof linkOperations)[Name]['answer']
>;

/** The largest body of an operation that is read; above it the answer is 413 and not signed. */
export const linkBodyBytesMax = (name: LinkOperation): number =>
  name === 'save-state' ? 8 * mebibyte : name === 'picture' ? mebibyte : mebibyte / 4;

/** JSON with bigints as text, which the schemas read back. */
export const toWire = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

/**
 * Where the live pictures of a run are, on the runner's own origin: WebSocket, signed by the api.
 */
export const livePath = (checkoutId: string) => `/live/v1/${checkoutId}`;
