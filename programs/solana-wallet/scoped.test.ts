import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createWallet,
  execute,
  executeByDelegate,
  findDelegate,
  findWallet,
  p256Instruction,
  raiseEpoch,
  removeDelegate,
  type Setup,
  type SignerKey,
  setDelegate,
  transferSol,
  transferToken,
  type WalletAddresses,
} from './index.ts';
import { approve, type P256TestKey, p256KeyOf } from './testing/p256-keys.ts';
import { tokenPrograms } from './testing/tokens.ts';
import {
  openWallet,
  saltOf,
  type TokenPlaces,
  tokenPlaces,
  writeDelegates,
  writeTokens,
} from './testing/wallets.ts';
import { type Key, keyOf, memberOf, programAddress, World } from './testing/world.ts';

/** What a delegate with scopes may not have done, by whatever path it has. */

const world = new World();
const admin = keyOf('admin');
const server = keyOf('server');
const phone = p256KeyOf('device', 'phone');
const friend = keyOf('friend').address;
const otherProgram = keyOf('another program').address;
world.addProgram(otherProgram);
let count = 0;

describe.each(
  tokenPrograms.flatMap(([name, program]) =>
    [
      { kind: 'server', key: memberOf(server), secret: server },
      { kind: 'device', key: phone, secret: phone },
    ].map((delegate) => ({ name, program, ...delegate })),
  ),
)('a $kind with a scope of $name', ({ program, key, secret }) => {
  let wallet: WalletAddresses;
  let tokens: TokenPlaces;
  let number: bigint;

  const isDevice = 'kind' in secret;
  const by: SignerKey = key;
  const keys: Key[] = isDevice ? [] : [secret as Key];
  const signers = keys.map(({ address }) => address);
  const head = () => ({
    epoch: 0,
    ...(isDevice && { number: number++, deadline: BigInt(world.time + 60) }),
  });
  const acting = () => ({
    ...head(),
    delegate: by,
    account: findDelegate(wallet, by),
    generation: 1,
    scope: 0,
    amount: 1n,
  });
  const changing = () => ({
    ...head(),
    signers,
    generation: 1,
    account: findDelegate(wallet, by),
    payer: world.payer.address,
  });
  const send = (instruction: Instruction, more: readonly Key[] = []) =>
    world.send(
      isDevice ? [p256Instruction(), instruction] : [instruction],
      [...keys.filter((one) => isNamed(instruction, one.address)), ...more],
      (hash) => [approve(secret as P256TestKey, hash)],
    );
  const isNamed = ({ accounts = [] }: Instruction, address: Address) =>
    accounts.some((one) => one.address === address && one.role >= AccountRole.READONLY_SIGNER);
  /** All that the wallet is and has. */
  const everything = () =>
    [wallet.state, wallet.vault, findDelegate(wallet, by), ...Object.values(tokens)].map((one) =>
      world.machine.read(one),
    );

  beforeEach(() => {
    number = 1n;
    tokens = tokenPlaces(program, `scoped ${++count}`);
    const scope = { mint: tokens.mint, interval: 0n, recipients: [friend] };
    const setup: Setup = {
      salt: saltOf(count),
      groups: [{ threshold: 1, members: [memberOf(admin)] }],
      delegates: [{ key: by, expiresAt: 0n, scopes: [scope] }],
    };
    wallet = openWallet(world, setup);
    writeDelegates(world, wallet, setup);
    writeTokens(world, tokens, { owner: wallet.vault, other: friend, amount: 100n });
  });

  /** Signed by the vault. */
  const wanted = (): [string, Instruction][] => {
    const owner = createNoopSigner(wallet.vault);
    const { source, destination } = tokens;
    const config = { programAddress: program };
    const free = { key: by, expiresAt: 0n, scopes: [] };
    const authorityType = AuthorityType.AccountOwner;
    return [
      ['approve', getApproveInstruction({ source, delegate: friend, owner, amount: 9n }, config)],
      [
        'set an authority',
        getSetAuthorityInstruction(
          { owned: source, owner, authorityType, newAuthority: friend },
          config,
        ),
      ],
      [
        'close an account',
        getCloseAccountInstruction({ account: source, destination: friend, owner }, config),
      ],
      [
        'transfer what it might transfer',
        getTransferInstruction({ source, destination, authority: owner, amount: 1n }, config),
      ],
      [
        'transfer SOL',
        getTransferSolInstruction({ source: owner, destination: friend, amount: 1n }),
      ],
      ['register itself', setDelegate(wallet, free, changing())],
      ['remove itself', removeDelegate(wallet, by, changing())],
      ['raise the epoch', raiseEpoch(wallet, { ...head(), signers })],
      ['transfer by itself', transferToken(wallet, tokens, acting())],
    ];
  };

  it('has nothing signed: what would be, and instructions of this program', () => {
    const before = everything();
    for (const [name, inner] of wanted())
      expect([name, send(executeByDelegate(wallet, inner, acting()))]).toEqual([
        name,
        'out of scope',
      ]);
    expect(everything()).toEqual(before);
    expect(send(transferToken(wallet, tokens, acting()))).toBe('none');
  });

  it('is no admin', () => {
    const before = everything();
    // Nobody of this wallet’s members has a P-256 key, so numbers mean nothing to its admin.
    const refusal = isDevice ? 'bad instruction' : 'not enough signers';
    for (const [name, inner] of wanted()) {
      const call = { ...head(), signers };
      expect([name, send(execute(wallet, inner, call))]).toEqual([name, refusal]);
      expect([name, send(execute(wallet, inner, { epoch: 0, signers }))]).toEqual([
        name,
        'not enough signers',
      ]);
    }
    const free = { key: by, expiresAt: 0n, scopes: [] };
    for (const instruction of [
      setDelegate(wallet, free, changing()),
      removeDelegate(wallet, by, changing()),
      raiseEpoch(wallet, { ...head(), signers }),
    ])
      expect(send(instruction)).toBe(refusal);
    expect(everything()).toEqual(before);
  });

  it('cannot put another program, or more, into its transfer', () => {
    const before = everything();
    for (const called of [programAddress, otherProgram, friend])
      expect(send(transferToken(wallet, { ...tokens, program: called }, acting()))).toBe(
        'bad token account',
      );
    const sent = transferSol(wallet, friend, acting());
    expect(send(sent)).toBe('out of scope');
    for (const called of [programAddress, program])
      expect(
        send({
          ...sent,
          accounts: sent.accounts!.with(5, { address: called, role: AccountRole.READONLY }),
        }),
      ).toBe('bad accounts');
    const transfer = transferToken(wallet, tokens, acting());
    const raise = raiseEpoch(wallet, { epoch: 0, signers: [] });
    for (const data of [
      new Uint8Array([...transfer.data!, 1]),
      new Uint8Array([...transfer.data!, ...raise.data!]),
    ])
      expect(send({ ...transfer, data })).toBe('bad instruction');
    const more = [...transfer.accounts!, { address: friend, role: AccountRole.WRITABLE }];
    expect(send({ ...transfer, accounts: more })).toBe('bad instruction');
    expect(everything()).toEqual(before);
  });

  it('lends its signature to no other program', () => {
    const own: Setup = {
      salt: saltOf(count),
      groups: [{ threshold: 1, members: [memberOf(admin)] }],
      delegates: [],
    };
    const other = findWallet(otherProgram, own);
    expect(world.send([createWallet(other, own, world.payer.address)])).toBe('none');
    const before = everything();
    const nested = transferToken(wallet, tokens, acting());
    const call = execute(other, nested, { epoch: 0, signers: [admin.address] });
    expect(send(call, [admin])).toBe('not at the top level of a transaction');
    expect(everything()).toEqual(before);
  });
});
