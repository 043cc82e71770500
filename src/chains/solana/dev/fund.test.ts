import { randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../lib/sealing/secret.ts';
import { type MintsDeps, mintNext, runMints } from '../../family/funding/run-mints.ts';
import { insertMint, selectMint, storeSignedMint } from '../../family/funding/store.ts';
import { readHourlySpending } from '../../family/spending/budgets.ts';
import type { ResolvedToken } from '../../family.ts';
import { readAccounts } from '../operation/node.ts';
import { programs } from '../operation/wrapping/programs.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { type Bed, sol, startBed } from '../testing/bed.ts';
import { readSolanaBalances } from '../tokens/balances.ts';
import { fundSolanaWallet } from './fund.ts';
import { createMintNetwork } from './mint.ts';

const seed = ed25519.utils.randomSecretKey();
const keypair = Buffer.concat([seed, ed25519.getPublicKey(seed)]);
const treasuryAddress = bs58.encode(keypair.subarray(32));

let bed: Bed;
let connection: SolanaConnection;
let token: ResolvedToken;
let deps: MintsDeps;
beforeAll(async () => {
  bed = await startBed();
  connection = await bed.connections.connect('solana');
  await bed.send([bed.solTransfer(bed.payer, treasuryAddress, 10n * sol)]);
  const authority = await createKeyPairSignerFromBytes(keypair);
  const mint = await bed.createMint(programs.token, { decimals: 6, authority });
  token = await bed.tokens.resolve('solana', { address: mint });
  deps = {
    ...bed.watcherDeps,
    network: createMintNetwork({
      connect: async () => connection,
      treasuryKey: new Secret<Uint8Array>(keypair),
    }),
  };
});
afterAll(() => bed?.close());

const held = async (address: string) =>
  (await readSolanaBalances(connection, address, [token]))[0]!.amountMinor;
const fund = (
  recipientAddress: string,
  reference: string,
  overrides: { readonly of?: ResolvedToken; readonly treasury?: string } = {},
) =>
  fundSolanaWallet(
    {
      store: bed.store,
      config: { ...bed.config.solana, treasuryAddress: overrides.treasury ?? treasuryAddress },
      connections: bed.connections,
    },
    {
      chain: 'solana',
      token: overrides.of ?? token,
      amountMinor: 25n,
      recipientAddress,
      reference,
    },
  );

describe('test funding on Solana', () => {
  it('mints once per reference, and answers when a block has it', async () => {
    const wallet = await bed.anAddress();
    const reference = randomUUID();
    const lamports = async () => (await readAccounts(connection, [treasuryAddress]))[0]!.lamports;
    const before = await lamports();
    const minting = runMints(deps);
    const [first, second] = await Promise.all([fund(wallet, reference), fund(wallet, reference)]);
    expect(second).toEqual(first);
    expect(await held(wallet)).toBe(25n);
    await fund(wallet, randomUUID());
    await minting.stop();
    expect(await held(wallet)).toBe(50n);
    expect((await readHourlySpending(bed.store, 'fees')).get('solana')).toBe(
      before - (await lamports()),
    );
  });

  it('is signed once however often the worker ends between its steps, and anew only when no block can have it any more', async () => {
    const recipient = await bed.anAddress();
    const reference = randomUUID();
    await insertMint(bed.store, {
      reference,
      chain: 'solana',
      token: token.address!,
      recipient,
      amountMinor: 7n,
    });
    // A worker that ends after it stored bytes, before it sent them: those of a message that the
    // chain will never let in.
    const lastHeight = await bed.client.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    const txId = bs58.encode(new Uint8Array(64).fill(3));
    await storeSignedMint(bed.store, reference, {
      raw: new Uint8Array(200),
      txId,
      mark: (lastHeight + 150n).toString(),
    });
    await expect(mintNext(deps)).rejects.toThrow();
    expect((await selectMint(bed.store, reference))!.txId).toBe(txId);
    await bed.chain.advanceTime(60);
    await bed.until(async () => {
      await mintNext(deps).catch(() => undefined);
      return (await selectMint(bed.store, reference))!.status === 'done';
    }, 'the mint');
    expect((await selectMint(bed.store, reference))!.txId).not.toBe(txId);
    expect(await held(recipient)).toBe(7n);
    expect(await mintNext(deps)).toBe(false);
  });

  it('is refused for what the treasury cannot mint', async () => {
    const wallet = await bed.anAddress();
    await expect(fund(wallet, randomUUID(), { treasury: wallet })).rejects.toThrow(
      'its mint authority is not the treasury',
    );
    const native: ResolvedToken = {
      chain: 'solana',
      locator: 'solana:sol',
      symbol: 'sol',
      decimals: 9,
    };
    await expect(fund(wallet, randomUUID(), { of: native })).rejects.toThrow(
      'native money cannot be minted',
    );
  });
});
