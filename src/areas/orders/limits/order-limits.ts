import type { Ctx, RequestCtx } from '../../../context.ts';
import type { Tx } from '../../../store/types.ts';
import { verifiedTypes } from '../../identity/index.ts';
import {
  type ClaimLimitsInput,
  checkSingle,
  claimLimits,
  type LimitRule,
  type LimitsInput,
  type VerificationLevel,
} from '../../order-limits/index.ts';
import { ensurePerson } from '../identity/person.ts';
import { payerLocator } from '../kinds/onramp/recipient.ts';
import type { OrderSettings } from '../pricing/index.ts';
import type { OrderKind } from '../state/machine.ts';
import type { OrderRecord, OrderRequest } from '../state/types.ts';

type LimitsCtx = Pick<Ctx, 'config' | 'store'>;

/** Tokens that stand for a currency. */
const stablecoins: ReadonlySet<string> = new Set(['usdc', 'usdt', 'usdxm', 'eurc']);
/** On staging an order of stablecoins is at most this large (supplement, section 18). */
const stagingStablecoinRule: LimitRule = { subject: 'project', singleUsd: '10' };

export interface LimitedOrder {
  readonly orderId: string;
  readonly projectId: string;
  readonly kind: OrderKind;
  readonly request: OrderRequest;
  readonly settings: OrderSettings;
  readonly amountUsdMinor: bigint;
  readonly symbols: readonly string[];
  readonly userId?: string | undefined;
  readonly rail?: string | undefined;
}

/**
 * The person whose limits an order counts against, made when nobody knows them yet: else whoever
 * buys for the first time would have no limit. Undefined where no limit of a person holds, or
 * nobody is named.
 */
export async function limitedPerson(
  ctx: RequestCtx,
  order: Pick<OrderRecord, 'projectId' | 'kind' | 'request' | 'userId' | 'userLocator'>,
  settings: OrderSettings,
): Promise<Pick<OrderRecord, 'userId' | 'userLocator'>> {
  if (order.userId !== undefined) return {};
  const hasRule = settings.limits.some(
    (rule) => rule.subject === 'user' && (rule.kind ?? order.kind) === order.kind,
  );
  const locator = payerLocator(order);
  if (!hasRule || locator === undefined) return {};
  return {
    userId: await ensurePerson(ctx, { projectId: order.projectId, locator }),
    userLocator: locator,
  };
}

/** Which limits an order falls under. */
export async function limitsOf(ctx: LimitsCtx, order: LimitedOrder): Promise<ClaimLimitsInput> {
  const { settings } = order;
  const rules = rulesOf(ctx, settings, order.symbols);
  return {
    orderId: order.orderId,
    projectId: order.projectId,
    amountUsdMinor: order.amountUsdMinor,
    rules,
    kind: order.kind,
    methods: [order.request.payment.method, ...(order.rail === undefined ? [] : [order.rail])],
    level: await levelOf(ctx, rules, order),
    userId: order.userId,
    tokens: tokenVolumesOf(settings, order.symbols),
  };
}

/** @throws single_purchase_exceeded */
export function checkLimits(ctx: LimitsCtx, order: Omit<LimitedOrder, 'userId'>): void {
  const rules = rulesOf(ctx, order.settings, order.symbols).filter(
    (rule) => rule.level === undefined,
  );
  // Of whom nothing is known yet: the rules that hold for everybody.
  checkSingle({
    projectId: order.projectId,
    amountUsdMinor: order.amountUsdMinor,
    rules,
    kind: order.kind,
    methods: [order.request.payment.method, ...(order.rail === undefined ? [] : [order.rail])],
    level: 'none',
    userId: '',
  });
}

/** Of the tokens that an order moves, those whose volume of a day is limited. */
export function tokenVolumesOf(
  { tokenDailyUsd }: OrderSettings,
  symbols: readonly string[],
): NonNullable<LimitsInput['tokens']> {
  return symbols.flatMap((symbol) =>
    tokenDailyUsd[symbol] === undefined ? [] : [{ symbol, dailyUsd: tokenDailyUsd[symbol] }],
  );
}

export function claimOrderLimits(
  ctx: Pick<Ctx, 'clock' | 'ids'>,
  tx: Tx,
  limits: ClaimLimitsInput,
): Promise<void> {
  return claimLimits(ctx, tx, limits);
}

export function rulesOf(
  ctx: Pick<Ctx, 'config'>,
  settings: OrderSettings,
  symbols: readonly string[],
): LimitsInput['rules'] {
  const isStaged =
    ctx.config.environment === 'staging' && symbols.some((symbol) => stablecoins.has(symbol));
  return isStaged ? [stagingStablecoinRule, ...settings.limits] : settings.limits;
}

/** Asked only where a rule depends on it. */
async function levelOf(
  ctx: LimitsCtx,
  rules: readonly LimitRule[],
  { userId, kind }: Pick<LimitedOrder, 'userId' | 'kind'>,
): Promise<VerificationLevel> {
  if (userId === undefined || !rules.some((rule) => rule.level !== undefined)) return 'none';
  return verificationLevel(ctx, userId, kind);
}

/** How far a person is verified for orders of a kind; a checkout counts as an onramp. */
export async function verificationLevel(
  ctx: Pick<Ctx, 'store'>,
  userId: string,
  kind: OrderKind,
): Promise<VerificationLevel> {
  const verified = await verifiedTypes(ctx.store, userId);
  const operation = kind === 'offramp' ? 'offramp' : 'onramp';
  if (verified.has(operation)) return 'full';
  return verified.has(`${operation}-light`) ? 'light' : 'none';
}
