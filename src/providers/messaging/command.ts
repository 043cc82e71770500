import type { Config } from '../../config/config.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
  readLimit,
} from '../../lib/command.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import type { Store } from '../../store/types.ts';
import { listSandboxMessages, type SandboxMessage, sandboxMessagesMax } from './sandbox.ts';
import { outboxUsage } from './usage.ts';

/** Serves `purser outbox`. @throws CommandError */
export async function outboxCommand(
  ctx: { readonly config: Config; readonly store: Store },
  input: { readonly argv: readonly string[]; readonly print: Print },
): Promise<void> {
  const { values, positionals } = parseCommand(input.argv, {
    texts: ['to', 'limit'],
    flags: ['full'],
  });
  if (positionals[0] !== undefined)
    throw new CommandError(`Unknown command "outbox ${positionals[0]}".\n\n${outboxUsage}`);
  const { keyEncryptionKeys } = ctx.config;
  if (keyEncryptionKeys.length === 0)
    throw new CommandError(
      'KEY_ENCRYPTION_KEYS is not set: the messages are sealed, because they hold codes.',
    );
  const messages = await listSandboxMessages(
    { store: ctx.store, sealer: createSealer(keyEncryptionKeys) },
    { to: values.to, limit: readLimit(values.limit, { fallback: 20, max: sandboxMessagesMax }) },
  );
  if (values.json) return input.print(formatJson(messages));
  if (messages.length === 0) return input.print('No messages.');
  input.print(values.full ? messages.map(formatFull).join('\n\n') : formatShort(messages));
}

const sealedText = '(sealed with a key that is not in KEY_ENCRYPTION_KEYS)';
const firstWordsMax = 80;

function formatShort(messages: readonly SandboxMessage[]): string {
  return formatTable(
    ['SENT', 'BY', 'TO', 'TEXT'],
    messages.map(({ sentAt, channel, to, text }) => {
      const words = (text ?? sealedText).replaceAll(/\s+/g, ' ').trim();
      return [
        sentAt.toISOString(),
        channel,
        to,
        words.length > firstWordsMax ? `${words.slice(0, firstWordsMax)}…` : words,
      ];
    }),
  );
}

function formatFull({ sentAt, channel, to, subject, text }: SandboxMessage): string {
  const heads = [
    `${sentAt.toISOString()} ${channel} to ${to}`,
    ...(subject === undefined ? [] : [subject]),
  ];
  return [...heads, '', (text ?? sealedText).trimEnd()].join('\n');
}
