import { type Address, createNoopSigner, getAddressEncoder } from '@solana/kit';
import { getSyncNativeInstruction, getTransferCheckedInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  execute,
  findDelegate,
  type Scope,
  type Setup,
  transferSol,
  transferToken,
  type WalletAddresses,
} from './index.ts';
import {
  accountData,
  decimals,
  mintData,
  tokenPrograms,
  tokensAt,
  writeToken,
} from './testing/tokens.ts';
import {
  openWallet,
  saltOf,
  type TokenPlaces,
  tokenPlaces,
  writeDelegates,
} from './testing/wallets.ts';
import { keyOf, memberOf, World } from './testing/world.ts';

/** Tokens that are not only numbers: what a delegate’s transfer of them does, and what it counts. */

const world = new World();
const encoder = getAddressEncoder();
const admin = keyOf('admin');
const delegate = keyOf('delegate');
const friend = keyOf('friend').address;
const [[, token], [, token2022]] = tokenPrograms as [[string, Address], [string, Address]];
const nativeMint = 'So11111111111111111111111111111111111111112' as Address;
const initial = 1_000n;
const limit = 500n;
let count = 0;

let wallet: WalletAddresses;
let tokens: TokenPlaces;

/** Kinds of extensions, as Token-2022 numbers them. */
const extensions = {
  transferFeeConfig: 1,
  transferFeeAmount: 2,
  memoTransfer: 8,
  nonTransferable: 9,
  permanentDelegate: 12,
  nonTransferableAccount: 13,
  transferHook: 14,
  transferHookAccount: 15,
} as const;
type Extension = readonly [kind: keyof typeof extensions, data: Uint8Array];

/** Token-2022 writes extensions behind the first 165 bytes, and before them what it is. */
function extended(base: Uint8Array, kind: 'mint' | 'account', more: readonly Extension[]) {
  const written = more.flatMap(([name, data]) => [
    extensions[name],
    0,
    data.length & 255,
    data.length >> 8,
    ...data,
  ]);
  const filled = [...base, ...new Array<number>(165 - base.length).fill(0)];
  return new Uint8Array([...filled, kind === 'mint' ? 1 : 2, ...written]);
}

function feeConfig(bps: number, most: bigint): Uint8Array {
  const data = new Uint8Array(108);
  for (const at of [72, 90]) {
    new DataView(data.buffer).setBigUint64(at + 8, most, true);
    new DataView(data.buffer).setUint16(at + 16, bps, true);
  }
  return data;
}

const key = (address: Address) => new Uint8Array(encoder.encode(address));

function open(scopes: readonly Scope[]): void {
  const setup: Setup = {
    salt: saltOf(count),
    groups: [{ threshold: 1, members: [memberOf(admin)] }],
    delegates: [{ key: memberOf(delegate), expiresAt: 0n, scopes }],
  };
  wallet = openWallet(world, setup);
  writeDelegates(world, wallet, setup);
}

interface Put {
  readonly mint?: readonly Extension[];
  readonly account?: readonly Extension[];
  readonly destination?: readonly Extension[];
}

/** A mint of Token-2022, and an account of the wallet’s and one of a friend’s. */
function put({ mint = [], account = [], destination = account }: Put): void {
  open([{ mint: tokens.mint, limit, interval: 0n, recipients: [friend] }]);
  writeToken(world, tokens.mint, token2022, extended(mintData(), 'mint', mint));
  for (const [address, owner, amount, with_] of [
    [tokens.source, wallet.vault, initial, account],
    [tokens.destination, friend, 0n, destination],
  ] as const)
    writeToken(
      world,
      address,
      token2022,
      extended(accountData(tokens.mint, owner, amount), 'account', with_),
    );
}

const acting = (amount: bigint) => ({
  delegate: memberOf(delegate),
  account: findDelegate(wallet, memberOf(delegate)),
  epoch: 0,
  generation: 1,
  scope: 0,
  amount,
});
const spend = (amount: bigint) =>
  world.run([transferToken(wallet, tokens, acting(amount))], [delegate]);
const amounts = () => [tokens.source, tokens.destination].map((one) => tokensAt(world, one));
const delegateData = () => world.machine.read(findDelegate(wallet, memberOf(delegate)))!.data;

beforeEach(() => {
  tokens = tokenPlaces(token2022, `extended ${++count}`);
});

describe('a token with extensions', () => {
  it('that takes a fee counts in full: what the wallet gives, not what arrives', () => {
    put({
      mint: [['transferFeeConfig', feeConfig(1_000, 1_000n)]],
      account: [['transferFeeAmount', new Uint8Array(8)]],
    });
    expect(spend(400n).answer).toBe('none');
    expect(amounts()).toEqual([600n, 360n]);
    expect(spend(101n).answer).toBe('limit exceeded');
    expect(spend(100n).answer).toBe('none');
    expect(amounts()).toEqual([500n, 450n]);
  });

  it('that its issuer may move moves within the scope as others do', () => {
    put({ mint: [['permanentDelegate', key(friend)]] });
    expect(spend(501n).answer).toBe('limit exceeded');
    expect(spend(500n).answer).toBe('none');
    expect(amounts()).toEqual([500n, 500n]);
  });

  const nobody = keyOf('nobody').address;
  it.each<[string, Put]>([
    [
      'that calls a program at each transfer',
      {
        mint: [['transferHook', new Uint8Array([...key(nobody), ...key(keyOf('a hook').address)])]],
        account: [['transferHookAccount', new Uint8Array(1)]],
      },
    ],
    [
      'that is bound to its owner',
      {
        mint: [['nonTransferable', new Uint8Array()]],
        account: [['nonTransferableAccount', new Uint8Array()]],
      },
    ],
    ['whose recipient wants a memo', { destination: [['memoTransfer', Uint8Array.of(1)]] }],
  ])('%s is refused by its program, and takes nothing of the limit', (_, with_) => {
    put(with_);
    const before = delegateData();
    expect(spend(1n).failure).toEqual({ instruction: 0, program: token2022 });
    expect(delegateData()).toEqual(before);
    expect(amounts()).toEqual([initial, 0n]);
  });

  it('cannot be called with an account in the place of its mint, nor a mint in that of an account', () => {
    put({});
    const swapped = (change: Partial<typeof tokens>) =>
      world.send([transferToken(wallet, { ...tokens, ...change }, acting(1n))], [delegate]);
    expect(swapped({ mint: tokens.source })).toBe('bad token account');
    expect(swapped({ source: tokens.mint })).toBe('bad token account');
    expect(swapped({ destination: tokens.mint })).not.toBe('none');
    expect(swapped({ source: tokens.destination })).toBe('bad token account');
    expect(amounts()).toEqual([initial, 0n]);
  });
});

describe('wrapped SOL', () => {
  const wrapped = (amount: bigint, owner: Address) => {
    const data = accountData(nativeMint, owner, amount);
    const view = new DataView(data.buffer);
    view.setUint32(109, 1, true);
    view.setBigUint64(113, world.machine.rentOf(165), true);
    return { lamports: world.machine.rentOf(165) + amount, owner: token, data, executable: false };
  };
  const openWith = (mint?: Address) => {
    open([{ ...(mint && { mint }), limit, interval: 0n, recipients: [friend] }]);
    tokens = { ...tokens, program: token, mint: nativeMint };
    world.machine.write(tokens.source, wrapped(initial, wallet.vault));
    world.machine.write(tokens.destination, wrapped(0n, friend));
  };

  it('is a token of its own: a scope of it is none of SOL, and the other way round', () => {
    openWith(nativeMint);
    expect(spend(500n).answer).toBe('none');
    expect(spend(1n).answer).toBe('limit exceeded');
    expect(world.send([transferSol(wallet, friend, acting(1n))], [delegate])).toBe('out of scope');
    expect(amounts()).toEqual([500n, 500n]);
    expect(world.balanceOf(tokens.destination)).toBe(world.machine.rentOf(165) + 500n);
  });

  it('does not move by a scope of SOL, whatever anybody makes of its account', () => {
    openWith();
    expect(spend(1n).answer).toBe('out of scope');
    // Anybody may have lamports counted that were sent there.
    const account = world.machine.read(tokens.source)!;
    world.machine.write(tokens.source, { ...account, lamports: account.lamports + 7n });
    expect(world.send([getSyncNativeInstruction({ account: tokens.source })])).toBe('none');
    expect(amounts()).toEqual([initial + 7n, 0n]);
    expect(spend(1n).answer).toBe('out of scope');
  });
});

describe('a frozen account', () => {
  it('is not paid from nor to, by nobody', () => {
    put({});
    const inner = getTransferCheckedInstruction(
      {
        ...tokens,
        authority: createNoopSigner(wallet.vault),
        amount: 1n,
        decimals,
      },
      { programAddress: token2022 },
    );
    for (const address of [tokens.source, tokens.destination]) {
      const account = world.machine.read(address)!;
      const data = account.data.with(108, 2);
      world.machine.write(address, { ...account, data });
      expect(spend(1n).failure).toEqual({ instruction: 0, program: token2022 });
      const act = execute(wallet, inner, { epoch: 0, signers: [admin.address] });
      expect(world.run([act], [admin]).failure).toEqual({ instruction: 0, program: token2022 });
      world.machine.write(address, account);
    }
    expect(spend(500n).answer).toBe('none');
  });
});
