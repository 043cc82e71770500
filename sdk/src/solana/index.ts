import type { ReviewedCall } from '../evm/calls.ts';
import { ApprovalRefusedError, readOrRefuse } from '../evm/refusal.ts';
import type { OperationReview } from '../evm/review.ts';
import { differs, requireWanted } from '../family/asked.ts';
import type { Family, ReadInput } from '../family/family.ts';
import type { FamilyChain } from '../family/tokens.ts';
import {
  type CallContext,
  type PlainTransfer,
  readTransfer,
  reviewInstruction,
  reviewRegistration,
} from './calls.ts';
import {
  type Account,
  approvalHashOf,
  digestOf,
  type Instruction,
  isApprovedByP256,
  type Message,
  readTransaction,
  secp256r1Program,
} from './message.ts';
import {
  type AccountCreation,
  computeBudgetProgram,
  isNonceAdvance,
  isTokenAccountOf,
  readAccountCreation,
  tokenPrograms,
} from './programs.ts';
import { isSolanaAddress, solanaSignerId } from './signer-keys.ts';
import {
  findWalletProgram,
  isOfWallet,
  isSetUp,
  payerOf,
  readAction,
  type WalletAction,
  type WalletProgram,
} from './wallet.ts';

/**
 * What signers of a smart wallet on Solana sign: the transaction in `onChain.transaction`. It may
 * do, in the wallet's name, what was asked for; the service pays for it; and what the signers' own
 * accounts hold, no instruction can reach.
 */
export const solana: Family = {
  signerIdOf: solanaSignerId,
  readTransaction(input) {
    const { wallet, isProduction, signers, asked, isReviewed } = input;
    const onChain: Readonly<Record<string, unknown>> = input.transaction.onChain;
    return readOrRefuse(() => {
      const message = readTransaction(onChain['transaction']);
      const read = readOperation(message, {
        wallet,
        seed: onChain['walletSeed'],
        asked: addressesOf(signers),
        coSigners: coSignersIn(input),
      });
      const isP256 = isApprovedByP256(message);
      requireSigners(message, signers, isP256);
      const chain = chainOf(input);
      const context: CallContext = { chain, wallet, owners: ownersOf(read.instructions) };
      let calls = read.steps.flatMap((step) => callsOf(step, context));
      for (const one of asked) {
        if (one.kind !== 'calls')
          calls = [
            ...requireWanted(one, namedOwners(one, calls, read.steps), {
              chain,
              isReviewed,
              signerIdOf: solanaSignerId,
            }),
          ];
        // What is no caller's, such as the registration of a signer, says itself.
        else if (one.params['transaction'] !== onChain['transaction'])
          requireSame(one.params['transaction'], read.steps, context);
      }
      const validUntil = endOf(read.steps, isProduction);
      return {
        kind: 'operation',
        chain: 'solana',
        wallet,
        hash: isP256 ? approvalHashOf(message) : digestOf(message),
        ...(isP256 ? {} : { signedBytes: message.bytes }),
        calls,
        validUntil,
      } satisfies OperationReview;
    });
  },
};

const mainTokens = [
  {
    chain: 'solana',
    symbol: 'usdc',
    decimals: 6,
    address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
  {
    chain: 'solana',
    symbol: 'usdt',
    decimals: 6,
    address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  },
];
const testTokens = [
  {
    chain: 'solana',
    symbol: 'usdc',
    decimals: 6,
    address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  },
];

function chainOf({
  isProduction,
  tokens,
}: Pick<ReadInput, 'isProduction' | 'tokens'>): FamilyChain {
  return {
    name: 'solana',
    native: { symbol: 'sol', decimals: 9 },
    tokens: [...(isProduction ? mainTokens : testTokens), ...tokens],
    isTest: !isProduction,
    isAddress: isSolanaAddress,
  };
}

/** What is done: by the wallet, or beside it by a program that nobody's signature reaches. */
type Step = { readonly action?: WalletAction; readonly instruction: Instruction };

interface ReadOperation {
  readonly steps: readonly Step[];
  readonly instructions: readonly Instruction[];
}

/** Whom the caller wants to sign beside the wallet, for what they have themselves. */
function coSignersIn({ asked, isOwnWish }: ReadInput): string[] {
  return asked.flatMap((one) =>
    isOwnWish && one.kind === 'calls'
      ? ((one.params['requiredSigners'] ?? []) as string[]).map((text) => text.split(':')[1]!)
      : [],
  );
}

interface ReadOperationInput {
  readonly wallet: string;
  readonly seed: unknown;
  /** Addresses of those who are about to sign. */
  readonly asked: readonly string[];
  /** Whom the caller wants to sign beside the wallet. */
  readonly coSigners: readonly string[];
}

/**
 * What others have who sign beside the wallet is for them to look at: each is asked for itself.
 * @throws ApprovalRefusedError what is not of this wallet, or reaches what those have who are about
 * to sign
 */
function readOperation(
  message: Message,
  { wallet, seed, asked, coSigners }: ReadOperationInput,
): ReadOperation {
  const program = findWalletProgram(message, wallet, seed);
  if (!program)
    throw new ApprovalRefusedError(
      'module',
      `no instruction is of the program that holds the wallet ${wallet}: it would sign for something else.`,
    );
  const [feePayer, ...signers] = message.signers;
  const forWallet = asked.filter((address) => !coSigners.includes(address));
  const context = { program, wallet, feePayer: feePayer!, signers, asked, forWallet };
  const steps = message.instructions.flatMap((instruction) => stepsOf(instruction, context));
  if (!steps.some(({ action }) => action))
    throw new ApprovalRefusedError('asked', 'the wallet does nothing with it.');
  const inner = steps.flatMap(({ action }) => (action?.kind === 'run' ? [action.instruction] : []));
  return { steps, instructions: [...message.instructions, ...inner] };
}

interface StepContext {
  readonly program: WalletProgram;
  readonly wallet: string;
  readonly feePayer: string;
  /** Beside the fee payer. */
  readonly signers: readonly string[];
  /** Who is about to sign. */
  readonly asked: readonly string[];
  /** Of them, who signs for nothing but the wallet. */
  readonly forWallet: readonly string[];
}

function stepsOf(
  instruction: Instruction,
  { program, wallet, feePayer, signers, asked, forWallet }: StepContext,
): Step[] {
  if (instruction.program === program.program && !isSetUp(instruction)) {
    if (!isOfWallet(program, instruction))
      throw new ApprovalRefusedError(
        'wallet',
        `an instruction is for another wallet than ${wallet}.`,
      );
    const action = readAction(instruction, wallet);
    const inner = action.kind === 'run' ? action.instruction.accounts : [];
    const other = inner.find(
      ({ address, isSigner }) =>
        isSigner &&
        address !== wallet &&
        (forWallet.includes(address) || !signers.includes(address)),
    );
    if (other)
      throw new ApprovalRefusedError(
        'asked',
        `an instruction uses the signature of ${other.address} for more than the wallet.`,
      );
    const payer = payerOf(instruction);
    if (payer !== undefined && payer !== feePayer)
      throw new ApprovalRefusedError(
        'asked',
        `${payer} would pay for an account of the wallet's: the service pays for it.`,
      );
    return [{ action, instruction }];
  }
  // At the service's cost it gives nobody anything.
  if (readAccountCreation(instruction)?.payer === feePayer) return [];
  const isFrame =
    instruction.program === program.program ||
    isNonceAdvance(instruction) ||
    [computeBudgetProgram, secp256r1Program].includes(instruction.program);
  // What nobody asked for is compared with nothing: it is the service's own, and needs nobody else.
  const untouched = isFrame ? asked : forWallet;
  const named = [instruction.program, ...instruction.accounts.map(({ address }) => address)].find(
    (address) => untouched.includes(address),
  );
  if (named !== undefined)
    throw new ApprovalRefusedError(
      'asked',
      `an instruction beside the wallet's own names ${named}, who signs: it could take what that account holds.`,
    );
  return isFrame ? [] : [{ instruction }];
}

const addressTypes = ['external-wallet', 'server'];

/** Keys of others are the service's, or sign no transaction. */
function addressesOf(locators: readonly string[]): string[] {
  return locators.flatMap((locator) => {
    const [type = '', address = ''] = locator.split(':');
    return addressTypes.includes(type) ? [address] : [];
  });
}

/** Those who are asked sign for the wallet, and pay for nothing. @throws ApprovalRefusedError */
function requireSigners(message: Message, locators: readonly string[], isP256: boolean): void {
  for (const locator of locators) {
    const [type = '', address = ''] = locator.split(':');
    if (!addressTypes.includes(type)) {
      const isKey = type === 'passkey' || type === 'device';
      if (isKey && !isP256)
        throw new ApprovalRefusedError('message', `it has no place for the approval of a ${type}.`);
      continue;
    }
    const place = message.signers.indexOf(address);
    if (place === 0)
      throw new ApprovalRefusedError(
        'asked',
        `${address} would pay the network's fee: the service pays it.`,
      );
    if (place < 0) throw new ApprovalRefusedError('message', `it is not for ${address} to sign.`);
  }
}

function ownersOf(instructions: readonly Instruction[]): ReadonlyMap<string, AccountCreation> {
  return new Map(
    instructions
      .map(readAccountCreation)
      .flatMap((one) => (one ? [[one.account, one] as const] : [])),
  );
}

function callsOf({ action, instruction }: Step, context: CallContext): ReviewedCall[] {
  if (!action) return [reviewInstruction(instruction, { ...context, wallet: '' })];
  switch (action.kind) {
    case 'run':
      return [reviewInstruction(action.instruction, context, action.isBare)];
    case 'register':
      return [reviewRegistration(action.registration, context.chain)];
    case 'remove':
      return [{ kind: 'remove-signer', signerId: action.signerId }];
    case 'end':
      return [{ kind: 'end-all-signed' }];
  }
}

/**
 * Of a transfer to a token account that is there already: whose it is follows from its address and
 * the recipient that was asked for.
 */
function namedOwners(
  asked: { readonly kind: string; readonly body?: unknown },
  calls: readonly ReviewedCall[],
  steps: readonly Step[],
): ReviewedCall[] {
  const { recipient } = (asked.body ?? {}) as { recipient?: unknown };
  return calls.map((call, index) => {
    if (
      call.kind !== 'transfer' ||
      !call.isTokenAccount ||
      typeof recipient !== 'string' ||
      !isSolanaAddress(recipient)
    )
      return call;
    const { action } = steps[index]!;
    const tokenProgram = action?.kind === 'run' ? action.instruction.program : '';
    const mint = call.token.address;
    const isOwn =
      mint !== undefined &&
      tokenPrograms.includes(tokenProgram) &&
      isTokenAccountOf(call.recipient, { owner: recipient, mint, tokenProgram });
    const { isTokenAccount: _, ...rest } = call;
    return isOwn ? { ...rest, recipient } : call;
  });
}

/**
 * The instructions of the transaction that was asked for are run, in order, and no others; token
 * accounts that the service pays for are made beside them. @throws ApprovalRefusedError
 */
function requireSame(transaction: unknown, steps: readonly Step[], { wallet }: CallContext): void {
  const isFrame = (one: Instruction, index: number) =>
    one.program === computeBudgetProgram || (index === 0 && isNonceAdvance(one));
  let next = 0;
  for (const wanted of readTransaction(transaction).instructions.filter(
    (one, index) => !isFrame(one, index),
  )) {
    const step = steps[next];
    if (step && isSameInstruction(wanted, step)) next += 1;
    else if (readAccountCreation(wanted)?.payer !== wallet) throw differs('other instructions');
  }
  if (next !== steps.length) throw differs('other instructions');
}

function isSameInstruction(wanted: Instruction, { action, instruction }: Step): boolean {
  if (action && action.kind !== 'run') return false;
  const found = action?.kind === 'run' ? action.instruction : instruction;
  if (action?.kind === 'run' && action.isBare)
    return isSameTransfer(readTransfer(wanted), readTransfer(found));
  return (
    wanted.program === found.program &&
    wanted.accounts.length === found.accounts.length &&
    wanted.accounts.every((account, index) => isSameAccount(account, found.accounts[index]!)) &&
    wanted.data.length === found.data.length &&
    wanted.data.every((byte, index) => byte === found.data[index])
  );
}

/** What the wallet runs gets no more rights than the caller has written. */
function isSameAccount(wanted: Account, found: Account): boolean {
  return (
    wanted.address === found.address &&
    wanted.isSigner >= found.isSigner &&
    wanted.isWritable >= found.isWritable
  );
}

function isSameTransfer(one: PlainTransfer | undefined, other: PlainTransfer | undefined): boolean {
  if (!one || !other) return false;
  const isSameToken = one.mint === undefined || one.mint === other.mint;
  const keys = ['source', 'destination', 'authority', 'amountMinor', 'tokenProgram'] as const;
  return isSameToken && keys.every((key) => one[key] === other[key]);
}

/** What signers get to decide in, and an hour for clocks that go wrong. */
const windowMaxMs = 25 * 3_600_000;

function endOf(steps: readonly Step[], isProduction: boolean): Date {
  const ends = steps.flatMap(({ action }) => (action ? [Number(action.deadline)] : []));
  const [end] = ends;
  if (end === undefined || end === 0 || ends.some((one) => one !== end))
    throw new ApprovalRefusedError('asked', 'it does not say until when it may run.');
  // One that is kept back for years would run beside the one that is signed in its place. Test
  // networks have clocks of their own.
  if (isProduction && end * 1000 > Date.now() + windowMaxMs)
    throw new ApprovalRefusedError(
      'asked',
      'it could be kept back for longer than a day, and run when nobody expects it.',
    );
  return new Date(end * 1000);
}
