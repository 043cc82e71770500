import type { Chain } from '../ledger/chain.ts';
import { type MessageType, masked } from './masks.ts';

/** A method of gRPC, from bytes to bytes. */
export type Method = (chain: Chain, request: Uint8Array) => Promise<Uint8Array>;

interface Coder<Message extends object> {
  fromBinary(bytes: Uint8Array): Message;
  toBinary(message: Message): Uint8Array;
}

export function method<Request extends object, Answer extends object>(
  request: Coder<Request>,
  answer: Coder<Answer>,
  run: (chain: Chain, request: Request) => Answer | Promise<Answer>,
): Method {
  return async (chain, bytes) => answer.toBinary(await run(chain, request.fromBinary(bytes)));
}

/** What was asked for, or what the network answers when nothing was. */
export function pick<Message extends object>(
  type: MessageType<Message>,
  message: Message,
  mask: { readonly paths: readonly string[] } | undefined,
  otherwise: readonly string[],
): Message {
  return masked(type, message, mask?.paths.length ? mask.paths : otherwise);
}
