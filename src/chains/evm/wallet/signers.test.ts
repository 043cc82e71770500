import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedChain } from '../../../../test/harness/watched-chain.ts';
import { usdcAddress } from '../../../../test/harness/watched-chain.ts';
import type { ChainFamily, Delegate, FamilyWallet, PreparedOperation } from '../../family.ts';
import { encodeApprovals } from '../signing/encode-approvals.ts';
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
import { signerKeyOf } from './signer-keys.ts';

const recipient: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
let bed: EvmTestBed;
let chain: WatchedChain;
let family: ChainFamily;
let seeds = 0;

beforeAll(async () => {
  bed = await startEvmTestBed();
  ({ chain, family } = bed);
});
afterAll(() => bed?.close());

/** A wallet with a million of the token's smallest unit. */
async function aWallet(
  methods: readonly TestActor[],
  delegates: readonly Delegate[] = [],
): Promise<FamilyWallet> {
  const signers = methods.map(({ signer }) => signer);
  const several = signers.length > 1 ? { recoveryMethods: signers } : {};
  const plan = family.planWallet({
    type: 'smart',
    adminSigner: signers[0]!,
    ...several,
    delegates,
    creationSeed: `seed ${seeds++}`,
  });
  const setup = JSON.parse(JSON.stringify(plan.setup));
  expect(setup).toEqual(plan.setup);
  await chain.mint(plan.address as Address, 1_000_000n);
  return {
    id: 'w',
    type: 'smart',
    address: plan.address,
    setup,
    adminSigner: signers[0]!,
    ...several,
  };
}

const aTransferCall = (amount: bigint) => ({
  address: usdcAddress,
  functionName: 'transfer',
  abi: [
    {
      type: 'function',
      name: 'transfer',
      inputs: [
        { name: 'to', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
  ],
  args: [recipient, amount.toString()],
});

function prepare(
  wallet: FamilyWallet,
  { signer }: TestActor,
  delegate?: Delegate,
  count = 1,
): Promise<PreparedOperation> {
  const calls = Array.from({ length: count }, () => aTransferCall(100n));
  return family.prepareOperation({
    wallet,
    params: { calls, chain: 'base-sepolia' },
    signer,
    delegate,
    now: new Date(),
  });
}

/** Prepares a transfer, approves and runs it with so much less gas than planned. */
async function transfer(
  wallet: FamilyWallet,
  actor: TestActor,
  input: { delegate?: Delegate; gasCut?: bigint; count?: number } = {},
) {
  const prepared = await prepare(wallet, actor, input.delegate, input.count);
  const approvals = await actor.approve(prepared.message as Hex);
  for (const approval of approvals)
    expect(await family.checkApproval(prepared.operation, approval), approval.signer.type).toBe(
      true,
    );
  if (input.gasCut !== undefined)
    expect(
      await executeOperation(chain, { wallet, prepared, approvals, gasCut: input.gasCut }),
      `${input.gasCut} less gas`,
    ).toEqual({
      executed: true,
      success: true,
    });
  expect(await executeOperation(chain, { wallet, prepared, approvals })).toEqual({
    executed: true,
    success: true,
  });
}

describe('a wallet acts for its admin', () => {
  const admins: Record<string, () => TestActor> = {
    'external-wallet': () => anAccount(),
    server: () => anAccount('server'),
    'api-key': () => aCustodyActor('api-key'),
    email: () => aCustodyActor('email'),
    phone: () => aCustodyActor('phone'),
    passkey: () => aPasskey(),
    'quorum of accounts': () =>
      aQuorum(2, [anAccount(), anAccount('server'), aCustodyActor('email')], [2, 0]),
    'quorum of passkeys and accounts': () =>
      aQuorum(2, [aPasskey(), anAccount(), aPasskey()], [2, 0]),
    'quorum of all its members': () => aQuorum(2, [aPasskey(), anAccount()]),
    'quorum of which one suffices': () => aQuorum(1, [aPasskey(), anAccount()], [1]),
    'quorum of ten': () =>
      aQuorum(
        10,
        Array.from({ length: 10 }, (_, index) => (index % 3 === 0 ? aPasskey() : anAccount())),
      ),
  };
  for (const [name, make] of Object.entries(admins)) {
    it(`${name}, when it is deployed by that and afterwards`, async () => {
      const admin = make();
      const wallet = await aWallet([admin]);
      await transfer(wallet, admin, { gasCut: 40_000n });
      await transfer(wallet, admin, { gasCut: 15_000n });
      await transfer(wallet, admin, { gasCut: 15_000n, count: 3 });
    });
  }

  it('by each of several recovery methods alone', async () => {
    const quorum = aQuorum(2, [anAccount(), aPasskey(), anAccount()], [1, 2]);
    const methods = [anAccount(), aPasskey(), quorum, aCustodyActor('phone')];
    const wallet = await aWallet(methods);
    for (const method of methods) await transfer(wallet, method, { gasCut: 10_000n });
  });

  it('with ten contracts in the place of owners and ten delegates from the start', async () => {
    const admin = aQuorum(
      1,
      Array.from({ length: 10 }, () => aPasskey()),
      [7],
    );
    const delegates = Array.from(
      { length: 10 },
      (): Delegate => ({ signer: aDevice().signer, scopes: [] }),
    );
    await transfer(await aWallet([admin], delegates), admin, { gasCut: 100_000n });
  });

  it('and for nobody else', async () => {
    const [member, other] = [anAccount(), anAccount()];
    const wallet = await aWallet([aQuorum(2, [member, other])]);
    for (const stranger of [
      anAccount(),
      aPasskey(),
      member,
      aQuorum(1, [member, other]),
      aQuorum(2, [member, anAccount()]),
    ])
      await expect(prepare(wallet, stranger), stranger.signer.type).rejects.toMatchObject({
        code: 'transaction-invalid',
      });
    const plain = await aWallet([member]);
    await expect(prepare(plain, other)).rejects.toMatchObject({ code: 'transaction-invalid' });
  });

  it('not with fewer members than the quorum needs', async () => {
    const members = [anAccount(), anAccount(), anAccount()];
    const quorum = aQuorum(2, members);
    const wallet = await aWallet([quorum]);
    const prepared = await prepare(wallet, quorum);
    const [one] = await quorum.approve(prepared.message as Hex);
    await expect(
      executeOperation(chain, { wallet, prepared, approvals: [one!, one!] }),
    ).rejects.toThrow('do not suffice');
    const three = (
      await Promise.all(members.map((member) => member.approve(prepared.message as Hex)))
    ).flat();
    expect(await executeOperation(chain, { wallet, prepared, approvals: three })).toEqual({
      executed: true,
      success: true,
    });
  });
});

describe('a delegate without scopes', () => {
  const delegates: Record<string, () => TestActor> = {
    'external-wallet': () => anAccount(),
    'api-key': () => aCustodyActor('api-key'),
    email: () => aCustodyActor('email'),
    passkey: () => aPasskey(),
    device: () => aDevice(),
    quorum: () => aQuorum(2, [aPasskey(), anAccount(), aCustodyActor('phone')], [2, 0]),
  };
  for (const [name, make] of Object.entries(delegates)) {
    it(`of type ${name} acts from the wallet's creation on`, async () => {
      const [admin, actor] = [anAccount(), make()];
      const delegate: Delegate = {
        signer: actor.signer,
        scopes: [],
        expiresAt: new Date(Date.now() + 3_600_000),
      };
      const wallet = await aWallet([admin], [delegate]);
      expect(await family.delegates!.readDelegates(wallet, 'base-sepolia', [delegate])).toEqual([
        'same',
      ]);
      await transfer(wallet, actor, { delegate, gasCut: 40_000n });
      await transfer(wallet, actor, { delegate, gasCut: 15_000n, count: 3 });
      await transfer(wallet, admin, { gasCut: 15_000n });
      expect(await family.delegates!.readDelegates(wallet, 'base-sepolia', [delegate])).toEqual([
        'same',
      ]);
    });
  }

  it('has operations that end when it does', async () => {
    const actor = anAccount();
    const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_500);
    const delegate: Delegate = { signer: actor.signer, scopes: [], expiresAt };
    const wallet = await aWallet([anAccount()], [delegate]);
    const { validUntil } = await prepare(wallet, actor, delegate);
    expect(validUntil.getTime()).toBe(Math.floor(expiresAt.getTime() / 1000) * 1000);
  });
});

describe('approvals of owners', () => {
  it('are encoded alike in whichever order they came', async () => {
    const hash: Hex = `0x${'5a'.repeat(32)}`;
    const actors = [anAccount(), aPasskey(), anAccount()];
    const owners = actors.map(({ signer }) => signerKeyOf(signer));
    const approvals = (await Promise.all(actors.map((actor) => actor.approve(hash)))).flat();
    const encode = (given: typeof approvals) =>
      encodeApprovals(hash, given, { kind: 'owners', owners, threshold: 3 });
    expect(encode(approvals)).toBe(encode(approvals.toReversed()));
    expect(() => encode(approvals.slice(1))).toThrow('do not suffice');
  });
});
