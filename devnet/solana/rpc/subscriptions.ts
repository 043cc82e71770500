import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Chain } from '../chain.ts';
import { accountConfigShape, encodeAccount } from './encode-account.ts';
import { codes, describeFailure, RpcError } from './errors.ts';
import { toJson } from './json.ts';
import {
  addressSchema,
  contextSchema,
  inContext,
  readConfig,
  readParam,
  signatureSchema,
  viewOf,
} from './params.ts';

export interface Subscriptions {
  serve(socket: WebSocket): void;
  close(): void;
}

/** Looks at the chain; true when it has said all that it will. */
type Watch = (notify: (result: unknown) => void) => boolean;

const subscriptionsMax = 1_000;
const tickMsMin = 20;
const slotsTold = 32;
const callSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});
const accountSchema = contextSchema.extend(accountConfigShape);

const kinds: Readonly<Record<string, (chain: Chain, params: readonly unknown[]) => Watch>> = {
  signature: watchSignature,
  account: watchAccount,
  slot: watchSlot,
};

export function createSubscriptions(chain: Chain): Subscriptions {
  const sockets = new Map<WebSocket, Map<number, () => boolean>>();
  let lastId = 0;
  const tick = setInterval(
    () => {
      for (const watches of sockets.values()) {
        for (const [id, look] of watches) if (look()) watches.delete(id);
      }
    },
    Math.max(tickMsMin, Math.floor(chain.slots.slotMs / 4)),
  );
  function call(socket: WebSocket, method: string, params: readonly unknown[]): unknown {
    const watches = sockets.get(socket)!;
    const subscribed = /^([a-z]+)Subscribe$/.exec(method)?.[1];
    if (subscribed !== undefined && Object.hasOwn(kinds, subscribed)) {
      if (watches.size >= subscriptionsMax)
        throw new RpcError(
          codes.internal,
          `More than ${subscriptionsMax} subscriptions of one connection`,
        );
      const watch = kinds[subscribed]!(chain, params);
      const id = ++lastId;
      const notification = `${subscribed}Notification`;
      const notify = (result: unknown) =>
        socket.send(
          toJson({ jsonrpc: '2.0', method: notification, params: { result, subscription: id } }),
        );
      watches.set(id, () => watch(notify));
      return id;
    }
    const unsubscribed = /^([a-z]+)Unsubscribe$/.exec(method)?.[1];
    if (unsubscribed !== undefined && Object.hasOwn(kinds, unsubscribed)) {
      if (!watches.delete(readParam(params, 0, z.number())))
        throw new RpcError(codes.invalidParams, 'Invalid subscription id.');
      return true;
    }
    throw new RpcError(
      codes.methodNotFound,
      `Method not found: ${method.slice(0, 100)} is not served by this local emulator of Solana: over web sockets there are signatureSubscribe, accountSubscribe and slotSubscribe.`,
    );
  }
  function answer(socket: WebSocket, text: string): void {
    const read = callSchema.safeParse(parseJson(text));
    if (!read.success)
      return send(socket, {
        jsonrpc: '2.0',
        error: { code: codes.invalidRequest, message: 'Invalid request' },
        id: null,
      });
    const { id, method, params = [] } = read.data;
    // `@solana/web3.js` says `ping` so that the connection stays; nobody answers a call without an
    // id.
    if (id === undefined) return;
    try {
      send(socket, { jsonrpc: '2.0', result: call(socket, method, params), id });
    } catch (error) {
      send(socket, { jsonrpc: '2.0', error: describeFailure(error), id });
    }
  }
  return {
    serve(socket) {
      sockets.set(socket, new Map());
      socket.on('message', (data: Buffer) => answer(socket, data.toString()));
      socket.on('error', () => socket.terminate());
      socket.on('close', () => sockets.delete(socket));
    },
    close: () => clearInterval(tick),
  };
}

function send(socket: WebSocket, message: object): void {
  socket.send(toJson(message));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function watchSignature(chain: Chain, params: readonly unknown[]): Watch {
  const signature = readParam(params, 0, signatureSchema);
  const config = readConfig(params, 1, contextSchema);
  return (notify) => {
    const { slot } = viewOf(chain, config);
    const landed = chain.history.get(signature);
    if (!landed || landed.slot > slot) return false;
    notify(inContext({ slot: landed.slot }, { err: landed.error }));
    return true;
  };
}

function watchAccount(chain: Chain, params: readonly unknown[]): Watch {
  const address = readParam(params, 0, addressSchema);
  const config = readConfig(params, 1, accountSchema);
  let told = chain.accounts.read(address, viewOf(chain, config).slot);
  return (notify) => {
    const { slot } = viewOf(chain, config);
    const writtenAt = chain.accounts.writtenAt(address, slot);
    const written = chain.accounts.read(address, slot);
    if (writtenAt === undefined || written === told) return false;
    told = written;
    const account = chain.read(address, slot);
    // A closed account is an empty one of the system program, as nodes say.
    const shown = account ?? {
      lamports: 0n,
      owner: '11111111111111111111111111111111',
      data: new Uint8Array(),
      executable: false,
    };
    notify(
      inContext(
        { slot: writtenAt },
        encodeAccount(shown, config, (mint) => chain.read(mint, slot)),
      ),
    );
    return false;
  };
}

function watchSlot(chain: Chain): Watch {
  let told = chain.head().slot;
  return (notify) => {
    const { slot: newest } = chain.head();
    const first = Math.max(told + 1, newest - slotsTold);
    for (const slot of chain.slots.blocks({ from: first, upTo: newest, limit: slotsTold }))
      notify({ slot, parent: chain.slots.parentOf(slot), root: chain.slotFor('finalized') });
    told = newest;
    return false;
  };
}
