/** As far as a message's description is needed here. */
export interface MessageType<Message extends object = object> {
  readonly fields: readonly Field[];
  create(): Message;
}

interface Field {
  readonly name?: string;
  readonly localName?: string;
  readonly kind: string;
  readonly T?: unknown;
}

/**
 * A message with the named fields alone, as the network answers: whoever did not ask for a field
 * does not get it. Paths are in the spelling of protobuf, e.g. `effects.status`; `*` is everything.
 */
export function masked<Message extends object>(
  type: MessageType<Message>,
  message: Message,
  paths: readonly string[],
): Message {
  if (paths.includes('*')) return message;
  const from = message as Record<string, unknown>;
  const picked = type.create() as Record<string, unknown>;
  for (const field of type.fields) {
    const { name = '', localName = name } = field;
    const value = from[localName];
    const below = paths.flatMap((path) =>
      path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
    );
    if (paths.includes(name)) picked[localName] = value;
    else if (below.length > 0 && value !== undefined)
      picked[localName] = within(field, value, below);
  }
  return picked as Message;
}

function within({ kind, T }: Field, value: unknown, paths: readonly string[]): unknown {
  if (kind !== 'message' || typeof T !== 'function') return value;
  const type: MessageType = T();
  const pick = (one: unknown) =>
    typeof one === 'object' && one !== null ? masked(type, one, paths) : one;
  return Array.isArray(value) ? value.map(pick) : pick(value);
}
