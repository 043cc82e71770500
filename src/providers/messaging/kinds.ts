/** A kind of message as data: its texts with `{value}` in place of what differs. A new kind is one entry. */
export interface MessageKind {
  readonly values: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** One or two short messages long. */
  readonly sms: string;
}

export const messageKinds = {
  'signer-code': {
    values: ['code', 'minutes', 'project'],
    subject: 'Your code for {project}',
    text: `Your code for {project} is

{code}

It confirms what you are about to approve there, and ends in {minutes} minutes.

You did not ask for it? Then do nothing: without the code nothing happens.
Never give it to anybody, not even to people who say that they work for {project}.
`,
    sms: '{code} is your code for {project}. It ends in {minutes} minutes. Never give it to anybody.',
  },
} as const satisfies Readonly<Record<string, MessageKind>>;

export type MessageKindName = keyof typeof messageKinds;

/** A message before it is written: its kind and the values of that kind. */
export type Message = {
  readonly [K in MessageKindName]: {
    readonly kind: K;
    readonly values: Readonly<Record<(typeof messageKinds)[K]['values'][number], string>>;
  };
}[MessageKindName];

const valueLengthMax = 60;

/** The texts of an e-mail. Values stay on one line and are cut at 60 characters, so that none can add a header or a link. */
export function renderEmail(message: Message): { readonly subject: string; readonly text: string } {
  const kind = messageKinds[message.kind];
  return { subject: fill(kind.subject, message), text: fill(kind.text, message) };
}

/** The text of a short message. */
export function renderSms(message: Message): string {
  return fill(messageKinds[message.kind].sms, message);
}

function fill(text: string, { kind, values }: Message): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name as keyof typeof values] : undefined;
    if (value === undefined) throw new Error(`A message of kind ${kind} needs the value "${name}".`);
    return [...value.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, valueLengthMax).join('');
  });
}
