import { Networks, scValToNative, xdr } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import {
  addSigner,
  bumpEpoch,
  type ContractCall,
  deploy,
  deployAndCall,
  findWallet,
  invocationOf,
  migrate,
  removeSigner,
  setupValue,
  storedKey,
  transfer,
  upgrade,
} from '../index.ts';
import { ed25519Key, p256Key } from '../testing/keys.ts';
import { compileContract, contractAddress, World } from '../testing/world.ts';

const [one, two, three] = ['one', 'two', 'three'].map(ed25519Key) as [Key, Key, Key];
type Key = ReturnType<typeof ed25519Key>;
const passkey = p256Key('passkey', 'one');
const delegate = ed25519Key('delegate');
const friend = contractAddress('friend');
const open = { key: delegate.key, expiresAt: 0n, scopes: [] };
const successor = await compileContract('successor');

function start(networkPassphrase?: string) {
  const world = new World(networkPassphrase);
  const wallet = world.wallet([{ threshold: 1, members: [one] }]);
  const pay = (amount = 1n): ContractCall =>
    transfer(world.token, { from: wallet.address, to: friend, amount });
  return { world, wallet, pay };
}

function deployed() {
  const { world, wallet, pay } = start();
  return { world, wallet: world.deploy(wallet), pay };
}

describe('the address of a Stellar wallet', () => {
  it('is known before it exists: what the factory says, and where it creates it', () => {
    const { world, wallet } = start();
    const address = world.ask({
      contract: world.factory,
      method: 'address_of',
      args: [setupValue(wallet.setup)],
    });
    expect(address).toBe(wallet.address);
    expect(world.exists(wallet.address)).toBe(false);
    expect(world.ask(deploy(world.factory, wallet.setup))).toBe(wallet.address);
    expect(world.exists(wallet.address)).toBe(true);
  });

  it('is another for another salt, threshold, member, delegate, factory or network', () => {
    const { world } = start();
    const group = { threshold: 1, members: [one, two] };
    const at = { factory: world.factory, networkPassphrase: world.networkPassphrase };
    const addresses = [
      findWallet(world.wallet([group]).setup, at),
      findWallet(world.wallet([group], { name: 'other' }).setup, at),
      findWallet(world.wallet([{ ...group, threshold: 2 }]).setup, at),
      findWallet(world.wallet([{ ...group, members: [one, three] }]).setup, at),
      findWallet(world.wallet([group], { delegates: [open] }).setup, at),
      findWallet(world.wallet([group]).setup, { ...at, factory: contractAddress('other') }),
      findWallet(world.wallet([group]).setup, { ...at, networkPassphrase: Networks.TESTNET }),
    ];
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('does not depend on the order in which members are listed', () => {
    const { world } = start();
    const addressOf = (members: Key[]) => world.wallet([{ threshold: 2, members }]).address;
    expect(addressOf([one, two, passkey])).toBe(addressOf([passkey, two, one]));
  });

  it('is given by the first operation, which is signed as it would be later, and others may be the first too', () => {
    const { world, wallet, pay } = start();
    for (const amount of [5n, 6n]) {
      const call = pay(amount);
      expect(
        world.run(deployAndCall(world.factory, wallet.setup, call), [
          world.sign(wallet, call, { by: [one] }),
        ]),
      ).toBe('done');
    }
    expect(world.balance(friend)).toBe(11n);
  });

  it('stays free when the first operation fails', () => {
    const { world, wallet, pay } = start();
    expect(world.run(deployAndCall(world.factory, wallet.setup, pay()))).toBe(
      'refused by the host',
    );
    expect(world.exists(wallet.address)).toBe(false);
  });

  it('takes a set-up that is one, and no other', () => {
    const { world } = start();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ed25519Key(`member ${index}`));
    const group = { threshold: 1, members: [one] };
    const answerOf = (...[groups, more]: Parameters<World['wallet']>) =>
      world.run(deploy(world.factory, world.wallet(groups, more).setup));
    expect(answerOf([{ threshold: 16, members: many(16) }])).toBe('done');
    expect(answerOf(Array.from({ length: 8 }, () => ({ threshold: 2, members: many(2) })))).toBe(
      'done',
    );
    expect(answerOf([group], { delegates: many(8).map(({ key }) => ({ ...open, key })) })).toBe(
      'done',
    );
    expect(answerOf([])).toBe('bad set-up');
    expect(answerOf([{ threshold: 17, members: many(17) }])).toBe('bad set-up');
    expect(answerOf(Array.from({ length: 9 }, () => group))).toBe('bad set-up');
    expect(
      answerOf([
        { threshold: 9, members: many(9) },
        { threshold: 8, members: many(8) },
      ]),
    ).toBe('bad set-up');
    expect(answerOf([{ threshold: 0, members: [one] }])).toBe('bad set-up');
    expect(answerOf([{ threshold: 2, members: [one] }])).toBe('bad set-up');
    expect(answerOf([{ threshold: 1, members: [one, one] }])).toBe('bad set-up');
    expect(answerOf([{ threshold: 1, members: [p256Key('device', 'one')] }])).toBe('bad set-up');
    expect(answerOf([group], { delegates: [open, open] })).toBe('bad set-up');
    expect(answerOf([group], { delegates: many(9).map(({ key }) => ({ ...open, key })) })).toBe(
      'bad set-up',
    );
    expect(
      answerOf([group], {
        delegates: [{ ...open, key: { kind: 'device', key: new Uint8Array(64) } }],
      }),
    ).toBe('bad set-up');
    expect(
      world.run(
        deploy(world.factory, { ...world.wallet([group]).setup, salt: new Uint8Array(31) }),
      ),
    ).toBe('bad set-up');
    const raw = (...parts: xdr.ScVal[]) =>
      world.run({ contract: world.factory, method: 'deploy', args: [xdr.ScVal.scvVec(parts)] });
    expect(raw()).toBe('bad set-up');
    const whole = (value: xdr.ScVal) => (value.type === 'scvVec' ? [...value.vec!] : []);
    const [salt, groups, delegates] = whole(setupValue(world.wallet([group]).setup)) as [
      xdr.ScVal,
      xdr.ScVal,
      xdr.ScVal,
    ];
    const more = xdr.ScVal.scvVec([...whole(whole(groups)[0]!), xdr.ScVal.scvVoid()]);
    expect(raw(salt, xdr.ScVal.scvVec([more]), delegates)).toBe('bad set-up');
    expect(raw(salt, groups, delegates)).toBe('done');
  });
});

describe('the admin of a Stellar wallet', () => {
  it('authorises what the wallet does, and a stranger does not', () => {
    const { world, wallet, pay } = deployed();
    expect(world.act(wallet, pay(7n), { by: [one] })).toBe('done');
    expect(
      world.act(wallet, pay(), {
        by: [two],
        approvals: (made) => made.map((each) => ({ ...each, index: 0 })),
      }),
    ).toBe('refused by the host');
    expect(world.run(pay())).toBe('refused by the host');
    expect(world.balance(friend)).toBe(7n);
  });

  it('is so many of a group as its threshold says, of every kind, and any one of the groups', () => {
    const { world } = start();
    const wallet = world.deploy(
      world.wallet([
        { threshold: 2, members: [one, two, passkey] },
        { threshold: 1, members: [three] },
      ]),
    );
    const call = transfer(world.token, { from: wallet.address, to: friend, amount: 1n });
    const acts = (by: Key[], group = 0) => world.act(wallet, call, { by, as: { group } });
    expect([
      acts([one, two]),
      acts([two, passkey]),
      acts([passkey, one]),
      acts([one, two, passkey]),
    ]).toEqual(Array(4).fill('done'));
    expect(acts([three], 1)).toBe('done');
    expect([acts([one]), acts([passkey]), acts([])]).toEqual(Array(3).fill('not enough signers'));
    expect(acts([one], 2)).toBe('bad signature value');
    expect(world.balance(friend)).toBe(5n);
  });

  it('is nobody twice: a member counts once, and approvals that are out of order are none', () => {
    const { world } = start();
    const wallet = world.deploy(world.wallet([{ threshold: 2, members: [one, two] }]));
    const call = transfer(world.token, { from: wallet.address, to: friend, amount: 1n });
    const twice = world.sign(wallet, call, { by: [one], approvals: ([first]) => [first!, first!] });
    expect(world.run(call, [twice])).toBe('bad signature value');
    const turned = world.sign(wallet, call, {
      by: [one, two],
      approvals: (made) => made.toReversed(),
    });
    expect(world.run(call, [turned])).toBe('bad signature value');
    const beyond = world.sign(wallet, call, {
      by: [one, two],
      approvals: ([first, last]) => [first!, { ...last!, index: 2 }],
    });
    expect(world.run(call, [beyond])).toBe('bad signature value');
  });

  it('signs once: the same entry does not run again', () => {
    const { world, wallet, pay } = deployed();
    const call = pay();
    const entry = world.sign(wallet, call, { by: [one] });
    expect([world.run(call, [entry]), world.run(call, [entry])]).toEqual([
      'done',
      'refused by the host',
    ]);
  });

  it('signs operations that run in any order', () => {
    const { world, wallet, pay } = deployed();
    const calls = [pay(1n), pay(2n), pay(3n)].map((call) => ({
      call,
      entry: world.sign(wallet, call, { by: [one] }),
    }));
    expect(calls.toReversed().map(({ call, entry }) => world.run(call, [entry]))).toEqual([
      'done',
      'done',
      'done',
    ]);
  });

  it('signs until a ledger, that one included', () => {
    const { world, wallet, pay } = deployed();
    const until = world.ledger + 50;
    const sign = () => world.sign(wallet, pay(), { by: [one], expirationLedger: until });
    const entries = [sign(), sign()];
    world.ledger = until;
    expect(world.run(pay(), [entries[0]!])).toBe('done');
    world.ledger = until + 1;
    expect(world.run(pay(), [entries[1]!])).toBe('refused by the host');
  });

  it.each([
    ['another wallet', { wallet: contractAddress('other wallet') }],
    ['another network', { networkPassphrase: Networks.PUBLIC }],
    ['another ledger', { expirationLedger: 149 }],
    ['another nonce', { nonce: 7n }],
    [
      'another call',
      {
        invocation: invocationOf(
          transfer(contractAddress('token'), { from: friend, to: friend, amount: 1n }),
        ),
      },
    ],
    ['the other form', { form: 'unbound' }],
  ] as const)('does not sign for this one what it signs for %s', (_, signed) => {
    const { world, wallet, pay } = deployed();
    expect(world.act(wallet, pay(), { by: [one], signed })).toBe('refused by the host');
  });

  it('has nothing else handed on as what the payload is the hash of', () => {
    const { world, wallet, pay } = deployed();
    const value = (made: xdr.ScVal) => {
      const [, ...rest] = made.type === 'scvVec' ? made.vec! : [];
      return xdr.ScVal.scvVec([xdr.ScVal.scvBytes(new Uint8Array(200)), ...rest]);
    };
    expect(world.act(wallet, pay(), { by: [one], value })).toBe('wrong payload');
  });

  it('signs in the older form what names the wallet first, or is its own', () => {
    const { world, wallet, pay } = deployed();
    const form = 'unbound';
    expect(world.act(wallet, pay(), { by: [one], form })).toBe('done');
    expect(world.act(wallet, bumpEpoch(wallet.address), { by: [one], form })).toBe('done');
    const other = world.deploy(world.wallet([{ threshold: 1, members: [one] }], { name: 'other' }));
    const call = transfer(world.token, { from: other.address, to: friend, amount: 1n });
    expect(world.act(other, call, { by: [one], form, within: [invocationOf(pay())] })).toBe(
      'not bound to the wallet',
    );
  });

  it('announces what it changes: who was added or removed with the number of it, and the epoch', () => {
    const { world, wallet } = deployed();
    const told = (call: ContractCall) => {
      const auth = [world.sign(wallet, call, { by: [one] })];
      const { events } = world.host.invoke({
        contract: call.contract,
        fn: call.method,
        args: call.args,
        auth,
      });
      return events.map(({ body }) => [
        body.v0.topics.map(scValToNative),
        scValToNative(body.v0.data),
      ]);
    };
    const key = new Uint8Array(storedKey(delegate.key));
    expect(told(addSigner(wallet.address, 0, open))).toEqual([[['added'], [key, 1]]]);
    expect(told(removeSigner(wallet.address, delegate.key))).toEqual([[['removed'], [key, 2]]]);
    expect(told(bumpEpoch(wallet.address))).toEqual([[['raised'], 1]]);
  });

  it('changes nothing of the wallet without a signature', () => {
    const { world, wallet } = deployed();
    const calls = [bumpEpoch, migrate].map((call) => call(wallet.address));
    calls.push(
      addSigner(wallet.address, 0, open),
      removeSigner(wallet.address, delegate.key),
      upgrade(wallet.address, new Uint8Array(32)),
    );
    for (const call of calls)
      expect([call.method, world.run(call)]).toEqual([call.method, 'refused by the host']);
  });
});

describe('the epoch of a Stellar wallet', () => {
  it('ends what was signed before it, and every delegate', () => {
    const { world, wallet, pay } = deployed();
    expect(world.act(wallet, addSigner(wallet.address, 0, open), { by: [one] })).toBe('done');
    const earlier = [
      world.sign(wallet, pay(), { by: [one] }),
      world.sign(wallet, pay(), { by: [delegate], as: { delegate: delegate.key } }),
    ];
    expect(world.act(wallet, bumpEpoch(wallet.address), { by: [one] })).toBe('done');
    expect(earlier.map((entry) => world.run(pay(), [entry]))).toEqual([
      'wrong epoch',
      'unknown delegate',
    ]);
    expect(world.act(wallet, pay(), { by: [delegate], as: { delegate: delegate.key } })).toBe(
      'unknown delegate',
    );
    expect(world.act(wallet, pay(), { by: [one] })).toBe('done');
  });

  it('is no number of another role: a delegate with the key of a member signs for itself alone', () => {
    const { world, wallet, pay } = deployed();
    const both = { ...open, key: one.key };
    expect(world.act(wallet, addSigner(wallet.address, 0, both), { by: [one] })).toBe('done');
    expect(world.act(wallet, pay(), { by: [one], stamp: { generation: 1 } })).toBe('wrong epoch');
    expect(
      world.act(wallet, pay(), { by: [one], as: { delegate: one.key }, stamp: { epoch: 0 } }),
    ).toBe('wrong generation');
    expect(world.act(wallet, pay(), { by: [one], as: { delegate: one.key } })).toBe('done');
  });

  it.each([
    ['epoch', bumpEpoch],
    ['counter', (wallet: string) => addSigner(wallet, 0, open)],
  ] as const)('ends before its numbers could be those of a delegate: %s', (name, change) => {
    const { world, wallet } = deployed();
    const numbersMax = 0x7fffffff;
    world.rewrite(wallet, name, numbersMax - 1);
    expect(world.act(wallet, change(wallet.address), { by: [one] })).toBe('too many changes');
    world.rewrite(wallet, name, numbersMax - 2);
    expect(world.act(wallet, change(wallet.address), { by: [one] })).toBe('done');
  });

  it('may be raised by what the admin calls first, and not twice with one signature', () => {
    const { world, wallet } = deployed();
    const raise = bumpEpoch(wallet.address);
    const entries = [
      world.sign(wallet, raise, { by: [one] }),
      world.sign(wallet, raise, { by: [one] }),
    ];
    expect(entries.map((entry) => world.run(raise, [entry]))).toEqual(['done', 'wrong epoch']);
    expect(world.epochOf(wallet)).toBe(1);
  });
});

describe('the upgrade of a Stellar wallet', () => {
  it('locks it until the migration: nothing else is authorised, and nothing that was signed before', () => {
    const { world, wallet, pay } = deployed();
    world.act(wallet, addSigner(wallet.address, 0, open), { by: [one] });
    const earlier = world.sign(wallet, pay(), { by: [one] });
    const call = upgrade(wallet.address, world.upload(successor));
    expect(world.act(wallet, call, { by: [one] })).toBe('done');
    expect(world.ask({ contract: wallet.address, method: 'version', args: [] })).toBe(2);
    for (const other of [
      pay(),
      call,
      bumpEpoch(wallet.address),
      addSigner(wallet.address, 1, open),
    ])
      expect([other.method, world.act(wallet, other, { by: [one] })]).toEqual([
        other.method,
        'locked',
      ]);
    expect(world.act(wallet, pay(), { by: [delegate], as: { delegate: delegate.key } })).toBe(
      'locked',
    );
    const within = [invocationOf(pay())];
    expect(world.act(wallet, migrate(wallet.address), { by: [one], within })).toBe('locked');
    expect(world.act(wallet, migrate(wallet.address), { by: [one] })).toBe('done');
    expect(world.run(pay(), [earlier])).toBe('wrong epoch');
    expect(world.act(wallet, pay(), { by: [delegate], as: { delegate: delegate.key } })).toBe(
      'unknown delegate',
    );
    expect(world.act(wallet, pay(), { by: [one] })).toBe('done');
  });

  it('needs code that is on the network, and a lock to open', () => {
    const { world, wallet } = deployed();
    expect(world.act(wallet, upgrade(wallet.address, new Uint8Array(32)), { by: [one] })).toBe(
      'refused by the host',
    );
    expect(world.epochOf(wallet)).toBe(0);
    expect(world.act(wallet, migrate(wallet.address), { by: [one] })).toBe('not locked');
  });
});
