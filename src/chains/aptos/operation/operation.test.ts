import { randomBytes, randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { type AptosChain, startAptosChain } from '../../../../devnet/aptos/local.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { FamilyWallet, PreparedOperation, ResolvedToken } from '../../family.ts';
import { lateSent } from '../../testing/late-sent.ts';
import { aptosNetwork } from '../config/networks.ts';
import { addressBytes, addressOfEd25519, longAddress } from '../encoding/addresses.ts';
import { feePayerMessage } from '../encoding/hashes.ts';
import {
  decodeRaw,
  encodeOrderless,
  type RawTransaction,
  rawTransaction,
  readPayload,
} from '../encoding/transactions.ts';
import { type AptosNode, connectNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import { readAsset } from '../tokens/assets.ts';
import { createAptosTokens } from '../tokens/tokens.ts';
import { readAmount } from '../tokens/views.ts';
import { describeAptosSigned } from './describe.ts';
import { createAptosNetwork, createFeePayer } from './network.ts';
import { aptosTransferParams } from './params.ts';
import { lifetimeS, prepareAptosOperation } from './prepare.ts';
import { readBuilt, readOperation, signedBytes, writeBuilt } from './stored.ts';

const usd = `0x${'5d'.repeat(32)}`;
const network = aptosNetwork('development', { testTokenAddress: usd });
const ceilings = { gasAmountMax: 5_000n, gasUnitPriceMax: 150n };

let chain: AptosChain;
let node: AptosNode;
const connect = async () => node;
const tokens = createAptosTokens(network, connect);
const feePayers = [
  createFeePayer(new Secret(new Uint8Array(randomBytes(32)))),
  createFeePayer(new Secret(new Uint8Array(randomBytes(32)))),
];
const relay = createAptosNetwork({ connect, feePayers, now: () => new Date() });
/** The same, an hour later by the service's clock. */
const relayLater = createAptosNetwork({
  connect,
  feePayers,
  now: () => new Date(Date.now() + 3_600_000),
});

beforeAll(async () => {
  chain = await startAptosChain();
  chain.addAsset(usd, { name: 'Test USD', symbol: 'USDXM', decimals: 6 });
  for (const { address } of feePayers) chain.give(readAssetName('0xa'), address, 10_000_000_000n);
  node = await connectNode({ network, url: chain.url, setting: 'APTOS_RPC_URL', timeoutMs: 5_000 });
});
afterAll(() => chain.stop());

interface TestWallet extends FamilyWallet {
  readonly seed: Uint8Array;
}

function aWallet(amount = 0n): TestWallet {
  const seed = new Uint8Array(randomBytes(32));
  const publicKey = ed25519.getPublicKey(seed);
  const address = addressOfEd25519(publicKey);
  if (amount > 0n) chain.give(usd, address, amount);
  const adminSigner = { type: 'api-key', locator: `api-key:${address}`, address } as const;
  return {
    id: randomUUID(),
    type: 'mpc',
    address,
    setup: { publicKey: Buffer.from(publicKey).toString('hex') },
    adminSigner,
    seed,
  };
}

const newAddress = () => `0x${randomBytes(32).toString('hex')}`;
const now = async () => new Date((await chain.time()) * 1000);

async function prepareTransfer(
  wallet: FamilyWallet,
  amountMinor: bigint,
  recipientAddress = newAddress(),
  of?: ResolvedToken,
) {
  const token = of ?? (await tokens.resolve({ symbol: 'usdxm' }));
  const transfer = { wallet, chain: 'aptos', token, amountMinor, recipientAddress };
  return prepare(wallet, aptosTransferParams(network, transfer), transfer);
}

async function prepare(
  wallet: FamilyWallet,
  params: JsonObject,
  transfer?: Parameters<typeof aptosTransferParams>[1],
  limits = ceilings,
) {
  const input = {
    wallet,
    params,
    signer: wallet.adminSigner,
    now: await now(),
    ...(transfer && { transfer }),
  };
  return prepareAptosOperation({ connect, tokens, ceilings: limits }, input);
}

async function build(operation: JsonObject): Promise<Uint8Array> {
  const built = await relay.build(operation, lateSent);
  if (built === 'later' || !('bytes' in built)) throw new Error('nobody pays');
  return built.bytes;
}

/** What custody and the relay do, one after the other. */
async function complete(wallet: TestWallet, { operation }: Pick<PreparedOperation, 'operation'>) {
  const stored = JSON.parse(JSON.stringify(operation)) as JsonObject;
  const bytes = await build(stored);
  return relay.complete(
    stored,
    bytes,
    ed25519.sign(signedBytes(stored, bytes), wallet.seed),
    lateSent,
  );
}

const amountOf = (address: string, asset = usd) => readAmount(node, address, readAsset(asset));

async function refusalOf(run: Promise<unknown>): Promise<ServiceError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

describe('an operation of a wallet on Aptos', () => {
  it('moves a token without any APT in the wallet: prepared, signed, paid for by another, confirmed', async () => {
    const [wallet, recipient] = [aWallet(100n), newAddress()];
    const prepared = await prepareTransfer(wallet, 40n, recipient);
    expect(prepared.counterparties).toEqual([recipient]);
    expect(prepared.preview).toMatchObject({
      sponsored: true,
      balanceChanges: [
        {
          token: 'aptos:usdxm',
          symbol: 'usdxm',
          decimals: 6,
          amount: '-0.00004',
          rawAmount: '-40',
        },
      ],
    });
    const signed = await complete(wallet, prepared);
    expect(await relay.look(signed, lateSent)).toBe('pending');
    const before = await Promise.all(feePayers.map(({ address }) => amountOf(address, '0xa')));
    await relay.send(signed.raw);
    const landed = await relay.look(signed, lateSent);
    expect(landed).toMatchObject({ status: 'success', onChain: { txId: signed.txId } });
    expect([await amountOf(wallet.address), await amountOf(recipient)]).toEqual([60n, 40n]);
    const after = await Promise.all(feePayers.map(({ address }) => amountOf(address, '0xa')));
    const spent = before.reduce<bigint>((sum, amount, index) => sum + amount! - after[index]!, 0n);
    expect(landed).toMatchObject({ costMinor: spent });
    expect(spent.toString()).toBe(prepared.feesEstimate['amountOctas']);
  });

  it('moves APT, coins of generic types and assets alike, and calls other functions that the chain has', async () => {
    const wallet = aWallet();
    chain.give(readAssetName('0xa'), wallet.address, 1_000n);
    const recipient = newAddress();
    const apt = await prepareTransfer(
      wallet,
      5n,
      recipient,
      await tokens.resolve({ symbol: 'apt' }),
    );
    expect(apt.preview).toMatchObject({
      balanceChanges: [{ token: 'aptos:apt', rawAmount: '-5' }],
    });
    const signed = await complete(wallet, apt);
    await relay.send(signed.raw);
    expect([await amountOf(wallet.address, '0xa'), await amountOf(recipient, '0xa')]).toEqual([
      995n,
      5n,
    ]);
    const coin = `0x${'c0'.repeat(32)}::pool::Share<vector<u8>>`;
    const asset = readAssetName(coin);
    chain.addAsset(asset, { name: 'Share', symbol: 'SHR', decimals: 3 });
    chain.give(asset, wallet.address, 9n);
    const shares = await prepareTransfer(
      wallet,
      9n,
      recipient,
      await tokens.resolve({ address: coin }),
    );
    await relay.send((await complete(wallet, shares)).raw);
    expect(await amountOf(recipient, coin)).toBe(9n);
  });

  it('is parallel to others of its wallet, whatever the order in which they are sent', async () => {
    const wallet = aWallet(100n);
    const prepared = await Promise.all(
      [1n, 2n, 3n].map((amount) => prepareTransfer(wallet, amount)),
    );
    const signed = await Promise.all(prepared.map((one) => complete(wallet, one)));
    for (const { raw } of signed.toReversed()) await relay.send(raw);
    for (const one of signed)
      expect(await relay.look(one, lateSent)).toMatchObject({ status: 'success' });
    expect(await amountOf(wallet.address)).toBe(94n);
  });

  it('happens once, however often it is built, signed, paid for by different accounts and sent', async () => {
    const [wallet, recipient] = [aWallet(100n), newAddress()];
    const prepared = await prepareTransfer(wallet, 10n, recipient);
    const [one, other] = [await complete(wallet, prepared), await complete(wallet, prepared)];
    expect(one.txId).not.toBe(other.txId);
    const refused: unknown[] = [];
    const send = (raw: Uint8Array) =>
      relay.send(raw).catch((error: unknown) => void refused.push(error));
    for (const raw of [one.raw, other.raw, one.raw]) await send(raw);
    // Before its end, behind it, and when the network has forgotten the nonce.
    for (const seconds of [lifetimeS - 5, 10, 200]) {
      await chain.advanceTime(seconds);
      const bytes = await build(prepared.operation);
      const signature = ed25519.sign(signedBytes(prepared.operation, bytes), wallet.seed);
      for (const payer of feePayers) {
        const built = writeBuilt(readBuilt(bytes).rawBytes, addressBytes(payer.address));
        const own = ed25519.sign(signedBytes(prepared.operation, built), wallet.seed);
        await send((await relay.complete(prepared.operation, built, own, lateSent)).raw);
      }
      await send((await relay.complete(prepared.operation, bytes, signature, lateSent)).raw);
    }
    // All but the first.
    expect(refused.length).toBe(11);
    expect(await amountOf(recipient)).toBe(10n);
  });

  it('is gone when a node past its expiry does not have it, and not before', async () => {
    const wallet = aWallet(10n);
    const signed = await complete(wallet, await prepareTransfer(wallet, 10n));
    expect(await relay.look(signed, lateSent)).toBe('pending');
    await chain.advanceTime(lifetimeS - 2);
    expect(await relay.look(signed, lateSent)).toBe('pending');
    await chain.advanceTime(4);
    // A node alone does not say so: by the service's own clock it may still be taken.
    expect(await relay.look(signed, lateSent)).toBe('pending');
    expect(await relayLater.look(signed, lateSent)).toBe('gone');
    await expect(relay.send(signed.raw)).rejects.toThrow('TRANSACTION_EXPIRED');
  });

  it('that the chain refuses in its turn ends with the reason and what it cost', async () => {
    const wallet = aWallet(10n);
    const [first, second] = [await prepareTransfer(wallet, 8n), await prepareTransfer(wallet, 8n)];
    const [a, b] = [await complete(wallet, first), await complete(wallet, second)];
    await relay.send(a.raw);
    await relay.send(b.raw);
    const failed = await relay.look(b, lateSent);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { reason: 'program_error', message: expect.stringContaining('EINSUFFICIENT_BALANCE') },
    });
    expect((failed as { costMinor: bigint }).costMinor).toBeGreaterThan(0n);
  });
});

describe('what is told of an operation before it is signed', () => {
  it('is who is named in a call that moves no money, too', async () => {
    const [wallet, other] = [aWallet(), newAddress()];
    const call = {
      address: longAddress('0x1'),
      module: 'aptos_account',
      function: 'create_account',
      typeArgs: [],
      args: [new Uint8Array(addressBytes(other))],
    };
    const own = {
      sender: wallet.address,
      call,
      nonce: 0n,
      maxGasAmount: 0n,
      gasUnitPrice: 0n,
      expirationSeconds: 0n,
      chainId: 4,
    };
    const { counterparties } = await prepare(wallet, {
      transaction: Buffer.from(encodeOrderless(own)).toString('base64'),
    });
    expect(counterparties).toEqual([other]);
  });

  it('is what it moves of a token that is not there yet, without a name', async () => {
    const wallet = aWallet(10n);
    const transfer = {
      wallet,
      chain: 'aptos',
      token: await tokens.resolve({ symbol: 'usdxm' }),
      amountMinor: 4n,
      recipientAddress: newAddress(),
    };
    const unknown = { resolve: () => Promise.reject(new ServiceError('token-not-supported')) };
    const input = {
      wallet,
      params: aptosTransferParams(network, transfer),
      signer: wallet.adminSigner,
      now: await now(),
      transfer,
    };
    const { preview } = await prepareAptosOperation({ connect, tokens: unknown, ceilings }, input);
    expect(preview).toMatchObject({ balanceChanges: [{ token: `aptos:${usd}`, rawAmount: '-4' }] });
  });
});

describe('what is refused before anything is signed', () => {
  it('params of another form, another wallet, another network, and what is no call of a function', async () => {
    const wallet = aWallet(10n);
    const good = aptosTransferParams(network, {
      wallet,
      chain: 'aptos',
      token: await tokens.resolve({ symbol: 'usdxm' }),
      amountMinor: 1n,
      recipientAddress: newAddress(),
    }) as { readonly transaction: string };
    const raw = decodeRaw(new Uint8Array(Buffer.from(good.transaction, 'base64')));
    const encode = (changed: Partial<RawTransaction>) => ({
      transaction: rawTransaction.serialize({ ...raw, ...changed }).toBase64(),
    });
    const bytes = Buffer.from(good.transaction, 'base64');
    const script = Buffer.concat([bytes.subarray(0, 40), Buffer.from([0]), bytes.subarray(41)]);
    for (const [params, code] of [
      [{}, 'validation-error'],
      [{ transaction: '' }, 'validation-error'],
      [{ transaction: '???' }, 'validation-error'],
      [{ transaction: 'AAAA' }, 'validation-error'],
      [{ ...good, chain: 'aptos' }, 'validation-error'],
      [{ transaction: `${good.transaction.slice(0, -4)}AAAAAAAA` }, 'validation-error'],
      [{ transaction: script.toString('base64') }, 'validation-error'],
      [encode({ sender: newAddress() }), 'transaction-invalid'],
      [encode({ chainId: 1 }), 'transaction-invalid'],
    ] as const)
      expect((await refusalOf(prepare(wallet, params))).code, JSON.stringify(params)).toBe(code);
    expect((await prepare(wallet, good)).params).toEqual(good);
  });

  it('what would put another key beside the wallet’s own', async () => {
    const wallet = aWallet(10n);
    const good = aptosTransferParams(network, {
      wallet,
      chain: 'aptos',
      token: await tokens.resolve({ symbol: 'usdxm' }),
      amountMinor: 1n,
      recipientAddress: newAddress(),
    }) as { readonly transaction: string };
    const raw = decodeRaw(new Uint8Array(Buffer.from(good.transaction, 'base64')));
    const calling = (address: string, module: string, name: string) => {
      const payload = {
        entryFunction: { address, module, function: name, typeArgs: [], args: [] },
      };
      return { transaction: rawTransaction.serialize({ ...raw, payload } as never).toBase64() };
    };
    const framework = `0x${'1'.padStart(64, '0')}`;
    for (const [module, name] of [
      ['account', 'rotate_authentication_key_from_public_key'],
      ['account', 'offer_signer_capability'],
      ['account_abstraction', 'add_authentication_function'],
      ['permissioned_delegation', 'add_permissioned_handle'],
      ['multisig_account', 'create_with_existing_account_and_revoke_auth_key_call'],
    ] as const) {
      const refused = await refusalOf(prepare(wallet, calling(framework, module, name)));
      expect([refused.code, refused.message]).toEqual([
        'transaction-invalid',
        expect.stringContaining(`0x1::${module}::${name}, which gives`),
      ]);
    }
    // Those of other modules, and of modules of that name elsewhere, are the chain's to refuse.
    for (const params of [
      calling(framework, 'accounts', 'rotate'),
      calling(newAddress(), 'account', 'rotate'),
    ])
      expect((await refusalOf(prepare(wallet, params))).message).not.toContain(
        'which gives the wallet another key',
      );
  });

  it('recipients of the framework, too little of a token, calls that fail, functions that are not there', async () => {
    const wallet = aWallet(10n);
    expect((await refusalOf(prepareTransfer(wallet, 1n, `0x${'0'.repeat(63)}1`))).code).toBe(
      'invalid-recipient',
    );
    expect((await refusalOf(prepareTransfer(wallet, 11n))).code).toBe('insufficient-balance');
    const tooMuch = await refusalOf(prepareTransfer(wallet, 2n ** 64n));
    expect([tooMuch.code, tooMuch.message]).toEqual([
      'insufficient-balance',
      'No account on "aptos" can hold 18446744073709.551616 usdxm.',
    ]);
    expect(
      (
        await refusalOf(
          prepareTransfer(
            wallet,
            10n ** 15n,
            newAddress(),
            await tokens.resolve({ symbol: 'apt' }),
          ),
        )
      ).code,
    ).toBe('insufficient-balance');
    const intent = {
      wallet,
      chain: 'aptos',
      token: await tokens.resolve({ symbol: 'usdxm' }),
      amountMinor: 11n,
      recipientAddress: newAddress(),
    };
    const failing = await refusalOf(prepare(wallet, aptosTransferParams(network, intent)));
    expect([failing.code, failing.details]).toEqual([
      'transaction-simulation-failed',
      expect.objectContaining({ error: expect.objectContaining({ reason: 'program_error' }) }),
    ]);
  });

  it('what the chain does not run, with its own words', async () => {
    const wallet = aWallet();
    const call = {
      address: newAddress(),
      module: 'casino',
      function: 'bet',
      typeArgs: [],
      args: [],
    };
    const own = {
      sender: wallet.address,
      call,
      nonce: 0n,
      maxGasAmount: 0n,
      gasUnitPrice: 0n,
      expirationSeconds: 0n,
      chainId: 4,
    };
    const transaction = Buffer.from(encodeOrderless(own)).toString('base64');
    expect(await refusalOf(prepare(wallet, { transaction }))).toMatchObject({
      code: 'transaction-simulation-failed',
      message: expect.stringContaining(`${call.address}::casino::bet`),
    });
  });

  it('what would cost more than an operation may', async () => {
    const wallet = aWallet(10n);
    const token = await tokens.resolve({ symbol: 'usdxm' });
    const transfer = {
      wallet,
      chain: 'aptos',
      token,
      amountMinor: 1n,
      recipientAddress: newAddress(),
    };
    const params = aptosTransferParams(network, transfer);
    const dear = await refusalOf(
      prepare(wallet, params, transfer, { ...ceilings, gasAmountMax: 100n }),
    );
    expect([dear.code, dear.message]).toEqual([
      'transaction-simulation-failed',
      expect.stringContaining('Out of gas'),
    ]);
    const { operation } = await prepare(wallet, params, transfer);
    const { raw } = readOperation(operation);
    expect(raw.maxGasAmount).toBeLessThanOrEqual(ceilings.gasAmountMax);
    expect(raw.gasUnitPrice).toBeLessThanOrEqual(ceilings.gasUnitPriceMax);
  });
});

describe('what the wallet signs', () => {
  it('is the operation to the last byte: no other recipient, amount, nonce, expiry, gas, chain or sender', async () => {
    const wallet = aWallet(10n);
    const { operation } = await prepareTransfer(wallet, 5n);
    const { raw, call } = readOperation(operation);
    const { nonce } = readPayload(raw.payload);
    const own = { ...raw, call, nonce: nonce! };
    const payer = addressBytes(feePayers[0]!.address);
    expect(signedBytes(operation, writeBuilt(encodeOrderless(own), payer))).toEqual(
      feePayerMessage(encodeOrderless(own), feePayers[0]!.address),
    );
    const args = [...call.args];
    args[1] = new Uint8Array(addressBytes(newAddress()));
    for (const changed of [
      { call: { ...call, args } },
      { call: { ...call, function: 'transfer_assert_minimum_deposit' } },
      { nonce: nonce! + 1n },
      { expirationSeconds: raw.expirationSeconds + 1n },
      { maxGasAmount: raw.maxGasAmount + 1n },
      { gasUnitPrice: raw.gasUnitPrice + 1n },
      { chainId: 1 },
      { sender: newAddress() },
    ])
      expect(
        () => signedBytes(operation, writeBuilt(encodeOrderless({ ...own, ...changed }), payer)),
        JSON.stringify(Object.keys(changed)),
      ).toThrow('another one');
  });

  it('is never paid for by the wallet itself, or by nobody', async () => {
    const wallet = aWallet(10n);
    const { operation } = await prepareTransfer(wallet, 5n);
    const { rawBytes } = readOperation(operation);
    for (const payer of [wallet.address, longAddress('0x0')])
      expect(() => signedBytes(operation, writeBuilt(rawBytes, addressBytes(payer)))).toThrow(
        'nobody else pays',
      );
    expect(readBuilt(await build(operation)).feePayer).not.toBe(wallet.address);
  });

  it('is nothing of an operation that was changed: another key, no nonce, another form', async () => {
    const wallet = aWallet(10n);
    const { operation } = await prepareTransfer(wallet, 5n);
    const other = aWallet();
    expect(() => readOperation({ ...operation, publicKey: other.setup['publicKey']! })).toThrow(
      'another key',
    );
    const { raw, call } = readOperation(operation);
    const ordered = rawTransaction
      .serialize({ ...raw, payload: { entryFunction: call } })
      .toBase64();
    expect(() => readOperation({ ...operation, raw: ordered })).toThrow('no nonce');
    expect(() => readOperation({ ...operation, more: 1 })).toThrow();
  });
});

describe('what people are told of an operation', () => {
  it('is what its bytes do, with the names of listed tokens alone', async () => {
    const [wallet, recipient] = [aWallet(1_500_000n), newAddress()];
    const { operation } = await prepareTransfer(wallet, 1_500_000n, recipient);
    expect(describeAptosSigned(network, operation)).toBe(`send 1.5 USDXM to ${recipient} on aptos`);
    const stranger = `0x${'99'.repeat(32)}`;
    chain.addAsset(stranger, { name: 'Liar', symbol: 'USDC', decimals: 6 });
    chain.give(stranger, wallet.address, 5n);
    const odd = await prepareTransfer(
      wallet,
      5n,
      recipient,
      await tokens.resolve({ address: stranger }),
    );
    expect(describeAptosSigned(network, odd.operation)).toBe(
      `send 5 of the smallest unit of ${stranger} to ${recipient} on aptos`,
    );
    const { raw, call } = readOperation(operation);
    const other = { ...raw, nonce: 1n, call: { ...call, module: 'casino', function: 'bet' } };
    const changed = { ...operation, raw: Buffer.from(encodeOrderless(other)).toString('base64') };
    expect(describeAptosSigned(network, changed)).toBe('call 0x1::casino::bet on aptos');
    const long = { ...other, call: { ...other.call, function: 'x'.repeat(300) } };
    const told = describeAptosSigned(network, {
      ...operation,
      raw: Buffer.from(encodeOrderless(long)).toString('base64'),
    });
    expect(told.length).toBeLessThanOrEqual(250);
  });
});

describe('a node that lies about a transaction', () => {
  async function lookWith(change: (body: Record<string, unknown>) => unknown) {
    const wallet = aWallet(10n);
    const signed = await complete(wallet, await prepareTransfer(wallet, 5n));
    await relay.send(signed.raw);
    const lying: AptosNode = {
      ...node,
      async get(path, schema) {
        const response = await fetch(`${chain.url}/v1${path}`);
        const body = change((await response.json()) as Record<string, unknown>);
        return { value: schema.parse(body), ledger: (await node.get('', schemaOfAnything)).ledger };
      },
    };
    return createAptosNetwork({
      connect: async () => lying,
      feePayers,
      now: () => new Date(),
    }).look(signed, lateSent);
  }
  const schemaOfAnything = { safeParse: (data: unknown) => ({ success: true, data }) } as never;

  it('is believed in nothing that cannot be: another transaction, a cost above what was signed for', async () => {
    await expect(lookWith((body) => body)).resolves.toMatchObject({ status: 'success' });
    await expect(lookWith((body) => ({ ...body, hash: `0x${'11'.repeat(32)}` }))).rejects.toThrow(
      'tells of',
    );
    await expect(lookWith((body) => ({ ...body, gas_used: '999999999' }))).rejects.toThrow(
      'more than was signed for',
    );
    await expect(lookWith((body) => ({ ...body, success: 'yes' }))).rejects.toThrow();
  });

  it('is not asked for anything that its refusal says: a refused transaction may have been taken before', async () => {
    const wallet = aWallet(10n);
    const signed = await complete(wallet, await prepareTransfer(wallet, 5n));
    const broken = Buffer.from(signed.raw);
    broken[broken.length - 1]! ^= 1;
    await expect(relay.send(new Uint8Array(broken))).rejects.toThrow(RestRefusal);
    expect(await relay.look(signed, lateSent)).toBe('pending');
  });
});
