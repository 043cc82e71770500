import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { normalizeEmail } from '../../../lib/people/email.ts';
import {
  checkoutCurrencies,
  isFiat,
  offrampCurrencies,
  onrampCurrencies,
  requireChain,
} from '../pricing/index.ts';
import { isCollectible } from '../state/items.ts';
import type { OrderKind } from '../state/machine.ts';
import type { OrderLineItem, OrderRequest } from '../state/types.ts';
import type {
  CreateOrderBody,
  LineItemInput,
  PaymentInput,
  RecipientInput,
} from './schema-input.ts';

type ChainsCtx = Pick<RequestCtx, 'chains'>;

/**
 * Reads a create body: which kind of order it is, and what it asks for.
 * @throws validation-error, payment-method-not-supported, chain-not-supported
 */
export function readRequest(
  ctx: ChainsCtx,
  body: CreateOrderBody,
): { readonly kind: OrderKind; readonly request: OrderRequest } {
  const [lineItem, ...moreLineItems] = readLineItems(body);
  const kind =
    lineItem.fiatCurrency !== undefined
      ? 'offramp'
      : body.payment.method === 'card'
        ? 'onramp'
        : 'checkout';
  return {
    kind,
    request: {
      locale: body.locale ?? 'en-US',
      payment: readPayment(ctx, kind, body.payment),
      recipient: readRecipient(kind, body.recipient),
      lineItem,
      ...(moreLineItems.length > 0 && { moreLineItems }),
      ...(body.metadata && { metadata: body.metadata as JsonObject }),
    },
  };
}

/** @throws validation-error, payment-method-not-supported, chain-not-supported */
export function readPayment(
  ctx: ChainsCtx,
  kind: OrderKind,
  payment: PaymentInput,
): OrderRequest['payment'] {
  const { currency, payerAddress } = payment;
  const receiptEmail =
    payment.receiptEmail === undefined
      ? undefined
      : readEmail('payment.receiptEmail', payment.receiptEmail);
  const common = { ...(receiptEmail !== undefined && { receiptEmail }) };
  if (payment.method === 'card') {
    if (kind === 'offramp')
      throw unsupported('an offramp is paid by a deposit: name the chain it is paid on');
    if (kind === 'checkout')
      throw unsupported('this order is paid on a chain: create a new one to pay by card');
    if (payerAddress !== undefined)
      throw invalid('payment.payerAddress', 'is for deposits: leave it out with a card');
    const allowed: readonly string[] = [...new Set([...onrampCurrencies, ...checkoutCurrencies])];
    if (currency !== undefined && !allowed.includes(currency))
      throw invalid('payment.currency', `is one of ${allowed.join(', ')} with a card`);
    return { method: 'card', currency: currency ?? 'usd', ...common };
  }
  if (kind === 'onramp')
    throw unsupported('this order is paid by card: create a new one to pay on a chain');
  const method = requireChain(ctx, payment.method);
  if (currency === undefined)
    throw invalid('payment.currency', 'is missing: name the token of the deposit, e.g. "usdc"');
  if (isFiat(currency))
    throw invalid('payment.currency', 'is a token when the payment is a deposit, e.g. "usdc"');
  if (payerAddress !== undefined) checkAddress(ctx, method, 'payment.payerAddress', payerAddress);
  else if (kind === 'offramp')
    throw invalid('payment.payerAddress', 'is missing: name the wallet that the user pays from');
  return { method, currency, ...common, ...(payerAddress !== undefined && { payerAddress }) };
}

/** @throws validation-error */
export function readRecipient(
  kind: OrderKind,
  recipient: RecipientInput | undefined,
): OrderRequest['recipient'] {
  const { walletAddress, email, physicalAddress, paymentMethodId, bankAccountId, rail } =
    recipient ?? {};
  if (kind === 'offramp') {
    const extra = Object.entries({ walletAddress, email, physicalAddress }).find(
      ([, value]) => value !== undefined,
    );
    if (extra)
      throw invalid(
        `recipient.${extra[0]}`,
        'does not belong to an offramp: send paymentMethodId, and rail if you like',
      );
    if (paymentMethodId !== undefined && bankAccountId !== undefined)
      throw invalid('recipient.bankAccountId', 'says the same as paymentMethodId');
    const id = paymentMethodId ?? bankAccountId;
    if (id === undefined)
      throw invalid('recipient.paymentMethodId', 'is missing: name the saved bank account');
    return { paymentMethodId: id, ...(rail !== undefined && { rail }) };
  }
  const extra = Object.entries({ paymentMethodId, bankAccountId, rail }).find(
    ([, value]) => value !== undefined,
  );
  if (extra)
    throw invalid(
      `recipient.${extra[0]}`,
      'belongs to an offramp: tokens go to a walletAddress or an email',
    );
  if (walletAddress !== undefined && email !== undefined)
    throw invalid('recipient', 'has both a walletAddress and an email: send one');
  return {
    ...(walletAddress !== undefined && { walletAddress }),
    ...(email !== undefined && { email: readEmail('recipient.email', email) }),
    ...(physicalAddress && { physicalAddress: physicalAddress as JsonObject }),
  };
}

function readLineItems({
  lineItems,
  externalOrder,
  payment,
}: CreateOrderBody): readonly [OrderLineItem, ...OrderLineItem[]] {
  if (externalOrder !== undefined)
    throw invalid(
      'externalOrder',
      'is not supported, and nothing was stored. Sell what this project has registered by lineItems, and buy in other shops with POST /unstable/agent-checkouts',
    );
  if (lineItems === undefined) throw invalid('lineItems', 'is missing');
  const [first, ...more] = (Array.isArray(lineItems) ? lineItems : [lineItems]).map(readLineItem);
  if (more.length > 0 && payment.method === 'card')
    throw invalid('lineItems', 'has one item when the order is paid by card');
  if (more.length > 0 && [first!, ...more].some(({ fiatCurrency }) => fiatCurrency !== undefined))
    throw invalid('lineItems', 'has one item when fiat is delivered');
  return [first!, ...more];
}

function readLineItem(item: LineItemInput): OrderLineItem {
  const { tokenLocator, collectionLocator, currencyLocator, executionParameters, callData } = item;
  const named = [tokenLocator, collectionLocator, currencyLocator].filter(
    (one) => one !== undefined,
  );
  if (named.length !== 1)
    throw invalid('lineItems', 'names one of tokenLocator, collectionLocator and currencyLocator');
  if (isCollectible(item)) return readCollectibleItem(item);
  if (executionParameters === undefined)
    throw invalid('lineItems.executionParameters', 'is missing');
  const fiatCurrency = currencyLocator === undefined ? undefined : readFiatLocator(currencyLocator);
  if (fiatCurrency !== undefined && executionParameters.mode !== 'exact-in')
    throw invalid(
      'lineItems.executionParameters.mode',
      'is exact-in for an offramp: the amount of the deposit',
    );
  const { mode, amount, maxSlippageBps } = executionParameters;
  return {
    ...(tokenLocator !== undefined && { tokenLocator }),
    ...(fiatCurrency !== undefined && { fiatCurrency }),
    mode,
    amount,
    ...(maxSlippageBps !== undefined && { maxSlippageBps: Number(maxSlippageBps) }),
    ...(callData && { callData: callData as JsonObject }),
  };
}

/**
 * How many of them: by the execution parameters, or by `callData.quantity`; one when neither says.
 */
function readCollectibleItem({
  tokenLocator,
  collectionLocator,
  executionParameters,
  callData,
}: LineItemInput): OrderLineItem {
  if (executionParameters?.mode === 'exact-in')
    throw invalid(
      'lineItems.executionParameters.mode',
      'is exact-out for items of collections: the amount is how many',
    );
  const counts = [
    ['executionParameters.amount', executionParameters?.amount],
    ['callData.quantity', callData?.quantity],
  ].flatMap(([field, value]) =>
    value === undefined ? [] : [readCount(`lineItems.${String(field)}`, value)],
  );
  const [quantity = 1] = counts;
  if (counts.some((one) => one !== quantity))
    throw invalid('lineItems.callData.quantity', 'is not what executionParameters.amount says');
  return {
    ...(tokenLocator !== undefined && { tokenLocator }),
    ...(collectionLocator !== undefined && { collectionLocator }),
    mode: 'exact-out',
    amount: String(quantity),
    quantity,
    ...(callData && { callData: callData as JsonObject }),
  };
}

function readCount(field: string, value: unknown): number {
  if (
    (typeof value === 'string' || typeof value === 'number') &&
    /^[1-9]\d{0,8}$/.test(String(value))
  )
    return Number(value);
  throw invalid(field, 'is how many items: a whole number from 1');
}

function readFiatLocator(locator: string): string {
  const [, currency] = /^fiat:([A-Za-z]{3})$/.exec(locator) ?? [];
  const allowed: readonly string[] = offrampCurrencies;
  if (currency !== undefined && allowed.includes(currency.toLowerCase()))
    return currency.toLowerCase();
  throw invalid(
    'lineItems.currencyLocator',
    `is one of ${allowed.map((one) => `fiat:${one}`).join(', ')}`,
  );
}

function readEmail(field: string, value: string): string {
  const email = normalizeEmail(value);
  if (email === undefined) throw invalid(field, 'is no e-mail address');
  // Delivered to as it was written; the normal form only compares.
  return field === 'recipient.email' ? email : value;
}

function checkAddress(ctx: ChainsCtx, chain: string, field: string, address: string): void {
  const problem = ctx.chains.familyOfChain(chain).checkAddress(address);
  if (problem !== undefined) throw invalid(field, problem.replace(/\.$/, ''));
}

function invalid(field: string, problem: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `The request is not valid. body.${field} ${problem}.`,
  });
}

function unsupported(problem: string): ServiceError {
  return new ServiceError('payment-method-not-supported', {
    message: `The payment method is not supported: ${problem}.`,
  });
}
