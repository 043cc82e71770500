import { z } from 'zod';

/** What an issuer's JWTs may say, beside their signature. */
export interface IssuerRules {
  /**
   * Its users are `userId:<namespace>|<sub>`, apart from those of other issuers; empty:
   * `userId:<sub>`.
   */
  readonly namespace: string;
  /**
   * Whether its `email_verified` counts: whoever vouches for an address reaches what its owner has.
   */
  readonly vouchesForEmail: boolean;
  /** Accepted `typ` headers, in lower case. A token without one is a `jwt`. */
  readonly types: readonly string[];
  /** A session ends so long after it began (`iat`), whatever `exp` says. */
  readonly ageMaxSeconds: number;
}

/**
 * Tokens of sign-in, and access tokens of RFC 9068: not logout, proof or event tokens, which the
 * same key may sign.
 */
export const issuerTypesDefault: readonly string[] = ['jwt', 'at+jwt'];
/** The longest that well-known identity providers let a token live. */
export const issuerAgeMaxDefaultSeconds = 30 * 86_400;

export const issuerRulesSchema = z.strictObject({
  namespace: z
    .string()
    .regex(
      /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/,
      'A namespace has up to 64 letters, digits, dots, `_` and `-`.',
    ),
  vouchesForEmail: z.boolean(),
  types: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9+.-]{0,63}$/, 'A type is like jwt or at+jwt.'))
    .min(1, 'Name at least one type.')
    .max(10, 'Name at most 10 types.'),
  ageMaxSeconds: z
    .number()
    .int()
    .min(60, 'Sessions last at least a minute.')
    .max(366 * 86_400, 'Sessions last at most 366 days.'),
});

/**
 * As in a header: `application/` may be left out, and case does not count (RFC 7515, section
 * 4.1.9).
 */
export function tokenTypeOf(header: unknown): string {
  return (typeof header === 'string' ? header : 'jwt').toLowerCase().replace(/^application\//, '');
}
