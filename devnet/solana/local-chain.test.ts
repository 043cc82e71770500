/** @module-tag slow */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isAlive, stampOf, waitForEnd } from '../process.ts';
import { createSolanaChain, type SolanaChain, startSolanaChain } from './index.ts';
import { callMethod, kitClient, sol } from './testing/clients.ts';

const slotMs = 60_000;
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-solana-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(folder?: string): Promise<SolanaChain> {
  const chain = await startSolanaChain({ folder, slotMs });
  ends.push(chain.stop);
  return chain;
}

const balanceOf = async (chain: SolanaChain, address: string) =>
  (await callMethod(chain.url, 'getBalance', address, { commitment: 'processed' })).result.value;

describe('a local Solana chain', () => {
  it('keeps programs, those that were put there past the loader too, and still runs them after kill -9', async () => {
    const folder = makeFolder();
    const first = await start(folder);
    const payer = await generateKeyPairSigner();
    const address = (await generateKeyPairSigner()).address;
    await callMethod(first.url, 'requestAirdrop', payer.address, Number(sol));
    await first.addProgram(
      address,
      readFileSync(new URL('../../programs/solana-wallet/wallet.so', import.meta.url)),
    );
    const run = async (chain: SolanaChain) => {
      const transaction = await kitClient(chain).sign(payer, [
        { programAddress: address, data: new Uint8Array([99]) },
      ]);
      const wire = getBase64EncodedWireTransaction(transaction);
      return (
        await callMethod(chain.url, 'sendTransaction', wire, {
          encoding: 'base64',
          preflightCommitment: 'processed',
        })
      ).error.data;
    };
    // 1 is what that program says to an instruction that it does not know.
    expect((await run(first)).err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    expect((await run(await start(folder))).err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    const nonsense = Buffer.from('not a program');
    await expect((await start()).addProgram(address, nonsense)).rejects.toThrow(
      /this file is no program that may run/,
    );
  });

  it('keeps accounts, history, slots and refused repetitions over kill -9, a torn journal and an orderly stop', async () => {
    const folder = makeFolder();
    const first = await start(folder);
    const payer = await generateKeyPairSigner();
    const friend = (await generateKeyPairSigner()).address;
    const { result: airdrop } = await callMethod(
      first.url,
      'requestAirdrop',
      payer.address,
      Number(10n * sol),
    );
    await first.advanceTime(86_400);
    await callMethod(first.url, 'devnet_setAccount', friend, {
      lamports: 5,
      owner: payer.address,
      data: 'AAEC',
    });
    const transaction = await kitClient(first).sign(payer, [
      getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
    ]);
    const wire = getBase64EncodedWireTransaction(transaction);
    const { result: signature } = await callMethod(first.url, 'sendTransaction', wire, {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    const state = async (chain: SolanaChain) => ({
      genesis: (await callMethod(chain.url, 'getGenesisHash')).result,
      slot: (await callMethod(chain.url, 'getSlot', { commitment: 'processed' })).result,
      blockhash: (await callMethod(chain.url, 'getLatestBlockhash', { commitment: 'processed' }))
        .result.value.blockhash,
      payer: await balanceOf(chain, payer.address),
      friend: (
        await callMethod(chain.url, 'getAccountInfo', friend, {
          encoding: 'base64',
          commitment: 'processed',
        })
      ).result.value.data,
      statuses: (
        await callMethod(chain.url, 'getSignatureStatuses', [airdrop, signature], {
          searchTransactionHistory: true,
        })
      ).result.value.map((one: any) => one.slot),
    });
    const before = await state(first);
    expect(before.payer).toBe(Number(10n * sol) - 5_000);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    appendFileSync(join(folder, 'journal.jsonl'), '{"kind":"transac');

    const second = await start(folder);
    expect(await state(second)).toEqual(before);
    const again = await callMethod(second.url, 'sendTransaction', wire, {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    expect(again.error.data.err).toBe('AlreadyProcessed');
    await callMethod(second.url, 'requestAirdrop', payer.address, 7);
    expect(await second.time()).toBeGreaterThan(Date.now() / 1000 + 86_000);
    await second.stop();
    await second.stop();

    const third = await start(folder);
    expect(await balanceOf(third, payer.address)).toBe(before.payer + 7);
    await expect(startSolanaChain({ folder })).rejects.toThrow(/is in use/);
  });

  it('says which line of a journal cannot be read, and that its ports are taken', async () => {
    const folder = makeFolder();
    await (await start(folder)).stop();
    appendFileSync(join(folder, 'journal.jsonl'), 'nonsense\n');
    await expect(startSolanaChain({ folder })).rejects.toThrow(/could not start/);
    expect(readFileSync(join(folder, 'node.log'), 'utf8')).toMatch(
      /Line \d+ of .*journal\.jsonl cannot be read: delete the file/,
    );
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    await expect(
      startSolanaChain({ port: typeof address === 'object' ? address!.port : 0 }),
    ).rejects.toThrow(/EADDRINUSE/);
    taken.close();
  });

  it('ends with the process that started it, however that one ends', async () => {
    const folder = makeFolder();
    const code = `import { startSolanaChain } from ${JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))};
      const chain = await startSolanaChain({ folder: process.argv[1] });
      console.log(chain.pid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', code, folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = await once(parent.stdout, 'data');
    const pid = z.coerce.number().parse(String(line).trim());
    const ref = { pid, stamp: stampOf(pid) ?? '' };
    expect(isAlive(ref)).toBe(true);
    parent.kill('SIGKILL');
    expect(await waitForEnd(ref, 20_000)).toBe(true);
    await start(folder);
  });

  it('as a part of the devnet it starts once, and forgets all when it is reset', async () => {
    const folder = makeFolder();
    const control = createSolanaChain({ folder, slotMs });
    ends.push(control.stop);
    expect(control.url()).toBeUndefined();
    const [chain, same] = await Promise.all([control.start(), control.start()]);
    expect(same).toBe(chain);
    expect(control.url()).toBe(chain.url);
    await control.save();
    expect(await control.time()).toBeGreaterThan(0);
    const { result: genesis } = await callMethod(chain.url, 'getGenesisHash');
    await control.reset();
    expect(existsSync(folder)).toBe(false);
    expect((await callMethod((await control.start()).url, 'getGenesisHash')).result).not.toBe(
      genesis,
    );
  });
});
