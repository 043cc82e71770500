/**
 * A kind of message as data: its texts with `{value}` in place of what differs. A new kind is one
 * entry.
 */
export interface MessageKind {
  readonly values: readonly string[];
  readonly subject: string;
  readonly text: string;
  /**
   * The same for readers of HTML: no images, no links, nothing that tells the sender of its being
   * read.
   */
  readonly html?: string;
  /** One or two short messages long; three where what is approved is long. */
  readonly sms: string;
  /** Longest value; 60 characters when absent. */
  readonly valueLengthMax?: number;
  /** Values that may be longer than the others. */
  readonly lengthsMax?: Readonly<Record<string, number>>;
}

/** Addresses, transaction ids and amounts are longer than names. */
const receiptValueLengthMax = 130;

/** Rows of a receipt as a table. */
const receiptHtml = (title: string, rows: readonly (readonly [string, string])[], end: string) =>
  `<!doctype html><html><body style="font-family:sans-serif;max-width:40em"><h1 style="font-size:1.2em">${title}</h1><table>${rows
    .map(
      ([name, value]) =>
        `<tr><td style="padding:.2em 1em .2em 0">${name}</td><td style="word-break:break-all">${value}</td></tr>`,
    )
    .join('')}</table><p>${end}</p></body></html>`;
const receiptText = (title: string, rows: readonly (readonly [string, string])[], end: string) =>
  `${title}\n\n${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${end}\n`;

function receipt(title: string, subject: string, rows: readonly (readonly [string, string])[]) {
  const end = 'Keep this message: the order number tells which purchase it is.';
  return {
    subject,
    text: receiptText(title, rows, end),
    html: receiptHtml(title, rows, end),
    valueLengthMax: receiptValueLengthMax,
  };
}

const messageKinds = {
  'signer-code': {
    values: ['code', 'minutes', 'project', 'what'],
    subject: 'Your code for {project}',
    text: `Your code for {project} is

{code}

With it you approve this: {what}.
The code ends in {minutes} minutes.

It is not what you want? Then do not type the code.

You did not ask for it? Then do nothing: without the code nothing happens.
Never give it to anybody, not even to people who say that they work for {project}.
`,
    sms: '{code} is your code for {project}, to {what}. It ends in {minutes} minutes. Never give it to anybody.',
    lengthsMax: { what: 250 },
  },
  'order-delivered': {
    values: ['order', 'paid', 'fees', 'received', 'recipient', 'tx'],
    ...receipt('Your order was delivered', 'Your order {order}: receipt', [
      ['Order', '{order}'],
      ['Paid', '{paid}'],
      ['of which fees', '{fees}'],
      ['Received', '{received}'],
      ['Wallet', '{recipient}'],
      ['Transaction', '{tx}'],
    ]),
    sms: 'Order {order}: you received {received}.',
  },
  'order-paid-out': {
    values: ['order', 'paid', 'fees', 'received', 'rail'],
    ...receipt('Your payout is on its way', 'Your order {order}: receipt', [
      ['Order', '{order}'],
      ['Paid', '{paid}'],
      ['of which fees', '{fees}'],
      ['Paid out', '{received}'],
      ['By', '{rail}'],
    ]),
    sms: 'Order {order}: {received} was paid out.',
  },
  'order-refunded': {
    values: ['order', 'paid', 'refunded', 'reason'],
    ...receipt('Your payment was given back', 'Your order {order}: refund', [
      ['Order', '{order}'],
      ['Paid', '{paid}'],
      ['Given back', '{refunded}'],
      ['Why', '{reason}'],
    ]),
    sms: 'Order {order}: {refunded} was given back.',
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

/**
 * The texts of an e-mail. Values stay on one line and are cut, so that none can add a header or a
 * link.
 */
export function renderEmail(message: Message): {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
} {
  const kind: MessageKind = messageKinds[message.kind];
  return {
    subject: fill(kind.subject, message),
    text: fill(kind.text, message),
    ...(kind.html !== undefined && { html: fill(kind.html, message, escapeHtml) }),
  };
}

/** The text of a short message. */
export function renderSms(message: Message): string {
  return fill(messageKinds[message.kind].sms, message);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function fill(text: string, { kind, values }: Message, escape = (value: string) => value): string {
  const { lengthsMax = {}, valueLengthMax: lengthMax = valueLengthMax } = messageKinds[
    kind
  ] as MessageKind;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name)
      ? (values as Readonly<Record<string, string>>)[name]
      : undefined;
    if (value === undefined)
      throw new Error(`A message of kind ${kind} needs the value "${name}".`);
    return escape(
      [...value.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()]
        .slice(0, lengthsMax[name] ?? lengthMax)
        .join(''),
    );
  });
}
