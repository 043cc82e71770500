import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { folder } from '../build.ts';
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
  writePlanned,
} from '../index.ts';
import { approve, p256KeyOf } from './p256-keys.ts';
import { accountData, decimals, mintData, tokenPrograms, writeToken } from './tokens.ts';
import { type Approve, type Key, keyOf, memberOf, programAddress, sol, World } from './world.ts';

/**
 * Compute units and bytes of transactions: `tsx programs/solana-wallet/testing/units.ts --update`
 * records them.
 */

const recordPath = join(folder, 'testing', 'units.json');

export interface Cost {
  readonly units: number;
  readonly bytes: number;
}
export type UnitsRecord = Readonly<Record<string, Cost>>;

export function readUnitsRecord(): UnitsRecord {
  return JSON.parse(readFileSync(recordPath, 'utf8')) as UnitsRecord;
}

/**
 * Each transaction once, in one world: addresses, and so the search for them, are the same at each
 * measuring.
 */
export async function measureUnits(): Promise<UnitsRecord> {
  const world = new World();
  const costs: Record<string, Cost> = {};
  const [anna, bert, cleo, payer] = ['anna', 'bert', 'cleo', 'payer'].map((name) =>
    keyOf(name),
  ) as [Key, Key, Key, Key];
  const [passkey, device] = [p256KeyOf('passkey', 'phone'), p256KeyOf('device', 'laptop')];
  const friend = keyOf('friend').address;
  world.fund(friend, sol);
  const measure = (
    name: string,
    instructions: readonly Instruction[],
    keys: readonly Key[] = [],
    approving: Approve = () => [],
  ) => {
    const { answer, units, bytes } = world.run(instructions, keys, approving);
    if (answer !== 'none') throw new Error(`${name}: ${answer}`);
    costs[name] = { units, bytes };
  };
  const open = (setup: Setup) => {
    const wallet = findWallet(programAddress, setup);
    world.fund(wallet.vault, 1_000n * sol);
    return wallet;
  };
  const salt = new Uint8Array(32);
  const free = { expiresAt: 0n, scopes: [] };
  const pay = (wallet: ReturnType<typeof open>) =>
    getTransferSolInstruction({
      source: createNoopSigner(wallet.vault),
      destination: friend,
      amount: sol,
    });

  const single: Setup = {
    salt,
    groups: [{ threshold: 1, members: [memberOf(anna)] }],
    delegates: [{ key: memberOf(cleo), ...free }],
  };
  const one = open(single);
  const byAnna = { epoch: 0, signers: [anna.address] };
  measure('create', [createWallet(one, single, payer.address)]);
  measure('execute', [execute(one, pay(one), byAnna)], [anna]);
  const changeOf = (key: SignerKey, generation: number) => ({
    ...byAnna,
    generation,
    account: findDelegate(one, key),
    payer: payer.address,
  });
  measure('write a planned delegate', [
    writePlanned(one, single.delegates[0]!, changeOf(memberOf(cleo), 0)),
  ]);
  const actingOf = (key: SignerKey, generation: number, number?: bigint) => ({
    delegate: key,
    account: findDelegate(one, key),
    epoch: 0,
    generation,
    ...(number !== undefined && { number, deadline: BigInt(world.time + 60) }),
  });
  measure(
    'execute by a delegate',
    [executeByDelegate(one, pay(one), actingOf(memberOf(cleo), 1))],
    [cleo],
  );
  const scope = { limit: 9n * sol, interval: 60n, recipients: [friend] };
  const scoped = { key: memberOf(bert), expiresAt: 0n, scopes: [scope] };
  measure('register a delegate', [setDelegate(one, scoped, changeOf(memberOf(bert), 0))], [anna]);
  const spending = { ...actingOf(memberOf(bert), 1), scope: 0, amount: sol };
  measure('transfer by a delegate', [transferSol(one, friend, spending)], [bert]);
  measure(
    'register it again with four scopes',
    [
      setDelegate(
        one,
        { ...scoped, scopes: Array.from({ length: 4 }, () => scope) },
        changeOf(memberOf(bert), 1),
      ),
    ],
    [anna],
  );
  measure(
    'remove a delegate',
    [removeDelegate(one, memberOf(bert), changeOf(memberOf(bert), 2))],
    [anna],
  );
  measure(
    'register a device',
    [setDelegate(one, { ...scoped, key: device }, changeOf(device, 0))],
    [anna],
  );
  measure(
    'transfer by a device',
    [
      p256Instruction(),
      transferSol(one, friend, { ...actingOf(device, 1, 1n), scope: 0, amount: sol }),
    ],
    [],
    (hash) => [approve(device, hash)],
  );
  measure('raise the epoch', [raiseEpoch(one, byAnna)], [anna]);

  const quorum: Setup = {
    salt,
    groups: [{ threshold: 2, members: [anna, bert, cleo].map(memberOf) }],
    delegates: [],
  };
  const many = open(quorum);
  const both = { epoch: 0, signers: [anna.address, bert.address] };
  measure(
    'create and execute by 2 of 3',
    [createWallet(many, quorum, payer.address), execute(many, pay(many), both)],
    [anna, bert],
  );
  const ten: Setup = {
    salt,
    groups: [
      {
        threshold: 10,
        members: Array.from({ length: 10 }, (_, index) => memberOf(keyOf(`member ${index}`))),
      },
    ],
    delegates: [],
  };
  measure('create with 10 members', [createWallet(open(ten), ten, payer.address)]);

  const phone: Setup = { salt, groups: [{ threshold: 1, members: [passkey] }], delegates: [] };
  const mine = open(phone);
  const byPhone = { epoch: 0, signers: [], deadline: BigInt(world.time + 60), number: 1n };
  measure(
    'create and execute by a passkey',
    [
      p256Instruction(),
      createWallet(mine, phone, payer.address),
      execute(mine, pay(mine), byPhone),
    ],
    [],
    (hash) => [approve(passkey, hash)],
  );
  measure(
    'execute by a passkey',
    [p256Instruction(), execute(mine, pay(mine), { ...byPhone, number: 2n })],
    [],
    (hash) => [approve(passkey, hash)],
  );
  for (const [name, program] of tokenPrograms)
    await measureTokens({ world, measure }, name, program);
  return costs;
}

interface Measuring {
  readonly world: World;
  measure(
    name: string,
    instructions: readonly Instruction[],
    keys?: readonly Key[],
    approving?: Approve,
  ): void;
}

/** Transfers to somebody who has no account of the token, and to the account that was made. */
async function measureTokens(
  { world, measure }: Measuring,
  name: string,
  tokenProgram: Address,
): Promise<void> {
  const [admin, server, friend] = ['anna', 'bert', `${name} friend`].map((one) => keyOf(one)) as [
    Key,
    Key,
    Key,
  ];
  const device = p256KeyOf('device', 'laptop');
  const mint = keyOf(`${name} mint`).address;
  const setup: Setup = {
    salt: new Uint8Array(32),
    groups: [{ threshold: 1, members: [memberOf(admin)] }],
    delegates: [memberOf(server), device].map((key) => ({
      key,
      expiresAt: 0n,
      scopes: [{ mint, limit: 9n * sol, interval: 60n, recipients: [friend.address] }],
    })),
  };
  const wallet = findWallet(programAddress, setup);
  const payer = world.payer.address;
  const accountOf = async (owner: Address) =>
    (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0];
  const [source, destination] = await Promise.all([wallet.vault, friend.address].map(accountOf));
  writeToken(world, mint, tokenProgram, mintData());
  writeToken(world, source!, tokenProgram, accountData(mint, wallet.vault, 1_000n * sol));
  const ready = world.send([
    createWallet(wallet, setup, payer),
    ...setup.delegates.map((one) =>
      writePlanned(wallet, one, { account: findDelegate(wallet, one.key), payer }),
    ),
  ]);
  if (ready !== 'none') throw new Error(`The wallet of ${name} was not made: ${ready}`);
  const making = getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(payer),
    ata: destination!,
    owner: friend.address,
    mint,
    tokenProgram,
  });
  const inner = getTransferCheckedInstruction(
    {
      source: source!,
      mint,
      destination: destination!,
      authority: createNoopSigner(wallet.vault),
      amount: sol,
      decimals,
    },
    { programAddress: tokenProgram },
  );
  const byAdmin = execute(wallet, inner, { epoch: 0, signers: [admin.address] });
  const by = (delegate: SignerKey, number?: bigint) =>
    transferToken(
      wallet,
      { program: tokenProgram, mint, source: source!, destination: destination! },
      {
        delegate,
        account: findDelegate(wallet, delegate),
        epoch: 0,
        generation: 1,
        scope: 0,
        amount: sol,
        ...(number !== undefined && { number, deadline: BigInt(world.time + 60) }),
      },
    );
  const approving: Approve = (hash) => [approve(device, hash)];
  const of = `of ${name}`;
  const withAccount = `${of}, whose recipient gets an account`;
  const noAccount = () => world.machine.write(destination!, null);
  measure(`transfer by the admin ${withAccount}`, [making, byAdmin], [admin]);
  measure(`transfer by the admin ${of}`, [byAdmin], [admin]);
  noAccount();
  measure(`transfer by a delegate ${withAccount}`, [making, by(memberOf(server))], [server]);
  measure(`transfer by a delegate ${of}`, [by(memberOf(server))], [server]);
  noAccount();
  measure(
    `transfer by a device ${withAccount}`,
    [p256Instruction(), making, by(device, 1n)],
    [],
    approving,
  );
  measure(`transfer by a device ${of}`, [p256Instruction(), by(device, 2n)], [], approving);
}

if (process.argv[1] !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const measured = await measureUnits();
  console.table(measured);
  if (process.argv.includes('--update'))
    writeFileSync(recordPath, `${JSON.stringify(measured, null, 2)}\n`);
}
