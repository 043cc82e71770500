import { z } from 'zod';
import type { OperatorRule } from '../../operations/index.ts';
import { signOutUser } from '../../users/index.ts';
import { type PersonCtx, personParams } from './person.ts';

/**
 * Ends every session of a person, here and at the vault. The log has our id of the person, and no
 * name.
 */
export const userSignOut: OperatorRule<{ locator: string }, PersonCtx> = {
  name: 'users.sign-out',
  role: 'support',
  params: personParams,
  namesPerson: true,
  async run(ctx, { projectId, params: { locator }, record }) {
    const { vault } = ctx.config.vault ? ctx.providers : {};
    const owners = await signOutUser(ctx, {
      projectId,
      locator,
      signOutElsewhere: async (names) => {
        await vault?.ask(
          'users.sign-out',
          { projectId, owners: names, actor: 'operator:sign-out' },
          z.object({}),
        );
      },
      onSignedOut: (tx, { id, names }) =>
        record(tx, {
          subject: id === undefined ? 'user:unknown' : `user:${id}`,
          changed: { sessions: 'ended', names },
        }),
    });
    return { owners: [...owners] };
  },
};
