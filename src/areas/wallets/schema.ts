import { z } from 'zod';
import { chainTypes, walletTypes } from '../../chains/family.ts';

const decimal = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,77})$/, 'must be a decimal integer as text, without leading zeros');
const e164 = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be an E.164 phone number, e.g. +14155550123');

const quorumMembersMin = 2;
const quorumMembersMax = 10;
const recoveryMethodsMax = 10;
const delegatesAtCreationMax = 20;

const locatorLengthMax = 1_500;
const locator = z.string().max(locatorLengthMax).optional();
const address = z.string().min(1).max(100);

/**
 * By type: the fields that callers send, and those that answers add, so that an answered signer can
 * be sent again.
 */
const signerInputs = [
  z.strictObject({ type: z.literal('external-wallet'), address, locator }),
  z.strictObject({ type: z.literal('server'), address, locator }),
  z.strictObject({ type: z.literal('api-key'), address: address.optional(), locator }),
  z.strictObject({
    type: z.literal('passkey'),
    id: z
      .string()
      .regex(/^[\x21-\x7e]{1,1364}$/, 'must be the credential id as printable text without spaces'),
    name: z.string().max(200).optional(),
    publicKey: z.strictObject({ x: decimal, y: decimal }),
    locator,
    validatorContractVersion: z.string().max(100).optional(),
  }),
  z.strictObject({
    type: z.literal('email'),
    email: z.email().max(254),
    address: address.optional(),
    locator,
  }),
  z.strictObject({ type: z.literal('phone'), phone: e164, address: address.optional(), locator }),
  z.strictObject({
    type: z.literal('device'),
    publicKey: z.strictObject({ x: decimal, y: decimal }),
    name: z.string().max(200).optional(),
    locator: locator.describe(
      'Kept when it names this key, in base64 of one of its usual forms; else `device:` and the 65 bytes 04, x, y in base64.',
    ),
  }),
  z.strictObject({
    type: z.literal('quorum'),
    threshold: z.int().min(1).max(quorumMembersMax).describe('How many members have to approve.'),
    members: z
      .array(z.record(z.string().max(100), z.unknown()))
      .min(quorumMembersMin)
      .max(quorumMembersMax)
      .describe('SignerInput objects of any type but device and quorum.'),
    locator: locator.describe(
      'Of an answer: a quorum is known by its threshold and members, and gets its locator from the service.',
    ),
  }),
] as const;

/**
 * A signer as a create body names it. Which types a wallet accepts is decided by its chain family.
 */
export const signerInputSchema = z.discriminatedUnion('type', signerInputs).meta({
  id: 'SignerInput',
  description: 'A signer: the key, person or service that approves what a wallet does.',
});
export type SignerInput = z.output<typeof signerInputSchema>;

const scopesMax = 10;
const recipientsMax = 50;
/** 136 years: what four bytes of seconds hold. */
const intervalSecondsMax = 2 ** 32 - 1;

/** Strict: a misspelt limit would be no limit. */
const scopeSchema = z
  .strictObject({
    type: z.literal('transfer'),
    tokenLocator: z
      .string()
      .min(1)
      .max(300)
      .describe('`<chain>:<symbol>` or `<chain>:<contract>`, of the same chain.'),
    recipients: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(recipientsMax)
      .optional()
      .describe('Addresses. Absent: to anybody.'),
    spendingLimit: z
      .strictObject({
        amount: z.string().min(1).max(80).describe('In whole tokens, e.g. "12.5".'),
        interval: z
          .int()
          .min(1)
          .max(intervalSecondsMax)
          .optional()
          .describe('Seconds after which the limit is there anew. Absent: never.'),
      })
      .optional(),
  })
  .meta({
    id: 'SignerScope',
    description: 'What the signer may do: plain transfers of one token. The chain enforces it.',
  });
export type ScopeInput = z.output<typeof scopeSchema>;

export const scopesSchema = z
  .array(scopeSchema)
  .min(1, 'is empty: leave it out for a signer that may do everything but manage signers')
  .max(scopesMax);

const answeredTerms = {
  expiresAt: z.iso.datetime().optional().describe('As if it stood beside the signer.'),
  scopes: scopesSchema.optional().describe('As if they stood beside the signer.'),
  chains: z.record(z.string().max(100), z.unknown()).optional().describe('Of an answer: not read.'),
};
const [externalWallet, server, apiKey, passkey, email, phone, device, quorum] = signerInputs;
const delegatedSignerInputSchema = z
  .discriminatedUnion('type', [
    externalWallet.extend(answeredTerms),
    server.extend(answeredTerms),
    apiKey.extend(answeredTerms),
    passkey.extend(answeredTerms),
    email.extend(answeredTerms),
    phone.extend(answeredTerms),
    device.extend(answeredTerms),
    quorum.extend(answeredTerms),
  ])
  .meta({
    id: 'DelegatedSignerInput',
    description: 'A SignerInput, or a delegated signer as an answer has it.',
  });

export type DelegatedSignerInput = z.output<typeof delegatedSignerInputSchema>;

/** A locator names a signer of any type but passkey and quorum. */
export const signerOrLocatorSchema = z.union(
  [z.string().min(1).max(locatorLengthMax), delegatedSignerInputSchema],
  {
    error: problemOfSigner,
  },
);

/** Says what is wrong with the object that was sent; a union alone says that nothing fits. */
function problemOfSigner({ code, input, errors }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_union') return undefined;
  if (input === null || typeof input !== 'object')
    return 'must be a signer locator, e.g. "external-wallet:<address>", or a signer with its type';
  const [, ofObject] = errors as readonly (readonly z.core.$ZodIssue[])[];
  const issue = ofObject?.[0];
  const field = issue?.path.map(String).join('.');
  return issue && (field ? `${field}: ${issue.message}` : issue.message);
}

/**
 * A signer that is known already: its locator, or a signer of an answer, of which the locator
 * counts.
 */
export const signerNameSchema = z.union(
  [
    z.string().min(1).max(locatorLengthMax),
    z
      .looseObject({ locator: z.string().min(1).max(locatorLengthMax) })
      .transform((signer) => signer.locator),
  ],
  {
    error:
      'must be a signer locator, e.g. "external-wallet:<address>", or a signer with its locator',
  },
);

export const smartConfigSchema = z
  .strictObject({
    adminSigner: signerInputSchema
      .optional()
      .describe('Required, unless recoveryMethods are sent.'),
    recoveryMethods: z
      .array(signerInputSchema)
      .min(1)
      .max(recoveryMethodsMax)
      .optional()
      .describe(
        'In place of adminSigner: each may act as the admin alone. A quorum counts as one method.',
      ),
    delegatedSigners: z
      .array(
        z.strictObject({
          signer: signerOrLocatorSchema,
          expiresAt: z.iso.datetime().optional(),
          scopes: scopesSchema.optional().describe('Not on evm: add the signer instead.'),
        }),
      )
      .max(delegatesAtCreationMax)
      .optional(),
    creationSeed: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('Another seed gives another address; random when absent.'),
    plugins: z.array(z.string().max(200)).max(20).optional(),
  })
  .meta({ id: 'SmartWalletConfig' });
export type SmartConfigInput = z.output<typeof smartConfigSchema>;

/**
 * A schema as it stands inside of a document: written out, without a name and a dialect of its own.
 */
function documentOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...document } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: z.registry(),
  });
  return document;
}

const createWalletFields = {
  chainType: z.enum(chainTypes),
  type: z
    .enum(walletTypes)
    .optional()
    .describe(
      '`smart` by default; on aptos and sui `mpc`: one key that the service signs with, without approvals.',
    ),
  config: z
    .unknown()
    .optional()
    .meta({
      description: 'Required for smart wallets, ignored for mpc wallets.',
      // What it may hold depends on the type, so the rule reads it; for readers it is written out
      // here.
      override: documentOf(smartConfigSchema),
    }),
  alias: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
    .optional(),
};
export const createWalletBodySchema = z
  .object({
    ...createWalletFields,
    owner: z.string().min(1).max(320).optional().describe('`<kind>:<value>` or `COMPANY`.'),
  })
  .meta({ id: 'CreateWalletBody' });
export const createMyWalletBodySchema = z
  .object({
    ...createWalletFields,
    owner: z.never({ error: 'is taken from the JWT here: leave it out' }).optional(),
  })
  .meta({ id: 'CreateMyWalletBody' });
export type CreateWalletBody = z.output<typeof createWalletBodySchema>;

/** A signer as answers carry it. */
export const signerSchema = z
  .looseObject({ type: z.string(), locator: z.string(), address: z.string().optional() })
  .meta({ id: 'Signer' });

export const walletSchema = z
  .looseObject({
    chainType: z.enum(chainTypes),
    type: z.enum(walletTypes),
    address: z.string(),
    alias: z.string().optional(),
    owner: z.string().optional(),
    config: z.looseObject({
      adminSigner: signerSchema.optional(),
      delegatedSigners: z.array(signerSchema).optional(),
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Wallet' });

export const walletParamsSchema = z.object({ walletLocator: z.string().min(1).max(1500) });
