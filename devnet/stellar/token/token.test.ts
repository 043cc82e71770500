import {
  Address,
  Asset,
  authorizeEntry,
  Keypair,
  nativeToScVal,
  scValToNative,
  xdr,
} from '@stellar/stellar-sdk/base';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLocalHost, type LocalHost } from '../host/index.ts';
import { compileContract } from '../testing/compile.ts';

const address = (text: string) => new Address(text).toScVal();
const i128 = (amount: bigint) => nativeToScVal(amount, { type: 'i128' });
/** Holds money: it sends what anybody asks for. */
const purse = `
export function send(token: u64, me: u64, to: u64, amount: u64): u64 {
  return call(token, SYMBOL_transfer, push(push(push(vec(), me), to), amount));
}
export function _(): void {}
`;

let host: LocalHost;
let holder: string;
const owner = Keypair.random();
const issuer = Keypair.random();

beforeAll(async () => {
  host = createLocalHost();
  for (const key of [owner, issuer]) host.ledger.fund(key.publicKey());
  holder = host.create({ wasmHash: host.upload(await compileContract(purse)) });
});

async function transfer(token: string, from: Keypair, to: string, amount: bigint) {
  const call = {
    contract: token,
    fn: 'transfer',
    args: [address(from.publicKey()), address(to), i128(amount)],
  };
  const simulated = host.simulate(call);
  if (simulated.failure) throw simulated.failure;
  const auth = await Promise.all(
    simulated.auth.map((entry) =>
      authorizeEntry(entry, from, host.ledger.sequence + 9, host.networkPassphrase),
    ),
  );
  return host.invoke({ ...call, auth });
}

const balance = (token: string, who: string) =>
  scValToNative(host.invoke({ contract: token, fn: 'balance', args: [address(who)] }).result);

describe('the contract of an asset', () => {
  it('moves lumens between accounts and contracts, and makes accounts', async () => {
    const token = host.createAsset(xdr.Asset.assetTypeNative());
    expect(token).toBe(Asset.native().contractId(host.networkPassphrase));
    const before = balance(token, owner.publicKey());
    const { events } = await transfer(token, owner, holder, 50_000_000n);
    expect(events.map(({ body }) => scValToNative(body.v0.topics[0]!))).toEqual(['transfer']);
    expect([balance(token, owner.publicKey()), balance(token, holder)]).toEqual([
      before - 50_000_000n,
      50_000_000n,
    ]);

    const friend = Keypair.random().publicKey();
    const send = (amount: bigint) => ({
      contract: holder,
      fn: 'send',
      args: [address(token), address(holder), address(friend), i128(amount)],
    });
    expect(() => host.invoke(send(9_999_999n))).toThrow('two reserves');
    host.invoke(send(10_000_000n));
    expect(balance(token, friend)).toBe(10_000_000n);
    expect(() => host.invoke(send(50_000_000n))).toThrow('the balance is too low');
  });

  it('mints what comes from the issuer, and refuses an account without a trust line', async () => {
    const token = host.createAsset(new Asset('USDC', issuer.publicKey()).toXdrObject());
    const { events } = await transfer(token, issuer, holder, 7n);
    expect(events.map(({ body }) => scValToNative(body.v0.topics[0]!))).toEqual(['mint']);
    expect(balance(token, holder)).toBe(7n);
    expect(scValToNative(host.invoke({ contract: token, fn: 'name' }).result)).toBe(
      `USDC:${issuer.publicKey()}`,
    );
    await expect(transfer(token, issuer, owner.publicKey(), 7n)).rejects.toThrow('no trust line');
  });
});
