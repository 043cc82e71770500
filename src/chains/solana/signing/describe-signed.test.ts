import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Tables, writeMessage, writeTransaction } from '../operation/message.ts';
import { readOperation, storeOperation } from '../operation/stored.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';
import { describeSolanaSigned } from './describe-signed.ts';

/**
 * What people read before they approve is true of what the chain does, whatever a stranger has
 * written into the transaction.
 */

let world: World;
let wallet: TestWallet;
let friend: Address;
let thief: Address;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
  wallet = await world.aWallet({ tokens: 1_000_000_000n, lamports: 1_000_000_000n });
  [friend, thief] = [newAddress() as Address, newAddress() as Address];
});
afterAll(() => world?.close());

const own = () => createNoopSigner(wallet.address as Address);
const accountOf = async (owner: Address, tokenProgram: Address = programs.token) =>
  (await findAssociatedTokenPda({ owner, mint: world.mint as Address, tokenProgram }))[0];
const creation = async (owner: Address, tokenProgram: Address = programs.token) =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer: own(),
    ata: await accountOf(owner, tokenProgram),
    owner,
    mint: world.mint as Address,
    tokenProgram,
  });
const transfer = async (destination: Address, amount = 400_000_000n) =>
  getTransferCheckedInstruction({
    source: await accountOf(own().address),
    mint: world.mint as Address,
    destination,
    authority: own(),
    amount,
    decimals: 6,
  });

async function prepare(
  instructions: readonly Instruction[],
  tables: Tables = {},
  requiredSigners: string[] = [],
) {
  const message = writeMessage({ feePayer: own().address, instructions, tables });
  const transaction = bs58.encode(writeTransaction(message));
  return world.prepare(wallet, { transaction, requiredSigners });
}
const described = ({ operation }: Awaited<ReturnType<typeof prepare>>) =>
  describeSolanaSigned(world.network, operation);

async function table(...entries: Address[]): Promise<Tables> {
  const address = newAddress() as Address;
  const header = Buffer.alloc(56);
  header[0] = 1;
  header.writeBigUInt64LE(2n ** 64n - 1n, 4);
  await world.setAccount(
    address,
    programs.lookupTable,
    Buffer.concat([header, ...entries.map((entry) => bs58.decode(entry))]),
  );
  return { [address]: entries };
}

describe('a transaction that is to be approved', () => {
  it('says how much of what goes to whom, by the owner where the message itself makes the account', async () => {
    const made = await prepare([await creation(friend), await transfer(await accountOf(friend))]);
    expect(described(made)).toBe(`send 400 USDXM to ${friend} on solana`);
    const sol = getTransferSolInstruction({
      source: own(),
      destination: friend,
      amount: 5_000_000n,
    });
    expect(described(await prepare([sol]))).toBe(`send 0.005 SOL to ${friend} on solana`);
  });

  it('says whose it is where another signer beside the wallet sends something', async () => {
    const buyer = newAddress() as Address;
    await world.rpc.request('requestAirdrop', [buyer, 1_000_000_000]);
    const send = (source: Address, destination: Address) =>
      getTransferSolInstruction({
        source: createNoopSigner(source),
        destination,
        amount: 1_000_000n,
      });
    const made = await prepare([send(own().address, buyer), send(buyer, friend)], {}, [
      `external-wallet:${buyer}`,
    ]);
    expect(described(made)).toBe(
      `send 0.001 SOL to ${buyer}, then send 0.001 SOL of ${buyer} to ${friend} on solana`,
    );
  });

  it('does not name a friend as the recipient because both accounts stand in a lookup table', async () => {
    await world.giveTokens(thief, 0n);
    const [ofFriend, ofThief] = [await accountOf(friend), await accountOf(thief)];
    const tables = await table(ofFriend, ofThief);
    const spoofed = await prepare([await creation(friend), await transfer(ofThief)], tables);
    const text = described(spoofed);
    const { status } = await world.outcomeOf(await world.submit(wallet, spoofed));
    expect([status, await world.tokensOf(thief)]).toEqual(['success', 400_000_000n]);
    expect(text).toBe(
      `send 400 USDXM to the token account entry 1 of the lookup table ${Object.keys(tables)[0]} on solana`,
    );
    const honest = await prepare([await creation(friend), await transfer(ofFriend)], tables);
    expect(described(honest)).toBe(`send 400 USDXM to ${friend} on solana`);
  });

  it('tells of accounts that the wallet pays for itself, and of those of other programs than the tokens', async () => {
    const others = await Promise.all(
      [newAddress(), newAddress(), newAddress()].map((owner) => creation(owner as Address)),
    );
    const paid = await prepare([...others, await transfer(await accountOf(friend), 1_000_000n)]);
    expect(described(paid)).toMatch(
      /^pay for the token account \w+, then send 1 USDXM to the token account \w+ on solana$/,
    );
    // A program of the thief's says how large its account is, and whose the rent of it.
    const instructions = [
      await creation(friend, thief),
      getTransferSolInstruction({ source: own(), destination: friend, amount: 1n }),
    ];
    const messageBytes = writeMessage({ feePayer: thief, instructions, tables: {} });
    const operation = storeOperation({ ...readOperation(paid.operation), messageBytes });
    expect(describeSolanaSigned(world.network, operation)).toBe(
      `run the program ${programs.associatedToken}, then send 0.000000001 SOL to ${friend} on solana`,
    );
  });
});
