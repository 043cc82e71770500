import { AccountRole, type Address, generateKeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeAccount3Instruction } from '@solana-program/token';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../../context.ts';
import { selectFinalHeight } from '../../family/following/index.ts';
import type { ResolvedToken } from '../../family.ts';
import { solanaNetwork } from '../config/networks.ts';
import { programs } from '../operation/wrapping/programs.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { type Bed, sol, startBed } from '../testing/bed.ts';
import { readFinalSolanaBalances, readSolanaBalances } from './balances.ts';
import {
  associatedTokenAddress,
  findProgramAddress,
  metadataAddress,
} from './derived-addresses.ts';

const metadataProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

let bed: Bed;
let connection: SolanaConnection;
beforeAll(async () => {
  bed = await startBed();
  connection = await bed.connections.connect('solana');
});
afterAll(() => bed?.close());

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** What the Metaplex program would have written. */
async function giveMetadata(
  mint: string,
  told: { readonly name: string; readonly symbol: string; readonly uri: string },
): Promise<void> {
  const head = Buffer.concat([Buffer.of(4), bs58.decode(bed.payer.address), bs58.decode(mint)]);
  const data = Buffer.concat([
    head,
    text(told.name.padEnd(32, '\0')),
    text(told.symbol.padEnd(10, '\0')),
    text(told.uri.padEnd(200, '\0')),
  ]);
  await bed.chain.setAccount(metadataAddress(mint), {
    lamports: 10_000_000n,
    owner: metadataProgram,
    data,
  });
}

/** A mint of Token-2022 whose metadata is in the mint itself. */
async function mintWithMetadata(told: {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}): Promise<string> {
  const mint = await bed.anAddress();
  const value = Buffer.concat([
    Buffer.alloc(32),
    bs58.decode(mint),
    text(told.name),
    text(told.symbol),
    text(told.uri),
    Buffer.alloc(4),
  ]);
  const entry = Buffer.alloc(4);
  entry.writeUInt16LE(19);
  entry.writeUInt16LE(value.length, 2);
  const base = Buffer.alloc(166);
  base[44] = 3;
  base[45] = 1;
  base[165] = 1;
  await bed.chain.setAccount(mint, {
    lamports: 10_000_000n,
    owner: programs.token2022,
    data: Buffer.concat([base, entry, value]),
  });
  return mint;
}

describe('tokens of Solana', () => {
  it('have USDC where section 20 of the supplement has it', () => {
    const usdcOf = (environment: Environment) =>
      solanaNetwork(environment).tokens.find(({ symbol }) => symbol === 'usdc')?.address;
    expect([usdcOf('production'), usdcOf('staging')]).toEqual([
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    ]);
  });

  it('are known by symbol and by mint, with what the chain says of them', async () => {
    expect(await bed.tokens.resolve('solana', { symbol: 'SOL' })).toEqual({
      chain: 'solana',
      locator: 'solana:sol',
      symbol: 'sol',
      decimals: 9,
    });
    expect(await bed.tokens.resolve('solana', { symbol: 'usdxm' })).toMatchObject({
      address: bed.mint,
      decimals: 6,
    });
    expect(await bed.tokens.resolve('solana', { address: bed.mint })).toMatchObject({
      symbol: 'usdxm',
      locator: `solana:${bed.mint}`,
    });
    const mint = await bed.createMint(programs.token2022, { decimals: 4 });
    expect(await bed.tokens.resolve('solana', { address: mint })).toEqual({
      chain: 'solana',
      locator: `solana:${mint}`,
      address: mint,
      decimals: 4,
    });
  });

  it('are called as their metadata says, but never like a listed one', async () => {
    const mint = await bed.createMint(programs.token, { decimals: 5 });
    await giveMetadata(mint, { name: 'Bonk', symbol: 'Bonk', uri: '' });
    expect(await bed.tokens.resolve('solana', { address: mint })).toMatchObject({
      name: 'Bonk',
      symbol: 'Bonk',
      decimals: 5,
    });
    const own = await mintWithMetadata({
      name: 'Own\nwords',
      symbol: 'OWN',
      uri: 'https://example.test/own.json',
    });
    expect(await bed.tokens.resolve('solana', { address: own })).toMatchObject({
      name: 'Ownwords',
      symbol: 'OWN',
      decimals: 3,
    });
    const false1 = await mintWithMetadata({ name: 'USD Coin', symbol: 'ＵＳＤＣ', uri: '' });
    expect(await bed.tokens.resolve('solana', { address: false1 })).not.toHaveProperty('symbol');
  });

  it('that are none are refused with what to do', async () => {
    const refusal = (query: Parameters<Bed['tokens']['resolve']>[1], chain = 'solana') =>
      bed.tokens.resolve(chain, query);
    await expect(refusal({ symbol: 'usdt' })).rejects.toThrow(
      'Known: sol, usdc, usdxm. Name any other token by its mint: solana:<mint>.',
    );
    await expect(refusal({ address: bed.payer.address })).rejects.toMatchObject({
      code: 'token-not-supported',
    });
    await expect(refusal({ address: '0x12' })).rejects.toThrow(
      'send 32 bytes as base58, or a symbol',
    );
    await expect(refusal({ address: bed.mint, tokenId: '7' })).rejects.toThrow(
      'is named by its mint alone',
    );
    await expect(refusal({ symbol: 'sol' }, 'solana-devnet')).rejects.toMatchObject({
      code: 'chain-not-supported',
    });
  });

  it('tell where their documents lie: beside the mint or in it', async () => {
    const [beside, within, bare] = [
      await bed.createMint(programs.token, { decimals: 0, supply: 1n }),
      await mintWithMetadata({ name: 'In', symbol: 'IN', uri: 'https://example.test/in.json' }),
      await bed.createMint(programs.token, { decimals: 0 }),
    ];
    await giveMetadata(beside, {
      name: 'One',
      symbol: 'ONE',
      uri: 'https://example.test/one.json',
    });
    // It was described before its metadata came: another instance reads anew.
    const { createSolanaTokens } = await import('./tokens.ts');
    const uris = await createSolanaTokens(bed.connections).readMetadataUris(
      [beside, within, bare].map((address) => ({
        chain: 'solana',
        locator: `solana:${address}`,
        address,
        tokenId: '0',
        decimals: 0,
      })),
    );
    expect(uris).toEqual([
      'https://example.test/one.json',
      'https://example.test/in.json',
      undefined,
    ]);
  });

  it('have the addresses that the programs give them', async () => {
    // The associated token account that the program itself made, and a known metadata account of
    // mainnet's USDC.
    const owner = await bed.anAddress();
    await bed.giveTokens(owner, 1n);
    const account = associatedTokenAddress({ owner, mint: bed.mint, tokenProgram: programs.token });
    expect(
      (
        await bed.client.rpc
          .getTokenAccountBalance(account as Address, { commitment: 'confirmed' })
          .send()
      ).value.amount,
    ).toBe('1');
    expect(metadataAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe(
      '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq',
    );
    expect(() => findProgramAddress(programs.system, [new Uint8Array(33)])).toThrow(
      'at most 32 bytes',
    );
  });
});

describe('balances on Solana', () => {
  const native: ResolvedToken = {
    chain: 'solana',
    locator: 'solana:sol',
    symbol: 'sol',
    decimals: 9,
  };
  const tokenOf = (address: string): ResolvedToken => ({
    chain: 'solana',
    locator: `solana:${address}`,
    address,
    decimals: 6,
  });

  /** Another token account of an owner than the associated one. */
  async function secondAccount(owner: string, amount: bigint): Promise<void> {
    const account = await generateKeyPairSigner();
    const lamports = await bed.client.rpc.getMinimumBalanceForRentExemption(165n).send();
    await bed.send([
      getCreateAccountInstruction({
        payer: bed.payer,
        newAccount: account,
        lamports,
        space: 165n,
        programAddress: programs.token,
      }),
      getInitializeAccount3Instruction({
        account: account.address,
        mint: bed.mint,
        owner: owner as Address,
      }),
      {
        programAddress: programs.token,
        accounts: [
          { address: bed.mint, role: AccountRole.WRITABLE },
          { address: account.address, role: AccountRole.WRITABLE },
          { address: bed.payer.address, role: AccountRole.READONLY_SIGNER },
        ],
        data: Buffer.concat([Buffer.of(7), u64(amount)]),
      },
    ]);
  }
  function u64(value: bigint): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  }

  it('are of native money, of both token programs and of all token accounts together, zeros included', async () => {
    const owner = await bed.anAddress();
    await bed.send([bed.solTransfer(bed.payer, owner, 3n * sol)]);
    await bed.giveTokens(owner, 40n);
    await secondAccount(owner, 2n);
    const other = await bed.createMint(programs.token2022, { decimals: 6 });
    await bed.giveTokens(owner, 9n, { of: other, tokenProgram: programs.token2022 });
    const unheld = await bed.createMint(programs.token, { decimals: 6 });
    const asked = [tokenOf(bed.mint), native, tokenOf(other), tokenOf(unheld)];
    const read = await readSolanaBalances(connection, owner, asked);
    expect(read.map(({ amountMinor }) => amountMinor)).toEqual([42n, 3n * sol, 9n, 0n]);
    expect(read.map(({ token }) => token)).toEqual(asked);
  });

  it('are final at a height up to which everything was told, or not there before the watcher told anything', async () => {
    const owner = await bed.anAddress();
    bed.own.add(owner);
    const finalSlot = () => selectFinalHeight(bed.store, 'solana');
    expect(
      await readFinalSolanaBalances(connection, { address: owner, tokens: [native], finalSlot }),
    ).toBeUndefined();
    const watcher = await bed.watch();
    const paid = await bed.send([bed.solTransfer(bed.payer, owner, 5n * sol)]);
    await bed.giveTokens(owner, 8n);
    const [transfer] = await bed.transfersOf(paid);
    await bed.until(
      () =>
        bed.told.transfers.some(
          ({ token, recipient }) => token.address === bed.mint && recipient === owner,
        ),
      'tokens',
    );
    const read = await readFinalSolanaBalances(connection, {
      address: owner,
      tokens: [native, tokenOf(bed.mint)],
      finalSlot,
    });
    await watcher.stop();
    expect(read!.balances.map(({ amountMinor }) => amountMinor)).toEqual([5n * sol, 8n]);
    expect(read!.height).toBeGreaterThanOrEqual(transfer!.height);
    expect(await finalSlot()).toBeGreaterThanOrEqual(read!.height);
  });
});
