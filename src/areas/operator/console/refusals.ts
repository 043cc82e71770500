import { isIPv6 } from 'node:net';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';

/**
 * Refusals of one address in a minute, in one process; whoever has the right passkey needs none.
 */
export const refusalsMax = 30;
const windowMs = 60_000;
const addressesMax = 10_000;

/** By context, so that one process that serves several, as tests do, counts each by itself. */
const counted = new WeakMap<
  Ctx['clock'],
  Map<string, { readonly windowStartMs: number; readonly count: number }>
>();

/** Whoever has an IPv6 address has 2^64 of them. */
const sourceOf = (address: string) =>
  isIPv6(address) && !address.startsWith('::ffff:')
    ? address.split(':').slice(0, 4).join(':')
    : address;

/**
 * Answers an address that was refused too often with "later", before anything is looked at:
 * guessing costs the guesser, and hardly us.
 * @throws rate-limited
 */
export function limitRefusals(routes: readonly PublicRoute[]): readonly PublicRoute[] {
  return routes.map((route) => ({
    ...route,
    handler: async (ctx, request) => {
      const nowMs = ctx.clock.now().getTime();
      const windowStartMs = nowMs - (nowMs % windowMs);
      const held =
        counted.get(ctx.clock) ??
        new Map<string, { readonly windowStartMs: number; readonly count: number }>();
      counted.set(ctx.clock, held);
      const source = sourceOf(request.address);
      const countOf = () => {
        const known = held.get(source);
        return known?.windowStartMs === windowStartMs ? known.count : 0;
      };
      if (countOf() >= refusalsMax) {
        const seconds = Math.max(1, Math.ceil((windowStartMs + windowMs - nowMs) / 1_000));
        throw new ServiceError('rate-limited', {
          message: `Too many refusals from your address: try again in ${seconds} s.`,
          headers: { 'retry-after': String(seconds) },
        });
      }
      try {
        return await route.handler(ctx, request);
      } catch (error) {
        if (error instanceof ServiceError && error.status < 500) {
          if (held.size >= addressesMax)
            for (const [old, entry] of held)
              if (entry.windowStartMs !== windowStartMs) held.delete(old);
          if (held.size < addressesMax || held.has(source))
            held.set(source, { windowStartMs, count: countOf() + 1 });
        }
        throw error;
      }
    },
  }));
}
