import { z } from 'zod';

export const fundingParamsSchema = z.object({
  walletLocator: z
    .string()
    .min(1)
    .max(1500)
    .describe(
      'Address of the wallet, or `<kind>:<value>:<walletType>`, e.g. `email:ann@example.com:smart`.',
    ),
});

/** Networks with the test stablecoin (supplement, section 10). */
export const fundingChains = [
  'arbitrum-sepolia',
  'avalanche-fuji',
  'base-sepolia',
  'ethereum-sepolia',
  'optimism-sepolia',
  'polygon-amoy',
  'sei-atlantic-2-testnet',
  'skale-nebula-testnet',
  'soneium-minato-testnet',
  'viction-testnet',
  'solana',
  'stellar',
  // Not in the interface's list: there is no other way to test money on them.
  'sui',
  'aptos',
] as const;

export const fundWalletBodySchema = z
  .strictObject({
    amount: z.number().min(1).max(100).describe('Whole tokens, 1 to 100.'),
    token: z.literal('usdxm').describe('The test stablecoin.'),
    chain: z
      .string()
      .min(1)
      .max(64)
      .describe(
        `One of: ${fundingChains.join(', ')}; or a main name, which stands for its test network (\`base\`).`,
      ),
  })
  .meta({ id: 'FundWalletBody' });
export type FundWalletBody = z.output<typeof fundWalletBodySchema>;
