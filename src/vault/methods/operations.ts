import { z } from 'zod';
import { billingPatchSchema } from '../../areas/payment-methods/schema.ts';
import { parseUserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import { type AnyInternalOperation, internalOperation } from '../index.ts';
import {
  deletePaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
  updatePaymentMethod,
} from './payment-methods.ts';
import { eraseUser, linkPerson, signOutPerson } from './persons.ts';
import { paymentMethodTypes } from './types.ts';

const projectId = z.uuid();
/** A user locator in any spelling, as its owner key. */
const owner = z
  .string()
  .min(1)
  .max(400)
  .transform((text, ctx) => {
    try {
      return locatorKeyOf(parseUserLocator(text));
    } catch {
      ctx.addIssue({ code: 'custom', message: 'is no user locator' });
      return z.NEVER;
    }
  });
/** Locators of one person. */
const ownersMax = 1_000;
const owners = z.array(owner).min(1).max(ownersMax);
const reach = { projectId, id: z.string().min(1).max(100), owners: owners.optional() };
const actor = z.string().regex(/^[\w.:-][\w .:-]{0,99}$/);
const everybody = ['api', 'worker'] as const;

/**
 * What the main side may ask about payment methods. None answers a number; only the worker says who
 * is one person, and may destroy a user's key.
 */
export const paymentMethodOperations: readonly AnyInternalOperation[] = [
  internalOperation({
    name: 'payment-methods.get',
    peers: everybody,
    input: z.strictObject(reach),
    run: (ctx, input) => getPaymentMethod(ctx, input),
  }),
  internalOperation({
    name: 'payment-methods.list',
    peers: everybody,
    input: z.strictObject({
      projectId,
      owners,
      type: z.enum(paymentMethodTypes).optional(),
      limit: z.int().min(1).max(100).optional(),
      cursor: z.string().max(200).optional(),
    }),
    run: (ctx, input) => listPaymentMethods(ctx, input),
  }),
  internalOperation({
    name: 'payment-methods.update',
    peers: everybody,
    input: z.strictObject({
      ...reach,
      actor,
      change: z.strictObject({
        default: z.boolean().optional(),
        billing: billingPatchSchema.optional(),
        billingOf: z.enum(['bankAccount', 'card']).optional(),
      }),
    }),
    run: (ctx, input) =>
      updatePaymentMethod(ctx, { ...input, actor: `${input.actor} by ${ctx.peer}` }),
  }),
  internalOperation({
    name: 'payment-methods.delete',
    peers: everybody,
    input: z.strictObject({ ...reach, actor }),
    run: (ctx, input) =>
      deletePaymentMethod(ctx, { ...input, actor: `${input.actor} by ${ctx.peer}` }),
  }),
  internalOperation({
    name: 'users.link',
    peers: ['worker'],
    input: z.strictObject({ projectId, personId: z.uuid(), owners }),
    run: (ctx, input) => linkPerson(ctx, { ...input, actor: `peer:${ctx.peer}` }),
  }),
  internalOperation({
    name: 'users.sign-out',
    peers: ['worker'],
    input: z.strictObject({ projectId, owners, actor }),
    run: (ctx, input) => signOutPerson(ctx, { ...input, actor: `${input.actor} by ${ctx.peer}` }),
  }),
  internalOperation({
    name: 'users.erase',
    peers: ['worker'],
    input: z.strictObject({ projectId, owners, actor }),
    run: (ctx, input) => eraseUser(ctx, { ...input, actor: `${input.actor} by ${ctx.peer}` }),
  }),
];
