import { z } from 'zod';
import { defaultChainsMax } from './default-chains.ts';

export const balancesQuerySchema = z.object({
  tokens: z
    .string()
    .min(1)
    .max(4_000)
    .describe('Comma-separated symbols (`eth,usdc`) or token locators (`base-sepolia:0x…`).'),
  chains: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      `Comma-separated chain names. When absent: the chains on which this wallet has transactions or transfers, in the order of first use, at most ${defaultChainsMax}; before the first one, \`base\` in production and \`base-sepolia\` elsewhere, or the first configured network. Chains that \`tokens\` names are read too; if every token names its chain, only those.`,
    ),
});
export type BalancesQuery = z.output<typeof balancesQuerySchema>;

const balanceFields = {
  symbol: z.string().optional(),
  decimals: z.number().int(),
  balance: z.string().describe('In the smallest unit.'),
  balanceUSD: z
    .string()
    .optional()
    .describe('US dollars, up to 6 decimals; absent when no price is known.'),
};

export const balancesObjectSchema = z
  .looseObject({
    nativeToken: z.looseObject({
      ...balanceFields,
      symbol: z.string(),
      chains: z
        .record(z.string(), z.string())
        .describe('Balance by chain, where the coin is the same.'),
    }),
    tokens: z.array(
      z.looseObject({
        ...balanceFields,
        chain: z.string(),
        address: z
          .string()
          .optional()
          .describe(
            'Absent for the native coin of a chain, and where the chain does not have the token: zero.',
          ),
      }),
    ),
    unknownSymbols: z
      .array(z.string())
      .optional()
      .describe('Tokens asked for that no network here knows; absent when there are none.'),
  })
  .meta({ id: 'Balances' });

const chainBalanceSchema = z.looseObject({
  locator: z.string(),
  amount: z.string(),
  rawAmount: z.string(),
  contractAddress: z.string().optional(),
  mintHash: z.string().optional(),
  contractId: z.string().optional(),
});

export const balancesListSchema = z
  .array(
    z.looseObject({
      symbol: z.string().optional(),
      name: z.string().optional(),
      decimals: z.number().int(),
      amount: z.string().describe('In whole tokens, all chains together.'),
      rawAmount: z.string().describe('In the smallest unit, all chains together.'),
      chains: z
        .record(z.string(), chainBalanceSchema)
        .describe('Empty: no network here knows the symbol.'),
    }),
  )
  .meta({ id: 'BalancesList' });
