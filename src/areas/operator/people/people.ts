import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { blankEvents } from '../../../jobs/index.ts';
import type { VaultProvider } from '../../../providers/vault/index.ts';
import type { Tx } from '../../../store/types.ts';
import { forgetCheckouts } from '../../agent-checkouts/index.ts';
import { redactPerson } from '../../identity/index.ts';
import { type OperatorRule, operatorRule } from '../../operations/index.ts';
import { forgetOrders } from '../../orders/index.ts';
import { eraseUser, signOutUser } from '../../users/index.ts';
import { blankPublicEvents } from '../../webhooks/index.ts';

/**
 * What an operator may do with the data of a person, whoever asks for it: the command line, or a
 * console.
 */
export type PeopleCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

type Erased = {
  readonly projectId: string;
  readonly userIds: readonly string[];
  readonly locators: readonly string[];
};

/**
 * What areas keep that names a person: each takes it out of its rows, and says of which objects no
 * event may tell any more.
 */
const erasers: readonly ((tx: Tx, erased: Erased) => Promise<readonly string[]>)[] = [
  async (tx, erased) => (await forgetOrders(tx, erased)).map((id) => `order:${id}`),
  async (tx, erased) => (await forgetCheckouts(tx, erased)).map((id) => `agent-checkout:${id}`),
];

type PersonCtx = PeopleCtx & {
  readonly providers: {
    readonly vault?: Pick<VaultProvider, 'ask' | 'eraseUser'> | undefined;
  };
};

/** Any locator of the person, e.g. `email:alice@example.com`. */
const personParams = z.strictObject({ locator: z.string().min(1).max(300) });

/**
 * Erases a person: in the vault first, so that everything can be repeated when that fails, then
 * here in one transaction. It cannot be undone. Wallets that name the user as their owner keep that
 * name. It answers with the users that are gone, how many payment methods were erased, and how many
 * inquiries the identity company is asked to redact.
 * @throws invalid-locator, user-not-found; conflict while money of the person is on its way;
 * provider-unavailable without the vault
 */
export const userErase: OperatorRule<{ locator: string }, PersonCtx> = {
  name: 'users.erase',
  role: 'admin',
  params: personParams,
  namesPerson: true,
  async run(ctx, { projectId, params: { locator }, record }) {
    const { vault } = ctx.config.vault ? ctx.providers : {};
    let inquiries = 0;
    let paymentMethods = 0;
    const { userIds } = await eraseUser(ctx, {
      projectId,
      locator,
      eraseElsewhere: async (owners) => {
        const asked = { projectId, owners, actor: 'operator:erase' };
        paymentMethods = (await vault?.eraseUser(asked))?.erased ?? 0;
        return paymentMethods > 0;
      },
      onErase: async (tx, erased) => {
        inquiries = await redactPerson(ctx, tx, erased);
        const objects: string[] = [];
        for (const erase of erasers) objects.push(...(await erase(tx, erased)));
        for (const object of objects) await blankEvents(tx, { projectId, object });
        for (const object of [...erased.userIds.map((id) => `user:${id}`), ...objects])
          await blankPublicEvents(tx, { projectId, object });
        return erased.userIds.length + objects.length > 0;
      },
      onErased: (tx, erased) =>
        record(tx, {
          subject: erased.userIds.map((id) => `user:${id}`).join(' ') || 'user:unknown',
          changed: { users: erased.userIds.length, inquiries, paymentMethods },
        }),
    });
    return { userIds: [...userIds], inquiries, paymentMethods };
  },
};

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

export const peopleRules: readonly OperatorRule[] = [
  operatorRule(userErase),
  operatorRule(userSignOut),
];
