import type { Body, CallOptions } from './call-types.ts';
import type { createCalls } from './calls.ts';
import { type Asked, chainAsked, requireAsked } from './evm/asked.ts';
import { contracts } from './evm/constants.ts';
import { checksumAddress, isAddress, isSameAddress } from './evm/hash.ts';
import { ApprovalRefusedError, WalletAddressError } from './evm/refusal.ts';
import {
  type Pins,
  type Review,
  readOperation,
  readSignature,
  type SignatureParams,
} from './evm/review.ts';
import { isDerivable, type WalletConfig, walletAddressOf } from './evm/wallet-address.ts';
import { loadFamily } from './families.ts';
import type { PurserOptions } from './send.ts';
import type { Signature, Transaction, Wallet } from './wallets.ts';

type Calls = ReturnType<typeof createCalls>;

interface Reading {
  /** Locators of those who are about to sign. */
  readonly signers: readonly string[];
  readonly asked?: Asked | undefined;
  readonly askedSignature?: SignatureParams | undefined;
  readonly isReviewed: boolean;
}

/**
 * What this client checks by itself of what the service answers: addresses of new wallets, and
 * whatever is about to be signed.
 */
export function createChecks(
  calls: Pick<Calls, 'createWallet' | 'createMyWallet' | 'getWallet'>,
  options: PurserOptions,
) {
  const isProduction = !/^[cs]k_(?:development|staging)_/.test(options.apiKey);
  /** Addresses by locator: as given, as derived, or as the service said them first. */
  const wallets = new Map(Object.entries(options.wallets ?? {}));

  async function pinsOf(locator: string): Promise<Pins> {
    const wallet = isAddress(locator)
      ? locator
      : (wallets.get(locator) ?? (await calls.getWallet(locator)).address);
    if (!isAddress(wallet))
      throw new ApprovalRefusedError(
        'wallet',
        `"${String(wallet).slice(0, 60)}" is no address of a wallet on evm.`,
      );
    if (wallet !== locator) wallets.set(locator, wallet);
    return { wallet, isProduction, tokens: options.tokens ?? [] };
  }

  async function readAsOperation(
    locator: string,
    typedData: unknown,
    chain: unknown,
    { asked, isReviewed }: Omit<Reading, 'signers'>,
  ): Promise<Review> {
    const pins = await pinsOf(locator);
    const read = readOperation(typedData, (asked && chainAsked(asked)) ?? chain, pins);
    return asked
      ? { ...read.review, calls: requireAsked(asked, read, pins, isReviewed) }
      : read.review;
  }

  async function readOfFamily(
    locator: string,
    transaction: Transaction,
    { signers, isReviewed, asked, shown }: Reading & { readonly shown: readonly Asked[] },
  ): Promise<Review> {
    const family = await loadFamily(transaction.chainType);
    if (!family) throw notRead(transaction.chainType);
    const wallet =
      wallets.get(locator) ??
      (locator.includes(':') ? String((await calls.getWallet(locator)).address) : locator);
    wallets.set(locator, wallet);
    return family.readTransaction({
      transaction,
      wallet,
      isProduction,
      tokens: options.tokens ?? [],
      signers,
      asked: shown,
      isOwnWish: asked !== undefined,
      isReviewed,
    });
  }

  /**
   * Creates a wallet and compares its address with the one that follows from its owners' keys,
   * where these are the caller's.
   */
  async function createChecked<
    B extends { readonly chainType: string; readonly type?: string; readonly config?: unknown },
  >(
    body: B,
    call: CallOptions,
    create: (body: B, call: CallOptions) => Promise<Wallet>,
  ): Promise<Wallet> {
    const config = body.config as WalletConfig | undefined;
    if (
      body.chainType !== 'evm' ||
      (body.type ?? 'smart') !== 'smart' ||
      typeof config !== 'object' ||
      !isDerivable(config)
    )
      return create(body, call);
    // The seed is the idempotency key, so that a call which is repeated after a restart asks for
    // the same wallet.
    const idempotencyKey = call.idempotencyKey ?? crypto.randomUUID();
    const seeded = { ...config, creationSeed: config.creationSeed ?? idempotencyKey };
    const wallet = await create({ ...body, config: seeded }, { ...call, idempotencyKey });
    const derived = walletAddressOf(seeded, wallet.config as WalletConfig | undefined);
    if (!isAddress(wallet.address) || !isSameAddress(wallet.address, derived))
      throw new WalletAddressError(String(wallet.address), derived);
    return { ...wallet, address: checksumAddress(wallet.address) };
  }

  return {
    /**
     * Creates a wallet. Where its owners sign with keys of their own, its address is derived from
     * them here and compared.
     * @throws WalletAddressError when it is another one
     */
    createWallet: (body: Body<'createWallet'>, call: CallOptions = {}): Promise<Wallet> =>
      createChecked(body, call, calls.createWallet),

    /** As `createWallet`, of the end user. */
    async createMyWallet(body: Body<'createMyWallet'>, call: CallOptions = {}): Promise<Wallet> {
      const wallet = await createChecked(body, call, calls.createMyWallet);
      const locators = body.type === 'mpc' ? ['me:evm:mpc'] : ['me:evm', 'me:evm:smart'];
      for (const locator of locators)
        if (body.chainType === 'evm' && body.alias === undefined && !wallets.has(locator))
          wallets.set(locator, wallet.address);
      return wallet;
    },

    /**
     * What nobody asked for here has to be what the transaction says of itself.
     * @throws ApprovalRefusedError
     */
    async readTransaction(
      locator: string,
      transaction: Transaction,
      reading: Reading,
    ): Promise<Review> {
      const { chainType, params, onChain, sendParams } = transaction;
      const { isReviewed, asked: own } = reading;
      const shown: Asked[] = sendParams
        ? [{ kind: 'calls', params }, transferOf(sendParams, params)]
        : [{ kind: 'calls', params }];
      if (chainType !== 'evm')
        return readOfFamily(locator, transaction, { ...reading, shown: own ? [own] : shown });
      let review: Review | undefined;
      for (const asked of own ? [own] : shown)
        review = await readAsOperation(locator, onChain.typedData, params['chain'], {
          asked,
          isReviewed,
        });
      return review!;
    },

    /** @throws ApprovalRefusedError */
    async readSignature(
      locator: string,
      { chainType, params }: Signature,
      reading: Reading,
    ): Promise<Review> {
      if (chainType !== 'evm') throw notRead(`${chainType} without a transaction`);
      const { askedSignature } = reading;
      if (askedSignature) return readSignature(askedSignature, await pinsOf(locator));
      const contract = (
        params['typedData'] as { domain?: { verifyingContract?: unknown } } | undefined
      )?.domain?.verifyingContract;
      const isOperation = isAddress(contract) && isSameAddress(contract, contracts.walletModule);
      if (reading.asked || isOperation)
        return readAsOperation(locator, params['typedData'], params['chain'], reading);
      const review = readSignature(params, await pinsOf(locator));
      if (review.kind === 'typed-data' && review.signedBy === 'signer' && !reading.isReviewed)
        throw new ApprovalRefusedError(
          'not-comparable',
          "it is a signature of the signer's own. Give a `review` that looks at what is signed.",
        );
      return review;
    },
  };
}

function transferOf(
  { token, params }: NonNullable<Transaction['sendParams']>,
  own: Transaction['params'],
): Asked {
  const { amount } = params as { amount?: unknown };
  const { memo } = (own['transaction'] ?? {}) as { memo?: unknown };
  return {
    kind: 'transfer',
    tokenLocator: token,
    body: {
      recipient: params.recipientAddress,
      memo,
      ...(typeof amount === 'string' ? { amount } : {}),
    },
  };
}

function notRead(what: string): ApprovalRefusedError {
  return new ApprovalRefusedError(
    'chain',
    `this client cannot tell what is signed on ${what.slice(0, 60)}.`,
  );
}
