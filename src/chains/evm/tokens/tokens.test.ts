import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usdcAddress } from '../../../../test/harness/watched-chain.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { ResolvedToken, TransferIntent } from '../../family.ts';
import {
  anEvmWallet,
  type EvmTestBed,
  startEvmTestBed,
  type TestContract,
  type TestWallet,
} from '../testing/chain.ts';
import { approvePersonally, executeOperation } from '../testing/execute.ts';

const chainName = 'base-sepolia';
const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
let bed: EvmTestBed;
let pictures: TestContract;
let tickets: TestContract;
let oldToken: TestContract;
let hostile: TestContract;

beforeAll(async () => {
  bed = await startEvmTestBed();
  pictures = await bed.deploy('Pictures');
  tickets = await bed.deploy('Tickets');
  oldToken = await bed.deploy('OldToken');
  hostile = await bed.deploy('HostileToken');
});
afterAll(() => bed?.close());

const resolve = (address: string, tokenId?: string) =>
  bed.family.resolveToken(chainName, { address, ...(tokenId === undefined ? {} : { tokenId }) });
const amountsOf = async (address: string, ...tokens: ResolvedToken[]) =>
  (await bed.family.readBalances(address, tokens)).map(({ amountMinor }) => amountMinor);

async function codeOf(run: Promise<unknown>): Promise<string> {
  const thrown = await run.then(
    () => 'no refusal',
    (error: unknown) => error,
  );
  return thrown instanceof ServiceError ? thrown.code : String(thrown);
}

async function prepareTransfer({ wallet }: TestWallet, token: ResolvedToken, amountMinor: bigint) {
  const intent: TransferIntent = {
    wallet,
    chain: chainName,
    token,
    amountMinor,
    recipientAddress: recipient,
  };
  const params = await bed.family.transferParams(intent);
  return bed.family.prepareOperation({
    wallet,
    params,
    signer: wallet.adminSigner,
    now: new Date(),
    transfer: intent,
  });
}

describe('a token by its contract address', () => {
  it('tells symbol, name and decimals itself, old forms of text included', async () => {
    expect(await resolve(oldToken.address)).toEqual({
      chain: chainName,
      locator: `${chainName}:${oldToken.address}`,
      address: oldToken.address,
      symbol: 'OLD',
      name: 'Old Token',
      decimals: 18,
    });
  });

  it('that is listed is known by the list, and stays as it was sent', async () => {
    const address = usdcAddress.toLowerCase();
    expect(await resolve(address)).toEqual({
      chain: chainName,
      locator: `${chainName}:${address}`,
      address,
      symbol: 'usdc',
      name: 'USD Coin',
      decimals: 6,
    });
  });

  it('may not pass for a listed token, and hides nothing in its name', async () => {
    await hostile.send('setBehaviour', [2]);
    const token = await resolve(hostile.address);
    expect(token.symbol).toBeUndefined();
    expect(token.name).toBe('USD Coin');
    expect(token.decimals).toBe(6);
  });

  it('is refused when it is no token', async () => {
    expect(await codeOf(resolve('0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'))).toBe(
      'token-not-supported',
    );
    expect(await codeOf(resolve(tickets.address))).toBe('token-not-supported');
    expect(await codeOf(resolve(recipient))).toBe('token-not-supported');
    expect(await codeOf(resolve(recipient, '1'))).toBe('token-not-supported');
    expect(await codeOf(resolve('0x12'))).toBe('token-not-supported');
  });
});

describe('balances', () => {
  it('of many tokens are right and in order, whatever stands among them', async () => {
    await hostile.send('setBehaviour', [2]);
    const { address } = anEvmWallet(bed.family).wallet;
    await bed.chain.mint(address as Address, 5n);
    await oldToken.send('mint', [address, 2n ** 255n]);
    await pictures.send('mint', [address, 7n]);
    await tickets.send('mint', [address, 9n, 40n]);
    const tokens = [
      await resolve(usdcAddress),
      await resolve(pictures.address, '7'),
      await resolve(pictures.address, '8'),
      await resolve(tickets.address, '9'),
      await resolve(tickets.address, '10'),
      await bed.family.resolveToken(chainName, { symbol: 'eth' }),
      await resolve(oldToken.address),
      await resolve(hostile.address),
    ];
    expect(await amountsOf(address, ...tokens)).toEqual([5n, 1n, 0n, 40n, 0n, 0n, 2n ** 255n, 77n]);
    expect(await amountsOf(recipient, ...tokens.slice(0, 2))).toEqual([0n, 0n]);
    // More than one call may hold.
    const many = Array.from({ length: 250 }, (_, index) => tokens[index % tokens.length]!);
    expect(await amountsOf(address, ...many)).toEqual(
      Array.from(
        { length: 250 },
        (_, index) => [5n, 1n, 0n, 40n, 0n, 0n, 2n ** 255n, 77n][index % 8],
      ),
    );
  });

  it('of a contract that burns gas or answers kilobytes spoil nobody else', async () => {
    await hostile.send('setBehaviour', [2]);
    const { address } = anEvmWallet(bed.family).wallet;
    await bed.chain.mint(address as Address, 6n);
    const [usdc, bad] = [await resolve(usdcAddress), await resolve(hostile.address)];
    await hostile.send('setBehaviour', [1]);
    expect(await amountsOf(address, usdc, bad, usdc, usdc)).toEqual([6n, 0n, 6n, 6n]);
    await hostile.send('setBehaviour', [0]);
    const refused = await bed.family
      .readBalances(address, [usdc, bad, usdc])
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'token-not-supported',
      message: expect.stringContaining(hostile.address),
    });
    expect(await amountsOf(address, usdc, usdc, usdc, usdc)).toEqual([6n, 6n, 6n, 6n]);
  });
});

describe('a transfer of a token with an id', () => {
  it('moves an ERC-721 token', async () => {
    const from = anEvmWallet(bed.family);
    await pictures.send('mint', [from.wallet.address, 100n]);
    const token = await resolve(pictures.address, '100');
    expect(token).toMatchObject({
      locator: `${chainName}:${pictures.address}:100`,
      tokenId: '100',
      decimals: 0,
      symbol: 'PIC',
    });
    const prepared = await prepareTransfer(from, token, 1n);
    const result = await executeOperation(bed.chain, {
      wallet: from.wallet,
      prepared,
      approvals: [await approvePersonally(from, prepared)],
    });
    expect(result).toEqual({ executed: true, success: true });
    expect(await amountsOf(recipient, token)).toEqual([1n]);
    expect(await amountsOf(from.wallet.address, token)).toEqual([0n]);
  });

  it('moves one of an ERC-1155 token', async () => {
    const from = anEvmWallet(bed.family);
    await tickets.send('mint', [from.wallet.address, 200n, 3n]);
    const token = await resolve(tickets.address, '200');
    const prepared = await prepareTransfer(from, token, 1n);
    const result = await executeOperation(bed.chain, {
      wallet: from.wallet,
      prepared,
      approvals: [await approvePersonally(from, prepared)],
    });
    expect(result).toEqual({ executed: true, success: true });
    expect(await amountsOf(recipient, token)).toEqual([1n]);
    expect(await amountsOf(from.wallet.address, token)).toEqual([2n]);
  });

  it('that the wallet does not hold is insufficient-balance', async () => {
    const from = anEvmWallet(bed.family);
    await pictures.send('mint', [recipient, 300n]);
    expect(await codeOf(prepareTransfer(from, await resolve(pictures.address, '300'), 1n))).toBe(
      'insufficient-balance',
    );
    expect(await codeOf(prepareTransfer(from, await resolve(tickets.address, '301'), 1n))).toBe(
      'insufficient-balance',
    );
  });

  it('of a contract without ids is token-not-supported', async () => {
    const from = anEvmWallet(bed.family);
    expect(await codeOf(prepareTransfer(from, await resolve(usdcAddress, '1'), 1n))).toBe(
      'token-not-supported',
    );
  });
});

describe("a transfer to the token's own contract", () => {
  it('is invalid-recipient: the token would be lost there', async () => {
    const { wallet } = anEvmWallet(bed.family);
    const intent: TransferIntent = {
      wallet,
      chain: chainName,
      token: await resolve(usdcAddress),
      amountMinor: 1n,
      recipientAddress: usdcAddress.toLowerCase(),
    };
    expect(await codeOf(bed.family.transferParams(intent))).toBe('invalid-recipient');
  });
});

describe('a transfer of a token that answers false', () => {
  it('is a failed simulation: nothing would move', async () => {
    const from = anEvmWallet(bed.family);
    await oldToken.send('mint', [from.wallet.address, 10n]);
    const error = await prepareTransfer(from, await resolve(oldToken.address), 4n).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      code: 'transaction-simulation-failed',
      details: {
        error: { reason: 'execution_reverted', revert: { reason: 'transfer returned false' } },
      },
    });
  });
});
