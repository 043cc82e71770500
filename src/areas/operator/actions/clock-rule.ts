import { z } from 'zod';
import { advanceClock, describeLength, readLength } from '../../../clock/index.ts';
import { explainFailure } from '../../../lib/command.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { type OperatorRule, operatorRule } from '../../operations/index.ts';

/** Milliseconds of `3d` or `1d12h`. */
const length = z
  .string()
  .max(60)
  .transform((text, context) => {
    try {
      return readLength(text.trim());
    } catch (error) {
      context.addIssue({ code: 'custom', message: explainFailure(error) });
      return z.NEVER;
    }
  });

/** Lets time pass, in development: for the whole instance, whatever the project. */
const clockAdvance: OperatorRule<{ by: number }> = {
  name: 'clock.advance',
  role: 'admin',
  params: z.strictObject({ by: length }),
  async run(ctx, { params: { by }, record }) {
    if (ctx.config.environment !== 'development')
      throw new ServiceError('forbidden', {
        message: `The clock is moved in development only; this is ${ctx.config.environment}.`,
      });
    const aheadMs = await advanceClock(ctx.store, by, (tx, ahead) =>
      record(tx, { subject: 'clock', changed: { ahead: describeLength(ahead) } }),
    );
    return { ahead: describeLength(aheadMs) };
  },
};

export const clockRules: readonly OperatorRule[] = [operatorRule(clockAdvance)];
