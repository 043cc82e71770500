import { readFileSync } from 'node:fs';
import { z } from 'zod';

// What `npm run shops` runs: purchases in a shop that nobody here wrote, and how to ask that shop
// what it has.

const amount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,4})?$/, 'must be a decimal amount such as "49.90"');

const lineSchema = z.strictObject({
  /** The shop's own title of the product, or its SKU, as the oracle says it. */
  title: z.string().min(1),
  /** Texts that the line has to have besides: the values of the variant. */
  variant: z.array(z.string().min(1)).default([]),
  quantity: z.number().int().positive().default(1),
  /** Price of one piece. */
  unit: amount.optional(),
});

const caseSchema = z.strictObject({
  name: z.string().min(1).max(100),
  /** The product's page: a path of the shop, or behind its number sign. */
  page: z.string().min(1),
  /** What the user says: variant, quantity, way of paying. */
  request: z.string().max(2_000).optional(),
  maxCost: amount,
  /** What the shop's books must have afterwards; absent: nothing may be bought. */
  order: z
    .strictObject({ lines: z.array(lineSchema).min(1).max(20), paying: z.string().optional() })
    .optional(),
  /** Who pays how; Absent: a card will do. */
  way: z.enum(['card', 'cod', 'bank']).optional(),
  /** The user has an account in the shop. */
  login: z.strictObject({ username: z.string().min(1), password: z.string().min(1) }).optional(),
  /** The user stops it: at the question whether to buy, or as soon as a step has begun. */
  cancel: z.enum(['approval', 'running']).optional(),
  /**
   * The runner's process is killed once, as soon as the run says so; it is started again by itself.
   */
  kill: z.strictObject({ at: z.string().min(1) }).optional(),
});
export type ShopCase = z.output<typeof caseSchema>;

const buyerSchema = z.strictObject({
  name: z.strictObject({ first: z.string().min(1), last: z.string().min(1) }),
  contact: z.strictObject({ email: z.email(), phone: z.string().min(1) }),
  shipping: z.strictObject({
    addressLines: z.array(z.string().min(1)).min(1).max(2),
    locality: z.string().min(1),
    administrativeAreaCode: z.string().optional(),
    postalCode: z.string().min(1),
    countryCode: z.string().length(2),
  }),
});

const casesSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Prints the shop's orders as JSON (`orderSchema`). `{at}` becomes the shop's address. */
  orders: z.string().min(1),
  buyer: buyerSchema,
  cases: z.array(caseSchema).min(1).max(500),
});
export type ShopCases = z.output<typeof casesSchema>;
/** What is bought, wherever the shop's orders are read. */
export type Purchases = Omit<ShopCases, 'orders'>;

/**
 * An order as the oracle says it. What the shop's books do not say may be left out, and is not
 * compared.
 */
export const ordersSchema = z.array(
  z.looseObject({
    number: z.string(),
    lines: z.array(
      z.looseObject({ title: z.string(), quantity: z.number(), unit: z.string().optional() }),
    ),
    total: amount,
    email: z.string().optional(),
    paying: z.string().optional(),
    /** Everything of the delivery address, in one text. */
    address: z.string().optional(),
  }),
);
export type ShopOrders = z.output<typeof ordersSchema>;

/** Of the cases, those with a text in their name. @throws Error one sentence: there is none */
export function selectCases(from: Purchases, only = ''): Purchases {
  const cases = from.cases.filter(({ name }) => name.includes(only));
  if (cases.length === 0)
    throw new Error(
      `--only ${only}: the cases are ${from.cases.map(({ name }) => name).join(', ')}.`,
    );
  return { ...from, cases };
}

/** @throws Error one sentence: the file cannot be read, or what is wrong in it */
export function readCases(file: string): ShopCases {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(
      `The file ${file} cannot be read: --cases names a file of cases, see docs/guides/agent-checkouts.md.`,
    );
  }
  return parse(casesSchema, text, file);
}

/** @throws Error one sentence */
export function parse<T>(schema: z.ZodType<T>, text: string, from: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${from} is no JSON: ${(cause as Error).message}`, { cause });
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`${from}: ${issue!.path.join('.') || 'it'}: ${issue!.message}`);
}
