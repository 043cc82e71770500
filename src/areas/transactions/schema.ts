import { z } from 'zod';
import { transactionParamsText } from '../../chains/families.ts';
import { chainTypes, walletTypes } from '../../chains/family.ts';
import { approvalsSchema } from '../approvals/schema.ts';
import { walletParamsSchema } from '../wallets/schema.ts';

export const transactionParamsSchema = walletParamsSchema.extend({
  transactionId: z.string().min(1).max(100),
});

/** `params` depends on the wallet's family and is read by it (supplement, section 6). */
export const createTransactionBodySchema = z
  .object({
    params: z.record(z.string().max(100), z.unknown()).describe(transactionParamsText()),
  })
  .meta({ id: 'CreateTransactionBody' });

const positive = z.string().regex(/^[1-9]\d{0,8}$/, 'must be a positive whole number');
export const listTransactionsQuerySchema = z.object({
  page: positive.optional(),
  perPage: positive.optional().describe('Default 10, at most 100.'),
  dateFrom: z.iso.datetime({ offset: true }).optional(),
  dateTo: z.iso.datetime({ offset: true }).optional(),
});

export const transactionSchema = z
  .looseObject({
    id: z.uuid(),
    chainType: z.enum(chainTypes),
    walletType: z.enum(walletTypes),
    status: z.enum(['awaiting-approval', 'failed', 'pending', 'success']),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().optional(),
    params: z.looseObject({
      call: z
        .looseObject({})
        .optional()
        .describe('EVM: the call, where there is one only; `calls` holds it too.'),
    }),
    onChain: z.looseObject({
      txId: z.string().optional(),
      explorerLink: z.string().optional(),
      call: z
        .looseObject({ to: z.string(), data: z.string() })
        .optional()
        .describe(
          'EVM: what the wallet calls, where it is one call only; `userOperation` is the whole operation.',
        ),
      typedData: z
        .looseObject({})
        .optional()
        .describe(
          'EVM, while somebody is asked to approve: EIP-712 typed data whose hash is the `message` of the approvals.',
        ),
      walletSeed: z
        .string()
        .optional()
        .describe(
          'Solana smart wallets: 32 bytes in base58. The address of the wallet follows from them, the seed `vault` and the wallet program, which is not externally audited: no other program can act for it.',
        ),
      preimage: z
        .string()
        .optional()
        .describe(
          'Stellar: HashIdPreimage (XDR, base64) of what the wallet authorises; its SHA-256 is the `message` of the approvals.',
        ),
    }),
    approvals: approvalsSchema.optional(),
    error: z.looseObject({ reason: z.string(), message: z.string() }).optional(),
    fees: z
      .looseObject({
        mode: z.enum(['user-native', 'user-fungible', 'project']),
        estimate: z.unknown().optional(),
        actual: z.unknown().optional(),
        billed: z
          .looseObject({ usd: z.number() })
          .optional()
          .describe('What the project pays for it, at the price of the day it was made.'),
        billing: z.looseObject({ status: z.enum(['pending', 'settled', 'failed']) }).optional(),
      })
      .optional(),
    preview: z
      .looseObject({})
      .optional()
      .describe(
        'From the simulation before anything was signed: `{balanceChanges[], gas, sponsored}`.',
      ),
    sendParams: z
      .looseObject({
        token: z.string(),
        params: z.looseObject({ recipient: z.string(), recipientAddress: z.string() }),
      })
      .optional(),
  })
  .meta({ id: 'Transaction' });

export const transactionListSchema = z.object({ transactions: z.array(transactionSchema) });
