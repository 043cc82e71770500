import { Asset, Keypair, Operation, xdr } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAccount } from '../../../../devnet/stellar/ledger/accounts.ts';
import type { FamilyWallet, ResolvedToken } from '../../family.ts';
import { refusal } from '../../family-contract/world.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { custodySigner } from '../testing/custody.ts';
import { ed25519Signer } from '../testing/smart.ts';
import { openWorld, projectId, type World } from '../testing/world.ts';
import { accountKey, readAccountEntry } from './entry.ts';
import { readMissing } from './make-ready.ts';
import { assembleSetUp, readSetUp, requireSetUp, type SetUp, storeSetUp } from './set-up.ts';

const owner = ed25519Signer();
let world: World;
let payer: FamilyWallet;
beforeAll(async () => {
  world = await openWorld();
  payer = await world.aWallet({ adminSigner: owner.signer }, { tokens: 1_000n });
});
afterAll(() => world?.close());

const usdxm = () => world.chain.asset.toString();
const accountOf = async (address: string) =>
  readAccountEntry((await readEntries(world.connection, [accountKey(address)])).entries[0]?.data);
const pay = (wallet: FamilyWallet, more: object = {}) =>
  world.prepareTransfer(payer, owner, {
    amount: 5n,
    to: wallet.address,
    findRecipient: world.finderOf(wallet),
    ...more,
  });
const spentBy = async (whose: string) => {
  const { rows } = await world.database.store.query<{ minor: string }>({
    text: 'select coalesce(sum(minor), 0) as minor from fee_spent where project_id = $1 and owner = $2',
    values: [projectId, whose],
  });
  return BigInt(rows[0]!.minor);
};

describe('the account of a wallet that is its key', () => {
  it('and its trust line are made when tokens are to come, with reserves of the service; it pays like any other', async () => {
    const relay = await world.start();
    const wallet = world.aKeyWallet();
    const prepared = await pay(wallet);
    expect(await readMissing(world.connection, wallet.address, usdxm())).toMatchObject({
      makesAccount: false,
      makesLine: false,
    });
    const account = (await accountOf(wallet.address))!;
    expect([account.balance, account.numSubEntries]).toEqual([0n, 1]);
    const sponsored =
      account.ext.type === 'v1' && account.ext.v1.ext.type === 'v2'
        ? account.ext.v1.ext.v2.numSponsored
        : 0;
    expect(sponsored).toBe(3);
    expect(await world.run(payer, prepared, [owner])).toMatchObject({ status: 'success' });
    const key = custodySigner(wallet);
    const to = world.freshAddress();
    const sent = await Promise.all(
      [1n, 1n, 1n].map((amount) => world.prepareTransfer(wallet, key, { amount, to })),
    );
    const ends = await Promise.all(sent.map((one) => world.run(wallet, one, [key])));
    expect(ends.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect([await world.balance(to), await world.balance(wallet.address)]).toEqual([3n, 2n]);
    await relay.stop();
  });

  it('is made once, however many ask for it at once, and for lumens without a trust line', async () => {
    const relay = await world.start();
    const wallet = world.aKeyWallet();
    await Promise.all([pay(wallet), pay(wallet), pay(wallet)]);
    const before = world.outcomes.length;
    await pay(wallet);
    expect(world.outcomes.length).toBe(before);
    const other = world.aKeyWallet();
    await world.chain.giveNative(payer.address, 10n);
    await pay(other, { of: world.native });
    expect((await accountOf(other.address))!.numSubEntries).toBe(0);
    // No area hears of what the family does for itself.
    expect(world.outcomes.filter(({ subject }) => subject !== 'transaction')).toEqual([]);
    await relay.stop();
  });

  it('is not made for a payer who has too little, nor for strangers', async () => {
    const wallet = world.aKeyWallet();
    const poor = await world.aWallet({ adminSigner: owner.signer });
    const findRecipient = () => Promise.reject(new Error('asked for nothing'));
    const sending = world.prepareTransfer(poor, owner, {
      amount: 5n,
      to: wallet.address,
      findRecipient,
    });
    expect((await refusal(sending)).code).toBe('insufficient-balance');
    const stranger = Keypair.random().publicKey();
    const refused = await refusal(
      world.prepareTransfer(payer, owner, {
        amount: 5n,
        to: stranger,
        findRecipient: async () => undefined,
      }),
    );
    expect([refused.code, refused.message]).toEqual([
      'invalid-recipient',
      expect.stringContaining('its owner'),
    ]);
  });
});

describe('reserves of the service', () => {
  it('count as what the owner spends who causes them, and none are left for him beyond his day', async () => {
    const bounds = { projectDayMaxMinor: 10n ** 12n, ownerDayMaxMinor: 20_000_000n };
    const relay = await world.start({ bounds });
    const whose = 'userId:dust';
    const dust = (wallet: FamilyWallet) =>
      pay(wallet, { findRecipient: world.finderOf(wallet, whose) });
    const ends: string[] = [];
    for (let count = 0; count < 3; count++)
      ends.push(
        await dust(world.aKeyWallet()).then(
          () => 'made',
          async (error) => error.message,
        ),
      );
    expect(ends).toEqual(['made', 'made', expect.stringContaining('fee budget of the owner')]);
    expect(await spentBy(whose)).toBeGreaterThan(30_000_000n);
    await relay.stop();
  });

  it('fill nobody’s account with tokens of strangers', async () => {
    const relay = await world.start();
    const wallet = world.aKeyWallet();
    await pay(wallet);
    const issuer = Keypair.random();
    await world.chain.friendbot(issuer.publicKey());
    const strange = new Asset('DUST', issuer.publicKey());
    await world.chain.run(Operation.createStellarAssetContract({ asset: strange }));
    const contract = strange.contractId(world.network.passphrase);
    const token: ResolvedToken = {
      chain: 'stellar',
      locator: `stellar:${contract}`,
      decimals: 7,
      address: contract,
    };
    const input = { recipient: (await world.finderOf(wallet)())!, token, now: new Date() };
    const full: StellarConnection = {
      ...world.connection,
      rpc: { ...world.connection.rpc, request: crowded },
    };
    expect((await refusal(world.deps.makeReady(full, input))).message).toContain(
      '20 entries already',
    );
    expect(await world.deps.makeReady(world.connection, input)).toBe(true);
    await relay.stop();
  });

  /** A node that shows every account with twenty entries. */
  const crowded: StellarConnection['rpc']['request'] = async (method, params) => {
    const answer = (await world.connection.rpc.request(method, params)) as {
      entries?: { xdr: string }[];
    };
    if (method !== 'getLedgerEntries') return answer;
    const entries = answer.entries?.map((entry) => {
      const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64');
      if (data.type !== 'account') return entry;
      return {
        ...entry,
        xdr: xdr.LedgerEntryData.account(changeAccount(data.account, { numSubEntries: 20 })).toXdr(
          'base64',
        ),
      };
    });
    return { ...answer, entries };
  };
});

describe('what the key of the wallet signs for its account', () => {
  const parts = {
    channel: Keypair.random().publicKey(),
    sequence: 1n,
    maxLedger: 9,
    makesAccount: true,
    makesLine: true,
    fee: 100n,
  };
  const setUp = (): SetUp => ({
    chain: 'stellar',
    passphrase: world.network.passphrase,
    wallet: Keypair.random().publicKey(),
    asset: usdxm(),
  });
  const bytesOf = (transaction: { toXdr(): string }) =>
    new Uint8Array(Buffer.from(transaction.toXdr(), 'base64'));

  it('makes it and its trust line, and nothing else', () => {
    const own = setUp();
    expect(
      requireSetUp(readSetUp(storeSetUp(own))!, bytesOf(assembleSetUp(own, parts))),
    ).toMatchObject({ reserves: 15_000_000n });
    const other = { ...own, asset: `EVIL:${parts.channel}` };
    expect(() => requireSetUp(own, bytesOf(assembleSetUp(other, parts)))).toThrow('something else');
    expect(() =>
      requireSetUp(own, bytesOf(assembleSetUp({ ...own, wallet: setUp().wallet }, parts))),
    ).toThrow('something else');
    const elsewhere = { ...own, passphrase: 'Another Network' };
    expect(requireSetUp(elsewhere, bytesOf(assembleSetUp(own, parts))).txId).not.toBe(
      requireSetUp(own, bytesOf(assembleSetUp(own, parts))).txId,
    );
  });
});
