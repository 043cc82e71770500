import { factsOf } from '../../chains/families.ts';
import type {
  Addresses,
  ChainFamily,
  Networks,
  ResolvedToken,
  Tokens,
} from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseRecipient, parseTokenLocator } from '../../lib/locator/locator.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import {
  createTransaction,
  getTransaction,
  RecipientAppeared,
  type TransactionRecord,
} from '../transactions/index.ts';
import {
  findActingWallet,
  findWallet,
  mistakenFamily,
  type NewWallet,
  planUserWallet,
  recipientFinder,
  toFamilyWallet,
  type WalletRecord,
} from '../wallets/index.ts';
import type { CreateTransferBody } from './schema.ts';
import { requireTransferType } from './transfer-type.ts';

/**
 * Moves tokens out of a wallet; the service pays the fees.
 * @throws wallet-not-found, invalid-locator, forbidden, chain-not-supported, token-not-supported,
 *   invalid-recipient, validation-error, insufficient-balance, transaction-simulation-failed,
 *   signer-expired, signer-scope-violation, sanctioned-address, kyc-required,
 *   project:addon.required
 */
export async function createTransfer(
  ctx: RequestCtx,
  input: { walletLocator: string; tokenLocator: string; body: CreateTransferBody },
): Promise<TransactionRecord> {
  const wallet = await findActingWallet(ctx, input.walletLocator);
  refuseMemo(wallet, input.body);
  await requireTransferType(ctx, wallet, input.body.transactionType);
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTransfer(ctx, wallet, input);
    } catch (error) {
      if (!(error instanceof RecipientAppeared) || attempt === attemptsMax) throw error;
    }
  }
}

const attemptsMax = 3;

async function tryTransfer(
  ctx: RequestCtx,
  wallet: WalletRecord,
  input: { tokenLocator: string; body: CreateTransferBody },
): Promise<TransactionRecord> {
  const { body, tokenLocator } = input;
  const family = ctx.chains.family(wallet.chainType);
  const token = await resolveTransferToken(family, tokenLocator);
  const amountMinor = readAmount(body, token);
  const recipient = await resolveRecipient(ctx, family, body.recipient);
  const intent = {
    wallet: toFamilyWallet(wallet),
    chain: token.chain,
    token,
    amountMinor,
    recipientAddress: recipient.address,
    memo: body.memo,
    findRecipient: recipientFinder(ctx, {
      projectId: wallet.projectId,
      family,
      address: recipient.address,
      owner: wallet.owner ?? wallet.address,
    }),
  };
  const params = await family.transferParams(intent);
  return createTransaction(ctx, {
    wallet,
    params: body.signer === undefined ? params : { ...params, signer: body.signer },
    transfer: intent,
    tokenLocator,
    sendParams: {
      token: tokenLocator,
      params: {
        ...(token.tokenId === undefined ? { amount: body.amount } : {}),
        recipient: body.recipient,
        recipientAddress: recipient.address,
      },
    },
    recipientWallet: recipient.toStore,
  });
}

/** @throws transfer-not-found and those of finding the wallet */
export async function getTransfer(
  ctx: RequestCtx,
  input: { walletLocator: string; tokenLocator: string; id: string },
): Promise<TransactionRecord> {
  const wallet = await findWallet(ctx, input.walletLocator);
  const record = await getTransaction(ctx, { wallet, id: input.id }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'transaction-not-found') return undefined;
    throw error;
  });
  const family = ctx.chains.family(wallet.chainType);
  if (
    record?.tokenLocator === undefined ||
    !(await isSameToken(family, record.tokenLocator, input.tokenLocator))
  )
    throw new ServiceError('transfer-not-found');
  return record;
}

/**
 * Symbol or contract, main name or the test network it stands for: what counts is the token that is
 * meant.
 */
async function isSameToken(family: ChainFamily, sent: string, asked: string): Promise<boolean> {
  if (sent === asked) return true;
  try {
    const [one, other] = await Promise.all([tokenKeyOf(family, sent), tokenKeyOf(family, asked)]);
    if (one.isNative === other.isNative) return one.key === other.key;
    // The native token has a type or a contract of its own on some chains.
    const [a, b] = await Promise.all([sent, asked].map((of) => resolveTransferToken(family, of)));
    return a!.chain === b!.chain && a!.address === b!.address && a!.tokenId === b!.tokenId;
  } catch (error) {
    if (
      error instanceof ServiceError &&
      (error.code === 'chain-not-supported' || error.code === 'token-not-supported')
    )
      return false;
    throw error;
  }
}

/** Asks no node: a symbol is of a list, a contract is its own name. */
async function tokenKeyOf(
  family: ChainFamily,
  locator: string,
): Promise<{ readonly key: string; readonly isNative: boolean }> {
  const parsed = parseTokenLocator(locator);
  const chain = family.requireNetwork(parsed.chain).name;
  const { address, tokenId = '' } =
    parsed.by === 'address'
      ? parsed
      : { address: (await family.resolveToken(chain, { symbol: parsed.symbol })).address };
  if (address === undefined) return { key: chain, isNative: true };
  return { key: `${chain}:${family.canonicalAddress(address)}:${tokenId}`, isNative: false };
}

function refuseMemo({ chainType }: WalletRecord, { memo }: CreateTransferBody): void {
  if (memo !== undefined && !factsOf(chainType).takesMemo)
    throw new ServiceError('validation-error', {
      message: 'memo: is only available on stellar; a memo would be lost here, so leave it out.',
    });
}

async function resolveTransferToken(
  family: Networks & Tokens,
  locator: string,
): Promise<ResolvedToken> {
  const { chain, ...token } = parseTokenLocator(locator);
  return family.resolveToken(family.requireNetwork(chain).name, token);
}

function readAmount(body: CreateTransferBody, token: ResolvedToken): bigint {
  if (token.tokenId !== undefined) return 1n;
  if (body.amount === undefined)
    throw new ServiceError('validation-error', {
      message:
        'amount: is required for a fungible token, as a decimal text in whole tokens, e.g. "1.5".',
    });
  const amountMinor = parseDecimalAmount(body.amount, token.decimals);
  if (amountMinor === 0n)
    throw new ServiceError('validation-error', { message: 'amount: must be greater than zero.' });
  return amountMinor;
}

async function resolveRecipient(
  ctx: RequestCtx,
  family: Addresses & Networks,
  recipient: string,
): Promise<{ readonly address: string; readonly toStore?: NewWallet }> {
  const parsed = parseRecipient(recipient);
  if (parsed.by === 'user')
    return planUserWallet(ctx, { chainType: family.chainType, user: parsed.user });
  const { address } = parsed;
  const mistake = family.isRecipient(address)
    ? await mistakenFamily(ctx, { projectId: ctx.caller.projectId, family, address })
    : (family.checkAddress(address) ?? 'is an address that nobody can use');
  if (mistake !== undefined)
    throw new ServiceError('invalid-recipient', {
      message: `recipient: ${mistake}. Send an address on ${family.chainType} that can receive or a user locator, e.g. "email:<email>".`,
    });
  return { address };
}
