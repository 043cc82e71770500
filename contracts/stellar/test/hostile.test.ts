import { Address, hash, xdr } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import {
  addressValue,
  addSigner,
  bumpEpoch,
  type ContractCall,
  delegateEntryKey,
  deploy,
  deployAndCall,
  invocationOf,
  type Scope,
  setupValue,
  transfer,
  walletEntryKey,
} from '../index.ts';
import { ed25519Key, p256Key, type TestKey } from '../testing/keys.ts';
import {
  answerOf,
  compileContract,
  contractAddress,
  type Signing,
  World,
  walletWasm,
} from '../testing/world.ts';

const { scvBytes, scvMap, scvSymbol, scvU32, scvVec, scvVoid } = xdr.ScVal;
const hostileWasm = await compileContract('hostile');
const admin = ed25519Key('admin');
const thief = ed25519Key('thief');
const delegate = ed25519Key('delegate');
const device = p256Key('device', 'delegate');
const friend = contractAddress('friend');
const asDelegate = { by: [delegate], as: { delegate: delegate.key } } as const;
const thiefAsDelegate = { key: thief.key, expiresAt: 0n, scopes: [] };

/** A wallet and a hostile contract that is a token too. */
function start(scopesOf: (world: World, hostile: string) => readonly Scope[] = () => []) {
  const world = new World();
  const hostile = world.addContract(hostileWasm);
  const wallet = world.deploy(world.wallet([{ threshold: 1, members: [admin] }]));
  const scopes = scopesOf(world, hostile);
  for (const { key } of [delegate, device])
    expect(
      world.act(wallet, addSigner(wallet.address, 0, { key, expiresAt: 0n, scopes }), {
        by: [admin],
      }),
    ).toBe('done');
  const arm = (call: ContractCall) => world.arm(hostile, call);
  const pay = (token: string, amount: bigint, to = friend) =>
    transfer(token, { from: wallet.address, to, amount });
  return { world, hostile, wallet, arm, pay };
}

const both = (limit: bigint) => (world: World, hostile: string) =>
  [hostile, world.token].map((token) => ({ token, limit, interval: 0n, recipients: [] }));

describe('a token that calls back', () => {
  it('moves nothing else: what it calls has to be signed too', () => {
    const { world, hostile, wallet, arm, pay } = start();
    arm(pay(world.token, 5n));
    expect(world.act(wallet, pay(hostile, 1n), { by: [admin] })).toBe('refused by the host');
    expect(world.act(wallet, pay(hostile, 1n), asDelegate)).toBe('refused by the host');
    expect(world.balance(friend)).toBe(0n);
  });

  it('is held against the scopes with all that it calls, each within its limit', () => {
    const { world, hostile, wallet, arm, pay } = start(both(5n));
    arm(pay(world.token, 5n));
    const within = (amount: bigint) => [invocationOf(pay(world.token, amount))];
    expect(world.act(wallet, pay(hostile, 5n), { ...asDelegate, within: within(5n) })).toBe('done');
    expect(world.act(wallet, pay(hostile, 1n), { ...asDelegate, within: within(5n) })).toBe(
      'limit exceeded',
    );
    expect(world.balance(friend)).toBe(5n);
  });

  it.each([
    ['the whole', [5n, 5n], 'done'],
    ['one over it, in the first', [6n, 5n], 'limit exceeded'],
    ['one over it, in the second', [5n, 6n], 'limit exceeded'],
  ] as const)('spends what several calls under one signature move: %s', (_, amounts, answer) => {
    const { world, hostile, wallet, arm, pay } = start((world, hostile) => [
      { token: hostile, interval: 0n, recipients: [] },
      { token: world.token, limit: 10n, interval: 0n, recipients: [] },
    ]);
    arm(pay(world.token, amounts[0]));
    const within = amounts.map((amount) => invocationOf(pay(world.token, amount)));
    expect(world.act(wallet, pay(hostile, 1n), { ...asDelegate, within })).toBe(answer);
    const left = answer === 'done' ? 0n : 10n;
    expect(world.act(wallet, pay(world.token, left + 1n), asDelegate)).toBe('limit exceeded');
    if (left > 0n) expect(world.act(wallet, pay(world.token, left), asDelegate)).toBe('done');
  });

  it('is refused where it calls what no scope names, however deep', () => {
    const { world, hostile, wallet, arm, pay } = start((_, hostile) => [
      { token: hostile, interval: 0n, recipients: [] },
    ]);
    arm(pay(world.token, 5n));
    const once = [invocationOf(pay(world.token, 5n))];
    const twice = [invocationOf(pay(hostile, 1n), once)];
    for (const within of [once, twice])
      expect(world.act(wallet, pay(hostile, 1n), { ...asDelegate, within })).toBe('out of scope');
  });

  it('does not reach the wallet, whoever signed for it', () => {
    for (const scopesOf of [undefined, both(5n)]) {
      const { world, hostile, wallet, arm, pay } = start(scopesOf);
      const add = addSigner(wallet.address, 0, thiefAsDelegate);
      arm(add);
      const call = pay(hostile, 1n);
      expect(world.act(wallet, call, { by: [admin] })).toBe('refused by the host');
      expect(world.act(wallet, call, asDelegate)).toBe('refused by the host');
      const within = [invocationOf(add)];
      expect(world.act(wallet, call, { ...asDelegate, within })).toBe(
        scopesOf ? 'out of scope' : 'forbidden',
      );
      expect(world.delegateOf(wallet, { delegate: thief.key })).toBe(undefined);
    }
  });

  it('does reach it where the admin signed that', () => {
    const { world, hostile, wallet, arm, pay } = start();
    arm(bumpEpoch(wallet.address));
    const within = [invocationOf(bumpEpoch(wallet.address))];
    expect(world.act(wallet, pay(hostile, 1n), { by: [admin], within })).toBe('done');
    expect(world.epochOf(wallet)).toBe(1);
  });
});

describe('creating contracts in the name of a Stellar wallet', () => {
  it.each([
    ['the admin does', { by: [admin] }, undefined, 'done'],
    ['a delegate without scopes does not', asDelegate, undefined, 'forbidden'],
    ['a delegate with scopes does not', asDelegate, both(5n), 'out of scope'],
  ] as const)('%s', (_, signing: Signing, scopesOf, answer) => {
    const { world, wallet } = start(scopesOf);
    const wasmHash = world.upload(walletWasm);
    const salt = new Uint8Array(32);
    const args = [setupValue(wallet.setup)];
    const preimage = new xdr.ContractIdPreimageFromAddress({
      address: new Address(wallet.address).toScAddress(),
      salt,
    });
    const creation = new xdr.CreateContractArgsV2({
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(preimage),
      executable: xdr.ContractExecutable.contractExecutableWasm(wasmHash),
      constructorArgs: args,
    });
    const invocation = new xdr.SorobanAuthorizedInvocation({
      function:
        xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(creation),
      subInvocations: [],
    });
    const entry = world.sign(wallet, bumpEpoch(wallet.address), { ...signing, invocation });
    let made: string | undefined;
    const create = () => {
      made = world.host.create({ deployer: wallet.address, wasmHash, salt, args, auth: [entry] });
      return { result: scvVoid(), instructions: 0, events: [] };
    };
    expect(answerOf(create).answer).toBe(answer);
    expect(made !== undefined).toBe(answer === 'done');
  });
});

describe('a stranger', () => {
  it('creates nothing at the address of a wallet, by the factory or in its name', () => {
    const { world, hostile } = start();
    const { setup, address } = world.wallet([{ threshold: 1, members: [admin] }], { name: 'new' });
    const other = world.wallet([{ threshold: 1, members: [thief] }], { name: 'new' });
    const salt = scvBytes(hash(setupValue(setup).toXDR()));
    const code = scvBytes(world.upload(hostileWasm));
    const create = {
      contract: hostile,
      method: 'create',
      args: [addressValue(world.factory), code, salt, setupValue(other.setup)],
    };
    expect(world.run(create)).toBe('refused by the host');
    expect(world.run(deployAndCall(world.factory, other.setup, create))).toBe(
      'refused by the host',
    );
    expect(world.run(deploy(world.factory, other.setup))).toBe('done');
    expect(other.address).not.toBe(address);
    expect(world.exists(address)).toBe(false);
  });

  it('has nothing created in the name of a wallet, by its delegates or in the older form', () => {
    for (const [scopesOf, ofDelegate] of [
      [undefined, 'forbidden'],
      [both(5n), 'out of scope'],
    ] as const) {
      const { world, hostile, wallet } = start(scopesOf);
      const [code, salt, argument] = [
        world.upload(walletWasm),
        new Uint8Array(32),
        setupValue(wallet.setup),
      ];
      const create = {
        contract: hostile,
        method: 'create',
        args: [addressValue(wallet.address), scvBytes(code), scvBytes(salt), argument],
      };
      const address = new Address(wallet.address).toScAddress();
      const invocation = new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
          new xdr.CreateContractArgsV2({
            contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
              new xdr.ContractIdPreimageFromAddress({ address, salt }),
            ),
            executable: xdr.ContractExecutable.contractExecutableWasm(code),
            constructorArgs: [argument],
          }),
        ),
        subInvocations: [],
      });
      expect(world.act(wallet, create, { ...asDelegate, invocation })).toBe(ofDelegate);
      expect(world.act(wallet, create, { by: [admin], invocation, form: 'unbound' })).toBe(
        'not bound to the wallet',
      );
      expect(world.act(wallet, create, { by: [admin], invocation })).toBe('done');
    }
  });

  it('who deploys a wallet before its owner deploys that wallet', () => {
    const { world, wallet, pay } = start();
    const call = pay(world.token, 5n);
    expect(world.run(deploy(world.factory, wallet.setup))).toBe('done');
    expect(
      world.run(deployAndCall(world.factory, wallet.setup, call), [
        world.sign(wallet, call, { by: [admin] }),
      ]),
    ).toBe('done');
  });

  it('calls neither the constructor nor the check of a wallet', () => {
    const { world, hostile, wallet, arm } = start();
    const own = setupValue(world.wallet([{ threshold: 1, members: [thief] }]).setup);
    for (const [method, args] of [
      ['__constructor', [own]],
      ['__check_auth', [scvBytes(new Uint8Array(32)), scvVoid(), scvVec([])]],
    ] as const) {
      arm({ contract: wallet.address, method, args });
      expect(world.run({ contract: wallet.address, method, args })).toBe('refused by the host');
      expect(world.run({ contract: hostile, method: 'fire', args: [] })).toBe(
        'refused by the host',
      );
    }
    expect(world.act(wallet, bumpEpoch(wallet.address), { by: [admin] })).toBe('done');
  });

  it('does not use for one wallet what its owner signed for another in the older form', () => {
    const { world, hostile, wallet } = start();
    const other = world.deploy(
      world.wallet([{ threshold: 1, members: [admin] }], { name: 'other' }),
    );
    const call = {
      contract: hostile,
      method: 'ask',
      args: [addressValue(wallet.address), addressValue(other.address)],
    };
    expect(
      world.act(other, call, { by: [admin], form: 'unbound', signed: { wallet: wallet.address } }),
    ).toBe('not bound to the wallet');
    expect(world.act(other, call, { by: [admin] })).toBe('done');
  });

  it("does not use a wallet's signature for an account that leaves its own to it", () => {
    const { world, hostile, wallet } = start();
    const call = {
      contract: hostile,
      method: 'ask',
      args: [addressValue(wallet.address), addressValue(hostile)],
    };
    const entry = world.sign({ ...wallet, address: hostile }, call, {
      by: [admin],
      stamp: { epoch: 0 },
    });
    if (entry.credentials.type !== 'sorobanCredentialsAddressV2')
      throw new TypeError('The form was changed.');
    const { addressV2 } = entry.credentials;
    const signature = new xdr.SorobanDelegateSignature({
      address: new Address(wallet.address).toScAddress(),
      signature: addressV2.signature,
      nestedDelegates: [],
    });
    const left = new xdr.SorobanAddressCredentials({
      ...addressV2,
      signature: scvVec([addressValue(wallet.address)]),
    });
    const credentials = xdr.SorobanCredentials.sorobanCredentialsAddressWithDelegates(
      new xdr.SorobanAddressCredentialsWithDelegates({
        addressCredentials: left,
        delegates: [signature],
      }),
    );
    const { rootInvocation } = entry;
    expect(
      world.run(call, [new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation })]),
    ).toBe('not bound to the wallet');
  });
});

describe('a signature value', () => {
  const whole = (made: xdr.ScVal) => (made.type === 'scvVec' ? [...made.vec!] : []);
  const approval = (made: xdr.ScVal) => whole(whole(whole(made)[2]!)[0]!);
  const withApproval = (made: xdr.ScVal, ...parts: xdr.ScVal[]) =>
    scvVec([...whole(made).slice(0, 2), scvVec([scvVec(parts)])]);

  it.each<[string, (made: xdr.ScVal) => xdr.ScVal]>([
    ['nothing', scvVoid],
    ['a number', () => scvU32(1)],
    ['bytes', () => scvBytes(new Uint8Array(64))],
    ['a map', () => scvMap([])],
    ['empty', () => scvVec([])],
    ['short', (made) => scvVec(whole(made).slice(0, 2))],
    ['long', (made) => scvVec([...whole(made), scvVoid()])],
    ['without a preimage', (made) => scvVec([scvVoid(), ...whole(made).slice(1)])],
    [
      'of a signer that is a name',
      (made) => scvVec([whole(made)[0]!, scvSymbol('admin'), whole(made)[2]!]),
    ],
    [
      'of a signer that is empty',
      (made) => scvVec([whole(made)[0]!, scvBytes(new Uint8Array()), whole(made)[2]!]),
    ],
    ['of the admin by a delegate', (made) => scvVec([whole(made)[0]!, scvU32(0), whole(made)[2]!])],
    [
      'of a key with something behind it',
      (made) => scvVec([whole(made)[0]!, scvBytes(new Uint8Array(34)), whole(made)[2]!]),
    ],
    ['without approvals', (made) => scvVec([...whole(made).slice(0, 2), scvVec([])])],
    [
      'with an approval twice',
      (made) =>
        scvVec([...whole(made).slice(0, 2), scvVec([0, 1].map(() => whole(whole(made)[2]!)[0]!))]),
    ],
    [
      'with an approval that is none',
      (made) => scvVec([...whole(made).slice(0, 2), scvVec([scvVoid()])]),
    ],
    ['with another index', (made) => withApproval(made, scvU32(1), approval(made)[1]!)],
    ['with an index that is none', (made) => withApproval(made, scvVoid(), approval(made)[1]!)],
    [
      'with a signature that is short',
      (made) => withApproval(made, scvU32(0), scvBytes(new Uint8Array(63))),
    ],
    [
      'with a signature of noughts',
      (made) => withApproval(made, scvU32(0), scvBytes(new Uint8Array(64))),
    ],
    ['with more than a signature', (made) => withApproval(made, ...approval(made), scvVoid())],
  ])('that is %s is refused', (_, value) => {
    const { world, wallet, pay } = start();
    for (const signer of [delegate, device] satisfies TestKey[]) {
      const signing = { by: [signer], as: { delegate: signer.key } };
      expect(world.act(wallet, pay(world.token, 1n), { ...signing, value })).not.toBe('done');
      expect(world.act(wallet, pay(world.token, 1n), signing)).toBe('done');
    }
  });

  it('of P-256 has the lower s', () => {
    const { world, wallet, pay } = start();
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const turned: TestKey = {
      ...device,
      sign(payload) {
        const { signature } = device.sign(payload);
        const s = order - BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`);
        return {
          signature: Buffer.concat([
            signature.subarray(0, 32),
            Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
          ]),
        };
      },
    };
    expect(
      world.act(wallet, pay(world.token, 1n), { by: [turned], as: { delegate: device.key } }),
    ).toBe('refused by the host');
  });
});

describe('what the network keeps of a Stellar wallet', () => {
  it('lives on for 30 days when it is used in its last week', () => {
    const { world, wallet, pay } = start();
    const [week, month] = [120_960, 518_400];
    const keys = [walletEntryKey(wallet.address), delegateEntryKey(wallet.address, delegate.key)];
    world.ledger = world.liveUntil(keys[0]!)! - week - 1;
    expect(world.act(wallet, pay(world.token, 1n), asDelegate)).toBe('done');
    expect(keys.map((key) => world.liveUntil(key))).toEqual(
      keys.map(() => world.ledger + week + 1),
    );
    world.ledger += 1;
    expect(world.act(wallet, pay(world.token, 1n), asDelegate)).toBe('done');
    expect(keys.map((key) => world.liveUntil(key))).toEqual(keys.map(() => world.ledger + month));
    // A delegate that is registered in the last week of what is left of an earlier one.
    const ofDevice = delegateEntryKey(wallet.address, device.key);
    expect(world.liveUntil(ofDevice)).toBeLessThan(world.ledger + week + 1);
    const again = addSigner(wallet.address, 2, { key: device.key, expiresAt: 0n, scopes: [] });
    expect(world.act(wallet, again, { by: [admin] })).toBe('done');
    expect(world.liveUntil(ofDevice)).toBe(world.ledger + month);
  });
});
