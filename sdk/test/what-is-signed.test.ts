import { readFileSync } from 'node:fs';
import { encodeFunctionData, type Hex, parseAbi, recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses, type Operation, walletModuleAbi } from '../../contracts/index.ts';
import { hashOperation } from '../../src/chains/evm/operation/operation.ts';
import { storeSignatureRequest } from '../../src/chains/evm/signing/signature-request.ts';
import { type Stack, startStack } from '../../test/harness/stack.ts';
import { readOperation, readSignature } from '../src/evm/review.ts';
import { signerIdOf, signerKeyOf } from '../src/evm/signer-keys.ts';
import {
  ApprovalRefusedError,
  createPurser,
  externalWalletSigner,
  hashTypedData,
  type Purser,
  type Review,
  type TypedData,
  walletAddressOf,
} from '../src/index.ts';

interface Vectors {
  readonly operations: readonly {
    name: string;
    chain: string;
    typedData: TypedData & { message: Operation & { wallet: Hex } };
    hash: string;
  }[];
  readonly messages: readonly {
    name: string;
    wallet: string;
    params: {
      chain: string;
      message?: string;
      typedData?: TypedData;
      isSmartWalletSignature?: boolean;
    };
    hash: string;
  }[];
  readonly walletAddresses: readonly {
    name: string;
    config: Record<string, unknown>;
    address: string;
  }[];
  readonly signerIds: readonly { signer: object; signerId: string }[];
}
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/what-you-sign.json', import.meta.url), 'utf8'),
) as Vectors;

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;
const friend = '0x000000000000000000000000000000000000bEEF';
const pins = (wallet: string) => ({ wallet, isProduction: false, tokens: [] });
const hour = 3_600_000;

let stack: Stack;
let purser: Purser;
beforeAll(async () => {
  stack = await startStack();
  purser = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
});
afterAll(() => stack?.close());

function readBigInts({
  wallet,
  calls,
  nonce,
  epoch,
  validAfter,
  validUntil,
  callGas,
}: Operation): Operation {
  const numbers = { nonce: BigInt(nonce), epoch: BigInt(epoch), callGas: BigInt(callGas) };
  return {
    wallet,
    calls: calls.map((call) => ({ ...call, value: BigInt(call.value) })),
    ...numbers,
    validAfter,
    validUntil,
  };
}

describe('the vectors of what users sign', () => {
  it.each(vectors.operations)(
    'operation: $name: client, service and the module on the chain hash it alike',
    { tags: 'slow' },
    async ({ chain: name, typedData, hash }) => {
      const { message } = typedData;
      expect(hashTypedData(typedData)).toBe(hash);
      expect(readOperation(typedData, name, pins(message.wallet)).review.hash).toBe(hash);
      const operation = readBigInts(message);
      expect(hashOperation(Number(typedData.domain['chainId']), operation)).toBe(hash);
      const data = encodeFunctionData({
        abi: walletModuleAbi,
        functionName: 'operationHash',
        args: [operation],
      });
      expect(
        await stack.chainCall(name, 'eth_call', [{ to: addresses.walletModule, data }, 'latest']),
      ).toBe(hash);
    },
  );

  it('an operation of a main network ends within a day, or it is refused', () => {
    const { typedData } = vectors.operations[0]!;
    const of = (validUntil: number) => ({
      ...typedData,
      domain: { ...typedData.domain, chainId: 8453 },
      message: { ...typedData.message, validUntil },
    });
    const now = Math.floor(Date.now() / 1000);
    const known = { ...pins(typedData.message.wallet), isProduction: true };
    expect(readOperation(of(now + 24 * 3_600), 'base', known).review.validUntil?.getTime()).toBe(
      (now + 24 * 3_600) * 1000,
    );
    expect(() => readOperation(of(now + 26 * 3_600), 'base', known)).toThrow(ApprovalRefusedError);
  });

  it.each(vectors.messages)(
    'signature: $name: client and service hash it alike',
    ({ wallet, params, hash }) => {
      expect(readSignature(params, pins(wallet)).hash).toBe(hash);
      const content =
        params.message === undefined
          ? { typedData: params.typedData as never }
          : { message: params.message };
      const own = params.isSmartWalletSignature === false;
      const request = {
        content,
        chain: params.chain,
        chainId: 84532,
        wallet: wallet as Hex,
        authority: undefined,
        own,
      };
      expect(storeSignatureRequest(request).request.hash).toBe(hash);
    },
  );

  it.each(vectors.walletAddresses)(
    'wallet: $name: client and service derive the same address',
    async ({ config, address }) => {
      expect(walletAddressOf(config)).toBe(address);
      const created = await stack.call('POST', '/2025-06-09/wallets', {
        body: { chainType: 'evm', type: 'smart', config },
      });
      expect([created.status, created.body.address]).toEqual([201, address]);
    },
  );

  it.each(vectors.signerIds)('signer: $signerId', ({ signer, signerId }) =>
    expect(signerIdOf(signerKeyOf(signer))).toBe(signerId),
  );
});

describe('with an honest service', () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const owner = externalWalletSigner(account);
  const delegate = externalWalletSigner(privateKeyToAccount(generatePrivateKey()));
  const seen: Review[] = [];
  const act = { signers: [owner], review: (_: unknown, review: Review) => void seen.push(review) };
  let address: string;
  beforeAll(async () => {
    const created = await purser.createWallet({
      chainType: 'evm',
      config: { adminSigner: { type: 'external-wallet', address: owner.address } },
    });
    address = created.address;
    await purser.fundWallet(address, { amount: 20, token: 'usdxm', chain });
  });

  it('a review reads amount, token and recipient of a transfer out of what is hashed', {
    tags: 'slow',
  }, async () => {
    const sent = await purser.transfer(address, usdxm, { recipient: friend, amount: '1.5' }, act);
    expect(sent.status).toBe('success');
    const token = await stack.tokenAddress(chain, 'usdxm');
    expect(seen.splice(0)).toMatchObject([
      {
        kind: 'operation',
        chain,
        wallet: address,
        calls: [
          {
            kind: 'transfer',
            token: { address: token, symbol: 'usdxm' },
            amount: '1.5',
            amountMinor: '1500000',
            recipient: friend,
          },
        ],
      },
    ]);
    const known = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.serverKey,
      tokens: [{ chain, address: token, symbol: 'usdxm', decimals: 6 }],
    });
    await known.transfer(address, usdxm, { recipient: friend, amount: '1.5' }, act);
    expect(seen.splice(0)).toMatchObject([
      { calls: [{ token: { symbol: 'usdxm', decimals: 6 }, amount: '1.5' }] },
    ]);
  });

  it('a delegated signer is added with its scopes, acts, and is removed', {
    tags: 'slow',
  }, async () => {
    const expiresAt = new Date(stack.ctx.clock.now().getTime() + hour).toISOString();
    const scopes = [
      {
        type: 'transfer' as const,
        tokenLocator: usdxm,
        recipients: [friend],
        spendingLimit: { amount: '5', interval: 60 },
      },
    ];
    for (const deployImmediately of [false, true]) {
      await purser.addSigner(
        address,
        { signer: delegate.locator, chain, scopes, expiresAt, deployImmediately },
        act,
      );
      const [review] = seen.splice(0);
      expect(review).toMatchObject({
        kind: 'operation',
        calls: [
          {
            kind: 'add-signer',
            signerId: signerIdOf(signerKeyOf(delegate.input)),
            expiresAt: new Date(Math.floor(Date.parse(expiresAt) / 1000) * 1000),
            scopes: [{ limitMinor: '5000000', intervalSeconds: 60, recipients: [friend] }],
          },
        ],
      });
      const body = { recipient: friend, amount: '1', signer: delegate.locator };
      expect((await purser.transfer(address, usdxm, body, { signers: [delegate] })).status).toBe(
        'success',
      );
      expect(
        (await purser.removeSigner(address, delegate.locator, { chain }, { signers: [owner] }))
          .status,
      ).toBe('success');
    }
  });

  it('calls are sent in every form whose calldata the client can tell; of others somebody has to look at them', async () => {
    const to = await stack.tokenAddress(chain, 'usdxm');
    const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
    const data = encodeFunctionData({ abi: erc20, args: [friend, 1n] });
    const calls = [
      { to, data },
      { address: to, functionName: 'transfer', abi: [...erc20], args: [friend, '2'] },
    ];
    expect((await purser.transact(address, { chain, calls }, { signers: [owner] })).status).toBe(
      'success',
    );
    const abi = ['uint256', 'uint8'].map((type) => ({
      type: 'function',
      name: 'transfer',
      stateMutability: 'nonpayable',
      inputs: [{ type: 'address' }, { type }],
      outputs: [],
    }));
    const unclear = {
      chain,
      calls: [{ address: to, functionName: 'transfer', abi, args: [friend, '1000'] }],
    };
    await expect(purser.transact(address, unclear, { signers: [owner] })).rejects.toMatchObject({
      reason: 'not-comparable',
    });
    expect((await purser.transact(address, unclear, act)).status).toBe('success');
    expect(seen.splice(0)).toMatchObject([{ calls: [{ kind: 'transfer', amountMinor: '1000' }] }]);
  });

  it('texts and typed data are signed as they are shown', { tags: 'slow' }, async () => {
    const text = await purser.sign(
      address,
      { type: 'message', params: { chain, message: 'hello' } },
      act,
    );
    expect([text.status, seen.splice(0)]).toMatchObject([
      'success',
      [{ kind: 'message', text: 'hello' }],
    ]);
    const { typedData } = vectors.messages.find(({ params }) => params.typedData)!.params;
    for (const isSmartWalletSignature of [true, false]) {
      const params = { chain, typedData, isSmartWalletSignature };
      const signed = await purser.sign(address, { type: 'typed-data', params }, act);
      expect([signed.status, seen.splice(0)]).toMatchObject([
        'success',
        [{ kind: 'typed-data', signedBy: isSmartWalletSignature ? 'wallet' : 'signer' }],
      ]);
      if (!isSmartWalletSignature)
        expect(
          await recoverTypedDataAddress({
            ...(typedData as never as object),
            signature: signed.outputSignature,
          } as never),
        ).toBe(account.address);
    }
  });

  it('an external wallet is asked for typed data, and by personal_sign only where it cannot', async () => {
    const asked: string[] = [];
    const wallet = {
      address: account.address,
      signMessage: (input: Parameters<typeof account.signMessage>[0]) => (
        asked.push('personal_sign'), account.signMessage(input)
      ),
      signTypedData: (input: object) => (
        asked.push('eth_signTypedData'), account.signTypedData(input as never)
      ),
    };
    const { signTypedData: _, ...old } = wallet;
    for (const one of [wallet, old])
      await purser.transfer(
        address,
        usdxm,
        { recipient: friend, amount: '0.1' },
        { signers: [externalWalletSigner(one)] },
      );
    expect(asked).toEqual(['eth_signTypedData', 'personal_sign']);
  });

  it('a wallet by a locator that is no address is the one that is known, and no other', async () => {
    const config = { adminSigner: { type: 'external-wallet' as const, address: owner.address } };
    const body = { recipient: friend, amount: '0.1' };
    const client = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.clientKey,
      userJwt: () => stack.api.userJwt('ada'),
    });
    const mine = await client.createMyWallet({ chainType: 'evm', config });
    await purser.fundWallet(mine.address, { amount: 20, token: 'usdxm', chain });
    expect((await client.transfer('me:evm', usdxm, body, { signers: [owner] })).status).toBe(
      'success',
    );
    const pinned = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.clientKey,
      userJwt: () => stack.api.userJwt('ada'),
      wallets: { 'me:evm': address },
    });
    const refused = await pinned
      .transfer('me:evm', usdxm, body, { signers: [owner] })
      .catch((error: unknown) => error);
    expect([refused, (refused as ApprovalRefusedError).reason]).toEqual([
      expect.any(ApprovalRefusedError),
      'wallet',
    ]);
  });
});
