import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { SealContext, Sealer } from '../../lib/sealing/seal.ts';
import { SealError } from '../../lib/sealing/seal.ts';
import type { Db, Store } from '../../store/types.ts';
import { type MessageKindName, renderEmail, renderSms } from './kinds.ts';
import { type Channel, MessagingError, type MessagingProvider, type Sender } from './messaging.ts';
import { checkSendInput } from './recipient.ts';

/**
 * Sends nothing: messages lie in `sandbox_messages`, sealed, and `purser outbox` shows them. Some
 * recipients behave like trouble: {@link sandboxRecipients}.
 */

export interface SandboxMessagingOptions {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface SandboxMessage {
  readonly id: string;
  readonly channel: Channel;
  readonly kind: MessageKindName;
  readonly to: string;
  /** Absent for short messages, and when nothing configured opens it. */
  readonly subject?: string;
  /** Undefined when it was sealed with a key that is no longer configured. */
  readonly text: string | undefined;
  /** Where the message has it. */
  readonly html?: string;
  readonly sentAt: Date;
}

/** Recipients that are steered: by the local part of an address, and as whole numbers. */
export const sandboxRecipients = {
  refused: {
    email: 'refused',
    sms: '+12025550101',
    does: 'is refused for good: no such mailbox or number',
  },
  unavailable: {
    email: 'unavailable',
    sms: '+12025550102',
    does: 'finds the company out of service: nothing is sent',
  },
  lost: {
    email: 'lost',
    sms: '+12025550103',
    does: 'is sent, and then the answer is lost: nobody knows',
  },
} as const;

/** Older ones are deleted as new ones come. */
export const sandboxMessagesMax = 1_000;
const pruneBatchMax = 100;

export function createSandboxMessaging(options: SandboxMessagingOptions): MessagingProvider {
  return { sendEmail: sandboxSender(options, 'email'), sendSms: sandboxSender(options, 'sms') };
}

/** One half of it, beside a real company for the other. */
export function sandboxSender(options: SandboxMessagingOptions, channel: Channel): Sender {
  return async (input) => {
    checkSendInput(channel, input);
    const trouble = troubleOf(channel, input.to);
    if (trouble === 'refused')
      return {
        status: 'refused',
        reason: 'recipient',
        detail: 'The sandbox refuses this recipient.',
      };
    if (trouble === 'unavailable')
      throw new MessagingError('The sandbox is out of service for this recipient.');
    const content =
      channel === 'email' ? renderEmail(input.message) : { text: renderSms(input.message) };
    const messageId = await insertMessage(options, {
      ...input,
      channel,
      kind: input.message.kind,
      content,
    });
    if (trouble === 'lost')
      throw new MessagingError('The sandbox lost its answer for this recipient.', {
        maybeSent: true,
      });
    return { status: 'sent', messageId };
  };
}

function troubleOf(channel: Channel, to: string): keyof typeof sandboxRecipients | undefined {
  const names = Object.keys(sandboxRecipients) as (keyof typeof sandboxRecipients)[];
  return names.find(
    (name) => (channel === 'email' ? to.split('@', 1)[0] : to) === sandboxRecipients[name][channel],
  );
}

interface NewMessage {
  readonly channel: Channel;
  readonly kind: MessageKindName;
  readonly to: string;
  readonly idempotencyKey: string;
  readonly content: { readonly subject?: string; readonly text: string; readonly html?: string };
}

/** Answers the id of the message that this key has, now or already. */
async function insertMessage(
  { store, sealer, clock, ids }: SandboxMessagingOptions,
  message: NewMessage,
): Promise<string> {
  const id = ids.uuid();
  const sealed = sealer.seal(Buffer.from(JSON.stringify(message.content)), contextOf(id));
  const { rows } = await store.query<{ id: string }>({
    name: 'sandbox-message-insert',
    text: `with inserted as (
        insert into sandbox_messages (id, idempotency_key, channel, kind, recipient, sealed_content, sent_at)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (idempotency_key) do nothing returning id),
      pruned as (delete from sandbox_messages where id in (
        select id from sandbox_messages order by sent_at desc, id desc offset ${sandboxMessagesMax - 1} limit ${pruneBatchMax}))
      select id from inserted`,
    values: [
      id,
      message.idempotencyKey,
      message.channel,
      message.kind,
      message.to,
      sealed,
      clock.now(),
    ],
  });
  if (rows[0]) return rows[0].id;
  const earlier = await store.query<{ id: string }>({
    text: 'select id from sandbox_messages where idempotency_key = $1',
    values: [message.idempotencyKey],
  });
  return earlier.rows[0]?.id ?? id;
}

/** Newest first; `limit` is at most 1,000. */
export async function listSandboxMessages(
  { store, sealer }: { readonly store: Db; readonly sealer: Sealer },
  input: { readonly to?: string | undefined; readonly limit: number },
): Promise<SandboxMessage[]> {
  const { rows } = await store.query<{
    id: string;
    channel: Channel;
    kind: MessageKindName;
    recipient: string;
    sealed_content: Buffer;
    sent_at: Date;
  }>({
    text: `select id, channel, kind, recipient, sealed_content, sent_at from sandbox_messages
      where $1::text is null or recipient = $1 order by sent_at desc, id desc limit $2`,
    values: [input.to ?? null, Math.min(input.limit, sandboxMessagesMax)],
  });
  return rows.map((row) => ({
    id: row.id,
    channel: row.channel,
    kind: row.kind,
    to: row.recipient,
    text: undefined,
    ...openContent(sealer, row.id, row.sealed_content),
    sentAt: row.sent_at,
  }));
}

function openContent(
  sealer: Sealer,
  id: string,
  sealed: Buffer,
): { readonly subject?: string; readonly text?: string; readonly html?: string } {
  try {
    return JSON.parse(sealer.open(sealed, contextOf(id)).toString()) as {
      subject?: string;
      text: string;
      html?: string;
    };
  } catch (error) {
    if (error instanceof SealError && error.reason === 'unknown-key') return {};
    throw error;
  }
}

function contextOf(id: string): SealContext {
  return { purpose: 'sandbox-message', projectId: '', id, version: 1 };
}
