import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeAdminSignature, walletMessageTypedData } from '../../../../contracts/index.ts';
import { baseSepoliaId, type WatchedChain } from '../../../../test/harness/watched-chain.ts';
import type {
  ChainFamily,
  Delegate,
  FamilyWallet,
  PreparedOperation,
  Signer,
  SubmittedApproval,
} from '../../family.ts';
import { operationPreimage } from '../operation/operation.ts';
import { readOperation } from '../operation/prepared-operation.ts';
import {
  anEvmFamily,
  anEvmWallet,
  type EvmTestBed,
  startEvmTestBed,
  type TestWallet,
} from '../testing/chain.ts';
import { approvePersonally, executeOperation } from '../testing/execute.ts';
import { aCustodyActor, anAccount, aPasskey, aQuorum, type TestActor } from '../testing/signers.ts';

/** Signers who are contract wallets: only the chain can tell whether they signed. */

let bed: EvmTestBed;
let chain: WatchedChain;
let family: ChainFamily;
let seeds = 0;

beforeAll(async () => {
  bed = await startEvmTestBed();
  ({ chain, family } = bed);
});
afterAll(() => bed?.close());

/** A contract wallet as an external wallet: it signs what its own owner signs for it. */
async function aContractWallet(): Promise<{ signer: Signer; sign(message: Hex): Promise<Hex> }> {
  const own: TestWallet = anEvmWallet(family);
  const params = { calls: [{ to: own.wallet.address, value: '0' }], chain: 'base-sepolia' };
  const prepared = await family.prepareOperation({
    wallet: own.wallet,
    params,
    signer: own.wallet.adminSigner,
    now: new Date(),
  });
  await executeOperation(chain, {
    wallet: own.wallet,
    prepared,
    approvals: [await approvePersonally(own, prepared)],
  });
  const address = own.wallet.address as Address;
  return {
    signer: { type: 'external-wallet', locator: `external-wallet:${address}`, address },
    async sign(message) {
      const signature = await own.owner.signTypedData(
        walletMessageTypedData(baseSepoliaId, address, message),
      );
      return encodeAdminSignature([{ owner: own.owner.address, signature, scheme: 'eip712' }]);
    },
  };
}

function aWallet(admin: Signer, delegates: readonly Delegate[] = []): FamilyWallet {
  const plan = family.planWallet({
    type: 'smart',
    adminSigner: admin,
    delegates,
    creationSeed: `seed ${seeds++}`,
  });
  return { id: 'w', type: 'smart', address: plan.address, setup: plan.setup, adminSigner: admin };
}

const prepare = (
  wallet: FamilyWallet,
  signer: Signer,
  delegate?: Delegate,
): Promise<PreparedOperation> =>
  family.prepareOperation({
    wallet,
    params: {
      calls: [{ to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', value: '0' }],
      chain: 'base-sepolia',
    },
    signer,
    delegate,
    now: new Date(),
  });

async function runs(
  wallet: FamilyWallet,
  prepared: PreparedOperation,
  approvals: readonly SubmittedApproval[],
): Promise<void> {
  for (const approval of approvals)
    expect(await family.checkApproval(prepared.operation, approval)).toBe(true);
  for (const gasCut of [15_000n, 0n])
    expect(await executeOperation(chain, { wallet, prepared, approvals, gasCut })).toEqual({
      executed: true,
      success: true,
    });
}

describe('an external wallet that is a contract', () => {
  it('approves as a delegate and as a member of a quorum, by ERC-1271 over the message', async () => {
    const contract = await aContractWallet();
    const account = anAccount();
    const actor: TestActor = {
      signer: contract.signer,
      approve: async (hash) => [{ signer: contract.signer, signature: await contract.sign(hash) }],
    };
    const quorum = aQuorum(2, [account, actor, aPasskey()], [0, 1]);
    for (const one of [actor, quorum]) {
      const delegate: Delegate = { signer: one.signer, scopes: [] };
      const wallet = aWallet(anAccount().signer, [delegate]);
      const prepared = await prepare(wallet, one.signer, delegate);
      await runs(wallet, prepared, await one.approve(prepared.message as Hex));
    }
  });

  it('approves as the admin as a Safe asks its owners: over what the message is the hash of', async () => {
    const contract = await aContractWallet();
    const wallet = aWallet(contract.signer);
    const prepared = await prepare(wallet, contract.signer);
    const { chainId, operation } = readOperation(prepared.operation);
    const approval = {
      signer: contract.signer,
      signature: await contract.sign(operationPreimage(chainId, operation)),
    };
    await runs(wallet, prepared, [approval]);
    const other = await prepare(wallet, contract.signer);
    expect(await family.checkApproval(other.operation, approval)).toBe(false);
    expect(
      await family.checkApproval(other.operation, {
        ...approval,
        signature: await contract.sign(other.message as Hex),
      }),
    ).toBe(false);
  });

  it('is believed by nobody’s word but its own', async () => {
    const [contract, other] = [await aContractWallet(), await aContractWallet()];
    const delegate: Delegate = { signer: contract.signer, scopes: [] };
    const wallet = aWallet(anAccount().signer, [delegate]);
    const prepared = await prepare(wallet, contract.signer, delegate);
    const signature = await other.sign(prepared.message as Hex);
    expect(
      await family.checkApproval(prepared.operation, { signer: contract.signer, signature }),
    ).toBe(false);
    expect(
      await family.checkApproval(prepared.operation, { signer: anAccount().signer, signature }),
    ).toBe(false);
    // Other types of signers are keys, whatever stands at their address.
    const right = await contract.sign(prepared.message as Hex);
    expect(
      await family.checkApproval(prepared.operation, {
        signer: { ...contract.signer, type: 'server' },
        signature: right,
      }),
    ).toBe(false);
  });
});

describe('what is signed', () => {
  it('is computed from the stored calls: an operation with others, another wallet or another nonce under its old hash is signed by nobody', async () => {
    const actor = aCustodyActor('api-key');
    const wallet = aWallet(actor.signer);
    const { operation, message } = await prepare(wallet, actor.signer);
    const [approval] = await actor.approve(message as Hex);
    const other = aWallet(actor.signer);
    for (const change of [
      { calls: [] },
      { wallet: other.address },
      { nonce: '1' },
      { callGas: '1' },
      { validUntil: 1 },
      { chainId: 1 },
    ]) {
      const changed = { ...JSON.parse(JSON.stringify(operation)), ...change };
      expect(() => family.custodyDigest(changed)).toThrow('it was changed');
      expect(() => family.readSigned(changed)).toThrow('it was changed');
      await expect(family.checkApproval(changed, approval!)).rejects.toThrow('it was changed');
    }
    expect(family.readSigned(JSON.parse(JSON.stringify(operation))).message).toBe(message);
  });

  it('is computed from the stored text of a message: under another text it is another message', async () => {
    const { signer } = aCustodyActor('api-key');
    const wallet = aWallet(signer);
    const ask = (text: string) =>
      family.signatures!.prepareSignature({
        wallet,
        type: 'message',
        params: { message: text, chain: 'base-sepolia' },
        signer,
        now: new Date(),
      });
    const [honest, other] = [await ask('I log in.'), await ask('I pay.')];
    const stored = JSON.parse(JSON.stringify(honest.request));
    expect(Buffer.from(family.custodyDigest(stored)).toString('hex')).toBe(honest.message.slice(2));
    const changed = { ...stored, content: { message: 'I pay.' }, hash: honest.message };
    expect(Buffer.from(family.custodyDigest(changed)).toString('hex')).toBe(other.message.slice(2));
    expect(family.readSigned(changed).message).not.toBe(honest.message);
  });
});

describe('the check of an approval', () => {
  it('asks no node about keys, and says so when it would have to and cannot', async () => {
    const actors = [anAccount(), aCustodyActor('email'), aPasskey()];
    const stored = await Promise.all(
      actors.map(async ({ signer }) => (await prepare(aWallet(signer), signer)).operation),
    );
    const blind = anEvmFamily({
      store: bed.store,
      rpcUrls: { 'base-sepolia': 'http://127.0.0.1:9' },
      rpcTimeoutMs: 500,
    });
    for (const [index, actor] of actors.entries()) {
      const hash = (stored[index] as { hash?: Hex }).hash!;
      for (const approval of await actor.approve(hash))
        expect(await blind.checkApproval(stored[index]!, approval)).toBe(true);
    }
    const [wrong] = await anAccount().approve((stored[0] as { hash?: Hex }).hash!);
    await expect(
      blind.checkApproval(stored[0]!, { ...wrong!, signer: actors[0]!.signer }),
    ).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
  });
});
