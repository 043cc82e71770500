import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createFileScreening } from './files.ts';
import { createNoScreening, createSandboxScreening } from './sandbox.ts';
import type { ScreeningProvider } from './screening.ts';

export { screenAddresses } from './screen-addresses.ts';

/** The lists that the configuration names. */
export function createScreening(
  config: Pick<Config, 'screening' | 'environment'>,
  { clock = systemClock, log }: { readonly clock?: Clock; readonly log: Logger },
): ScreeningProvider {
  const { screening } = config;
  if (screening.kind === 'files')
    return createFileScreening({ paths: screening.paths, clock, log });
  if (screening.kind === 'sandbox') return createSandboxScreening();
  if (config.environment === 'production')
    log.warn('SCREENING is off: no address is compared with a sanctions list');
  return createNoScreening();
}
