import { randomUUID } from 'node:crypto';
import { AccountRole, type Address, generateKeyPairSigner } from '@solana/kit';
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import {
  AuthorityType,
  getBurnInstruction,
  getInitializeMint2Instruction,
  getSetAuthorityInstruction,
} from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followerStatus, selectFinalHeight } from '../../family/following/index.ts';
import { LeaseLostError, recordHeartbeat } from '../../family/following/leases.ts';
import { claimChain, moveCursor } from '../../family/following/store.ts';
import type { Running } from '../../family.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { type Bed, sol, startBed } from '../testing/bed.ts';
import { associatedTokenAddress } from '../tokens/derived-addresses.ts';

let bed: Bed;
let watcher: Running;
beforeAll(async () => {
  bed = await startBed();
  await bed.connections.connect('solana');
  watcher = await bed.watch();
});
afterAll(async () => {
  await watcher?.stop();
  await bed?.close();
});

async function aWallet(): Promise<string> {
  const address = await bed.anAddress();
  bed.own.add(address);
  return address;
}

describe('the watcher of Solana', () => {
  it('tells of native money and of tokens that come, once they are final', async () => {
    const wallet = await aWallet();
    const paid = await bed.send([bed.solTransfer(bed.payer, wallet, 2n * sol)]);
    const [native] = await bed.transfersOf(paid);
    expect(native).toMatchObject({
      id: `solana:${paid}:0`,
      chain: 'solana',
      token: { locator: 'solana:sol', decimals: 9 },
      amountMinor: 2n * sol,
      sender: bed.payer.address,
      recipient: wallet,
      succeeded: true,
    });
    expect(native).not.toHaveProperty('memo');
    await bed.giveTokens(bed.payer.address, 100n);
    const sent = await bed.send(bed.tokenTransfer(bed.payer, wallet, 7n));
    expect(await bed.transfersOf(sent)).toEqual([
      expect.objectContaining({
        token: {
          chain: 'solana',
          locator: 'solana:usdxm',
          symbol: 'usdxm',
          name: 'Test USD',
          decimals: 6,
          address: bed.mint,
        },
        amountMinor: 7n,
        sender: bed.payer.address,
        recipient: wallet,
      }),
    ]);
    const slot = (
      await bed.client.rpc
        .getSignatureStatuses([sent as never], { searchTransactionHistory: true })
        .send()
    ).value[0]!;
    expect(slot.confirmationStatus).toBe('finalized');
    expect(bed.told.final).toBeGreaterThanOrEqual(slot.slot);
    expect(await selectFinalHeight(bed.store, 'solana')).toBeGreaterThanOrEqual(slot.slot);
  });

  it('tells what is minted, burnt, and changes hands with its account', async () => {
    const wallet = await generateKeyPairSigner();
    bed.own.add(wallet.address);
    await bed.send([bed.solTransfer(bed.payer, wallet.address, sol)]);
    const minted = await bed.giveTokens(wallet.address, 50n);
    expect(await bed.transfersOf(minted)).toEqual([
      expect.objectContaining({ sender: bed.mint, recipient: wallet.address, amountMinor: 50n }),
    ]);
    const account = associatedTokenAddress({
      owner: wallet.address,
      mint: bed.mint,
      tokenProgram: programs.token,
    }) as Address;
    const burnt = await bed.send(
      [getBurnInstruction({ account, mint: bed.mint, authority: wallet, amount: 20n })],
      wallet,
    );
    expect(await bed.transfersOf(burnt)).toEqual([
      expect.objectContaining({ sender: wallet.address, recipient: bed.mint, amountMinor: 20n }),
    ]);
    const heir = await aWallet();
    const given = await bed.send(
      [
        getSetAuthorityInstruction({
          owned: account,
          owner: wallet,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: heir as Address,
        }),
      ],
      wallet,
    );
    expect(await bed.transfersOf(given)).toEqual([
      expect.objectContaining({ sender: wallet.address, recipient: heir, amountMinor: 30n }),
    ]);
  });

  it('tells each of several transfers of a transaction, under names that stay, and of tokens that nobody listed', async () => {
    const [one, other] = [await aWallet(), await aWallet()];
    const foreign = await bed.createMint(programs.token2022, { decimals: 2, supply: 1_000n });
    const txId = await bed.send([
      ...bed.tokenTransfer(bed.payer, one, 3n, {
        of: foreign,
        tokenProgram: programs.token2022,
        decimals: 2,
      }),
      ...bed.tokenTransfer(bed.payer, other, 4n, {
        of: foreign,
        tokenProgram: programs.token2022,
        decimals: 2,
      }),
      bed.solTransfer(bed.payer, one, 9n * sol),
    ]);
    const transfers = await bed.transfersOf(txId, 3);
    expect(
      transfers
        .map(({ recipient, amountMinor, token }) => [recipient, amountMinor, token.locator])
        .toSorted(),
    ).toEqual(
      [
        [one, 9n * sol, 'solana:sol'],
        [one, 3n, `solana:${foreign}`],
        [other, 4n, `solana:${foreign}`],
      ].toSorted(),
    );
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(3);
    expect(transfers.find(({ recipient }) => recipient === other)!.token).toEqual({
      chain: 'solana',
      locator: `solana:${foreign}`,
      address: foreign,
      decimals: 2,
    });
  });

  it('tells what arrived of a token that takes a fee of each transfer, and what programs moved within', async () => {
    const wallet = await generateKeyPairSigner();
    bed.own.add(wallet.address);
    await bed.send([bed.solTransfer(bed.payer, wallet.address, sol)]);
    const mint = await generateKeyPairSigner();
    const space = 278n;
    const lamports = await bed.client.rpc.getMinimumBalanceForRentExemption(space).send();
    const fee = { percent: 10, max: 1_000n };
    const numbers = Buffer.alloc(10);
    numbers.writeUInt16LE(fee.percent * 100);
    numbers.writeBigUInt64LE(fee.max, 2);
    await bed.send([
      getCreateAccountInstruction({
        payer: bed.payer,
        newAccount: mint,
        lamports,
        space,
        programAddress: programs.token2022,
      }),
      {
        programAddress: programs.token2022,
        accounts: [{ address: mint.address, role: AccountRole.WRITABLE }],
        // InitializeTransferFeeConfig, without authorities.
        data: Buffer.concat([Buffer.of(26, 0, 0, 0), numbers]),
      },
      getInitializeMint2Instruction(
        { mint: mint.address, decimals: 6, mintAuthority: bed.payer.address },
        { programAddress: programs.token2022 },
      ),
    ]);
    const of = { of: mint.address, tokenProgram: programs.token2022 };
    await bed.giveTokens(wallet.address, 100n, of);
    const friend = await aWallet();
    const txId = await bed.send(bed.tokenTransfer(wallet, friend, 50n, of), wallet);
    const transfers = await bed.transfersOf(txId, 3);
    const account = associatedTokenAddress({
      owner: friend,
      mint: mint.address,
      tokenProgram: programs.token2022,
    });
    expect(
      transfers.map(({ sender, recipient, amountMinor }) => [sender, recipient, amountMinor]),
    ).toEqual([
      // What the new account has to hold was paid by an instruction within another.
      [
        wallet.address,
        account,
        await bed.client.rpc.getMinimumBalanceForRentExemption(182n).send(),
      ],
      [wallet.address, friend, 45n],
      [wallet.address, mint.address, 5n],
    ]);
  });

  it('calls the only one of its kind a collectible', async () => {
    const wallet = await aWallet();
    const only = await bed.createMint(programs.token, { decimals: 0, supply: 1n });
    const txId = await bed.send(
      bed.tokenTransfer(bed.payer, wallet, 1n, { of: only, decimals: 0 }),
    );
    expect((await bed.transfersOf(txId))[0]!.token).toMatchObject({
      locator: `solana:${only}`,
      tokenId: '0',
      decimals: 0,
    });
  });

  it('reads memos for those that take deposits, and believes none that is in doubt', {
    tags: 'slow',
  }, async () => {
    const treasury = await aWallet();
    bed.taking.add(treasury);
    const [first, second] = [randomUUID(), randomUUID()].map((id) => id.replaceAll('-', '')) as [
      string,
      string,
    ];
    const pay = (amount: bigint) => bed.solTransfer(bed.payer, treasury, amount * sol);
    const memosOf = async (instructions: Parameters<Bed['send']>[0], count = 1) =>
      (await bed.transfersOf(await bed.send(instructions), count)).map(({ amountMinor, memo }) => [
        amountMinor / sol,
        memo,
      ]);
    expect(await memosOf([pay(1n), bed.memo(first)])).toEqual([[1n, first]]);
    expect(await memosOf([pay(1n), bed.memo('thanks')])).toEqual([[1n, undefined]]);
    expect(await memosOf([pay(1n), bed.memo(first), pay(2n), bed.memo(second)], 2)).toEqual([
      [1n, first],
      [2n, second],
    ]);
    await bed.giveTokens(bed.payer.address, 10n);
    const mixed = await bed.send([
      ...bed.tokenTransfer(bed.payer, treasury, 6n),
      bed.memo(first),
      pay(2n),
      bed.memo(second),
    ]);
    const told = await bed.transfersOf(mixed, 2);
    expect(new Map(told.map(({ token, memo }) => [token.symbol, memo]))).toEqual(
      new Map([
        ['usdxm', first],
        ['sol', second],
      ]),
    );
    expect(await memosOf([pay(3n), bed.memo(first), bed.memo(second)])).toEqual([[3n, undefined]]);
    bed.taking.delete(treasury);
    expect(await memosOf([pay(4n), bed.memo(first)])).toEqual([[4n, undefined]]);
  });

  it('tells of operations of this service that ran, failed ones too, and ties transfers to them', async () => {
    const nonce = await generateKeyPairSigner();
    const lamports = await bed.client.rpc.getMinimumBalanceForRentExemption(80n).send();
    await bed.send([
      getCreateAccountInstruction({
        payer: bed.payer,
        newAccount: nonce,
        lamports,
        space: 80n,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      }),
      getInitializeNonceAccountInstruction({
        nonceAccount: nonce.address,
        nonceAuthority: bed.payer.address,
      }),
    ]);
    const wallet = await aWallet();
    const operate = async (amount: bigint): Promise<string> => {
      const { data } = (
        await bed.client.rpc
          .getAccountInfo(nonce.address, { encoding: 'jsonParsed', commitment: 'confirmed' })
          .send()
      ).value as { data: { parsed: { info: { blockhash: string } } } };
      const transaction = await bed.client.signDurable(
        bed.payer,
        [bed.solTransfer(bed.payer, wallet, amount)],
        {
          account: nonce.address,
          value: data.parsed.info.blockhash,
        },
      );
      const { getBase64EncodedWireTransaction, getSignatureFromTransaction } = await import(
        '@solana/kit'
      );
      const signature = getSignatureFromTransaction(transaction);
      bed.operationIds.set(signature, `operation of ${amount}`);
      await bed.client.rpc
        .sendTransaction(getBase64EncodedWireTransaction(transaction), {
          encoding: 'base64',
          skipPreflight: true,
        })
        .send();
      await bed.until(
        async () =>
          (await bed.client.rpc.getSignatureStatuses([signature]).send()).value[0]
            ?.confirmationStatus === 'finalized',
        'the operation to be final',
      );
      return signature;
    };
    const done = await operate(sol);
    expect(await bed.transfersOf(done)).toEqual([
      expect.objectContaining({ operationId: `operation of ${sol}`, amountMinor: sol }),
    ]);
    const failed = await operate(10n ** 15n);
    await bed.until(
      () => bed.told.operations.some(({ txId }) => txId === failed),
      'the failed operation',
    );
    expect(
      bed.told.operations.map(({ operationId, txId, succeeded }) => ({
        operationId,
        txId,
        succeeded,
      })),
    ).toEqual([
      { operationId: `operation of ${sol}`, txId: done, succeeded: true },
      { operationId: `operation of ${10n ** 15n}`, txId: failed, succeeded: false },
    ]);
    expect(bed.told.transfers.filter(({ txId }) => txId === failed)).toEqual([]);
  });

  it('goes on where it was after a restart and over skipped slots, and tells nothing twice', {
    tags: 'slow',
  }, async () => {
    const wallet = await aWallet();
    const before = await bed.send([bed.solTransfer(bed.payer, wallet, sol)]);
    await bed.transfersOf(before);
    await watcher.stop();
    const missed = await bed.send([bed.solTransfer(bed.payer, wallet, 2n * sol)]);
    await bed.chain.advanceTime(3_600);
    const later = await bed.send([bed.solTransfer(bed.payer, wallet, 3n * sol)]);
    // Two workers: one of them follows.
    const other = await bed.watch();
    watcher = await bed.watch();
    await bed.transfersOf(later);
    expect(
      bed.told.transfers.filter(({ recipient }) => recipient === wallet).map(({ txId }) => txId),
    ).toEqual([before, missed, later]);
    await other.stop();
    const last = await bed.send([bed.solTransfer(bed.payer, wallet, 4n * sol)]);
    await bed.transfersOf(last);
    await bed.until(
      async () => (await followerStatus(bed.store, 'solana'))[0]!.lagBlocks <= 2n,
      'the watcher to catch up',
    );
    expect((await followerStatus(bed.store, 'solana'))[0]).toMatchObject({
      chain: 'solana',
      followed: true,
      stalled: false,
    });
  });

  it('is followed by another worker when one dies, and the dead one can record nothing any more', async () => {
    const wallet = await aWallet();
    await bed.transfersOf(await bed.send([bed.solTransfer(bed.payer, wallet, sol)]));
    await watcher.stop();
    const lease = (await claimChain(bed.store, {
      chains: ['solana'],
      owner: 'dead',
      leaseMs: 500,
    }))!;
    watcher = await bed.watch();
    await bed.transfersOf(await bed.send([bed.solTransfer(bed.payer, wallet, sol)]));
    const nextHeight = lease.nextHeight! + 1n;
    const record = {
      leaseMs: 500,
      fromHeight: lease.nextHeight,
      nextHeight,
      last: lease.last,
      headHeight: nextHeight,
    };
    await expect(
      bed.store.transaction((tx) => moveCursor(tx, lease, record)),
    ).rejects.toBeInstanceOf(LeaseLostError);
    await expect(recordHeartbeat(bed.store, lease, { leaseMs: 500 })).rejects.toBeInstanceOf(
      LeaseLostError,
    );
  });

  it('does not count what a failed transaction would have moved', async () => {
    const wallet = await aWallet();
    const poor = await bed.client.fundedSigner(sol);
    const failing = await bed.client.send(
      poor,
      [
        bed.solTransfer(poor, wallet, sol / 2n),
        {
          programAddress: programs.system,
          accounts: [{ address: poor.address, role: AccountRole.WRITABLE_SIGNER }],
          data: new Uint8Array(4),
        },
      ],
      { skipPreflight: true },
    );
    const after = await bed.send([bed.solTransfer(bed.payer, wallet, sol)]);
    await bed.transfersOf(after);
    expect(bed.told.transfers.filter(({ txId }) => txId === failing)).toEqual([]);
  });
});
