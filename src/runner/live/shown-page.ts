import type { RawData, WebSocket } from 'ws';
import { parseJson } from '../../lib/json/parse-json.ts';
import { keepBeating } from '../../lib/waiting/heartbeat.ts';
import { createTokenBucket } from '../../lib/waiting/token-bucket.ts';
import {
  inputsPerSecondMax,
  type LiveInput,
  type LiveStatus,
  liveRequestSchema,
  pictureBytesMax,
  pictureFlags,
  picturesUnseenMax,
} from '../link/live-wire.ts';
import type { LiveFrame, LiveView } from './live-view.ts';

/** A live view with its watchers. */
export interface ShownPage {
  isFull(): boolean;
  add(watcher: WebSocket): void;
  permitInput(isPermitted: boolean): void;
  /** Whether a watcher has typed anything so far. */
  wasTyped(): boolean;
  close(): Promise<void>;
}

const watchersMax = 8;

export function createShownPage(
  view: LiveView,
  viewport: { readonly width: number; readonly height: number },
): ShownPage {
  const watchers = new Set<WebSocket>();
  let isInputPermitted = false;
  let wasTyped = false;
  const status = (): LiveStatus => ({ kind: 'screen', ...viewport, isInputPermitted });
  return {
    isFull: () => watchers.size >= watchersMax,
    add(watcher) {
      watchers.add(watcher);
      say(watcher, status());
      const pictures = sendPictures(watcher, view);
      const isInTime = createTokenBucket(inputsPerSecondMax);
      keepBeating(watcher);
      watcher.on('message', (data, isBinary) => {
        const request = isBinary ? undefined : readRequest(data);
        if (!request) return watcher.close(1008, 'not readable');
        if (request.kind === 'seen') return pictures.seen();
        // What was typed may be a password: nothing of it goes anywhere but to the page.
        if (!isInTime()) return;
        const isTyped = request.kind === 'text' || request.kind === 'key';
        void view
          .input(request as LiveInput)
          .then((isDone) => (wasTyped ||= isDone && isTyped))
          .catch(() => undefined);
      });
      watcher.on('error', () => watcher.terminate());
      watcher.on('close', () => {
        watchers.delete(watcher);
        pictures.stop();
      });
    },
    permitInput(isPermitted) {
      view.permitInput(isPermitted);
      if (isPermitted === isInputPermitted) return;
      isInputPermitted = isPermitted;
      for (const watcher of watchers) say(watcher, status());
    },
    wasTyped: () => wasTyped,
    async close() {
      view.permitInput(false);
      for (const watcher of watchers) {
        say(watcher, { kind: 'ended' });
        watcher.close(1000);
      }
      await view.close();
    },
  };
}

const say = (watcher: WebSocket, status: LiveStatus) =>
  watcher.send(JSON.stringify(status), () => undefined);

function readRequest(data: RawData) {
  return liveRequestSchema.safeParse(parseJson(String(data))).data;
}

/**
 * A watcher has at most {@link picturesUnseenMax} pictures on their way; the view keeps the newest
 * for it meanwhile.
 */
function sendPictures(watcher: WebSocket, view: LiveView): { seen(): void; stop(): void } {
  let unseenCount = 0;
  let goOn: (() => void) | undefined;
  const send = (frame: LiveFrame): Promise<void> | void => {
    if (frame.jpeg.length > pictureBytesMax) return;
    unseenCount += 1;
    watcher.send(
      Buffer.concat([Buffer.of(pictureFlags[frame.isMasked ? 'masked' : 'shown']), frame.jpeg]),
      () => undefined,
    );
    if (unseenCount >= picturesUnseenMax) return new Promise((resolve) => (goOn = resolve));
  };
  const stopWatching = view.watch(send);
  return {
    seen() {
      unseenCount = Math.max(0, unseenCount - 1);
      goOn?.();
      goOn = undefined;
    },
    stop() {
      stopWatching();
      goOn?.();
    },
  };
}
