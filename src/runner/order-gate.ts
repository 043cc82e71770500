import type { BrowserContext, Request, Route } from 'playwright-core';

/** A request that could place an order. `body` is for the match alone: it may hold a card. */
export interface OrderCandidate {
  readonly method: string;
  readonly url: URL;
  readonly isNavigation: boolean;
  readonly body: string;
}

export type OrderMatch = (candidate: OrderCandidate) => boolean;

/** What became of a request that matched; the address without query and fragment. */
export interface GatedRequest {
  readonly method: string;
  readonly url: string;
  readonly passed: boolean;
  readonly reason: 'passed' | 'not-armed' | 'repeat';
}

export interface OrderGate {
  /** Lets the next matching request pass, and no other one ever. @returns false when it was armed before */
  armOnce(match?: OrderMatch): boolean;
  /** True once the one request has left: from then on only reading may tell what happened. */
  hasPassed(): boolean;
  /** The last hundred. */
  requests(): readonly GatedRequest[];
}

const requestsMax = 100;
const writingMethods = ['POST', 'PUT', 'PATCH'];
const orderWords =
  /^(?:orders?|place[-_]?order|submit[-_]?order|create[-_]?order|complete[-_]?order|confirm[-_]?order|purchase|pay|payments?|buy|checkout[-_]?(?:complete|confirm|submit)|place|complete)$/i;

/** A writing request to the checkout's origin whose path ends in words of ordering or paying. An engine that knows the shop says it better. */
export function looksLikeOrder(checkoutOrigin: string): OrderMatch {
  return ({ method, url }) => {
    if (!writingMethods.includes(method) || url.origin !== checkoutOrigin) return false;
    const words = url.pathname.split('/').filter((word) => word !== '');
    return words.slice(-2).some((word) => orderWords.test(word.replace(/\.\w+$/, '')));
  };
}

/**
 * Keeps the order request back until the run is armed, lets exactly one pass, and aborts every repeat. Install it on the
 * context before the checkout is opened.
 *
 * It sees every request that a document or worker of the context begins, before it leaves: form posts, fetch and
 * XMLHttpRequest, beacons and `keepalive`, from every tab and frame. Service workers are off in the context, so none can send
 * behind its back.
 *
 * It does not see: what goes over a WebSocket; the hops of a redirect (a 307 repeats the method, and belongs to the request
 * that passed); orders placed by GET; a request that the browser repeats inside its network stack when a kept connection
 * breaks under it. Against the last one `beforePass` ends the kept connections of the proxy
 * ({@link EgressProxy.closeTunnels}), so that the one request goes over a fresh one. A request that does not match passes: a
 * match that is too narrow protects nothing, and one that is too wide stops earlier steps of the checkout.
 */
export async function installOrderGate(
  context: BrowserContext,
  input: { readonly match: OrderMatch; readonly beforePass?: (url: URL) => void },
): Promise<OrderGate> {
  const seen: GatedRequest[] = [];
  let { match } = input;
  let state: 'closed' | 'armed' | 'passed' = 'closed';

  const note = (request: Request, reason: GatedRequest['reason']) => {
    const { origin, pathname } = new URL(request.url());
    seen.push({ method: request.method(), url: `${origin}${pathname}`, passed: reason === 'passed', reason });
    if (seen.length > requestsMax) seen.shift();
  };
  const decide = async (route: Route) => {
    const request = route.request();
    if (!match(candidateOf(request))) return route.fallback();
    if (state !== 'armed') {
      note(request, state === 'passed' ? 'repeat' : 'not-armed');
      return route.abort('blockedbyclient');
    }
    // Before anything is waited for: of two requests at the same moment one must find the gate closed.
    state = 'passed';
    note(request, 'passed');
    input.beforePass?.(new URL(request.url()));
    return route.continue();
  };
  // Reading is left alone: only what writes makes the detour.
  await context.route('**/*', (route) => (writingMethods.includes(route.request().method()) ? decide(route) : route.fallback()));

  return {
    armOnce(narrower) {
      if (state !== 'closed') return false;
      if (narrower) {
        const wider = match;
        // Whatever was kept back before stays kept back.
        match = (candidate) => wider(candidate) || narrower(candidate);
      }
      state = 'armed';
      return true;
    },
    hasPassed: () => state === 'passed',
    requests: () => [...seen],
  };
}

function candidateOf(request: Request): OrderCandidate {
  return {
    method: request.method(),
    url: new URL(request.url()),
    isNavigation: request.isNavigationRequest(),
    body: request.postData() ?? '',
  };
}
