import type { BrowserContext, Request, WebSocket } from 'playwright-core';

/** What has left the browser since a moment: whatever could carry an order. */
export interface Traffic {
  sent(): number;
  close(): void;
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const carriers = new Set(['document', 'xhr', 'fetch', 'other']);

/**
 * Counts writing requests of all pages and frames and whatever asks the shop for data; measurements
 * sent to others (beacons) are none.
 */
export function watchTraffic(context: BrowserContext, shopOrigin: string): Traffic {
  let count = 0;
  const onRequest = (request: Request) => {
    const isBeacon = request.resourceType() === 'ping' && !request.url().startsWith(shopOrigin);
    if ((!reading.has(request.method()) && !isBeacon) || isRead(request, shopOrigin)) count += 1;
  };
  const onSocket = (socket: WebSocket) => {
    socket.on('framesent', () => {
      count += 1;
    });
  };
  context.on('request', onRequest);
  for (const page of context.pages()) page.on('websocket', onSocket);
  return {
    sent: () => count,
    close: () => {
      context.off('request', onRequest);
      for (const page of context.pages()) page.off('websocket', onSocket);
    },
  };
}

/** Some shops order by GET. */
const isRead = (request: Request, shopOrigin: string) =>
  carriers.has(request.resourceType()) && request.url().startsWith(shopOrigin);
