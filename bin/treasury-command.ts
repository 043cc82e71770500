import { privateKeyToAddress } from 'viem/accounts';
import { testStablecoinAddress } from '../devnet/index.ts';
import { type TreasuryCommandInput, treasuryCommand } from '../src/areas/treasury/index.ts';
import type { Config } from '../src/config/config.ts';
import type { Ctx } from '../src/context.ts';
import type { Clock } from '../src/lib/clock.ts';
import { CommandError } from '../src/lib/command.ts';
import { createLogger } from '../src/lib/log.ts';
import { composeCtx } from './compose.ts';

/** Runs `purser treasury …` on the whole service without its processes. @throws CommandError, ServiceError */
export async function runTreasuryCommand(config: Config, clock: Clock, input: TreasuryCommandInput): Promise<void> {
  let ctx: Ctx | undefined;
  try {
    await treasuryCommand(async () => {
      ctx = openService(config, clock);
      return ctx;
    }, input);
  } finally {
    await ctx?.store.close();
  }
}

/** The whole service without its processes; whoever opens it closes its store. @throws CommandError */
export function openService(config: Config, clock: Clock): Ctx {
  if (config.keyEncryptionKeys.length === 0)
    throw new CommandError('KEY_ENCRYPTION_KEYS is not set: without it the keys of the service cannot be opened.');
  const log = createLogger({ level: 'silent', process: 'purser' });
  return composeCtx(withTestToken(config), { log, process: 'purser', clock });
}

/** The local instance's own stablecoin stands where its treasury account deployed it. */
function withTestToken(config: Config): Config {
  const { treasuryKey, testTokenAddress } = config.evm;
  if (config.environment !== 'development' || treasuryKey === undefined || testTokenAddress !== undefined) return config;
  return { ...config, evm: { ...config.evm, testTokenAddress: testStablecoinAddress(privateKeyToAddress(treasuryKey.reveal())) } };
}
