import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Clock } from '../../lib/clock.ts';
import { countCalls } from '../../lib/net/call-counts.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { renderEmail } from './kinds.ts';
import { MessagingError, type Sender, type SendInput, type SendOutcome } from './messaging.ts';
import { AttemptError, type AttemptOptions, createSender } from './send-attempts.ts';

export interface SmtpOptions extends AttemptOptions {
  readonly host: string;
  readonly port: number;
  /**
   * `starttls`: the connection is upgraded or nothing is sent; `tls`: encrypted from the first
   * byte; `none`: never.
   */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly user?: string;
  readonly password?: Secret;
  /** Sender: an address, or `Name <address>`. */
  readonly from: string;
  readonly clock: Clock;
  /** Longest silence of the server; 10 s when absent. */
  readonly silenceMs?: number;
  /**
   * Certificate authority of a private server, in PEM, and the name on its certificate where that
   * is not `host`.
   */
  readonly ca?: string;
  readonly servername?: string;
}

/** What nodemailer puts on its errors. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/**
 * E-mail by SMTP. One connection for each message: codes are few, and a dead connection kept open
 * would cost the first of them.
 */
export function createSmtpSender(options: SmtpOptions): Sender {
  return createSender('email', (input, signal) => sendOnce(options, input, signal), options);
}

async function sendOnce(
  options: SmtpOptions,
  input: SendInput,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { raw, envelope, messageId } = await compose(options, input);
  const progress = { handedOver: false };
  const connection = openConnection(options);
  try {
    await withSignal(signal, connection, async () => {
      await call((done) => connection.connect(done));
      const { user, password } = options;
      if (user !== undefined && password)
        await call((done) =>
          connection.login({ credentials: { user, pass: password.reveal() } }, done),
        );
      await call((done) => connection.send(envelope, watched(raw, progress), done));
    });
    connection.quit();
    countCalls({ provider: 'smtp', calls: 1, failures: 0 });
    return { status: 'sent', messageId };
  } catch (error) {
    connection.close();
    const failure = readFailure(error as SmtpError, progress.handedOver);
    countCalls({ provider: 'smtp', calls: 1, failures: failure.status === 'refused' ? 0 : 1 });
    return failure;
  }
}

function openConnection({
  host,
  port,
  security,
  silenceMs = 10_000,
  ca,
  servername,
}: SmtpOptions): SMTPConnection {
  return new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(servername === undefined ? {} : { servername }),
    tls: ca === undefined ? {} : { ca },
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    dnsTimeout: silenceMs,
    socketTimeout: silenceMs,
    maxResponseSize: 64 * 1024,
  });
}

/** Runs a dialogue that ends when its connection or its time does. */
async function withSignal(
  signal: AbortSignal,
  connection: SMTPConnection,
  dialogue: () => Promise<void>,
): Promise<void> {
  const ended = new Promise<never>((_, reject) => {
    // Stays for good: an error that nobody listens for would end the process.
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('The connection was closed.')));
    signal.addEventListener(
      'abort',
      () => reject(new Error('The mail server did not finish in time.')),
      { once: true },
    );
  });
  ended.catch(() => undefined);
  await Promise.race([dialogue(), ended]);
}

function call(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

/** The message as a stream that tells when the server was given the first byte of it. */
function watched(raw: Buffer, progress: { handedOver: boolean }): Readable {
  return new Readable({
    read() {
      progress.handedOver = true;
      this.push(raw);
      this.push(null);
    },
  });
}

async function compose({ from, clock }: SmtpOptions, { to, message, idempotencyKey }: SendInput) {
  const { subject, text, html } = renderEmail(message);
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    date: clock.now(),
    // The same for every try, so that a mail system that sees it twice can tell.
    messageId: `<${idempotencyKey}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const node = composer.compile();
  // With the domain in the form that mail systems speak, whatever its script.
  const envelope = node.getEnvelope();
  if (typeof envelope.from !== 'string')
    throw new Error(`The sender of e-mails "${from}" has no address.`);
  return {
    raw: await node.build(),
    envelope: { from: envelope.from, to: envelope.to },
    messageId: node.messageId(),
  };
}

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/**
 * A `5xx` to the recipient or to the message is the server's answer; everything else is trouble on
 * the way.
 */
function readFailure(error: SmtpError, handedOver: boolean): SendOutcome {
  if (error.responseCode !== undefined) {
    if (!error.permanent)
      throw new AttemptError('The mail server cannot take the message now.', {
        repeatable: true,
        cause: error,
      });
    if (error.command === 'RCPT TO')
      return { status: 'refused', reason: 'recipient', detail: error.message };
    if (error.command === 'DATA')
      return { status: 'refused', reason: 'message', detail: error.message };
    throw new MessagingError('The mail server does not accept our account or sender.', {
      cause: error,
    });
  }
  const isOurs = error.code === 'ETLS' || error.code === 'EAUTH';
  throw new AttemptError(
    isOurs
      ? 'No secure connection to the mail server, or no way to sign in.'
      : 'The connection to the mail server failed.',
    { repeatable: !handedOver && !isOurs, maybeSent: handedOver, cause: error },
  );
}
