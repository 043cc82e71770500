import type { BrowserContext, Request, Route } from 'playwright-core';
import { QuietHosts } from '../quiet-hosts.ts';
import {
  holdsCard,
  isSameSite,
  keyOf,
  looksLikeSideWork,
  type OrderCandidate,
  type OrderMatch,
  writingMethods,
} from './order-requests.ts';

export { looksLikeOrder } from './order-requests.ts';

/** What became of a request that matched; the address without query and fragment. */
export interface GatedRequest {
  readonly method: string;
  readonly url: string;
  readonly passed: boolean;
  readonly reason: 'passed' | 'not-armed' | 'repeat';
}

export interface OrderGate {
  /** Lets order requests pass from now on, each once. @returns false when it was armed before */
  armOnce(match?: OrderMatch): boolean;
  /** True once an order request has left: from then on only reading may tell what happened. */
  hasPassed(): boolean;
  /** How many requests have left, since it was armed, that could have placed an order. */
  passedCount(): number;
  /** Whether it would let such a request pass only once, and none before it was armed. */
  covers(request: {
    readonly method: string;
    readonly url: string;
    readonly holdsCard?: boolean;
  }): boolean;
  /**
   * Before it is armed: lets one form go to this address that holds no card, though its name is
   * that of an order.
   */
  allowStep(url: string): void;
  /** The last hundred. */
  requests(): readonly GatedRequest[];
}

export interface OrderGateInput {
  /** What places orders as far as one can tell beforehand: kept back until the gate is armed. */
  readonly match: OrderMatch;
  /**
   * Closes the kept connections to the host of a request that is about to leave. Until its answer
   * nothing else leaves for there over TLS.
   */
  readonly beforePass?: (url: URL) => void;
  /**
   * True once the run may be another runner's: that one looks whether there is an order, so that
   * none may leave here any more.
   */
  readonly isOver?: () => boolean;
  /**
   * Origins of payment frames and gateways: what they are sent is kept from being sent twice at
   * once.
   */
  readonly paymentOrigins?: readonly string[];
}

const requestsMax = 100;
/** A number that nobody has, with the check digit of one. */
const cardLike = '4000000000000002';
const keysMax = 2_000;

/** A request that was let pass after arming. `lost`: nobody knows whether it arrived. */
interface Passed {
  readonly key: string;
  readonly isOrder: boolean;
  readonly isNamed: boolean;
  readonly host: string;
  state: 'under way' | 'answered' | 'lost';
}

/**
 * Keeps order requests back until the run is armed, lets each pass once, and aborts every repeat.
 * Install it on the context before the checkout is opened.
 *
 * What an order request is, nobody knows of a shop that was never seen. Before arming, names tell
 * (`match`). From the armed click on the shop tells itself: what writes to its site and does
 * something that no step before has done, and every form by which a page is left, is taken for an
 * order request beside those that names give away. Each passes once, whatever its body
 * ({@link keyOf} says what a repeat is). Payments of several requests pass, since each does
 * something else; but while an order request with a telling name has no answer, no other one of
 * such a name leaves: no second way to order is tried. Other writing requests, to gateways too, may
 * come again once they were answered; measurements and the like as often as they want.
 *
 * It sees every request that a document or worker of the context begins, before it leaves: form
 * posts, fetch and XMLHttpRequest, beacons and `keepalive`, from every tab and frame. Service
 * workers are off in the context, so none can send behind its back. It does not see: what goes over
 * a WebSocket; the hops of a redirect (a 307 repeats the method, and belongs to the request that
 * passed); orders placed by GET; a request that the browser repeats inside its network stack when a
 * kept connection breaks under it. Against the last one `beforePass` ends the kept connections of
 * the proxy ({@link EgressProxy.closeTunnels}), and the rest of what goes to that host waits, so
 * that the request goes over a fresh one ({@link QuietHosts}).
 */
export async function installOrderGate(
  context: BrowserContext,
  input: OrderGateInput,
): Promise<OrderGate> {
  const gate = new Gate(context, input);
  // Reading is left alone, but for the moment in which an order leaves: only what writes makes the
  // detour.
  await context.route('**/*', async (route) => {
    try {
      await (writingMethods.includes(route.request().method())
        ? gate.decide(route)
        : gate.quiet.pass(route));
    } catch {
      // Nobody else would hear of it, and that ends the process: what cannot be judged, or has lost
      // its browser, does not leave.
      await route.abort('blockedbyclient').catch(() => undefined);
    }
  });
  context.on('response', (response) =>
    gate.note(response.request(), response.status() < 500 ? 'answered' : 'lost'),
  );
  context.on('requestfinished', (request) => gate.quiet.ended(request));
  context.on('requestfailed', (request) => {
    gate.quiet.ended(request);
    gate.note(request, 'lost');
  });
  return gate;
}

class Gate implements OrderGate {
  readonly quiet = new QuietHosts();
  readonly #context: BrowserContext;
  readonly #input: OrderGateInput;
  readonly #paymentOrigins: readonly URL[];
  readonly #seen: GatedRequest[] = [];
  /** What steps before arming have done. */
  readonly #steps = new Set<string>();
  /** The pages that were open when the run was armed: their sites are the shop's. */
  #shop: readonly URL[] = [];
  readonly #passed = new Map<Request, Passed>();
  /** Until when those that may leave wait for connections of their own. */
  readonly #makeWay = new Map<Request, Promise<void>>();
  #match: OrderMatch;
  #isArmed = false;
  /** Where the next form may go although it is named like an order. */
  #step: string | undefined;
  #count = 0;

  constructor(context: BrowserContext, input: OrderGateInput) {
    this.#context = context;
    this.#input = input;
    this.#match = input.match;
    this.#paymentOrigins = (input.paymentOrigins ?? []).map((origin) => new URL(origin));
  }

  armOnce(narrower?: OrderMatch): boolean {
    if (this.#isArmed) return false;
    if (narrower) {
      const wider = this.#match;
      // Whatever was kept back before stays kept back.
      this.#match = (candidate) => wider(candidate) || narrower(candidate);
    }
    this.#shop = this.#context
      .pages()
      .flatMap((page) => (/^https?:/.test(page.url()) ? [new URL(page.url())] : []));
    this.#isArmed = true;
    return true;
  }

  hasPassed(): boolean {
    return [...this.#passed.values()].some(({ isOrder }) => isOrder);
  }

  passedCount(): number {
    return this.#count;
  }

  covers({ method, url, holdsCard }: Parameters<OrderGate['covers']>[0]): boolean {
    if (!writingMethods.includes(method) || !URL.canParse(url)) return false;
    const target = new URL(url);
    return (
      this.#match({ method, url: target, isNavigation: true, body: holdsCard ? cardLike : '' }) ||
      this.#placeOf(target) === 'shop'
    );
  }

  allowStep(url: string): void {
    this.#step = url;
  }

  requests(): readonly GatedRequest[] {
    return [...this.#seen];
  }

  note(request: Request, state: Passed['state']): void {
    const passed = this.#passed.get(request);
    if (passed?.state !== 'under way') return;
    passed.state = state;
    if (!this.#isUnderWay(passed.host)) this.quiet.release(passed.host);
  }

  async decide(route: Route): Promise<void> {
    const request = route.request();
    const verdict = this.#judge(request);
    if (verdict === 'none') return this.quiet.pass(route);
    const { origin, pathname } = new URL(request.url());
    this.#seen.push({
      method: request.method(),
      url: `${origin}${pathname}`,
      passed: verdict === 'passed',
      reason: verdict,
    });
    if (this.#seen.length > requestsMax) this.#seen.shift();
    if (verdict !== 'passed') return route.abort('blockedbyclient');
    await this.#makeWay.get(request);
    this.#makeWay.delete(request);
    return route.continue();
  }

  /**
   * Nothing is waited for in here: of two requests at the same moment the second finds the first.
   */
  #judge(request: Request): GatedRequest['reason'] | 'none' {
    const candidate = candidateOf(request);
    const { url } = candidate;
    const isNamed = this.#match(candidate);
    if (!this.#isArmed) {
      if (isNamed && !this.#isStep(candidate)) return 'not-armed';
      if (this.#steps.size < keysMax) this.#steps.add(keyOf(request));
      return 'none';
    }
    if (this.#input.isOver?.()) return 'not-armed';
    const place = this.#placeOf(url);
    const isBeacon = request.resourceType() === 'ping';
    if (!isNamed && (place === 'elsewhere' || isBeacon || looksLikeSideWork(url))) return 'none';
    const key = keyOf(request);
    const isOrder = isNamed || (place === 'shop' && this.#isNew(request, key));
    if (this.#isRepeat({ key, isNamed })) return 'repeat';
    this.#clearWay(request, url);
    if (this.#passed.size < keysMax)
      this.#passed.set(request, { key, isOrder, isNamed, host: url.hostname, state: 'under way' });
    this.#count += 1;
    return 'passed';
  }

  /** The form that was announced; only once. */
  #isStep({ url, isNavigation, body }: OrderCandidate): boolean {
    const isAnnounced = isNavigation && this.#step === url.href && !holdsCard(body);
    if (isAnnounced) this.#step = undefined;
    return isAnnounced;
  }

  /** For the first of several to a host; the others wait with it. */
  #clearWay(request: Request, url: URL): void {
    const { beforePass } = this.#input;
    if (!beforePass) return;
    // Without TLS the proxy never uses a connection twice.
    if (url.protocol === 'https:') {
      const isFirst = !this.#isUnderWay(url.hostname);
      this.#makeWay.set(
        request,
        this.quiet.clear(url.hostname, () => isFirst && beforePass(url)),
      );
    } else if (!this.#isUnderWay(url.hostname)) beforePass(url);
  }

  #isUnderWay(host: string): boolean {
    return [...this.#passed.values()].some((one) => one.host === host && one.state === 'under way');
  }

  /**
   * No step before the click has done it; a form by which the page is left is none of them, even
   * where all look alike.
   */
  #isNew(request: Request, key: string): boolean {
    return leavesPage(request) || !this.#steps.has(key);
  }

  #isRepeat({ key, isNamed }: { readonly key: string; readonly isNamed: boolean }): boolean {
    const all = [...this.#passed.values()];
    const isOtherWay =
      isNamed &&
      !key.endsWith('elsewhere') &&
      all.some((one) => one.isNamed && one.state !== 'answered');
    return (
      isOtherWay || all.some((one) => one.key === key && (one.isOrder || one.state !== 'answered'))
    );
  }

  #placeOf(url: URL): 'shop' | 'payment' | 'elsewhere' {
    if (this.#shop.some((page) => isSameSite(url, page))) return 'shop';
    return this.#paymentOrigins.some((origin) => isSameSite(url, origin)) ? 'payment' : 'elsewhere';
  }
}

/** A form by which a page is left, or a window opened: of that one, the frame is not there yet. */
function leavesPage(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    return true;
  }
}

function candidateOf(request: Request): OrderCandidate {
  return {
    method: request.method(),
    url: new URL(request.url()),
    isNavigation: request.isNavigationRequest(),
    body: request.postData() ?? '',
  };
}
