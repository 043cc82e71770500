import {
  type Address,
  createPublicClient,
  type Hex,
  hashTypedData,
  http,
  type TypedDataDefinition,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses } from '../../../../contracts/index.ts';
import { baseSepoliaId, type WatchedChain } from '../../../../test/harness/watched-chain.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type {
  ChainFamily,
  Delegate,
  FamilyWallet,
  PreparedSignature,
  SignatureType,
} from '../../family.ts';
import { type EvmTestBed, startEvmTestBed } from '../testing/chain.ts';
import { executeOperation } from '../testing/execute.ts';
import {
  aCustodyActor,
  aDevice,
  anAccount,
  aPasskey,
  aQuorum,
  type TestActor,
} from '../testing/signers.ts';

let bed: EvmTestBed;
let chain: WatchedChain;
let family: ChainFamily;
let client: ReturnType<typeof createPublicClient>;
let seeds = 0;

beforeAll(async () => {
  bed = await startEvmTestBed();
  ({ chain, family } = bed);
  client = createPublicClient({ transport: http(chain.url) });
});
afterAll(() => bed?.close());

const message = 'Sign in to shop.example — 1 € ☕\nNonce: 42';
const typedData = {
  domain: {
    name: 'Shop',
    version: '1',
    chainId: baseSepoliaId,
    verifyingContract: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  },
  types: {
    Order: [
      { name: 'id', type: 'uint256' },
      { name: 'items', type: 'Item[]' },
      { name: 'note', type: 'string' },
      { name: 'buyer', type: 'address' },
    ],
    Item: [
      { name: 'sku', type: 'bytes32' },
      { name: 'change', type: 'int64' },
    ],
  },
  primaryType: 'Order',
  message: {
    id: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    items: [{ sku: `0x${'12'.repeat(32)}`, change: '-9223372036854775808' }],
    note: 'ä€𐍈',
    buyer: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  },
} as const;
/** As programs write it, with big integers. */
const definition = {
  ...typedData,
  message: {
    ...typedData.message,
    id: 2n ** 256n - 1n,
    items: [{ sku: `0x${'12'.repeat(32)}` as Hex, change: -(2n ** 63n) }],
  },
} as unknown as TypedDataDefinition;

function aWallet(methods: readonly TestActor[], delegates: readonly Delegate[] = []): FamilyWallet {
  const signers = methods.map(({ signer }) => signer);
  const several = signers.length > 1 ? { recoveryMethods: signers } : {};
  const plan = family.planWallet({
    type: 'smart',
    adminSigner: signers[0]!,
    ...several,
    delegates,
    creationSeed: `seed ${seeds++}`,
  });
  return {
    id: 'w',
    type: 'smart',
    address: plan.address,
    setup: plan.setup,
    adminSigner: signers[0]!,
    ...several,
  };
}

async function deploy(wallet: FamilyWallet, admin: TestActor): Promise<void> {
  const params = { calls: [{ to: wallet.address, value: '0' }], chain: 'base-sepolia' };
  const prepared = await family.prepareOperation({
    wallet,
    params,
    signer: admin.signer,
    now: new Date(),
  });
  const approvals = await admin.approve(prepared.message as Hex);
  expect(await executeOperation(chain, { wallet, prepared, approvals })).toEqual({
    executed: true,
    success: true,
  });
}

function prepare(
  wallet: FamilyWallet,
  { signer }: TestActor,
  input: { type: SignatureType; params: JsonObject; delegate?: Delegate; now?: Date },
) {
  const { type, params, delegate, now = new Date() } = input;
  return family.signatures!.prepareSignature({
    wallet,
    type,
    params: { chain: 'base-sepolia', ...params },
    signer,
    delegate,
    now,
  });
}

async function complete(
  wallet: FamilyWallet,
  actor: TestActor,
  prepared: PreparedSignature,
): Promise<Hex> {
  const request = JSON.parse(JSON.stringify(prepared.request));
  const approvals = JSON.parse(JSON.stringify(await actor.approve(prepared.message as Hex)));
  for (const approval of approvals)
    expect(await family.checkApproval(request, approval), approval.signer.type).toBe(true);
  return (await family.signatures!.completeSignature(wallet, request, approvals)) as Hex;
}

async function signBoth(
  wallet: FamilyWallet,
  actor: TestActor,
  delegate?: Delegate,
): Promise<{ text: Hex; typed: Hex }> {
  return {
    text: await complete(
      wallet,
      actor,
      await prepare(wallet, actor, { type: 'message', params: { message }, delegate }),
    ),
    typed: await complete(
      wallet,
      actor,
      await prepare(wallet, actor, { type: 'typed-data', params: { typedData }, delegate }),
    ),
  };
}

async function verify(
  wallet: FamilyWallet,
  { text, typed }: { text: Hex; typed: Hex },
): Promise<{ text: boolean; typed: boolean }> {
  const address = wallet.address as Address;
  return {
    text: await client.verifyMessage({ address, message, signature: text }),
    typed: await client.verifyTypedData({ address, ...definition, signature: typed }),
  };
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ServiceError ? `${error.code}: ${error.message}` : String(error);
}

const isWrapped = (signature: Hex) => signature.endsWith('6492'.repeat(16));

describe('signatures of a wallet verify for everybody, before and after its deployment', () => {
  const signers: Record<string, () => TestActor> = {
    'external-wallet': () => anAccount(),
    'api-key': () => aCustodyActor('api-key'),
    email: () => aCustodyActor('email'),
    passkey: () => aPasskey(),
    quorum: () => aQuorum(2, [anAccount(), aPasskey(), aCustodyActor('phone')], [1, 2]),
  };
  for (const [name, make] of Object.entries(signers)) {
    it(`by an admin of type ${name}`, async () => {
      const admin = make();
      const wallet = aWallet([admin]);
      const before = await signBoth(wallet, admin);
      expect(isWrapped(before.text) && isWrapped(before.typed)).toBe(true);
      expect(await verify(wallet, before)).toEqual({ text: true, typed: true });
      expect(await verify(wallet, { text: before.typed, typed: before.text })).toEqual({
        text: false,
        typed: false,
      });
      await deploy(wallet, admin);
      const after = await signBoth(wallet, admin);
      expect(isWrapped(after.text) || isWrapped(after.typed)).toBe(false);
      expect(await verify(wallet, after)).toEqual({ text: true, typed: true });
      // What was signed before goes on being valid, and holds for this wallet alone.
      expect(await verify(wallet, before)).toEqual({ text: true, typed: true });
      expect(await verify(aWallet([admin]), before)).toEqual({ text: false, typed: false });
    });
  }

  it('by one of several recovery methods', async () => {
    const [first, second] = [anAccount(), aQuorum(2, [aPasskey(), anAccount()])];
    const wallet = aWallet([first, second]);
    for (const method of [first, second])
      expect(await verify(wallet, await signBoth(wallet, method))).toEqual({
        text: true,
        typed: true,
      });
  });

  const delegates: Record<string, () => TestActor> = { ...signers, device: () => aDevice() };
  for (const [name, make] of Object.entries(delegates)) {
    it(`by a delegated signer of type ${name}`, async () => {
      const [admin, actor] = [anAccount(), make()];
      const delegate: Delegate = { signer: actor.signer, scopes: [] };
      const wallet = aWallet([admin], [delegate]);
      expect(await verify(wallet, await signBoth(wallet, actor, delegate))).toEqual({
        text: true,
        typed: true,
      });
      await deploy(wallet, admin);
      expect(await verify(wallet, await signBoth(wallet, actor, delegate))).toEqual({
        text: true,
        typed: true,
      });
      const stranger = aWallet([admin]);
      expect(await verify(stranger, await signBoth(stranger, actor, delegate))).toEqual({
        text: false,
        typed: false,
      });
    });
  }

  it('by EIP-712 over the typed data of the wallet message, as by personal_sign', async () => {
    const admin = anAccount();
    const wallet = aWallet([admin]);
    const prepared = await prepare(wallet, admin, { type: 'message', params: { message } });
    const signature = await admin.account.sign({ hash: prepared.message as Hex });
    const approval = { signer: admin.signer, signature };
    expect(await family.checkApproval(prepared.request, approval)).toBe(true);
    const text = (await family.signatures!.completeSignature(wallet, prepared.request, [
      approval,
    ])) as Hex;
    expect(
      await client.verifyMessage({ address: wallet.address as Address, message, signature: text }),
    ).toBe(true);
  });
});

describe("a signer's own signature of typed data", () => {
  const params = { typedData, isSmartWalletSignature: false };

  it("is the signer's, for its own address", async () => {
    const admin = anAccount();
    const wallet = aWallet([admin]);
    const prepared = await prepare(wallet, admin, { type: 'typed-data', params });
    expect(prepared.params).toMatchObject({ isSmartWalletSignature: false });
    expect(prepared.message).toBe(hashTypedData(definition));
    const approval = {
      signer: admin.signer,
      signature: await admin.account.signTypedData(definition),
    };
    expect(await family.checkApproval(prepared.request, approval)).toBe(true);
    const signature = (await family.signatures!.completeSignature(wallet, prepared.request, [
      approval,
    ])) as Hex;
    expect(
      await client.verifyTypedData({ address: admin.account.address, ...definition, signature }),
    ).toBe(true);
    // By personal_sign it would be a signature of another text, which verifies for nobody.
    expect(
      await family.checkApproval(
        prepared.request,
        (await admin.approve(prepared.message as Hex))[0]!,
      ),
    ).toBe(false);
  });

  it('is given by passkeys and devices too', async () => {
    const [passkey, device] = [aPasskey(), aDevice()];
    const delegates = [passkey, device].map(({ signer }): Delegate => ({ signer, scopes: [] }));
    const wallet = aWallet([anAccount()], delegates);
    for (const [index, actor] of [passkey, device].entries()) {
      const prepared = await prepare(wallet, actor, {
        type: 'typed-data',
        params,
        delegate: delegates[index]!,
      });
      expect(await complete(wallet, actor, prepared)).toMatch(
        index === 0 ? /^0x[0-9a-f]{600,}$/ : /^0x[0-9a-f]{128}$/,
      );
    }
  });

  it('is refused for keys that this service keeps for many wallets, for quorums, and for typed data of the wallet or its module', async () => {
    for (const actor of [
      aCustodyActor('api-key'),
      aCustodyActor('email'),
      aQuorum(1, [anAccount(), anAccount()]),
    ]) {
      expect(
        await codeOf(prepare(aWallet([actor]), actor, { type: 'typed-data', params })),
      ).toMatch(/^validation-error: params.isSmartWalletSignature/);
    }
    const admin = anAccount();
    const wallet = aWallet([admin]);
    for (const verifyingContract of [
      wallet.address,
      wallet.address.toLowerCase(),
      addresses.walletModule,
    ]) {
      const own = { ...typedData, domain: { ...typedData.domain, verifyingContract } };
      const run = prepare(wallet, admin, {
        type: 'typed-data',
        params: { typedData: own, isSmartWalletSignature: false },
      });
      expect(await codeOf(run)).toMatch(/^validation-error: .*transaction instead/);
    }
  });
});

describe('a signature request', () => {
  it('answers its params with defaults, and ends after a day or with its signer', async () => {
    const admin = anAccount();
    const wallet = aWallet([admin]);
    const now = new Date();
    const { params, validUntil } = await prepare(wallet, admin, {
      type: 'typed-data',
      params: { typedData, chain: 'base', odd: 1 },
      now,
    });
    expect(params).toEqual({ typedData, chain: 'base-sepolia', isSmartWalletSignature: true });
    expect(validUntil.getTime() - now.getTime()).toBe(86_400_000);
    const delegate: Delegate = {
      signer: anAccount().signer,
      scopes: [],
      expiresAt: new Date(now.getTime() + 1_000),
    };
    const short = await family.signatures!.prepareSignature({
      wallet,
      type: 'message',
      params: { message, chain: 'base-sepolia' },
      signer: delegate.signer,
      delegate,
      now,
    });
    expect(short.validUntil).toEqual(delegate.expiresAt);
  });

  it('is refused for who may not sign for the wallet', async () => {
    const [admin, actor] = [anAccount(), anAccount()];
    const wallet = aWallet([admin]);
    const ask = (delegate?: Delegate) =>
      codeOf(prepare(wallet, actor, { type: 'message', params: { message }, delegate }));
    expect(await ask()).toMatch(/^transaction-invalid/);
    expect(
      await ask({ signer: actor.signer, scopes: [], expiresAt: new Date(Date.now() - 1) }),
    ).toMatch(/^signer-expired/);
    const token = await family.resolveToken('base-sepolia', { symbol: 'usdc' });
    expect(await ask({ signer: actor.signer, scopes: [{ type: 'transfer', token }] })).toMatch(
      /^signer-scope-violation/,
    );
  });

  it('is refused where the form is wrong, and says what to send', async () => {
    const admin = anAccount();
    const wallet = aWallet([admin]);
    const ask = (type: SignatureType, params: JsonObject) =>
      codeOf(prepare(wallet, admin, { type, params }));
    expect(await ask('auth-entries', { authorizationEntries: [] })).toMatch(
      /^signature-type-not-supported: .*"message"/,
    );
    expect(await ask('message', {})).toMatch(/^validation-error: params.message: is required/);
    expect(await ask('message', { message, chain: undefined as unknown as string })).toMatch(
      /^validation-error: params.chain: is required/,
    );
    expect(await ask('message', { message, chain: 'nowhere' })).toMatch(/^chain-not-supported/);
    expect(await ask('typed-data', { message })).toMatch(
      /^validation-error: params.typedData: is required/,
    );
    expect(await ask('typed-data', { typedData, isSmartWalletSignature: 'no' })).toMatch(
      /^validation-error: params.isSmartWalletSignature/,
    );
  });
});
