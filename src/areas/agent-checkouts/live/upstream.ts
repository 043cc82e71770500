import { WebSocket } from 'ws';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { type InternalIdentity, signRequest } from '../../../lib/net/signed-requests.ts';
import { keepBeating } from '../../../lib/waiting/heartbeat.ts';
import {
  type LiveStatus,
  liveStatusSchema,
  pictureBytesMax,
} from '../../../runner/link/live-wire.ts';
import { livePath } from '../../../runner/link/wire.ts';

/** The picture of one checkout, from whichever runner has it. */
export interface Upstream {
  /** Where the run is now; undefined while it is nowhere. */
  follow(liveOrigin: string | undefined): void;
  /** To the runner; dropped while there is none. */
  send(text: string): void;
  close(): void;
}

export interface UpstreamOptions {
  readonly checkoutId: string;
  readonly identity: InternalIdentity;
  /** The machine's own time. */
  readonly now: () => Date;
  readonly onPicture: (bytes: Buffer) => void;
  readonly onStatus: (status: LiveStatus) => void;
  readonly onLost: () => void;
}

const handshakeTimeoutMs = 5_000;
const pauses = { firstMs: 250, maxMs: 2_000 };

/**
 * Connects to the runner that shows the checkout, and again when the connection breaks. The address
 * comes from our own database only.
 */
export function openUpstream(options: UpstreamOptions): Upstream {
  let origin: string | undefined;
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs: number = pauses.firstMs;

  function connect(): void {
    const path = livePath(options.checkoutId);
    const request = { method: 'GET', path, body: new Uint8Array() };
    // Runners say themselves where they are.
    if (!isOrigin(origin!)) return options.onLost();
    const opened = new WebSocket(`${origin!.replace(/^http/, 'ws')}${path}`, {
      headers: signRequest(options.identity, request, options.now()).headers,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: pictureBytesMax + 1,
      perMessageDeflate: false,
      followRedirects: false,
    });
    socket = opened;
    opened.on('open', () => {
      pauseMs = pauses.firstMs;
      keepBeating(opened);
    });
    opened.on('message', (data: Buffer, isBinary) => {
      if (socket !== opened) return;
      if (isBinary) return options.onPicture(data);
      const status = readStatus(data);
      if (status) options.onStatus(status);
    });
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      options.onLost();
      if (origin === undefined) return;
      timer = setTimeout(connect, pauseMs);
      pauseMs = Math.min(pauseMs * 2, pauses.maxMs);
    });
  }

  function drop(): void {
    clearTimeout(timer);
    const dropped = socket;
    socket = undefined;
    dropped?.terminate();
  }

  return {
    follow(liveOrigin) {
      if (liveOrigin === origin) return;
      drop();
      origin = liveOrigin;
      pauseMs = pauses.firstMs;
      if (origin === undefined) options.onLost();
      else connect();
    },
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text, () => undefined);
    },
    close() {
      origin = undefined;
      drop();
    },
  };
}

const isOrigin = (text: string) => /^https?:\/\/[^/?#]+$/.test(text) && URL.canParse(text);

function readStatus(data: Buffer): LiveStatus | undefined {
  return liveStatusSchema.safeParse(parseJson(data)).data;
}
