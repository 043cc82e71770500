import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import bs58 from 'bs58';
import { solanaNetwork } from '../../src/chains/solana/config/networks.ts';
import {
  type DevelopmentSecrets,
  developmentSecrets,
  developmentSolana,
} from '../../src/config/development-config.ts';
import type { LocalFamiliesInput, LocalFamily } from '../families.ts';
import { inProcessChain } from '../in-process.ts';
import type { LocalChain } from '../local-chain.ts';
import { type SolanaChain, type SolanaChainOptions, startSolanaChain } from './local-chain.ts';
import { mintAccount } from './mint-account.ts';

const fundedLamports = 1_000_000n * 1_000_000_000n;
const program = fileURLToPath(new URL('../../programs/solana-wallet/wallet.so', import.meta.url));

/**
 * The local Solana chain, with money for the accounts of the instance, its tokens and the wallet
 * program.
 */
export function plan(input: LocalFamiliesInput): LocalFamily {
  return { chains: [solanaLocalChain(input)], settings: {} };
}

/** Local commands learn nothing more of it: addresses follow from the secrets of the instance. */
export const completeConfig = <Config>(config: Config): Config => config;

export function solanaLocalChain(
  { dataDir, chainsDir, now }: Omit<LocalFamiliesInput, 'onProgress'>,
  options: Pick<SolanaChainOptions, 'slotMs'> = {},
): LocalChain {
  const { solana } = developmentSecrets(dataDir);
  return inProcessChain({
    name: solanaNetwork('development').name,
    chainsDir,
    now,
    start: (folder) => startSolanaChain({ folder, ...options }),
    prepare: (chain) => prepare(chain, solana),
  });
}

/**
 * What the chain holds before its first use. The program is put there at each start: it may be of a
 * newer version.
 */
async function prepare(chain: SolanaChain, solana: DevelopmentSecrets['solana']): Promise<void> {
  const { walletProgramId, testTokenMint } = developmentSolana(undefined, solana);
  await chain.addProgram(walletProgramId!, readFileSync(program));
  const treasury = addressOf(solana.treasuryKey.reveal());
  const mints = solanaNetwork('development', { testTokenMint }).tokens;
  // The last account says that all are there.
  const last = mints.at(-1)!.address!;
  if (await chain.hasAccount(last)) return;
  for (const address of [treasury, ...solana.feePayerKeys.map((key) => addressOf(key.reveal()))])
    await chain.setAccount(address, {
      lamports: fundedLamports,
      owner: '11111111111111111111111111111111',
      data: new Uint8Array(),
    });
  for (const { address, decimals } of mints)
    await chain.setAccount(address!, mintAccount({ authority: treasury, decimals }));
}

/** Of a keypair: seed and public key. */
function addressOf(keypair: Uint8Array): string {
  return bs58.encode(keypair.subarray(32));
}
