import { randomUUID } from 'node:crypto';
import {
  encodeFunctionData,
  type Hex,
  hashMessage,
  parseAbi,
  parseTransaction,
  recoverAddress,
  toHex,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { recoverAuthorizationAddress } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addresses,
  hashOperation,
  type Operation,
  operationTypedData,
  walletModuleAbi,
} from '../../contracts/index.ts';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import {
  type SealedOperationRow,
  sealedOperationColumns,
  toSealedOperation,
} from '../../src/chains/evm/relay/queue/seals.ts';
import { rowMacsOf } from '../../src/store/row-mac.ts';
import { type Stack, startStack } from '../harness/stack.ts';

/**
 * Wallets that are one key, which the service signs with by itself. A thief has the public chain,
 * an account of his own with the service, and in some of these the database too; or he is the
 * caller, and wants more signed than he may. Wallets hold ten dollars.
 */

const chain = 'base-sepolia';
const chainId = 84_532;
const otherChain = 'polygon-amoy';
const thief = '0x000000000000000000000000000000000000dEaD';
const ten = 10n * 10n ** 6n;
const erc20 = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
]);
const accountAbi = parseAbi([
  'function execTransactionFromModuleReturnData(address,uint256,bytes,uint8) returns (bool, bytes)',
]);

let stack: Stack;
let token: Hex;
let thiefKey: string;
let thiefProjectId: string;
/** An account with money for gas, and nothing else. */
let stranger: PrivateKeyAccount;
beforeAll(async () => {
  stack = await startStack();
  token = (await stack.tokenAddress(chain, 'usdxm')) as Hex;
  thiefProjectId = (await createProject(stack.ctx, { name: 'Thief' })).id;
  thiefKey = (
    await issueKey(stack.ctx, {
      projectId: thiefProjectId,
      kind: 'server',
      scopes: scopesOf('server'),
    })
  ).key;
  stranger = privateKeyToAccount(generatePrivateKey());
  for (const name of [chain, otherChain])
    await stack.setNativeBalance(name, stranger.address, 10n ** 20n);
});
afterAll(() => stack?.close());

const sql = async <T>(text: string, values: readonly unknown[] = []) =>
  (await stack.ctx.store.query({ text, values })).rows as T[];
const pathOf = (address: string, rest = '') => `/2025-06-09/wallets/${address}${rest}`;
const call = (data: Hex, to: Hex = token) => ({ body: { params: { call: { to, data }, chain } } });
const transferData = (to: string, amount: bigint) =>
  encodeFunctionData({ abi: erc20, args: [to as Hex, amount], functionName: 'transfer' });
const codeOf = (address: string, on = chain) =>
  stack.chainCall<Hex>(on, 'eth_getCode', [address, 'latest']);

async function balanceOf(address: string): Promise<bigint> {
  const data = encodeFunctionData({
    abi: erc20,
    args: [address as Hex],
    functionName: 'balanceOf',
  });
  return BigInt(await stack.chainCall<Hex>(chain, 'eth_call', [{ to: token, data }, 'latest']));
}

async function aFundedWallet(more: object = {}, options: { key?: string } = {}): Promise<string> {
  const created = await stack.call('POST', '/2025-06-09/wallets', {
    ...options,
    body: { chainType: 'evm', type: 'mpc', ...more },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { address } = created.body as { address: string };
  const body = { amount: 10, token: 'usdxm', chain };
  expect(
    (await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { ...options, body }))
      .status,
  ).toBe(201);
  return address;
}

/** Makes a transaction of the wallet that moves nothing, and answers its id on the chain. */
async function use(address: string): Promise<Hex> {
  const made = await stack.call('POST', pathOf(address, '/transactions'), call('0x', thief));
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return (await stack.waitForTransaction(address, made.body.id)).onChain.txId;
}

type Authorization = Awaited<ReturnType<PrivateKeyAccount['signAuthorization']>>;

/** A transaction of the thief's own; answers whether it succeeded. */
async function submit(
  to: Hex,
  data: Hex,
  {
    on = chain,
    authorizationList,
  }: { on?: string; authorizationList?: readonly Authorization[] } = {},
) {
  const id = Number(await stack.chainCall<Hex>(on, 'eth_chainId', []));
  const nonce = Number(
    await stack.chainCall<Hex>(on, 'eth_getTransactionCount', [stranger.address, 'pending']),
  );
  const common = {
    chainId: id,
    nonce,
    to,
    data,
    gas: 1_000_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
  };
  const raw = await stranger.signTransaction(
    authorizationList
      ? { ...common, type: 'eip7702', authorizationList }
      : { ...common, type: 'eip1559' },
  );
  const hash = await stack.chainCall<Hex>(on, 'eth_sendRawTransaction', [raw]);
  const receipt = () =>
    stack.chainCall<{ status: Hex } | null>(on, 'eth_getTransactionReceipt', [hash]);
  await expect.poll(receipt, { timeout: 20_000 }).not.toBeNull();
  return (await receipt())!.status === '0x1';
}

/** An operation that pays everything to the thief. */
function theft(wallet: string): Operation {
  return {
    wallet: wallet as Hex,
    calls: [{ to: token, value: 0n, data: transferData(thief, ten) }],
    nonce: BigInt(`0x${randomUUID().replaceAll('-', '')}`),
    epoch: 0n,
    validAfter: 0,
    validUntil: 4_000_000_000,
    callGas: 200_000n,
  };
}
const execute = (op: Operation, signature: Hex) =>
  encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'execute',
    args: [op, `0x${'00'.repeat(32)}${signature.slice(2)}`],
  });

describe('the key of an mpc wallet', () => {
  it('signs for nobody who copied the row of its wallet under a project of his own', async () => {
    const address = await aFundedWallet({ owner: 'userId:a' });
    await sql(
      `insert into wallets select (jsonb_populate_record(w, jsonb_build_object('id', $1::uuid, 'project_id', $2::uuid))).* from wallets w where address = $3`,
      [randomUUID(), thiefProjectId, address],
    );
    const answers = [
      await stack.call('POST', pathOf(address, '/transactions'), {
        key: thiefKey,
        ...call(transferData(thief, ten)),
      }),
      await stack.call('POST', pathOf(address, '/signatures'), {
        key: thiefKey,
        body: { type: 'message', params: { message: 'x', chain } },
      }),
    ];
    for (const answer of answers)
      expect([answer.status, answer.body.code]).toEqual([500, 'internal-error']);
    expect(await balanceOf(address)).toBe(ten);
  });

  it('signs for no other wallet: not where its id is written into one’s row, nor into the seal that fits', async () => {
    const [address, own] = [
      await aFundedWallet({ owner: 'userId:b' }),
      await aFundedWallet({ owner: 'userId:thief' }, { key: thiefKey }),
    ];
    const [victim] = await sql<{ key_id: string }>(
      `select admin_signer ->> 'keyId' as key_id from wallets where address = $1`,
      [address],
    );
    await sql(
      `update wallets set admin_signer = admin_signer || jsonb_build_object('keyId', $2::text) where address = $1`,
      [own, victim!.key_id],
    );
    const answer = await stack.call('POST', pathOf(own, '/transactions'), {
      key: thiefKey,
      ...call('0x', thief),
    });
    expect([answer.status, answer.body.code]).toEqual([500, 'internal-error']);
    const [wallet] = await sql<{ id: string }>('select id from wallets where address = $1', [own]);
    const asked = {
      keyId: victim!.key_id,
      projectId: thiefProjectId,
      purpose: 'mpc',
      walletId: wallet!.id,
      bytes: new Uint8Array(32),
    };
    await expect(stack.ctx.providers.custody.sign(stack.ctx.store, asked)).rejects.toThrow(
      'does not sign',
    );
    const sameProject = { ...asked, projectId: stack.api.projectId };
    await expect(stack.ctx.providers.custody.sign(stack.ctx.store, sameProject)).rejects.toThrow(
      'does not sign',
    );
    await expect(
      stack.ctx.providers.custody.sign(stack.ctx.store, { ...sameProject, purpose: 'api-key' }),
    ).rejects.toThrow('does not sign');
  });

  it('signs no operation that is sent as typed data, however it is spelled, nor one that is sent as a text', async () => {
    const address = await aFundedWallet();
    await use(address);
    // A text of no zero byte: the interface refuses those.
    const op = Array.from({ length: 20 }, () => theft(address)).find(
      (one) => !/^0x(?:..)*00/.test(hashOperation(chainId, one)),
    )!;
    const { domain, types, primaryType } = operationTypedData(chainId, op);
    const text = (_: string, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value;
    const message = JSON.parse(JSON.stringify({ ...op }, text)) as object;
    const module = domain.verifyingContract as string;
    const domainFields = ['name', 'version'].map((name) => ({ name, type: 'string' }));
    const EIP712Domain = [
      ...domainFields,
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ];
    const spellings = [
      { domain, types, primaryType, message },
      {
        domain: { ...domain, verifyingContract: module.toLowerCase() },
        types,
        primaryType,
        message,
      },
      {
        domain: { ...domain, verifyingContract: `0x${module.slice(2).toUpperCase()}` },
        types: { ...types, EIP712Domain },
        primaryType,
        message,
      },
      { domain: { ...domain, name: 'Something else' }, types, primaryType, message },
      { domain: { verifyingContract: module }, types, primaryType, message },
    ];
    for (const typedData of spellings)
      for (const isSmartWalletSignature of [true, false]) {
        const params = { typedData, chain, isSmartWalletSignature };
        const refused = await stack.call('POST', pathOf(address, '/signatures'), {
          body: { type: 'typed-data', params },
        });
        expect([refused.status, refused.body.message]).toEqual([
          400,
          expect.stringContaining('would be an operation of the wallet'),
        ]);
      }
    const hash = hashOperation(chainId, op);
    for (const sent of [hash, Buffer.from(hash.slice(2), 'hex').toString('latin1')]) {
      const signed = await stack.call('POST', pathOf(address, '/signatures'), {
        body: { type: 'message', params: { message: sent, chain } },
      });
      const signature = signed.body.outputSignature as Hex;
      expect(await recoverAddress({ hash: hashMessage(sent), signature })).toBe(address);
      for (const v of ['', '1f', '20']) {
        const spelled: Hex = v === '' ? signature : (`${signature.slice(0, -2)}${v}` as Hex);
        expect(await submit(addresses.walletModule, execute(op, spelled))).toBe(false);
      }
    }
    expect(await balanceOf(address)).toBe(ten);
  });
});

describe('the delegation of an mpc wallet', () => {
  it('serves nobody a second time, and on no other chain', async () => {
    const address = await aFundedWallet();
    const txId = await use(address);
    const { input: _, ...sent } = await stack.chainCall<{
      input: Hex;
      authorizationList: { chainId: Hex }[];
    }>(chain, 'eth_getTransactionByHash', [txId]);
    expect(sent.authorizationList.map((one) => Number(one.chainId))).toEqual([chainId]);
    const [stored] = await sql<{ raw: Buffer }>('select raw from evm_attempts where hash = $1', [
      txId,
    ]);
    const parsed = parseTransaction(toHex(stored!.raw));
    const [authorization] = (parsed.type === 'eip7702'
      ? parsed.authorizationList
      : []) as unknown as Authorization[];
    expect(await recoverAuthorizationAddress({ authorization: authorization! })).toBe(address);
    const before = [
      await codeOf(address),
      await stack.chainCall(chain, 'eth_getTransactionCount', [address, 'latest']),
    ];
    await submit(stranger.address, '0x', { authorizationList: [authorization!] });
    expect([
      await codeOf(address),
      await stack.chainCall(chain, 'eth_getTransactionCount', [address, 'latest']),
    ]).toEqual(before);
    // The same signature with the other chain named, and with every chain.
    for (const id of [authorization!.chainId, 80_002, 0])
      await submit(stranger.address, '0x', {
        on: otherChain,
        authorizationList: [{ ...authorization!, chainId: id }],
      });
    expect(await codeOf(address, otherChain)).toBe('0x');
    expect(await balanceOf(address)).toBe(ten);
  });

  it('lets nobody else act: not by its functions, nor by the module without the key, nor by code of his own', async () => {
    const address = (await aFundedWallet()) as Hex;
    await use(address);
    const code = await codeOf(address);
    const direct = encodeFunctionData({
      abi: accountAbi,
      args: [token, 0n, transferData(thief, ten), 0],
    });
    expect(await submit(address, direct)).toBe(false);
    const delegateCall = encodeFunctionData({
      abi: accountAbi,
      args: [token, 0n, transferData(thief, ten), 1],
    });
    expect(await submit(address, delegateCall)).toBe(false);
    const op = theft(address);
    const forged = await stranger.sign({ hash: hashOperation(chainId, op) });
    for (const signature of ['0x', forged] as const)
      expect(await submit(addresses.walletModule, execute(op, signature))).toBe(false);
    // What the thief signs for code of his own is about his account.
    const own = await stranger.signAuthorization({
      contractAddress: addresses.multicall3,
      chainId,
      nonce: 0,
    });
    await submit(stranger.address, '0x', { authorizationList: [own, { ...own, address: token }] });
    expect([await codeOf(address), await balanceOf(address)]).toEqual([code, ten]);
  });

  it('written into the queue and sealed, with another signature or count, is not paid for, and the operation runs without it', async () => {
    const address = await aFundedWallet();
    await use(address);
    const made = await stack.call('POST', pathOf(address, '/transactions'), call('0x', thief));
    const forged = Buffer.from(
      (await stranger.sign({ hash: `0x${'11'.repeat(32)}` })).slice(2),
      'hex',
    );
    // Without the keys that seal the queue it would be held: test/attacks/written-queue.
    await stack.ctx.store.transaction(async (tx) => {
      const { rows } = await tx.query<SealedOperationRow>({
        text: `update evm_operations set delegation_nonce = 0, delegation_signature = $2 where operation_id = $1 returning ${sealedOperationColumns}`,
        values: [made.body.id, forged],
      });
      const mac = rowMacsOf(tx).seal(toSealedOperation(rows[0]!));
      await tx.query({
        text: 'update evm_operations set mac = $2 where operation_id = $1',
        values: [made.body.id, mac],
      });
    });
    const done = await stack.waitForTransaction(address, made.body.id);
    expect(done.status).toBe('success');
    expect(
      await stack.chainCall(chain, 'eth_getTransactionByHash', [done.onChain.txId]),
    ).toMatchObject({ type: '0x2' });
  });

  it('is given only for a call that would run: a caller of calls that fail makes the service pay nothing', async () => {
    const address = await aFundedWallet();
    const answer = await stack.call(
      'POST',
      pathOf(address, '/transactions'),
      call(transferData(thief, ten + 1n)),
    );
    expect([answer.status, answer.body.error.reason]).toEqual([422, 'execution_reverted']);
    expect(
      await sql('select operation_id from evm_operations where wallet = $1', [
        address.toLowerCase(),
      ]),
    ).toEqual([]);
    expect(await codeOf(address)).toBe('0x');
  });
});
