import { xdr } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import {
  addSigner,
  type ContractCall,
  deploy,
  removeSigner,
  type Scope,
  transfer,
} from '../index.ts';
import { ed25519Key, p256Key, type TestKey } from '../testing/keys.ts';
import { contractAddress, type TestWallet, World } from '../testing/world.ts';

const admin = ed25519Key('admin');
const kinds = [
  ed25519Key('delegate'),
  p256Key('device', 'delegate'),
  p256Key('passkey', 'delegate'),
] as const;
const [delegate, device, passkey] = kinds;
const [friend, stranger] = ['friend', 'stranger'].map(contractAddress) as [string, string];
const account = ed25519Key('account').key;

interface Scene {
  readonly world: World;
  readonly wallet: TestWallet;
  pay(amount: bigint, to?: string): ContractCall;
  add(key: TestKey, scopes?: readonly Scope[], generation?: number, expiresAt?: bigint): string;
  by(key: TestKey, call: ContractCall): string;
}

function start(): Scene {
  const world = new World();
  const wallet = world.deploy(world.wallet([{ threshold: 1, members: [admin] }]));
  return {
    world,
    wallet,
    pay: (amount, to = friend) => transfer(world.token, { from: wallet.address, to, amount }),
    add: ({ key }, scopes = [], generation = 0, expiresAt = 0n) =>
      world.act(wallet, addSigner(wallet.address, generation, { key, expiresAt, scopes }), {
        by: [admin],
      }),
    by: (key, call) => world.act(wallet, call, { by: [key], as: { delegate: key.key } }),
  };
}

const scopeOf = ({ world }: Scene, change: Partial<Scope> = {}): Scope => ({
  token: world.token,
  interval: 0n,
  recipients: [],
  ...change,
});

describe('a delegate of a Stellar wallet', () => {
  it.each(kinds)('acts alone, as $key.kind, and only after it was registered', (key) => {
    const scene = start();
    expect(scene.by(key, scene.pay(1n))).toBe('unknown delegate');
    expect(scene.add(key)).toBe('done');
    expect(scene.by(key, scene.pay(2n))).toBe('done');
    expect(scene.world.balance(friend)).toBe(2n);
  });

  it('may be of the set-up: the first operation can be its own', () => {
    const world = new World();
    const delegates = [
      {
        key: delegate.key,
        expiresAt: 0n,
        scopes: [{ token: world.token, limit: 5n, interval: 0n, recipients: [] }],
      },
    ];
    const wallet = world.wallet([{ threshold: 1, members: [admin] }], { delegates });
    const call = transfer(world.token, { from: wallet.address, to: friend, amount: 5n });
    expect(world.run(deploy(world.factory, wallet.setup))).toBe('done');
    expect(world.act(wallet, call, { by: [delegate], as: { delegate: delegate.key } })).toBe(
      'done',
    );
    expect(world.act(wallet, call, { by: [delegate], as: { delegate: delegate.key } })).toBe(
      'limit exceeded',
    );
  });

  it('without scopes does anything but change the wallet', () => {
    const scene = start();
    scene.add(delegate);
    const { address } = scene.wallet;
    expect(scene.by(delegate, { ...scene.pay(1n), method: 'burn' })).toBe('done');
    for (const call of [
      addSigner(address, 1, { key: device.key, expiresAt: 0n, scopes: [] }),
      removeSigner(address, delegate.key),
      { contract: address, method: 'bump_epoch', args: [] },
      { contract: address, method: 'migrate', args: [] },
    ])
      expect([call.method, scene.by(delegate, call)]).toEqual([call.method, 'forbidden']);
  });

  it('ends at its time: the second before it acts, in that second it does not', () => {
    const scene = start();
    const at = scene.world.time + 60n;
    scene.add(delegate, [], 0, at);
    scene.world.time = at - 1n;
    expect(scene.by(delegate, scene.pay(1n))).toBe('done');
    scene.world.time = at;
    expect(scene.by(delegate, scene.pay(1n))).toBe('expired');
  });

  it('is no other delegate, and not by the signature of another', () => {
    const scene = start();
    scene.add(delegate);
    scene.add(device);
    const { world, wallet } = scene;
    const call = scene.pay(1n);
    expect(world.act(wallet, call, { by: [device], as: { delegate: delegate.key } })).toBe(
      'refused by the host',
    );
    expect(world.act(wallet, call, { by: [admin], as: { delegate: delegate.key } })).toBe(
      'refused by the host',
    );
    expect(
      world.act(wallet, call, { by: [delegate, delegate], as: { delegate: delegate.key } }),
    ).toBe('bad signature value');
    expect(world.act(wallet, call, { by: [], as: { delegate: delegate.key } })).toBe(
      'bad signature value',
    );
  });

  it('is registered once by one signature: a withheld one neither revives nor replaces it', () => {
    const scene = start();
    const { world, wallet } = scene;
    const add = addSigner(wallet.address, 0, { key: delegate.key, expiresAt: 0n, scopes: [] });
    const withheld = [
      world.sign(wallet, add, { by: [admin] }),
      world.sign(wallet, add, { by: [admin] }),
    ];
    expect(world.run(add, [withheld[0]!])).toBe('done');
    expect(world.act(wallet, removeSigner(wallet.address, delegate.key), { by: [admin] })).toBe(
      'done',
    );
    expect(world.run(add, [withheld[1]!])).toBe('wrong generation');
    expect(scene.by(delegate, scene.pay(1n))).toBe('unknown delegate');
  });

  it('registered anew spends anew, and does not run what it signed before', () => {
    const scene = start();
    const { world, wallet } = scene;
    const scopes = [scopeOf(scene, { limit: 5n })];
    scene.add(delegate, scopes);
    expect(scene.by(delegate, scene.pay(5n))).toBe('done');
    const earlier = world.sign(wallet, scene.pay(1n), {
      by: [delegate],
      as: { delegate: delegate.key },
    });
    expect(scene.add(delegate, scopes)).toBe('wrong generation');
    expect(scene.add(delegate, scopes, 1)).toBe('done');
    expect(world.run(scene.pay(1n), [earlier])).toBe('wrong generation');
    expect([scene.by(delegate, scene.pay(5n)), scene.by(delegate, scene.pay(1n))]).toEqual([
      'done',
      'limit exceeded',
    ]);
  });

  it('is removed whatever its generation, and not twice', () => {
    const scene = start();
    const remove = removeSigner(scene.wallet.address, delegate.key);
    expect(scene.world.act(scene.wallet, remove, { by: [admin] })).toBe('unknown delegate');
    scene.add(delegate);
    scene.add(delegate, [], 1);
    expect(scene.world.act(scene.wallet, remove, { by: [admin] })).toBe('done');
    expect(scene.world.act(scene.wallet, remove, { by: [admin] })).toBe('unknown delegate');
    expect(scene.world.delegateOf(scene.wallet, { delegate: delegate.key })).toEqual({
      generation: 3,
    });
  });

  it('signs with a passkey what its user was present at and verified, as the client says it', () => {
    const scene = start();
    scene.add(passkey);
    const { world, wallet } = scene;
    type Change = Parameters<TestKey['sign']>[1];
    const answerOf = (change: Change | ((payload: Uint8Array) => Change)) => {
      const by = {
        ...passkey,
        sign: (payload: Uint8Array) =>
          passkey.sign(payload, typeof change === 'function' ? change(payload) : change),
      };
      return world.act(wallet, scene.pay(1n), { by: [by], as: { delegate: passkey.key } });
    };
    expect(answerOf({})).toBe('done');
    expect([answerOf({ flags: 1 }), answerOf({ flags: 4 })]).toEqual(
      Array(2).fill('bad passkey data'),
    );
    expect(answerOf({ type: 'webauthn.create' })).toBe('bad passkey data');
    const challenge = Buffer.alloc(32).toString('base64url');
    expect(
      answerOf({
        clientData: `{"type":"webauthn.get","challenge":"${challenge}","origin":"https://x"}`,
      }),
    ).toBe('bad passkey data');
    expect(answerOf({ clientData: '{}' })).toBe('bad passkey data');
    // Its challenge is the payload and not only begins with it; and it does not end there.
    const textOf = (payload: Uint8Array) =>
      `{"type":"webauthn.get","challenge":"${Buffer.from(payload).toString('base64url')}`;
    for (const end of ['AAAA","origin":"https://x"}', '', '"'])
      expect([end, answerOf((payload) => ({ clientData: `${textOf(payload)}${end}` }))]).toEqual([
        end,
        'bad passkey data',
      ]);
    expect(answerOf((payload) => ({ clientData: `${textOf(payload)}"}` }))).toBe('done');
  });
});

describe('scopes of a delegate of a Stellar wallet', () => {
  it('let it transfer their tokens to their recipients, accounts and contracts', () => {
    const scene = start();
    const accountAddress = account.kind === 'ed25519' ? account.address : '';
    scene.add(delegate, [scopeOf(scene, { recipients: [friend, accountAddress] })]);
    expect(scene.by(delegate, scene.pay(1n))).toBe('done');
    expect(scene.by(delegate, scene.pay(1n, accountAddress))).toBe('done');
    expect(scene.by(delegate, scene.pay(1n, stranger))).toBe('wrong recipient');
    const other = scene.world.addToken();
    expect(scene.by(delegate, { ...scene.pay(1n), contract: other })).toBe('out of scope');
    expect(scene.world.balance(friend)).toBe(1n);
  });

  it.each(['approve', 'burn', 'transfer_from', 'set_admin', 'Transfer'])(
    'do not let it call %s',
    (method) => {
      const scene = start();
      scene.add(delegate, [scopeOf(scene)]);
      expect(scene.by(delegate, { ...scene.pay(1n), method })).toBe('out of scope');
    },
  );

  it('take amounts over nought alone', () => {
    const scene = start();
    scene.add(delegate, [scopeOf(scene)]);
    for (const amount of [0n, -1n, -(2n ** 127n)])
      expect(scene.by(delegate, scene.pay(amount))).toBe('out of scope');
  });

  it('allow their limit, and not one more', () => {
    const scene = start();
    scene.add(delegate, [scopeOf(scene, { limit: 100n })]);
    expect(scene.by(delegate, scene.pay(101n))).toBe('limit exceeded');
    expect(scene.by(delegate, scene.pay(99n))).toBe('done');
    expect(scene.by(delegate, scene.pay(2n))).toBe('limit exceeded');
    expect(scene.by(delegate, scene.pay(1n))).toBe('done');
    expect(scene.by(delegate, scene.pay(1n))).toBe('limit exceeded');
    expect(scene.world.balance(friend)).toBe(100n);
  });

  it('begin a window with its first transfer, and end it after the interval, to the second', () => {
    const scene = start();
    scene.add(delegate, [scopeOf(scene, { limit: 10n, interval: 60n })]);
    const began = scene.world.time + 1_000n;
    const at = (seconds: bigint, amount: bigint) => {
      scene.world.time = began + seconds;
      return scene.by(delegate, scene.pay(amount));
    };
    expect([
      at(0n, 4n),
      at(30n, 6n),
      at(59n, 1n),
      at(60n, 10n),
      at(119n, 1n),
      at(120n, 10n),
    ]).toEqual(['done', 'done', 'limit exceeded', 'done', 'limit exceeded', 'done']);
  });

  it('know the greatest amounts', () => {
    const scene = start();
    const greatest = 2n ** 127n - 1n;
    scene.add(delegate, [scopeOf(scene, { limit: greatest })]);
    scene.add(device, [scopeOf(scene, { limit: 2n ** 64n + 1n })]);
    expect(scene.by(delegate, scene.pay(greatest))).toBe('done');
    expect(scene.by(delegate, scene.pay(greatest))).toBe('limit exceeded');
    expect(scene.by(delegate, scene.pay(1n))).toBe('limit exceeded');
    expect(scene.by(device, scene.pay(2n ** 64n + 2n))).toBe('limit exceeded');
    expect(scene.by(device, scene.pay(2n ** 64n - 1n))).toBe('done');
    expect(scene.by(device, scene.pay(3n))).toBe('limit exceeded');
    expect(scene.by(device, scene.pay(2n))).toBe('done');
  });

  it('pay in their order: the first that allows a transfer', () => {
    const scene = start();
    scene.add(delegate, [
      scopeOf(scene, { limit: 5n, recipients: [friend] }),
      scopeOf(scene, { limit: 7n }),
    ]);
    expect([
      scene.by(delegate, scene.pay(5n)),
      scene.by(delegate, scene.pay(7n)),
      scene.by(delegate, scene.pay(1n)),
    ]).toEqual(['done', 'done', 'limit exceeded']);
  });

  it('that fail later spend nothing', () => {
    const scene = start();
    scene.add(delegate, [scopeOf(scene, { limit: 5n })]);
    const call = scene.pay(5n);
    const entry = scene.world.sign(scene.wallet, call, {
      by: [delegate],
      as: { delegate: delegate.key },
    });
    const args = [...call.args.slice(0, 2), scene.pay(4n).args[2]!];
    expect(scene.world.run({ ...call, args }, [entry])).toBe('refused by the host');
    expect(scene.world.run(call, [entry])).toBe('done');
  });

  it('are up to 8, of up to 16 recipients each, and never of the wallet itself', () => {
    const scene = start();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => contractAddress(`recipient ${index}`));
    const full = scopeOf(scene, { limit: 1n, recipients: many(16) });
    expect(scene.add(delegate, Array(8).fill(full))).toBe('done');
    expect(scene.add(device, Array(9).fill(full))).toBe('bad set-up');
    expect(scene.add(device, [scopeOf(scene, { recipients: many(17) })])).toBe('bad set-up');
    expect(scene.add(device, [scopeOf(scene, { token: scene.wallet.address })])).toBe('bad set-up');
    expect(scene.add(device, [scopeOf(scene, { limit: -1n })])).toBe('bad set-up');
    expect(scene.by(delegate, scene.pay(1n, contractAddress('recipient 15')))).toBe('done');
  });

  it('are registered with times that are numbers, however great', () => {
    const { world, wallet } = start();
    const { address } = wallet;
    const great = 2n ** 63n;
    const scope = { token: world.token, limit: 1n, interval: great, recipients: [] };
    const call = addSigner(address, 0, { key: device.key, expiresAt: great, scopes: [scope] });
    const [key, generation, , scopes] = call.args as [xdr.ScVal, xdr.ScVal, xdr.ScVal, xdr.ScVal];
    const never = { ...call, args: [key, generation, xdr.ScVal.scvVoid(), scopes] };
    expect(world.act(wallet, never, { by: [admin] })).toBe('bad set-up');
    expect(world.act(wallet, call, { by: [admin] })).toBe('done');
    expect(world.delegateOf(wallet, { delegate: device.key })).toMatchObject({
      active: { expiresAt: great, scopes: [{ interval: great }] },
    });
  });
});
