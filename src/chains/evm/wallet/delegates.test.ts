import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses } from '../../../../contracts/index.ts';
import { usdcAddress, type WatchedChain } from '../../../../test/harness/watched-chain.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type {
  ChainFamily,
  Delegate,
  FamilyWallet,
  PreparedOperation,
  ResolvedToken,
  SignerChange,
  TransferScope,
} from '../../family.ts';
import { type EvmTestBed, startEvmTestBed } from '../testing/chain.ts';
import { executeOperation } from '../testing/execute.ts';
import { aDevice, anAccount, aPasskey, aQuorum, type TestActor } from '../testing/signers.ts';

const recipient: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const stranger: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
let bed: EvmTestBed;
let chain: WatchedChain;
let family: ChainFamily;
let usdc: ResolvedToken;
let eth: ResolvedToken;
let seeds = 0;

beforeAll(async () => {
  bed = await startEvmTestBed();
  ({ chain, family } = bed);
  usdc = await family.resolveToken('base-sepolia', { symbol: 'usdc' });
  eth = await family.resolveToken('base-sepolia', { symbol: 'eth' });
});
afterAll(() => bed?.close());

interface Owned {
  readonly admin: TestActor;
  readonly wallet: FamilyWallet;
}

async function aWallet(
  admin: TestActor = anAccount(),
  delegates: readonly Delegate[] = [],
): Promise<Owned> {
  const plan = family.planWallet({
    type: 'smart',
    adminSigner: admin.signer,
    delegates,
    creationSeed: `seed ${seeds++}`,
  });
  await chain.mint(plan.address as Address, 1_000_000n);
  return {
    admin,
    wallet: {
      id: 'w',
      type: 'smart',
      address: plan.address,
      setup: plan.setup,
      adminSigner: admin.signer,
    },
  };
}

const prepareChange = ({ wallet, admin }: Owned, change: SignerChange, now = new Date()) =>
  family.delegates!.prepareSignerChange({
    wallet,
    chain: 'base-sepolia',
    change,
    approver: admin.signer,
    now,
  });

async function run(
  { wallet }: Owned,
  actor: TestActor,
  prepared: PreparedOperation,
): Promise<void> {
  const approvals = await actor.approve(prepared.message as Hex);
  for (const gasCut of [15_000n, 0n])
    expect(
      await executeOperation(chain, { wallet, prepared, approvals, gasCut }),
      `${gasCut} less gas`,
    ).toEqual({
      executed: true,
      success: true,
    });
}

async function register(owned: Owned, delegate: Delegate): Promise<void> {
  await run(owned, owned.admin, await prepareChange(owned, { kind: 'add', delegate }));
}

const truth = async ({ wallet }: Owned, ...delegates: Delegate[]) =>
  family.delegates!.readDelegates(wallet, 'base-sepolia', delegates);

const transferData = (amount: bigint, to: Address = recipient) =>
  encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [to, amount] });
const transferCall = (amount: bigint, to?: Address): JsonObject => ({
  to: usdcAddress,
  data: transferData(amount, to),
});

const prepare = ({ wallet }: Owned, delegate: Delegate, ...calls: JsonObject[]) =>
  family.prepareOperation({
    wallet,
    params: { calls, chain: 'base-sepolia' },
    signer: delegate.signer,
    delegate,
    now: new Date(),
  });

async function refusal(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ServiceError
    ? `${error.code}: ${error.message}`
    : `no refusal: ${String(error)}`;
}

const usdcScope = (rest: Partial<TransferScope> = {}): TransferScope => ({
  type: 'transfer',
  token: usdc,
  ...rest,
});

describe('a delegated signer', () => {
  it('is registered by the admin, changed and removed, and the chain says so', async () => {
    for (const actor of [
      anAccount(),
      aDevice(),
      aPasskey(),
      aQuorum(1, [aPasskey(), anAccount()]),
    ]) {
      const owned = await aWallet();
      const delegate: Delegate = { signer: actor.signer, scopes: [] };
      expect(await truth(owned, delegate)).toEqual(['absent']);
      await register(owned, delegate);
      const expiring: Delegate = { ...delegate, expiresAt: new Date(Date.now() + 1e7) };
      expect(
        await truth(owned, delegate, expiring, { ...delegate, scopes: [usdcScope()] }),
      ).toEqual(['same', 'different', 'different']);
      await run(owned, actor, await prepare(owned, delegate, transferCall(5n)));
      await register(owned, expiring);
      expect(await truth(owned, delegate, expiring)).toEqual(['different', 'same']);
      await run(
        owned,
        owned.admin,
        await prepareChange(owned, { kind: 'remove', signer: actor.signer }),
      );
      expect(await truth(owned, delegate, expiring)).toEqual(['absent', 'absent']);
      expect(await refusal(prepare(owned, delegate, transferCall(5n)))).toMatch(
        /^transaction-invalid: params.signer: is not registered/,
      );
      expect(await refusal(prepareChange(owned, { kind: 'remove', signer: actor.signer }))).toMatch(
        /^transaction-simulation-failed: .*UnknownSigner/,
      );
    }
  });

  it('with scopes is compared scope by scope, recipients included', async () => {
    const owned = await aWallet(aPasskey());
    const scopes = [
      usdcScope({
        recipients: [recipient, stranger, recipient.toLowerCase()],
        spendingLimit: { amountMinor: 500n, intervalSeconds: 3_600 },
      }),
      usdcScope({ token: eth, spendingLimit: { amountMinor: 7n } }),
    ];
    const delegate: Delegate = { signer: anAccount().signer, scopes };
    await register(owned, delegate);
    const [first, second] = scopes as [TransferScope, TransferScope];
    const others: Delegate[] = [
      { ...delegate, scopes: [second, first] },
      { ...delegate, scopes: [first] },
      { ...delegate, scopes: [{ ...first, recipients: [recipient] }, second] },
      { ...delegate, scopes: [{ ...first, recipients: [recipient, usdcAddress] }, second] },
      { ...delegate, scopes: [{ ...first, recipients: undefined }, second] },
      {
        ...delegate,
        scopes: [
          { ...first, spendingLimit: { amountMinor: 501n, intervalSeconds: 3_600 } },
          second,
        ],
      },
      { ...delegate, scopes: [{ ...first, spendingLimit: { amountMinor: 500n } }, second] },
      { ...delegate, scopes: [{ ...first, spendingLimit: undefined }, second] },
    ];
    expect(await truth(owned, delegate, ...others)).toEqual([
      'same',
      ...others.map(() => 'different'),
    ]);
    expect(await truth(owned)).toEqual([]);
  });

  it('of a wallet that is not deployed is what the set-up registers', async () => {
    const delegate: Delegate = {
      signer: aDevice().signer,
      scopes: [],
      expiresAt: new Date(Date.now() + 1e7),
    };
    const owned = await aWallet(anAccount(), [delegate]);
    const others: Delegate[] = [
      { ...delegate, expiresAt: undefined },
      { ...delegate, scopes: [usdcScope()] },
      { ...delegate, signer: aDevice().signer },
    ];
    expect(await truth(owned, delegate, ...others)).toEqual([
      'same',
      'different',
      'different',
      'absent',
    ]);
    expect(await truth(await aWallet(), delegate)).toEqual(['absent']);
  });

  it('that could not be what was meant is refused, with its place', async () => {
    const owned = await aWallet();
    const { signer } = anAccount();
    const past = new Date(Date.now() - 1);
    const cases: [Partial<Delegate>, RegExp][] = [
      [{ expiresAt: past }, /^validation-error: expiresAt/],
      [
        { scopes: [usdcScope({ token: { ...usdc, chain: 'optimism-sepolia' } })] },
        /^validation-error: scopes\[0\]\.tokenLocator/,
      ],
      [
        { scopes: [usdcScope({ token: { ...usdc, tokenId: '1' } })] },
        /^validation-error: scopes\[0\]\.tokenLocator/,
      ],
      [
        { scopes: [usdcScope({ token: { ...usdc, address: owned.wallet.address } })] },
        /^validation-error: scopes\[0\]\.tokenLocator/,
      ],
      [
        { scopes: [usdcScope({ token: { ...usdc, address: addresses.walletModule } })] },
        /^validation-error: scopes\[0\]\.tokenLocator/,
      ],
      [
        { scopes: [usdcScope(), usdcScope({ recipients: [] })] },
        /^validation-error: scopes\[1\]\.recipients/,
      ],
      [
        { scopes: [usdcScope({ recipients: ['0x12'] })] },
        /^validation-error: scopes\[0\]\.recipients\[0\]/,
      ],
      [
        { scopes: [usdcScope({ spendingLimit: { amountMinor: 0n } })] },
        /^validation-error: scopes\[0\]\.spendingLimit\.amount/,
      ],
      [
        { scopes: [usdcScope({ spendingLimit: { amountMinor: 1n << 112n } })] },
        /^validation-error: scopes\[0\]\.spendingLimit\.amount/,
      ],
      [
        { scopes: [usdcScope({ spendingLimit: { amountMinor: 1n, intervalSeconds: 0 } })] },
        /^validation-error: .*interval/,
      ],
      [
        { scopes: [usdcScope({ spendingLimit: { amountMinor: 1n, intervalSeconds: 2 ** 32 } })] },
        /^validation-error: .*interval/,
      ],
      [{ scopes: Array.from({ length: 21 }, () => usdcScope()) }, /^validation-error: scopes/],
      [
        { signer: { type: 'passkey', locator: 'passkey:a', publicKey: { x: '1', y: '1' } } },
        /^validation-error: signer\.publicKey/,
      ],
      [
        { signer: { ...signer, address: addresses.walletModule } },
        /^validation-error: signer\.address/,
      ],
    ];
    for (const [change, expected] of cases)
      expect(
        await refusal(
          prepareChange(owned, { kind: 'add', delegate: { signer, scopes: [], ...change } }),
        ),
      ).toMatch(expected);
    const foreign = { ...owned, admin: anAccount() };
    expect(
      await refusal(prepareChange(foreign, { kind: 'add', delegate: { signer, scopes: [] } })),
    ).toMatch(/^transaction-invalid/);
  });

  it('is not changed by calls that somebody writes by hand', async () => {
    const owned = await aWallet();
    const { operation, counterparties } = await prepareChange(owned, {
      kind: 'add',
      delegate: { signer: anAccount().signer, scopes: [] },
    });
    const [call] = (operation as unknown as { calls: JsonObject[] }).calls;
    expect(counterparties).toHaveLength(1);
    const params = { calls: [call!], chain: 'base-sepolia' };
    expect(
      await refusal(
        family.prepareOperation({
          wallet: owned.wallet,
          params,
          signer: owned.admin.signer,
          now: new Date(),
        }),
      ),
    ).toMatch(/^transaction-invalid: params.calls\[0\].*signers routes/);
  });
});

describe('the scopes of a delegated signer', () => {
  it('allow what they say, and are chosen for each call', async () => {
    const owned = await aWallet();
    await chain.send({ to: owned.wallet.address as Address, value: 1_000n });
    const actor = aPasskey();
    const delegate: Delegate = {
      signer: actor.signer,
      scopes: [
        usdcScope({ recipients: [stranger] }),
        usdcScope({ token: eth, spendingLimit: { amountMinor: 10n, intervalSeconds: 3_600 } }),
        usdcScope({
          recipients: [recipient],
          spendingLimit: { amountMinor: 100n, intervalSeconds: 3_600 },
        }),
      ],
    };
    await register(owned, delegate);
    const prepared = await prepare(
      owned,
      delegate,
      transferCall(40n),
      transferCall(900n, stranger),
      { to: recipient, value: '4' },
      transferCall(60n),
    );
    expect(
      (prepared.operation as { authority?: { scopeIndexes: number[] } }).authority?.scopeIndexes,
    ).toEqual([2, 0, 1, 2]);
    await run(owned, actor, prepared);
    expect(await refusal(prepare(owned, delegate, transferCall(1n)))).toMatch(
      /^signer-scope-violation: .*may spend 0 usdc until/,
    );
    await run(owned, actor, await prepare(owned, delegate, { to: recipient, value: '6' }));
    expect(await refusal(prepare(owned, delegate, { to: recipient, value: '1' }))).toMatch(
      /^signer-scope-violation/,
    );
  });

  it('that fit side by side are used one after the other', async () => {
    const owned = await aWallet();
    const actor = anAccount();
    const limit = { amountMinor: 100n, intervalSeconds: 3_600 };
    const delegate: Delegate = {
      signer: actor.signer,
      scopes: [usdcScope({ spendingLimit: limit }), usdcScope({ spendingLimit: limit })],
    };
    await register(owned, delegate);
    await run(owned, actor, await prepare(owned, delegate, transferCall(80n)));
    const second = await prepare(owned, delegate, transferCall(80n), transferCall(20n));
    await run(owned, actor, second);
    expect(
      (second.operation as { authority?: { scopeIndexes: number[] } }).authority?.scopeIndexes,
    ).toEqual([1, 0]);
    expect(await refusal(prepare(owned, delegate, transferCall(21n)))).toMatch(
      /^signer-scope-violation: .*may spend 0.00002 usdc until/,
    );
  });

  it('refuse everything else with signer-scope-violation, before a node is asked', async () => {
    const owned = await aWallet();
    const limited: Delegate = {
      signer: anAccount().signer,
      scopes: [usdcScope({ recipients: [recipient], spendingLimit: { amountMinor: 100n } })],
    };
    const approve = encodeFunctionData({
      abi: parseAbi(['function approve(address,uint256)']),
      args: [recipient, 1n],
    });
    const cases: [JsonObject[], RegExp][] = [
      [
        [transferCall(101n)],
        /calls\[0\].*0\.000101 usdc are above the spending limit.*0\.0001 usdc/,
      ],
      [[transferCall(60n), transferCall(60n)], /calls\[1\].*0\.00012 usdc/],
      [[transferCall(1n, stranger)], /calls\[0\].*may not transfer to 0x90f7/],
      [[{ to: recipient, value: '1' }], /calls\[0\].*may not transfer this token/],
      [[{ to: usdcAddress, data: approve }], /calls\[0\].*plain transfers only/],
      [
        [{ to: usdcAddress, data: transferData(1n), value: '1' }],
        /calls\[0\].*plain transfers only/,
      ],
      [[{ to: usdcAddress, data: `${transferData(1n)}00` }], /calls\[0\].*plain transfers only/],
      [[{ to: stranger, data: transferData(1n) }], /calls\[0\].*may not transfer this token/],
    ];
    for (const [calls, expected] of cases) {
      const message = await refusal(prepare(owned, limited, ...calls));
      expect(message).toMatch(/^signer-scope-violation: params\./);
      expect(message).toMatch(expected);
    }
    const free: Delegate = { signer: anAccount().signer, scopes: [] };
    for (const to of [owned.wallet.address, addresses.walletModule])
      expect(await refusal(prepare(owned, free, { to, value: '1' }))).toMatch(
        /^signer-scope-violation: .*never call the wallet/,
      );
    const expired: Delegate = { ...free, expiresAt: new Date(Date.now() - 1) };
    expect(await refusal(prepare(owned, expired, transferCall(1n)))).toMatch(
      /^signer-expired: .*register it again/,
    );
  });

  it('are those of the chain, whatever the service believes', async () => {
    const owned = await aWallet();
    const actor = anAccount();
    const registered: Delegate = {
      signer: actor.signer,
      scopes: [usdcScope({ recipients: [recipient], spendingLimit: { amountMinor: 100n } })],
    };
    await register(owned, registered);
    const believed = (scopes: TransferScope[]) => ({ ...registered, scopes });
    const cases: [Delegate, JsonObject][] = [
      [believed([]), transferCall(1n)],
      [believed([usdcScope()]), transferCall(101n)],
      [believed([usdcScope()]), transferCall(1n, stranger)],
      [believed([usdcScope({ token: eth })]), { to: recipient, value: '1' }],
      [believed([usdcScope({ token: eth }), usdcScope()]), transferCall(1n)],
    ];
    await chain.send({ to: owned.wallet.address as Address, value: 1_000n });
    for (const [delegate, call] of cases)
      expect(await refusal(prepare(owned, delegate, call))).toMatch(/^signer-scope-violation: /);
    expect(
      await refusal(
        prepare(owned, { ...registered, signer: anAccount().signer }, transferCall(1n)),
      ),
    ).toMatch(/^transaction-invalid/);
  });

  it('do not hide that the wallet has too little', async () => {
    const owned = await aWallet();
    const delegate: Delegate = { signer: anAccount().signer, scopes: [usdcScope()] };
    await register(owned, delegate);
    const transfer = {
      wallet: owned.wallet,
      chain: 'base-sepolia',
      token: usdc,
      amountMinor: 5_000_000n,
      recipientAddress: recipient,
    };
    const params = await family.transferParams(transfer);
    const prepared = family.prepareOperation({
      wallet: owned.wallet,
      params,
      signer: delegate.signer,
      delegate,
      now: new Date(),
      transfer,
    });
    expect(await refusal(prepared)).toMatch(/^insufficient-balance/);
  });
});
