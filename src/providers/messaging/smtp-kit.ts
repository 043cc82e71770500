import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { testCertificate } from '../../../test/harness/test-certificate.ts';

/**
 * A mail server for tests, which writes down what it was told and can be troublesome at any
 * command.
 */
export interface MailServerOptions {
  readonly startTls?: boolean;
  readonly tls?: boolean;
  readonly auth?: boolean;
  /**
   * What it answers instead of its own; `greeting` and `.` (the end of a message) count as
   * commands.
   */
  readonly reply?: (asked: {
    readonly command: string;
    readonly connection: number;
  }) => string | undefined;
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly raw: string;
  readonly encrypted: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly messages: ReceivedMail[];
  readonly commands: { readonly command: string; readonly encrypted: boolean }[];
  /** `user:password` of each successful AUTH PLAIN. */
  readonly logins: string[];
  connectionCount(): number;
  /** Resolves when no client is connected. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

interface Session {
  readonly connection: number;
  encrypted: boolean;
  from: string;
  to: string[];
  data: string | undefined;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const state = {
    messages: [] as ReceivedMail[],
    commands: [] as MailServer['commands'],
    logins: [] as string[],
  };
  const open = new Set<Socket>();
  let connections = 0;
  let onClosed: (() => void) | undefined;
  const take = (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      if (open.size === 0) onClosed?.();
    });
    const session: Session = {
      connection: connections,
      encrypted: options.tls === true,
      from: '',
      to: [],
      data: undefined,
    };
    talk(socket, { options, session, state });
    answer(
      socket,
      options.reply?.({ command: 'greeting', connection: session.connection }) ??
        '220 mail.test ready',
    );
  };
  const secure = { cert: testCertificate.cert, key: testCertificate.key };
  const server = options.tls ? createTlsServer(secure, take) : createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...state,
    port: (server.address() as { port: number }).port,
    connectionCount: () => connections,
    allClosed: () =>
      new Promise((resolve) => {
        if (open.size === 0) resolve();
        else onClosed = resolve;
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

interface Talk {
  readonly options: MailServerOptions;
  readonly session: Session;
  readonly state: Pick<MailServer, 'messages' | 'commands' | 'logins'>;
}

function talk(socket: Socket, { options, session, state }: Talk): void {
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.toString('utf8');
    for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (session.data !== undefined && line !== '.') {
        session.data += `${line.replace(/^\./, '')}\r\n`;
        continue;
      }
      state.commands.push({ command: line, encrypted: session.encrypted });
      const own = options.reply?.({ command: line, connection: session.connection });
      if (own !== undefined) {
        session.data = undefined;
        answer(socket, own);
      } else if (line === 'STARTTLS' && options.startTls) {
        rest = '';
        return upgrade(socket, { options, session, state });
      } else answer(socket, handle(line, { options, session, state }));
    }
  });
}

function handle(line: string, { options, session, state }: Talk): string {
  if (line === '.') {
    const raw = session.data!;
    session.data = undefined;
    state.messages.push({
      ...readMail(raw),
      from: session.from,
      to: session.to,
      raw,
      encrypted: session.encrypted,
    });
    return '250 2.0.0 Taken';
  }
  const [verb = ''] = line.toUpperCase().split(' ');
  const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
  switch (verb) {
    case 'EHLO':
      return [
        '250-mail.test',
        ...(options.startTls && !session.encrypted ? ['250-STARTTLS'] : []),
        ...(options.auth ? ['250-AUTH PLAIN'] : []),
        '250 8BITMIME',
      ].join('\r\n');
    case 'AUTH': {
      const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0');
      state.logins.push(`${user}:${password}`);
      return '235 2.7.0 Welcome';
    }
    case 'MAIL':
      Object.assign(session, { from: address, to: [] });
      return '250 2.1.0 Go on';
    case 'RCPT':
      session.to.push(address);
      return '250 2.1.5 Go on';
    case 'DATA':
      session.data = '';
      return '354 Go on';
    case 'QUIT':
      return '221 2.0.0 Bye';
    default:
      return '502 5.5.1 Unknown';
  }
}

function upgrade(socket: Socket, talkInput: Talk): void {
  socket.removeAllListeners('data');
  socket.write('220 2.0.0 Go on\r\n');
  const secure = new TLSSocket(socket, {
    isServer: true,
    cert: testCertificate.cert,
    key: testCertificate.key,
  });
  secure.on('error', () => undefined);
  talkInput.session.encrypted = true;
  talk(secure, talkInput);
}

/** An answer, or the word for a way to be troublesome. */
function answer(socket: Socket, reply: string): void {
  if (reply === 'silence') return;
  if (reply === 'hang up') socket.destroy();
  else if (reply === 'drip') {
    const timer = setInterval(() => socket.write('2'), 5);
    socket.on('close', () => clearInterval(timer));
  } else if (reply === 'flood') socket.write(`250-${'x'.repeat(70)}\r\n`.repeat(2_000));
  else {
    socket.write(`${reply}\r\n`);
    if (reply.startsWith('221')) socket.end();
  }
}

function readMail(raw: string): Pick<ReceivedMail, 'subject' | 'text'> {
  const split = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, split).replaceAll(/\r\n[ \t]+/g, ' ');
  const body = raw.slice(split + 4);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const encoding = header('Content-Transfer-Encoding').toLowerCase();
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? decodeQuoted(body)
        : body;
  return { subject: header('Subject'), text };
}

function decodeQuoted(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
