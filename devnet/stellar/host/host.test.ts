import {
  Address,
  authorizeEntry,
  buildAuthorizationEntryPreimage,
  hash,
  Keypair,
  scValToNative,
  xdr,
} from '@stellar/stellar-sdk/base';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract, withProtocol } from '../testing/compile.ts';
import { createLocalHost, type LocalHost } from './index.ts';

const u32 = (value: number) => xdr.ScVal.scvU32(value);
const address = (text: string) => new Address(text).toScVal();

/** Keeps a number, alone or below another contract. */
const counter = `
export function set(type: u64, n: u64): u64 { put(SYMBOL_n, n, N(type)); return VOID; }
export function read(type: u64): u64 { return get(SYMBOL_n, N(type)); }
export function live(threshold: u64, to: u64): u64 { extend(SYMBOL_n, PERSISTENT, threshold, to); return VOID; }
export function setAndFail(n: u64): u64 { put(SYMBOL_n, n, PERSISTENT); emit(push(vec(), SYMBOL_n), n); fail(ERR(7)); return VOID; }
export function both(other: u64, n: u64): u64 {
  const ended = tryCall(other, SYMBOL_setBad, push(vec(), n));
  put(SYMBOL_n, n, INSTANCE);
  return push(vec(), ended);
}
export function setBad(n: u64): u64 { return setAndFail(n); }
export function itself(me: u64): u64 { return call(me, SYMBOL_read, push(vec(), U32(2))); }
export function forever(): u64 { while (true) {} return VOID; }
export function deep(n: u64): u64 { return deep(n + 1) + deep(n); }
export function hosts(): u64 { while (true) ledger(); return VOID; }
export function pay(who: u64, n: u64): u64 { requireAuth(who); return n; }
export function payTwice(who: u64, other: u64): u64 {
  requireAuth(who);
  return call(other, SYMBOL_pay, push(push(vec(), who), U32(2)));
}
export function below(who: u64, other: u64): u64 { return call(other, SYMBOL_pay, push(push(vec(), who), U32(2))); }
export function upgrade(hash: u64): u64 { upgradeTo(hash); return VOID; }
export function _(): void {}
`;

/** Everything that its one key has signed; counts what it allowed. */
const account = `
export function __constructor(key: u64): u64 { put(SYMBOL_key, key, INSTANCE); return VOID; }
export function __check_auth(payload: u64, signature: u64, contexts: u64): u64 {
  ed25519(get(SYMBOL_key, INSTANCE), payload, signature);
  put(SYMBOL_contexts, contexts, INSTANCE);
  return VOID;
}
export function seen(): u64 { return get(SYMBOL_contexts, INSTANCE); }
export function _(): void {}
`;

let wasm: { readonly counter: Uint8Array; readonly account: Uint8Array };

beforeAll(async () => {
  wasm = { counter: await compileContract(counter), account: await compileContract(account) };
});

function world(): { readonly host: LocalHost; readonly one: string; readonly two: string } {
  const host = createLocalHost({ instructionsMax: 20_000_000 });
  const wasmHash = host.upload(wasm.counter);
  return { host, one: host.create({ wasmHash }), two: host.create({ wasmHash }) };
}

describe('the host', () => {
  it('keeps what a contract stores, by kind of storage', () => {
    const { host, one, two } = world();
    for (const type of [0, 1, 2]) {
      host.invoke({ contract: one, fn: 'set', args: [u32(type), u32(10 + type)] });
      expect(
        scValToNative(host.invoke({ contract: one, fn: 'read', args: [u32(type)] }).result),
      ).toBe(10 + type);
    }
    expect(() => host.invoke({ contract: two, fn: 'read', args: [u32(1)] })).toThrow(
      'nothing is stored',
    );
  });

  it('ends what never ends, whatever it does meanwhile', () => {
    const { host, one } = world();
    expect(() => host.invoke({ contract: one, fn: 'forever' })).toThrow(
      'more than 20000000 instructions',
    );
    expect(() => host.invoke({ contract: one, fn: 'hosts' })).toThrow(
      'more than 20000000 instructions',
    );
    expect(() => host.invoke({ contract: one, fn: 'deep', args: [u32(1)] })).toThrow(
      /too deep|instructions|trapped/,
    );
  });

  it('forgets what a call wrote that failed, and lets its caller go on', () => {
    const { host, one, two } = world();
    const { result, events } = host.invoke({
      contract: one,
      fn: 'both',
      args: [address(two), u32(5)],
    });
    expect(result).toMatchObject({
      vec: [{ type: 'scvError', error: { type: 'sceContract', contractCode: 7 } }],
    });
    expect(events).toEqual([]);
    expect(() => host.invoke({ contract: two, fn: 'read', args: [u32(1)] })).toThrow(
      'nothing is stored',
    );
    expect(scValToNative(host.invoke({ contract: one, fn: 'read', args: [u32(2)] }).result)).toBe(
      5,
    );
  });

  it('lets no contract in again while it runs', () => {
    const { host, one } = world();
    expect(() => host.invoke({ contract: one, fn: 'itself', args: [address(one)] })).toThrow(
      'cannot be called again',
    );
  });

  it('refuses code that the network refuses', async () => {
    const { host } = world();
    expect(() => host.upload(Uint8Array.of(0, 1, 2))).toThrow('no valid WebAssembly');
    expect(() => host.upload(withProtocol(wasm.counter.subarray(0, -1), 22))).toThrow();
    const floats = await compileContract(
      'export function half(n: u64): u64 { return u64(f64(n) / 2.5); }',
    );
    expect(() => host.upload(floats)).toThrow('floating point');
    expect(() => createLocalHost({ protocol: 21 }).upload(wasm.counter)).toThrow(
      'the contract is for protocol 22',
    );
  });

  it('replaces the code of a contract that asks for it, from its next call on', () => {
    const { host, one } = world();
    host.invoke({ contract: one, fn: 'set', args: [u32(2), u32(3)] });
    const { events } = host.invoke({
      contract: one,
      fn: 'upgrade',
      args: [xdr.ScVal.scvBytes(host.upload(wasm.account))],
    });
    expect(events).toHaveLength(1);
    expect(() => host.invoke({ contract: one, fn: 'read', args: [u32(2)] })).toThrow(
      'no function read',
    );
  });

  it('lets temporary entries end and archives the others, which come back where they are named', () => {
    const { host, one } = world();
    host.invoke({ contract: one, fn: 'set', args: [u32(0), u32(1)] });
    host.invoke({ contract: one, fn: 'set', args: [u32(1), u32(2)] });
    host.ledger.advance(17_280);
    expect(() => host.invoke({ contract: one, fn: 'read', args: [u32(0)] })).toThrow(
      'nothing is stored',
    );
    expect(host.simulate({ contract: one, fn: 'read', args: [u32(1)] }).restored).toEqual([]);
    host.ledger.advance(2_073_600);
    expect(host.simulate({ contract: one, fn: 'read', args: [u32(1)] }).restored).toHaveLength(3);
    expect(scValToNative(host.invoke({ contract: one, fn: 'read', args: [u32(1)] }).result)).toBe(
      2,
    );
    expect(host.simulate({ contract: one, fn: 'read', args: [u32(1)] }).restored).toEqual([]);
  });
});

describe('authorisations', () => {
  const key = Keypair.random();

  function withAccount() {
    const base = world();
    const wasmHash = base.host.upload(wasm.account);
    const args = [xdr.ScVal.scvBytes(key.rawPublicKey())];
    const create = () => base.host.create({ wasmHash, args });
    return { ...base, wallet: create(), twin: create() };
  }

  /** Entries as the official client signs them: bound to the address. */
  async function sign(
    host: LocalHost,
    entries: readonly xdr.SorobanAuthorizationEntry[],
    expires = host.ledger.sequence + 100,
  ) {
    return Promise.all(
      entries.map((entry) => authorizeEntry(entry, key, expires, host.networkPassphrase)),
    );
  }

  it('a classic account allows with its signature what was recorded, once', async () => {
    const { host, one } = world();
    host.ledger.fund(key.publicKey());
    const call = { contract: one, fn: 'pay', args: [address(key.publicKey()), u32(9)] };
    const entries = await sign(host, host.simulate(call).auth);
    expect(() => host.invoke(call)).toThrow(`no authorisation of ${key.publicKey()}`);
    expect(() =>
      host.invoke({ ...call, args: [address(key.publicKey()), u32(10)], auth: entries }),
    ).toThrow('no authorisation');
    expect(scValToNative(host.invoke({ ...call, auth: entries }).result)).toBe(9);
    expect(() => host.invoke({ ...call, auth: entries })).toThrow('this nonce was used');
  });

  it('a signature ends with its ledger, and may not last longer than entries do', async () => {
    const { host, one } = world();
    host.ledger.fund(key.publicKey());
    const call = { contract: one, fn: 'pay', args: [address(key.publicKey()), u32(9)] };
    const entries = await sign(host, host.simulate(call).auth, host.ledger.sequence + 1);
    const late = await sign(host, host.simulate(call).auth, host.ledger.sequence + 4_000_000);
    host.ledger.advance(1);
    host.invoke({ ...call, auth: entries });
    host.ledger.advance(1);
    expect(() => host.invoke({ ...call, auth: entries })).toThrow('expired');
    expect(() => host.invoke({ ...call, auth: late })).toThrow('at the latest');
  });

  it('a contract decides in __check_auth over the whole tree of calls', async () => {
    const { host, one, two, wallet } = withAccount();
    const call = { contract: one, fn: 'payTwice', args: [address(wallet), address(two)] };
    const [entry] = host.simulate(call).auth;
    expect(entry?.rootInvocation.subInvocations).toHaveLength(1);
    const signed = rawSignature(host, entry!);
    host.invoke({ ...call, auth: [signed] });
    const names = scValToNative(host.invoke({ contract: wallet, fn: 'seen' }).result).map(
      ([, { fn_name }]: [string, { fn_name: string }]) => fn_name,
    );
    expect(names).toEqual(['payTwice', 'pay']);
  });

  it('a signature for one wallet is none for another of the same key', async () => {
    const { host, one, wallet, twin } = withAccount();
    const call = (who: string) => ({ contract: one, fn: 'pay', args: [address(who), u32(1)] });
    const [mine] = host.simulate(call(wallet)).auth;
    const [other] = host.simulate(call(twin)).auth;
    const signed = rawSignature(host, mine!);
    expect(() => host.invoke({ ...call(twin), auth: [signed] })).toThrow('no authorisation');
    const moved = withSignature(
      other!,
      signatureOf(rawSignature(host, mine!)),
      host.ledger.sequence + 100,
    );
    expect(() => host.invoke({ ...call(twin), auth: [moved] })).toThrow('is refused');
    host.invoke({ ...call(wallet), auth: [signed] });
  });

  it('what the first call does not authorise is refused where it is recorded', () => {
    const { host, one, two, wallet } = withAccount();
    const { failure } = host.simulate({
      contract: one,
      fn: 'below',
      args: [address(wallet), address(two)],
    });
    expect(failure?.message).toContain('below the first');
    // A contract that calls has allowed what it calls.
    expect(
      host.simulate({ contract: one, fn: 'below', args: [address(one), address(two)] }).failure,
    ).toBeUndefined();
  });

  /** The wallet of the test takes 64 bytes. */
  function rawSignature(
    host: LocalHost,
    entry: xdr.SorobanAuthorizationEntry,
  ): xdr.SorobanAuthorizationEntry {
    const expires = host.ledger.sequence + 100;
    return withSignature(
      entry,
      key.sign(
        hash(buildAuthorizationEntryPreimage(entry, expires, host.networkPassphrase).toXdr()),
      ),
      expires,
    );
  }
});

function addressPart({
  credentials,
}: xdr.SorobanAuthorizationEntry): xdr.SorobanAddressCredentials {
  if (credentials.type !== 'sorobanCredentialsAddressV2')
    throw new Error('The host records entries that are bound to an address');
  return credentials.addressV2;
}

const signatureOf = (entry: xdr.SorobanAuthorizationEntry): Uint8Array => {
  const { signature } = addressPart(entry);
  return signature.type === 'scvBytes' ? signature.bytes.value : new Uint8Array();
};

function withSignature(
  entry: xdr.SorobanAuthorizationEntry,
  signature: Uint8Array,
  expires: number,
): xdr.SorobanAuthorizationEntry {
  const { address: who, nonce } = addressPart(entry);
  return new xdr.SorobanAuthorizationEntry({
    rootInvocation: entry.rootInvocation,
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddressV2(
      new xdr.SorobanAddressCredentials({
        address: who,
        nonce,
        signatureExpirationLedger: expires,
        signature: xdr.ScVal.scvBytes(signature),
      }),
    ),
  });
}
