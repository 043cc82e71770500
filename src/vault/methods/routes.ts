import {
  createMethodRoutes,
  paymentMethodAuth,
  paymentMethodsPath,
} from '../../areas/payment-methods/routes.ts';
import { type AnyRoute, route } from '../../http/routes/route.ts';
import { paymentMethodSchema } from '../../providers/vault/wire.ts';
import type { Vault, VaultCtx } from '../index.ts';
import { createPaymentMethod } from './create.ts';
import {
  deletePaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
  updatePaymentMethod,
} from './payment-methods.ts';
import { createMethodSaver } from './save.ts';
import { createBodySchema } from './schema.ts';

/** Everything that is served below `{vault_url}`: creating is there only. */
export function createVaultRoutes(vault: Vault): readonly AnyRoute[] {
  const saver = createMethodSaver();
  return [
    route({
      method: 'POST',
      path: paymentMethodsPath,
      operationId: 'createPaymentMethod',
      summary: 'Save a bank account or card',
      description:
        'On the vault host only. The same account of the same user gives the same method again with 200, as it is; a card with a new expiry date is renewed.',
      tag: 'Payment methods',
      family: 'P',
      auth: paymentMethodAuth,
      body: createBodySchema,
      responses: {
        201: { description: 'Saved. The number is never returned.', schema: paymentMethodSchema },
        200: { description: 'The user had this account already.', schema: paymentMethodSchema },
      },
      errors: ['invalid-locator', 'user-not-found', 'payment-method-not-supported', 'conflict'],
      handler: async (ctx, { body }) => {
        const { paymentMethod, created } = await createPaymentMethod(
          { ...ctx, vault },
          saver,
          body,
        );
        return { status: created ? 201 : 200, body: paymentMethod };
      },
    }),
    ...createMethodRoutes((ctx) => {
      const vaultCtx: VaultCtx = { ...ctx, vault };
      return {
        getPaymentMethod: (input) => getPaymentMethod(vaultCtx, input),
        listPaymentMethods: (input) => listPaymentMethods(vaultCtx, input),
        updatePaymentMethod: (input) => updatePaymentMethod(vaultCtx, input),
        deletePaymentMethod: (input) => deletePaymentMethod(vaultCtx, input),
      };
    }),
  ];
}
