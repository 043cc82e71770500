/**
 * Measures gas per operation on a local node. `tsx contracts/gas.ts` prints it beside the record in
 * bench/gas.json, `--update` writes the record.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { encodeFunctionData, type Hex, hashTypedData, zeroAddress } from 'viem';
import { type AccountGasRecord, measureAccounts } from './gas-accounts.ts';
import { type DelegateGasRecord, measureDelegates } from './gas-delegates.ts';
import { safeAbi } from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  type BatchItem,
  balanceOf,
  deploy,
  execute,
  executeBatch,
  mint,
  readExecuted,
  sign,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import { testArtifact } from './test/hostile.ts';

const recordPath = fileURLToPath(new URL('../bench/gas.json', import.meta.url));

/** Gas per operation, an ERC-20 transfer to a holder unless named otherwise. */
export interface GasRecord extends DelegateGasRecord, AccountGasRecord {
  readonly deployAndFirstTransfer: number;
  readonly transferSubmittedAlone: number;
  readonly transferInBatchOf1: number;
  readonly transferInBatchOf20: number;
  readonly transferInBatchOf50: number;
  /** The same by two of three owners. */
  readonly twoOfThreeTransferInBatchOf20: number;
  /** A transfer with a nonce in a slot of its own: what random nonces would cost. */
  readonly transferWithFreshNonceSlotInBatchOf20: number;
  readonly etherTransferInBatchOf20: number;
  /** Two transfers in one operation. */
  readonly twoCallsInBatchOf20: number;
  /**
   * What it is compared with: `execTransaction` of a Safe with one owner, by a contract that does
   * nothing else.
   */
  readonly bareSafeTransferInBatchOf20: number;
}

export function readGasRecord(): GasRecord {
  return JSON.parse(readFileSync(recordPath, 'utf8')) as GasRecord;
}

export async function measureGas(): Promise<GasRecord> {
  const chain = await startTestChain();
  try {
    return await measureOn(chain);
  } finally {
    await chain.stop();
  }
}

async function measureOn(chain: TestChain): Promise<GasRecord> {
  const wallets: TestWallet[] = [];
  for (let index = 0; index < 50; index++) {
    wallets.push(await aWallet(chain, { owners: [anAccount(`gas owner ${index}`)] }));
    await mint(chain, payee(index), 1n);
  }
  const quorums: TestWallet[] = [];
  for (let index = 0; index < 20; index++)
    quorums.push(
      await aWallet(chain, {
        owners: [1, 2, 3].map((owner) => anAccount(`gas quorum ${index} ${owner}`)),
        threshold: 2n,
        deployed: true,
      }),
    );
  const first = await batchGas(chain, wallets.slice(0, 1));
  // Every wallet exists, has moved tokens and has used nonces of this slot before what follows is
  // measured.
  await batchGas(chain, wallets.slice(1));
  await batchGas(chain, quorums);
  const twenty = wallets.slice(0, 20);
  return {
    deployAndFirstTransfer: first,
    transferSubmittedAlone: await aloneGas(chain, wallets[0]),
    transferInBatchOf1: await batchGas(chain, wallets.slice(0, 1)),
    transferInBatchOf20: await batchGas(chain, twenty),
    transferInBatchOf50: await batchGas(chain, wallets),
    twoOfThreeTransferInBatchOf20: await batchGas(chain, quorums),
    transferWithFreshNonceSlotInBatchOf20: await batchGas(chain, twenty, { nonceSlot: 2n ** 200n }),
    etherTransferInBatchOf20: await batchGas(chain, twenty, { kind: 'ether' }),
    twoCallsInBatchOf20: await batchGas(chain, twenty, { kind: 'two calls' }),
    bareSafeTransferInBatchOf20: await bareSafeGas(chain),
    ...(await measureDelegates(chain)),
    ...(await measureAccounts(chain)),
  };
}

const payee = (index: number) => anAccount(`gas payee ${index}`).address;

function callsOf(chain: TestChain, index: number, kind: 'token' | 'ether' | 'two calls') {
  const transfer = transferCall(chain.token, payee(index), 1_000_000n);
  if (kind === 'ether') return [{ to: payee(index), value: 1_000_000_000n, data: '0x' as const }];
  return kind === 'token'
    ? [transfer]
    : [transfer, transferCall(chain.token, payee((index + 1) % 50), 1_000_000n)];
}

/** Apart from the nonces that deploying wallets took. */
let nonce = 65_536n;

async function batchGas(
  chain: TestChain,
  wallets: readonly TestWallet[],
  input: { readonly kind?: 'token' | 'ether' | 'two calls'; readonly nonceSlot?: bigint } = {},
): Promise<number> {
  nonce++;
  const items = await Promise.all(
    wallets.map(async (wallet, index): Promise<BatchItem> => {
      const op = anOperation(chain, wallet, {
        calls: callsOf(chain, index, input.kind ?? 'token'),
        nonce: (input.nonceSlot ?? 0n) + nonce,
      });
      const deployed = await chain.client.getCode({ address: wallet.address });
      return {
        op,
        signature: await sign(chain, wallet, op),
        deployment: deployed ? '0x' : wallet.deployment,
        gasLimit: 1_000_000n,
      };
    }),
  );
  const { receipt } = await executeBatch(chain, items);
  if (readExecuted(receipt).filter(({ success }) => success).length !== wallets.length)
    throw new Error('An operation of the measured batch failed.');
  return Number(receipt.gasUsed / BigInt(wallets.length));
}

async function aloneGas(chain: TestChain, wallet: TestWallet | undefined): Promise<number> {
  if (!wallet) throw new Error('No wallet to measure with.');
  const op = anOperation(chain, wallet, { calls: callsOf(chain, 0, 'token'), nonce: ++nonce });
  const { receipt, success } = await execute(chain, op, await sign(chain, wallet, op));
  if (!success) throw new Error('The measured operation failed.');
  return Number(receipt.gasUsed);
}

async function bareSafeGas(chain: TestChain): Promise<number> {
  const artifact = testArtifact('BareBatch');
  const batch = await deploy(chain, artifact);
  const wallets = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => anAccount(`bare owner ${index}`)),
  );
  const safes: TestWallet[] = [];
  for (const owner of wallets)
    safes.push(await aWallet(chain, { owners: [owner], deployed: true }));
  let receipt: Awaited<ReturnType<typeof submit>>['receipt'] | undefined;
  // The first round makes the Safe's own nonce a slot that is not zero, as in daily use.
  for (let round = 0n; round < 2n; round++) {
    const calls = await Promise.all(
      safes.map(async (safe, index) => ({
        to: safe.address,
        data: await execTransactionData(chain, safe, index, round),
      })),
    );
    ({ receipt } = await submit(chain, {
      to: batch,
      data: encodeFunctionData({ abi: artifact.abi, functionName: 'run', args: [calls] }),
      gas: 20_000_000n,
    }));
    if (receipt.status !== 'success') throw new Error('The bare batch failed.');
  }
  if ((await balanceOf(chain, payee(0))) === 0n || !receipt)
    throw new Error('The bare batch moved nothing.');
  return Number(receipt.gasUsed / 20n);
}

async function execTransactionData(
  chain: TestChain,
  safe: TestWallet,
  index: number,
  safeNonce: bigint,
): Promise<Hex> {
  const call = transferCall(chain.token, payee(index), 1_000_000n);
  const message = {
    ...call,
    operation: 0,
    safeTxGas: 0n,
    baseGas: 0n,
    gasPrice: 0n,
    gasToken: zeroAddress,
    refundReceiver: zeroAddress,
    nonce: safeNonce,
  };
  const names = [
    'to:address',
    'value:uint256',
    'data:bytes',
    'operation:uint8',
    'safeTxGas:uint256',
    'baseGas:uint256',
    'gasPrice:uint256',
    'gasToken:address',
    'refundReceiver:address',
    'nonce:uint256',
  ];
  const SafeTx = names.map((entry) => ({
    name: entry.split(':')[0] ?? '',
    type: entry.split(':')[1] ?? '',
  }));
  const hash = hashTypedData({
    domain: { chainId: chain.chainId, verifyingContract: safe.address },
    types: { SafeTx },
    primaryType: 'SafeTx',
    message,
  });
  const signature = await safe.owners[0]?.sign?.({ hash });
  if (!signature) throw new Error('The owner cannot sign a hash.');
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [call.to, 0n, call.data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature],
  });
}

async function main(args: readonly string[]): Promise<void> {
  const measured = await measureGas();
  if (args.includes('--update'))
    writeFileSync(recordPath, `${JSON.stringify(measured, undefined, 2)}\n`);
  const recorded: Partial<Record<string, number>> = { ...readGasRecord() };
  for (const [name, gas] of Object.entries(measured))
    console.log(`${name.padEnd(40)} ${String(gas).padStart(8)}  recorded ${recorded[name] ?? '-'}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2));
