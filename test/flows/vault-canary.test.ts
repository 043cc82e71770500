import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askPayout, readPayout } from '../../src/areas/payment-methods/payout-client.ts';
import {
  aBilling,
  aCardBody,
  aClabeBody,
  aColombianBody,
  aSepaBody,
  aUsBody,
} from '../../src/vault/testing/methods-kit.ts';
import { sendCall } from '../harness/http.ts';
import { startVaultWorld, type VaultWorld } from '../harness/vault-world.ts';

const path = '/unstable/payment-methods';
/** Numbers that occur nowhere else. Each is planted in every way a caller can send it. */
const canaries = {
  usAccount: '84039173625508',
  clabe: '032180000118359719',
  coAccount: '70518264930177',
  coDocument: '9081726354',
  iban: 'DE89370400440532013000',
  card: '4929481736205180',
  cardAgain: '5425233430109903',
  wrongCard: '4929481736205181',
  wrongAccount: '840391736255081234567890',
  // What the sandbox bank does with them: pays, rejects, loses its answer, is not to be reached.
  paid: '63920417355182',
  rejected: '729401611115001',
  answerLost: '729401611116001',
  unreachable: '729401611116004',
};

let world: VaultWorld;
let folder: string;
const answers: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purser-canary-'));
  world = await startVaultWorld({
    vaultNodeArgs: ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`],
  });
}, 300_000);
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(
  base: string,
  verb: string,
  at: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await sendCall(`${base}${at}`, verb, { key: world.serverKey, body, headers });
  answers.push(`${answer.text} ${JSON.stringify([...answer.headers])}`);
  return answer;
}

/**
 * A number as it may lie somewhere: as it is, in groups, in hexadecimal digits, in base64 at any
 * offset.
 */
function formsOf(number: string): string[] {
  const bytes = Buffer.from(number);
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(offset === 0 ? 0 : 4, -4);
  });
  const utf16 = Buffer.from(number, 'utf16le').toString('latin1');
  return [
    number,
    number.replaceAll(/(.{4})(?=.)/g, '$1 '),
    bytes.toString('hex'),
    utf16,
    ...inBase64,
  ];
}

const forms = Object.entries(canaries).flatMap(([name, number]) =>
  formsOf(number).map((form) => ({ name, form })),
);
const escaped = (text: string) =>
  text.replaceAll(/[^0-9A-Za-z]/g, (sign) => `\\x${Buffer.from(sign, 'latin1').toString('hex')}`);
/** All forms in one pass: it reads hundreds of megabytes. */
const anyForm = new RegExp(forms.map(({ form }) => escaped(form)).join('|'));

function findIn(where: string, haystack: string): string[] {
  if (!anyForm.test(haystack)) return [];
  return forms
    .filter(({ form }) => haystack.includes(form))
    .map(({ name, form }) => `${name} (${form}) in ${where}`);
}

const memoryChunkBytes = 8 * 1_048_576;

/** Which of `texts` lie in the writable memory of a process, as bytes or in UTF-16. */
function findInMemory(pid: number, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) =>
    [Buffer.from(text), Buffer.from(text, 'utf16le')].map((bytes) => ({ text, bytes })),
  );
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(memoryChunkBytes);
  const found = new Set<string>();
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += memoryChunkBytes - 64) {
        const read = readMemory(
          memory,
          chunk.subarray(0, Math.min(memoryChunkBytes, end - at)),
          at,
        );
        for (const { text, bytes } of needles)
          if (!found.has(text) && read.includes(bytes)) found.add(text);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found];
}

/** Empty where the kernel lets nobody read, or what was there is gone. */
function readMemory(memory: number, into: Buffer, at: number): Buffer {
  try {
    return into.subarray(0, readSync(memory, into, 0, into.length, at));
  } catch {
    return into.subarray(0, 0);
  }
}

/** Everything that a caller can do with numbers, well and badly. */
async function exercise(): Promise<string[]> {
  const { baseUrl, vaultUrl } = world;
  const {
    usAccount,
    clabe,
    coAccount,
    coDocument,
    iban,
    card,
    cardAgain,
    wrongCard,
    wrongAccount,
  } = canaries;
  const good = [
    aUsBody({}, { accountNumber: usAccount }),
    aClabeBody({}, { clabe }),
    aColombianBody({}, { accountNumber: coAccount, nationalDocument: coDocument }),
    aSepaBody({}, { iban }),
    aCardBody({}, { number: card, cvc: '931' }),
  ];
  const ids: string[] = [];
  for (const [index, body] of good.entries()) {
    const created = await call(vaultUrl, 'POST', path, body, {
      'x-idempotency-key': `good-${index}-${card}`,
      'x-request-id': card,
    });
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    await call(vaultUrl, 'POST', path, body, { 'x-idempotency-key': `good-${index}-${card}` });
    await call(vaultUrl, 'POST', path, body);
    await call(vaultUrl, 'POST', path, { ...body, userLocator: 'userId:somebody-else' });
    ids.push(created.body.paymentMethodId);
  }
  const bad: unknown[] = [
    aCardBody({}, { number: wrongCard }),
    aCardBody({}, { number: card, cvc: card }),
    aCardBody({}, { number: Number(card) }),
    aCardBody({}, { number: [card] }),
    aCardBody({}, { number: card, expirationYear: 2020 }),
    aCardBody({}, { [card]: 'x', number: card }),
    aCardBody({ [card]: card }, { number: card }),
    aCardBody({ type: card }),
    aCardBody({ userLocator: card }),
    aUsBody({}, { accountNumber: wrongAccount }),
    aUsBody({}, { accountNumber: usAccount, routingNumber: usAccount }),
    aUsBody({}, { accountNumber: usAccount, bankName: { [usAccount]: usAccount } }),
    aUsBody({}, { accountNumber: usAccount, currency: card }),
    aUsBody({}, { accountNumber: usAccount, billing: aBilling({ phone: card }) }),
    aSepaBody({}, { iban: `${iban}9`, bic: iban }),
    aClabeBody({}, { clabe: `${clabe}1` }),
    `{"type":"card","card":{"number":"${cardAgain}"`,
    `{"type":"card","card":{"number":"${cardAgain}\\u0000"}}`,
    `"${cardAgain}"`,
    `[${JSON.stringify(aCardBody({}, { number: cardAgain }))}]`,
    `${JSON.stringify(aCardBody({}, { number: cardAgain }))}${' '.repeat(1_100_000)}`,
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(cardAgain)]),
  ];
  for (const [index, body] of bad.entries()) {
    const refused = await call(vaultUrl, 'POST', path, body, {
      'x-idempotency-key': `bad-${index}`,
    });
    expect([index, refused.status >= 400 && refused.status < 500, refused.status]).toEqual([
      index,
      true,
      refused.status,
    ]);
    await call(vaultUrl, 'POST', path, body, { 'content-type': 'text/plain' });
  }
  for (const host of [baseUrl, vaultUrl]) {
    for (const at of [
      `/${card}`,
      `?userLocator=${card}`,
      `?userLocator=userId:alice&cursor=${card}`,
      `?userLocator=userId:alice&limit=${card}`,
      `/${card}/${card}`,
    ])
      await call(host, 'GET', `${path}${at}`, undefined, {
        'x-client-name': card,
        'user-agent': card,
      });
    for (const id of ids) {
      expect((await call(host, 'GET', `${path}/${id}`)).status).toBe(200);
      await call(host, 'PATCH', `${path}/${id}`, { accountNumber: usAccount, number: card });
      expect(
        (await call(host, 'PATCH', `${path}/${id}`, { billing: { name: 'Alice B. Example' } }))
          .status,
      ).toBe(200);
    }
    await call(host, 'GET', `${path}?userLocator=userId:alice`);
    await sendCall(`${host}${path}/${card}`, 'GET', { key: `sk_development_${card}` }).then(
      ({ text }) => answers.push(text),
    );
    await sendCall(`${host}${path}`, 'POST', {
      key: null,
      body: aCardBody({}, { number: card }),
    }).then(({ text }) => answers.push(text));
  }
  return ids;
}

/** Numbers leave towards the bank, which takes them, refuses them, and fails. */
async function payOut(): Promise<readonly string[]> {
  const { asWorker, projectId, vaultUrl } = world;
  const ctx = { providers: { vault: asWorker } };
  const payoutIds: string[] = [];
  for (const accountNumber of [
    canaries.paid,
    canaries.rejected,
    canaries.answerLost,
    canaries.unreachable,
  ]) {
    const { body } = await call(
      vaultUrl,
      'POST',
      path,
      aUsBody({ userLocator: 'userId:paid' }, { accountNumber }),
    );
    const payoutId = randomUUID();
    const asked = {
      projectId,
      paymentMethodId: body.paymentMethodId,
      payoutId,
      object: `order:${payoutId}`,
      rail: 'rtp',
      amountMinor: 1_234n,
      currency: 'usd',
    };
    answers.push(JSON.stringify(await askPayout(ctx, asked)));
    payoutIds.push(payoutId);
  }
  for (const endAt = Date.now() + 60_000; ; await delay(200)) {
    const payouts = await Promise.all(
      payoutIds.map((payoutId) => readPayout(ctx, { projectId, payoutId })),
    );
    answers.push(JSON.stringify(payouts));
    const statuses = payouts.map((payout) => payout?.status ?? 'none');
    if (statuses[0] === 'final' && statuses[1] === 'rejected') return statuses;
    if (Date.now() > endAt) throw new Error(`payouts are ${statuses.join(', ')}`);
  }
}

describe('a planted account or card number', () => {
  let ids: string[];

  it('is found in each of its forms, wherever it lies', () => {
    for (const { form } of forms)
      expect(findIn('here', `\0a1${form}2b\0`)).toContainEqual(
        expect.stringContaining(`(${form}) in here`),
      );
  });

  it('is taken, refused, read, changed and met by failures of every kind', {
    tags: 'slow',
  }, async () => {
    ids = await exercise();
    expect((await payOut()).slice(0, 2)).toEqual(['final', 'rejected']);
    // Failures inside of the vault: the log cannot be written, a sealed value is broken, the tables
    // are gone.
    const { vault } = world.stores;
    await vault.query({ text: 'alter table audit_entries rename to audit_entries_away' });
    expect(
      (await call(world.vaultUrl, 'POST', path, aCardBody({}, { number: canaries.cardAgain })))
        .status,
    ).toBe(500);
    expect(
      (await call(world.baseUrl, 'DELETE', `${path}/${ids[0]}`)).status,
    ).toBeGreaterThanOrEqual(500);
    await vault.query({ text: 'alter table audit_entries_away rename to audit_entries' });
    await vault.query({
      text: `update payment_methods set sealed_details = sealed_account where id = $1`,
      values: [ids[1]],
    });
    expect((await call(world.vaultUrl, 'GET', `${path}/${ids[1]}`)).status).toBe(500);
    await vault.query({ text: 'alter table payment_methods rename to payment_methods_away' });
    expect(
      (await call(world.vaultUrl, 'POST', path, aUsBody({}, { accountNumber: canaries.usAccount })))
        .status,
    ).toBe(500);
    await vault.query({ text: 'alter table payment_methods_away rename to payment_methods' });
  });

  it('is in no answer', { tags: 'slow' }, () => {
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter((text) => findIn('an answer', text).length > 0)).toEqual([]);
  });

  it('is in no table of either database, as a dump shows them', { tags: 'slow' }, async () => {
    const dump = await world.dumpDatabases();
    expect(dump).toContain('payment_methods');
    expect(findIn('a table', dump)).toEqual([]);
    expect(dump).not.toMatch(/"cvc"/i);
  });

  it('is in no file of the database server, write-ahead log and server log included', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const files = await world.readDatabaseFiles();
    expect(files.length).toBeGreaterThan(1_000);
    const found = new Set<string>();
    for (const file of files)
      for (const place of findIn('a file', file.toString('latin1'))) found.add(place);
    expect([...found]).toEqual([]);
  });

  it('is in no log line of API, worker or vault, at the finest level', { tags: 'slow' }, () => {
    const output = Object.values(world.processes).map((process) => process.output());
    for (const text of output) expect(text.length).toBeGreaterThan(200);
    expect(output.join('')).toContain('"request failed"');
    expect(findIn('a log', output.join('\n'))).toEqual([]);
  });

  it('is in no metric of any process', { tags: 'slow' }, async () => {
    const texts = await Promise.all(
      world.metricsUrls.map(async (url) => (await fetch(url)).text()),
    );
    for (const text of texts) expect(text).toContain('process_cpu_seconds_total');
    expect(texts[2]).toContain('purser_http_requests_total');
    expect(findIn('a metric', texts.join('\n'))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'is gone from the memory of the running process moments later, whether it was accepted or refused',
    async () => {
      const { vaultUrl, processes } = world;
      const [accepted, refused] = ['61840273955017', '620851739460281234567'];
      expect(
        (await call(vaultUrl, 'POST', path, aUsBody({}, { accountNumber: accepted }))).status,
      ).toBe(201);
      expect(
        (await call(vaultUrl, 'POST', path, aUsBody({}, { accountNumber: refused }))).status,
      ).toBe(400);
      // The scan sees what lies there.
      expect(findInMemory(processes.vault.pid, ['userLocator'])).toEqual(['userLocator']);
      const here = (numbers: readonly string[]) => findInMemory(processes.vault.pid, numbers);
      const all = [accepted, refused, ...Object.values(canaries)];
      await expect.poll(() => here(all), { timeout: 120_000, interval: 1_000 }).toEqual([]);
    },
    240_000,
  );

  it.runIf(process.platform === 'linux')(
    'is gone with its request wherever in one it was, also on a connection that stays open or breaks off, and after it',
    async () => {
      const { vaultUrl, processes, serverKey } = world;
      const { host, port, pathname } = new URL(`${vaultUrl}${path}`);
      const lines = (...more: string[]) =>
        `${[`host: ${host}`, `x-api-key: ${serverKey}`, ...more].join('\r\n')}\r\n`;
      const sent: Readonly<Record<string, readonly string[]>> = {
        '730194826650': [`GET ${pathname}/730194826650 HTTP/1.1\r\n${lines()}\r\n`],
        '730194826651': [
          `GET ${pathname}?userLocator=730194826651 HTTP/1.1\r\n${lines('expect: more')}\r\n`,
        ],
        '730194826652': [`CONNECT 730194826652:443 HTTP/1.1\r\n${lines()}\r\n`],
        '730194826653': [
          `GET /730194826653 HTTP/1.1\r\n${lines('connection: upgrade', 'upgrade: websocket')}\r\n`,
        ],
        '730194826654': [
          `GET ${pathname} HTTP/1.1\r\n${lines('x-client-name: 730194826654')}`,
          'x-name: value\r\n\r\n',
        ],
        '730194826655': [`GET ${pathname} HTTP/1.1\r\n${lines('x-client-name: 730194826655')}`],
        '730194826656': [`${'730194826656 '.repeat(3)}\r\n\r\n`],
      };
      const sockets = await Promise.all(
        Object.values(sent).map(async (parts) => {
          const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
          for (const part of parts) {
            await new Promise((resolve) => socket.write(part, resolve));
            await delay(50);
          }
          return socket.resume();
        }),
      );
      // Whoever breaks off leaves nothing either: what is half there is read for as long as a
      // connection lasts.
      sockets[5]!.destroy();
      const here = () => findInMemory(processes.vault.pid, Object.keys(sent));
      await expect.poll(here, { timeout: 60_000, interval: 1_000 }).toEqual([]);
      for (const socket of sockets) socket.destroy();
    },
    120_000,
  );

  it('is not kept in memory: a heap snapshot of the vault has none of them', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    // Other requests, as there always are: what the last one left behind goes with them.
    for (let index = 0; index < 20; index++)
      await call(world.vaultUrl, 'GET', `${path}?userLocator=userId:alice&limit=5`);
    process.kill(world.processes.vault.pid, 'SIGUSR2');
    const files = () => readdirSync(folder).filter((name) => name.endsWith('.heapsnapshot'));
    for (let tries = 0; tries < 600 && files().length === 0; tries++) await delay(100);
    // It is begun as a file and written before the program does anything else: an answer comes when
    // it is complete.
    expect(
      (await call(world.vaultUrl, 'GET', `${path}?userLocator=userId:alice`)).status,
    ).toBeLessThan(600);
    const [name] = files();
    const snapshot = readFileSync(join(folder, name!), 'latin1');
    expect(snapshot).toContain('userLocator');
    expect(findIn('the heap', snapshot)).toEqual([]);
  });

  it('is in nobody’s debugger: the signal that opens one in other programs does nothing here', async () => {
    process.kill(world.processes.vault.pid, 'SIGUSR1');
    expect(
      (await call(world.vaultUrl, 'GET', `${path}?userLocator=userId:alice`)).status,
    ).toBeLessThan(600);
    expect(world.processes.vault.output()).not.toContain('Debugger listening');
  });
});
