import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { VaultProvider } from '../../../providers/vault/index.ts';

/**
 * What an operator may do with the data of a person, whoever asks for it: the command line, or a
 * console.
 */
export type PeopleCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

export type PersonCtx = PeopleCtx & {
  readonly providers: {
    readonly vault?: Pick<VaultProvider, 'ask' | 'eraseUser'> | undefined;
  };
};

/** Any locator of the person, e.g. `email:alice@example.com`. */
export const personParams = z.strictObject({ locator: z.string().min(1).max(300) });
