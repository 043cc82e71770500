import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PayoutCallback } from './payout.ts';

/**
 * A stand-in for Column's API on a local port, with its words, its idempotency and its faults.
 * Account numbers ending in `5001` are refused; calls for accounts ending in `6001` are cut off
 * after the transfer was made.
 */

export type Fault =
  | 'time-out-before'
  | 'time-out-after'
  | 'reset-after'
  | '500-before'
  | '500-after'
  | 'html-after'
  | 'half-after'
  | 'wrong-shape-after'
  | 'redirect'
  | '401'
  | '409'
  | '429';

export interface StoredTransfer {
  id: string;
  kind: string;
  key: string;
  form: URLSearchParams;
  status: string;
  createdAt: Date;
  more: Record<string, unknown>;
}

export const columnSecrets = { apiKey: 'test_key_kept_secret', webhook: 'whsec_column' };
const accountBase = 'bacc_house';

export async function startColumnStandIn(now: () => Date) {
  const counterparties = new Map<string, URLSearchParams>();
  const transfers: StoredTransfer[] = [];
  const requests: {
    method: string;
    url: string;
    headers: IncomingMessage['headers'];
    form: URLSearchParams;
  }[] = [];
  const faults: Fault[] = [];
  let events = 0;

  const objectOf = (transfer: StoredTransfer) => ({
    id: transfer.id,
    amount: Number(transfer.form.get('amount')),
    currency_code: transfer.form.get('currency_code'),
    status: transfer.status,
    idempotency_key: transfer.key,
    counterparty_id: transfer.form.get('counterparty_id'),
    // Real answers carry the number too: the adapter must not let it through.
    beneficiary_account_number: counterparties
      .get(transfer.form.get('counterparty_id') ?? '')
      ?.get('account_number'),
    same_day: transfer.form.get('same_day') === 'true',
    is_incoming: false,
    created_at: transfer.createdAt.toISOString(),
    updated_at: transfer.createdAt.toISOString(),
    ...transfer.more,
  });

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      requests.push({ method: request.method!, url: request.url!, headers: request.headers, form });
      serve(request, response, form);
    });
  });

  function serve(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): void {
    const fault = faults.shift();
    const url = new URL(request.url!, 'http://bank');
    const [, collection, kind, id] = url.pathname.split('/');
    if (fault && answerBefore(response, fault)) return;
    const expected = `Basic ${Buffer.from(`:${columnSecrets.apiKey}`).toString('base64')}`;
    if (request.headers.authorization !== expected) return refuse(response, 401, 'unauthorized');
    if (collection === 'counterparties') return createCounterparty(response, form);
    if (collection !== 'transfers' || kind === undefined) return refuse(response, 404, 'not_found');
    if (request.method === 'GET')
      return id === undefined ? list(response, kind, url.searchParams) : get(response, kind, id);
    createTransfer(response, {
      kind,
      form,
      key: String(request.headers['idempotency-key']),
      fault,
    });
  }

  function createCounterparty(response: ServerResponse, form: URLSearchParams): void {
    if (form.get('account_number')?.endsWith('5005'))
      return refuse(response, 400, 'counterparty_account_number_invalid');
    const id = `cpty_${counterparties.size + 1}`;
    counterparties.set(id, form);
    send(response, 200, {
      id,
      account_number: form.get('account_number'),
      routing_number: form.get('routing_number'),
    });
  }

  function createTransfer(
    response: ServerResponse,
    call: { kind: string; form: URLSearchParams; key: string; fault: Fault | undefined },
  ): void {
    const { kind, form, key, fault } = call;
    const known = transfers.find((transfer) => transfer.key === key);
    if (known) {
      if (known.form.toString() !== form.toString())
        return refuse(response, 400, 'idempotency_key_reused');
      return send(response, 200, objectOf(known));
    }
    const number = counterparties.get(form.get('counterparty_id') ?? '')?.get('account_number');
    if (!number || form.get('bank_account_id') !== accountBase)
      return refuse(response, 404, 'not_found');
    if (number.endsWith('5001'))
      return refuse(response, 400, 'account_error', `account ${number} cannot be credited`);
    const transfer: StoredTransfer = {
      id: `${kind}t_${transfers.length + 1}`,
      kind,
      key,
      form,
      status: kind === 'realtime' ? 'initiated' : 'INITIATED',
      createdAt: now(),
      more: {},
    };
    transfers.push(transfer);
    answerAfter(
      response,
      fault ?? (number.endsWith('6001') ? 'reset-after' : undefined),
      objectOf(transfer),
    );
  }

  function get(response: ServerResponse, kind: string, id: string): void {
    const transfer = transfers.find((one) => one.kind === kind && one.id === id);
    if (transfer) send(response, 200, objectOf(transfer));
    else refuse(response, 404, 'not_found');
  }

  function list(response: ServerResponse, kind: string, query: URLSearchParams): void {
    const newestFirst = transfers
      .filter((one) => one.kind === kind)
      .filter(
        (one) =>
          !query.has('counterparty_id') ||
          one.form.get('counterparty_id') === query.get('counterparty_id'),
      )
      .filter(
        (one) => !query.has('created.gte') || one.createdAt >= new Date(query.get('created.gte')!),
      )
      .toReversed();
    const after = newestFirst.findIndex(({ id }) => id === query.get('starting_after'));
    const limit = Number(query.get('limit') ?? 10);
    const page = newestFirst.slice(after + 1, after + 1 + limit);
    send(response, 200, {
      transfers: page.map(objectOf),
      has_more: after + 1 + limit < newestFirst.length,
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  /**
   * An event about a transfer, signed, as it arrives now. `data` overrides fields of the snapshot.
   */
  const anEvent = (
    transfer: StoredTransfer,
    type: string,
    options: { id?: string; data?: Record<string, unknown> } = {},
  ): PayoutCallback => {
    const body = Buffer.from(
      JSON.stringify({
        id: options.id ?? `evnt_${++events}`,
        created_at: now().toISOString(),
        type,
        data: { ...objectOf(transfer), ...options.data },
      }),
    );
    const signature = createHmac('sha256', columnSecrets.webhook).update(body).digest('hex');
    return {
      headers: { 'column-signature': signature, 'webhook-endpoint-id': 'webh_1' },
      body,
      receivedAt: now(),
    };
  };

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    bankAccountId: accountBase,
    counterparties,
    transfers,
    requests,
    /** Taken by the next requests, one each. */
    faults,
    anEvent,
    stopListening: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    listenAgain: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, message = 'No.'): void {
  send(response, status, { type: 'error', code, message, documentation_url: '', details: {} });
}

/** True when the fault has answered, or never will. */
function answerBefore(response: ServerResponse, fault: Fault): boolean {
  if (fault === 'time-out-before') return true;
  if (fault === '500-before') return (send(response, 500, { code: 'internal' }), true);
  if (fault === 'redirect')
    return (response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end(), true);
  if (fault === '401' || fault === '409') return (refuse(response, Number(fault), 'error'), true);
  if (fault === '429') return (response.writeHead(429, { 'retry-after': '7' }).end('{}'), true);
  return false;
}

function answerAfter(response: ServerResponse, fault: Fault | undefined, body: unknown): void {
  if (fault === undefined) return send(response, 200, body);
  if (fault === 'reset-after') return void response.socket?.destroy();
  if (fault === '500-after') return send(response, 500, { code: 'internal' });
  if (fault === 'html-after') return void response.writeHead(200).end('<html>ok</html>');
  if (fault === 'wrong-shape-after') return send(response, 200, { ok: true });
  if (fault === 'half-after') {
    response.writeHead(200, { 'content-length': '4000' });
    response.write('{"id":');
    setTimeout(() => response.socket?.destroy(), 20);
  }
}
