import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { openRecord, sealRecord } from '../src/vault/index.ts';
import { startHttpLoad, startSqlLoad } from './load.ts';
import { type BenchOptions, interleave, type Measure, median } from './measure.ts';
import { startBenchVault } from './vault-service.ts';

const connections = 16;

/**
 * Saving payment methods, beside the INSERT of one; sealing and opening, beside AES-GCM of Node.js
 * over the same bytes.
 */
export async function benchVault(options: BenchOptions): Promise<Measure[]> {
  return [...(await benchCreate(options)), ...benchSealing(options)];
}

async function benchCreate(options: BenchOptions): Promise<Measure[]> {
  const seconds = options.quick ? 1 : 3;
  const rounds = options.quick ? 2 : 5;
  const vault = await startBenchVault(options);
  const [http, sql] = [startHttpLoad(), startSqlLoad()];
  try {
    options.progress(`create payment method: ${rounds} rounds`);
    const { databaseUrl, projectId } = vault;
    const create = (round: number | string) =>
      http.run({
        baseUrls: [vault.vaultUrl],
        apiKey: vault.serverKey,
        connections,
        seconds,
        request: { kind: 'create-payment-method', userPrefix: `bench${round}` },
      });
    // What lies in the tables of one creation, as one statement on its own.
    const insert = () =>
      sql.run({
        databaseUrl,
        connections,
        seconds,
        statement: { kind: 'insert-payment-method', projectId },
      });
    await create('warm');
    await insert();
    const { as, bs, ratio } = await interleave({
      rounds,
      a: create,
      b: insert,
      rateOf: { a: (one) => one.perSecond, b: (one) => one.perSecond },
    });
    const [p50, p99] = [median(as.map((one) => one.p50Ms)), median(as.map((one) => one.p99Ms))];
    return [
      {
        name: 'create payment method',
        value: median(as.map((one) => one.perSecond)),
        unit: '/s',
        beside: {
          what: 'INSERTs of a payment method',
          value: median(bs.map((one) => one.perSecond)),
        },
        ratio,
        goal: { atLeast: 0.06 },
      },
      {
        name: 'create payment method, p99',
        value: p99,
        unit: 'ms',
        beside: { what: 'p50', value: p50 },
        ratio: p99 / p50,
        goal: { atMost: 10 },
      },
    ];
  } finally {
    http.close();
    sql.close();
    await vault.close();
  }
}

function benchSealing(options: BenchOptions): Measure[] {
  options.progress('sealing and opening');
  const ms = options.quick ? 200 : 1_000;
  const key = randomBytes(32);
  const value = {
    type: 'bank-account-us',
    routingNumber: '021000021',
    accountNumber: '000123456259',
    accountType: 'checking',
  };
  const place = {
    tenant: '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001',
    type: 'bank-account-us',
    id: randomBytes(16).toString('hex'),
    version: 1,
    part: 'account',
  };
  const sealed = sealRecord(key, value, place);
  const plaintext = Buffer.from(JSON.stringify(value));
  const raw = rawSeal(key, plaintext);
  const pairs = [
    ['seal an account', () => sealRecord(key, value, place), () => rawSeal(key, plaintext)],
    ['open an account', () => openRecord(key, sealed, place), () => rawOpen(key, raw)],
  ] as const;
  return pairs.map(([name, ours, theirs]) => {
    const rounds = Array.from(
      { length: 5 },
      () => [perSecond(ours, ms), perSecond(theirs, ms)] as const,
    );
    return {
      name,
      value: median(rounds.map(([one]) => one)),
      unit: '/s',
      beside: { what: 'AES-256-GCM of Node.js', value: median(rounds.map(([, one]) => one)) },
      ratio: median(rounds.map(([a, b]) => a / b)),
      goal: { atLeast: 0.25 },
    };
  });
}

function perSecond(work: () => unknown, ms: number): number {
  const startMs = performance.now();
  let count = 0;
  while (performance.now() - startMs < ms) for (let turn = 0; turn < 100; turn++, count++) work();
  return (count * 1_000) / (performance.now() - startMs);
}

function rawSeal(key: Buffer, plaintext: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function rawOpen(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAuthTag(
    sealed.subarray(-16),
  );
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
}
