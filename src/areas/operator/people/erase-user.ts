import { blankEvents } from '../../../jobs/index.ts';
import type { Tx } from '../../../store/types.ts';
import { forgetCheckouts } from '../../agent-checkouts/index.ts';
import { redactPerson } from '../../identity/index.ts';
import type { OperatorRule } from '../../operations/index.ts';
import { forgetOrders } from '../../orders/index.ts';
import { eraseUser } from '../../users/index.ts';
import { blankPublicEvents } from '../../webhooks/index.ts';
import { type PersonCtx, personParams } from './person.ts';

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
