import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createCoingeckoPricing } from './coingecko.ts';
import type { PricingProvider } from './pricing.ts';
import { createSandboxPricing } from './sandbox.ts';

/**
 * The price source that the configuration names. Give it the log: an outage of the source is told
 * nowhere else.
 */
export function createPricing(
  config: Pick<Config, 'pricing'>,
  { clock = systemClock, log }: { readonly clock?: Clock; readonly log?: Logger } = {},
): PricingProvider {
  const { pricing } = config;
  return pricing.kind === 'sandbox'
    ? createSandboxPricing()
    : createCoingeckoPricing({ url: pricing.url, apiKey: pricing.apiKey, clock, log });
}
