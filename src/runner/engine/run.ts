import type { BrowserContext, Page } from 'playwright-core';
import { getPublicSuffix } from 'tldts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Commerce, CommerceShop } from '../commerce/types.ts';
import type {
  RunBuyer,
  RunEnd,
  RunPorts,
  RunScreen,
  RunStep,
  RunTask,
  ShopMoney,
  UserActionRequest,
} from '../types.ts';
import { RunCancelledError, RunLostError, runSteps } from '../types.ts';
import { beginPicture } from './page/picture.ts';
import { awaitChange, type NetworkWatch, settle } from './page/settle.ts';
import { type Snapshot, takeSnapshot } from './page/snapshot.ts';
import type { Quote } from './steps/outcome/quote.ts';
import type { ShownOrder } from './steps/outcome/shown-order.ts';
import { refuseUnpermitted, type UnpermittedOrder } from './steps/product/unpermitted.ts';
import type { Planner } from './stuck.ts';

/**
 * Holds back what would place the order until it is armed, then lets exactly one such request pass.
 * It stands between browser and network, so that what it counts is what has left.
 */
export interface OrderGate {
  arm(): void;
  /** Order requests that have left since the run began. */
  placedRequests(): number;
  /**
   * Whether it would let such a request pass only once, and none before the permit. Absent: nothing
   * is known about any.
   */
  covers?(request: {
    readonly method: string;
    readonly url: string;
    readonly holdsCard?: boolean;
  }): boolean;
  /**
   * Lets one form without a card pass to this address before the permit: the engine has seen that
   * it is a step and no order.
   */
  allowStep?(url: string): void;
}

export interface RunLog {
  info(fields: JsonObject, message: string): void;
  warn(fields: JsonObject, message: string): void;
}

/** How long a shop may take, in milliseconds. */
export interface Patience {
  /** For the product's page. */
  readonly openMs: number;
  /** For something to be seen of the order after the click, as long as nothing is on its way. */
  readonly outcomeMs: number;
  /** For the answer to what the click has sent. */
  readonly answerMs: number;
  /**
   * A checkout in the shop's own interface that says for so long that it is not completed is
   * cancelled.
   */
  readonly restMs: number;
}
export const usualPatience: Patience = {
  openMs: 30_000,
  outcomeMs: 25_000,
  answerMs: 90_000,
  restMs: 8_000,
};

/** One run, as its steps share it. */
export interface Run {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly task: RunTask;
  readonly ports: RunPorts;
  readonly signal: AbortSignal;
  readonly log: RunLog;
  readonly watch: NetworkWatch;
  readonly now: () => Date;
  /** Absent: nothing is proven about requests that have left. */
  readonly gate?: OrderGate;
  /**
   * Why our own way out did not lead to an address, as a sentence; undefined when it did. Absent:
   * every answer is the shop's.
   */
  readonly refusalOf?: (address: string) => string | undefined;
  /** How long a shop may take. */
  readonly patience: Patience;
  /** Absent: nobody watches. */
  readonly screen?: RunScreen;
  /** Absent: where the engine does not know how to go on, the run ends. */
  readonly planner?: Planner;
  /** Shops' own interfaces for agents. Absent: purchases go through pages alone. */
  readonly commerce?: Commerce;
  readonly state: RunState;
}

/** What was approved, in the shop's words: whatever differs later is asked again. */
export interface ApprovedOffer {
  /** What was listed: the rows that are no part of the total, and how many. */
  readonly order: ShownOrder;
  readonly delivery: string | undefined;
  /**
   * What the page itself had: the titles of its rows of delivery, and the way that was chosen
   * there.
   */
  readonly deliveryRows: readonly string[];
  readonly deliveryChosen: string | undefined;
  readonly paying: string | undefined;
  /** Where the shop sends it; undefined where it did not say. */
  readonly address: string | undefined;
  readonly byCard: boolean;
}

/** One choice of a product, as its page writes the values. */
export interface Choice {
  readonly chosen: string;
  readonly others: readonly string[];
}

export interface RunState {
  /** Index of the last recorded step. */
  reached: number;
  buyer: RunBuyer;
  /** Origin of the shop, after the redirects of its first page. */
  shopOrigin: string;
  productTitle: string;
  /** The same before a variant was chosen, where its page has another one since. */
  titleBefore?: string;
  /** Address of the product's page, after its redirects. */
  productUrl: string;
  /** What was chosen on the product's page, and the values that were not. */
  choices: readonly Choice[];
  quantity: number;
  approved?: ShopMoney;
  /** The checkout in the shop's own interface that the permit was asked for. */
  armedCheckout?: { readonly shop: CommerceShop; readonly id: string };
  armed: boolean;
  /** When the permit was recorded, ISO 8601. */
  armedAt?: string;
  clicked: boolean;
  /** What the shop has confirmed before there was a permit. */
  unpermitted?: UnpermittedOrder;
  /** Resolves when every picture that was begun is handed over. */
  shown: Promise<void>;
  /** True from the first digit of a card: pictures show no input then. */
  cardTyped: boolean;
  /** The user has signed in at the shop in this run. */
  signedIn: boolean;
  /** The run has put the product into the shop's cart. */
  hasAdded: boolean;
  /**
   * The shop may have refused another piece without a word: the one in its cart was the user's
   * before.
   */
  mayBeUsers?: boolean;
  /** What the shop said when the product was put into the cart, where it said anything. */
  saidOnAdding?: string | undefined;
  /** Address of the cart's page, where one was seen. */
  cartUrl?: string;
  /** Fields that hold a secret, as far as the page still has them. */
  readonly secrets: { readonly snapshot: Snapshot; readonly ref: number }[];
  /** Questions that were asked once, by their key. */
  readonly asked: Map<string, JsonObject>;
  /** The way of delivery that was chosen, as the user reads it. */
  delivery?: string;
  /** The way of paying that was chosen, as the shop calls it. */
  paying?: string;
  /** The total of the last page of the checkout that showed a whole one. */
  earlierQuote?: Quote | undefined;
  /** What the user approved beside the total. */
  approvedOffer?: ApprovedOffer;
  /** The same as the page writes it; when the shop then does not go on, it is not chosen again. */
  deliveryText?: string;
  readonly refusedDelivery: Set<string>;
  /** Currency that the shop named for itself. */
  pageCurrency?: string;
}

/** Whether the cart may be the user's own: nobody else takes out of it what lay there before. */
export const isUsersOwn = ({ task, state }: Run): boolean =>
  task.browserState !== undefined || state.signedIn;

/** Ends the run with what it says. */
export class RunStop extends Error {
  readonly end: RunEnd;

  constructor(end: RunEnd) {
    super(end.outcome === 'failed' ? end.message : end.outcome);
    this.end = end;
  }
}

/** @throws RunStop always */
export function fail(
  run: Run,
  message: string,
  reason: 'max_cost_exceeded' | 'automation_failed' = 'automation_failed',
): never {
  throw new RunStop({
    outcome: 'failed',
    reason,
    message,
    placed: run.state.armed ? 'unknown' : 'no',
  });
}

/** @throws RunLostError, RunCancelledError or RunStop when the run must not go on */
export function checkAlive(run: Run): void {
  if (!run.signal.aborted) return;
  const reason: unknown = run.signal.reason;
  if (reason instanceof RunLostError || reason instanceof RunCancelledError) throw reason;
  fail(run, 'The time of the run is over.');
}

/**
 * Reads the page when it is quiet, and refuses to go on outside of the shop, or on a page that
 * confirms an order which nobody permitted.
 */
export async function readPage(
  run: Run,
  { quietMs = 120, timeoutMs = 8_000 } = {},
): Promise<Snapshot> {
  checkAlive(run);
  await settle(run.page, run.watch, { quietMs, timeoutMs });
  checkAlive(run);
  const refusal = ownRefusal(run) ?? badCertificate(run);
  if (refusal !== undefined) fail(run, refusal);
  const snapshot = await takeSnapshot(run.page.mainFrame());
  if (run.state.shopOrigin !== '' && !isShopUrl(run, snapshot.url)) {
    fail(run, `The shop leads to another site (${originOf(snapshot.url)}), which is not followed.`);
  }
  if (snapshot.priceCurrency !== '') run.state.pageCurrency = snapshot.priceCurrency;
  refuseUnpermitted(run, snapshot);
  return snapshot;
}

/**
 * Waits no longer for a document that does not come: until then its page answers nothing, as if it
 * were hung.
 */
export async function leaveUnanswered(run: Run): Promise<void> {
  await run.page.goto('about:blank', { timeout: blankTimeoutMs }).catch(() => undefined);
}
const blankTimeoutMs = 5_000;

/**
 * Why our own way out did not lead to the last document; undefined when what came is the shop's
 * answer.
 */
export function ownRefusal(run: Run): string | undefined {
  const { url, answer } = run.watch.document;
  return answer === 403 || answer === 502 || answer === 'failed' ? run.refusalOf?.(url) : undefined;
}

/**
 * That the last document was not opened, because nobody can tell whose it is; undefined when its
 * certificate is in order, or it has none.
 */
export function badCertificate(run: Run): string | undefined {
  const { url, why = '' } = run.watch.document;
  const code = /ERR_CERT_\w+|ERR_SSL_PINNED_KEY\w*/.exec(why)?.[0];
  if (code === undefined || !URL.canParse(url)) return undefined;
  return `The shop’s certificate is not valid (${new URL(url).host}: ${code}), so the page was not opened.`;
}

/** Until the page changes or another one comes; at most `timeoutMs`. Then it is read. */
export async function readLater(
  run: Run,
  timeoutMs: number,
  options?: { quietMs?: number },
): Promise<Snapshot> {
  checkAlive(run);
  await awaitChange(run.page, timeoutMs);
  return readPage(run, options);
}

const frontNames = /^(?:www\d?|shop|store|m|[a-z]{2})\./;
const checkoutNames =
  /^(?:www\d?|shop|store|checkout|secure|pay|payment|order|orders|cart|basket|kasse|my|account|login)\./;
/**
 * Names below which anybody may have a host belong to many: `co.uk`, and those of companies that
 * host shops, as `myshopify.com`.
 */
const isShared = (name: string): boolean =>
  getPublicSuffix(name, { allowPrivateDomains: true }) === name;

/**
 * The shop's own origin, a host below its name, or its checkout beside it: `shop.example` and
 * `checkout.shop.example`. Never back to http.
 */
export function isShopUrl(run: Run, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const [url, shop] = [new URL(address), new URL(run.state.shopOrigin)];
  if (url.origin === shop.origin) return true;
  const isSecured = shop.protocol === 'http:' && url.protocol === 'https:' && shop.port === '';
  if ((url.protocol !== shop.protocol && !isSecured) || url.port !== shop.port) return false;
  if (url.hostname === shop.hostname) return true;
  if (!shop.hostname.includes('.') || /^[\d.]+$|^\[/.test(shop.hostname)) return false;
  const base = shop.hostname.replace(/^www\./, '');
  const isBelow = !isShared(base) && (url.hostname === base || url.hostname.endsWith(`.${base}`));
  const name = shop.hostname.replace(frontNames, '');
  const isBeside =
    !isShared(name) && (url.hostname === name || url.hostname.replace(checkoutNames, '') === name);
  return isBelow || isBeside;
}

export function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}

/** Address without query and fragment. */
export function bareUrl(address: string): string {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

const progressTitles: Readonly<Partial<Record<RunStep, string>>> = {
  open: 'Opened the shop',
  login: 'Signed in at the shop',
  select: 'Chose the product',
  'add-to-cart': 'Added to the cart',
  contact: 'Entered the contact data',
  shipping: 'Chose the delivery',
  payment: 'Reached the payment',
  quote: 'Read the total',
  approve: 'The purchase is approved',
  'fill-card': 'Entered the card',
  armed: 'Placing the order',
  confirm: 'The shop has confirmed the order',
};

/** Records every step up to this one that is not recorded yet, with a picture of the page. */
export async function reach(run: Run, step: RunStep, detail: JsonObject = {}): Promise<void> {
  await reachAll(run, [[step, detail]]);
}

/**
 * The same for steps that are done at one moment: they share the picture, which is taken while they
 * are recorded.
 */
export async function reachAll(
  run: Run,
  steps: readonly (readonly [RunStep, JsonObject])[],
): Promise<void> {
  const open = steps.filter(([step]) => runSteps.indexOf(step) > run.state.reached);
  if (open.length === 0) return;
  const picture = beginPicture(run.page, hiddenInputs(run));
  for (const [step, detail] of open) await recordStep(run, step, detail);
  const show = async () => {
    const jpeg = await picture;
    for (const [step] of jpeg === undefined ? [] : open)
      await run.ports.picture({ step, jpeg: jpeg! });
  };
  run.state.shown = run.state.shown.then(show).catch(() => undefined);
}

/**
 * Which fields a picture hides: all, once there is a card on the page, or a user has typed by hand.
 */
export const hiddenInputs = (run: Run): 'all-inputs' | 'secrets' =>
  run.state.cardTyped || run.screen?.wasTyped?.() === true ? 'all-inputs' : 'secrets';

/** Steps that not every purchase has: what was not done is not recorded beside a later one. */
const unlessDone: ReadonlySet<RunStep> = new Set(['login', 'authorise', 'fill-card']);

async function recordStep(run: Run, step: RunStep, detail: JsonObject): Promise<void> {
  const index = runSteps.indexOf(step);
  const url = bareUrl(run.page.url());
  for (let next = run.state.reached + 1; next <= index; next += 1) {
    const each = runSteps[next]!;
    if (each === 'accepted' || (each !== step && unlessDone.has(each))) continue;
    const at = run.now().toISOString();
    if (each === 'armed') run.state.armedAt = at;
    await run.ports.record({
      step: each,
      at,
      url,
      detail: each === step ? detail : { done: 'with a later step' },
    });
  }
  run.state.reached = index;
  run.log.info({ step, url }, 'A step of the checkout is done.');
  const title = progressTitles[step];
  if (title !== undefined) await run.ports.progress({ title });
}

type OptionChoice = Extract<UserActionRequest, { kind: 'option-choice' }>;

/**
 * A question that says something, whose options have each a name of their own: what a page lists
 * twice is one thing.
 */
function toldOnce({ kind, question, options }: OptionChoice): OptionChoice {
  const titled = options.map(({ value, title }, index) => ({
    value,
    title: title.trim() || `Option ${index + 1}`,
  }));
  const isFirst = ({ title }: (typeof titled)[number], index: number) =>
    titled.findIndex((other) => other.title.toLowerCase() === title.toLowerCase()) === index;
  return {
    kind,
    question: question.trim() || 'The shop wants a choice, and does not say of what. Which one?',
    options: titled.filter(isFirst),
  };
}

/** Asks the user. @throws RunStop when the user declines or the time is over */
export async function ask(run: Run, request: UserActionRequest): Promise<JsonObject> {
  await run.state.shown;
  const answer = await run.ports.ask(
    request.kind === 'option-choice' ? toldOnce(request) : request,
  );
  if (answer.action === 'submit') return answer.values;
  const placed = run.state.armed ? 'unknown' : 'no';
  throw new RunStop(
    answer.action === 'decline'
      ? { outcome: 'failed', reason: 'user_cancelled', message: 'The user declined.', placed }
      : {
          outcome: 'failed',
          reason: 'user_action_expired',
          message: 'The user did not answer in time.',
          placed,
        },
  );
}

/** Asks once for the whole run: the second time the first answer is given again. */
export async function askOnce(
  run: Run,
  key: string,
  request: UserActionRequest,
): Promise<JsonObject> {
  const known = run.state.asked.get(key);
  if (known !== undefined) return known;
  const values = await ask(run, request);
  run.state.asked.set(key, values);
  return values;
}
