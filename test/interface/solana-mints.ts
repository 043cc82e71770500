import { setTimeout as delay } from 'node:timers/promises';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import {
  associatedTokenAddress,
  metadataAddress,
} from '../../src/chains/solana/tokens/derived-addresses.ts';
import type { Stack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';

/** Mints of strangers on the stack's Solana: who made them knows nothing of the service. */

export const tokenPrograms = {
  Token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
  'Token-2022': 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address,
} as const;
export type TokenProgramName = keyof typeof tokenPrograms;

const metadataProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
const waitMaxMs = 20_000;
const confirmed = { commitment: 'confirmed' } as const;

export interface Mint {
  readonly address: Address;
  readonly program: Address;
}

/** @param stackOf the running service, once it runs */
export function strangersMints(stackOf: () => Stack) {
  let funded: Promise<KeyPairSigner> | undefined;
  const call = <T>(method: string, ...params: unknown[]) =>
    stackOf().chainCall<T>('solana', method, params);

  async function fundedSigner(): Promise<KeyPairSigner> {
    const signer = await generateKeyPairSigner();
    await call('requestAirdrop', signer.address, 100_000_000_000);
    const balance = async () => (await call<Body>('getBalance', signer.address, confirmed)).value;
    await until(async () => (await balance()) > 0, `money for ${signer.address}`);
    return signer;
  }

  async function send(instructions: readonly Instruction[]): Promise<void> {
    const payer = await (funded ??= fundedSigner());
    const { value } = await call<{
      value: { blockhash: Blockhash; lastValidBlockHeight: number };
    }>('getLatestBlockhash', confirmed);
    const lifetime = { ...value, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) };
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
    const signature = await call<string>(
      'sendTransaction',
      getBase64EncodedWireTransaction(transaction),
      { encoding: 'base64', preflightCommitment: 'processed' },
    );
    await until(async () => {
      const { value: statuses } = await call<Body>('getSignatureStatuses', [signature]);
      const [status] = statuses;
      if (status?.err) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
      return /^(?:confirmed|finalized)$/.test(status?.confirmationStatus);
    }, `${signature} to be confirmed`);
  }

  const accountOf = (owner: string, { address, program }: Mint): string =>
    associatedTokenAddress({ owner, mint: address, tokenProgram: program });

  return {
    accountOf,

    async create(program: TokenProgramName, decimals: number): Promise<Mint> {
      const [payer, account] = [await (funded ??= fundedSigner()), await generateKeyPairSigner()];
      const programAddress = tokenPrograms[program];
      const space = getMintSize();
      const lamports = await call<number>('getMinimumBalanceForRentExemption', space);
      const input = { mint: account.address, decimals, mintAuthority: payer.address };
      await send([
        getCreateAccountInstruction({
          payer,
          newAccount: account,
          lamports,
          space,
          programAddress,
        }),
        getInitializeMint2Instruction(input, { programAddress }),
      ]);
      return { address: account.address, program: programAddress };
    },

    /** To the associated account of an owner, which is made where there is none. */
    async give(owner: string, mint: Mint, amount: bigint): Promise<void> {
      const payer = await (funded ??= fundedSigner());
      const token = accountOf(owner, mint) as Address;
      const { address, program: programAddress } = mint;
      await send([
        getCreateAssociatedTokenIdempotentInstruction({
          payer,
          ata: token,
          owner: owner as Address,
          mint: address,
          tokenProgram: programAddress,
        }),
        getMintToInstruction(
          { mint: address, token, mintAuthority: payer, amount },
          { programAddress },
        ),
      ]);
    },

    /** What the Metaplex program would have written. */
    async giveMetadata(
      { address }: Mint,
      told: { readonly name: string; readonly symbol: string; readonly uri: string },
    ): Promise<void> {
      const authority = (await (funded ??= fundedSigner())).address;
      const data = Buffer.concat([
        Buffer.of(4),
        bs58.decode(authority),
        bs58.decode(address),
        textOf(told.name, 32),
        textOf(told.symbol, 10),
        textOf(told.uri, 200),
      ]).toString('base64');
      const account = { lamports: 10_000_000, owner: metadataProgram, data };
      await call('devnet_setAccount', metadataAddress(address), account);
    },

    /** The token accounts of an owner for a mint, as the node parses them. */
    async accounts(owner: string, { address }: Mint): Promise<Body[]> {
      const { value } = await call<{ value: Body[] }>(
        'getTokenAccountsByOwner',
        owner,
        { mint: address },
        { encoding: 'jsonParsed', ...confirmed },
      );
      return value.map(({ pubkey, account }) => ({
        address: pubkey,
        program: account.owner,
        amount: account.data.parsed.info.tokenAmount.amount,
      }));
    },
  };
}

async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(50))
    if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
}

function textOf(value: string, size: number): Buffer {
  const bytes = Buffer.alloc(4 + size);
  bytes.writeUInt32LE(size);
  if (bytes.write(value, 4) < Buffer.byteLength(value))
    throw new Error(`The text has more than ${size} bytes: ${value}`);
  return bytes;
}
