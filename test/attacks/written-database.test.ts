import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { aDevice } from '../../src/areas/signer-codes/test-kit.ts';
import { hashOperation } from '../../src/chains/evm/operation/operation.ts';
import { readOperation } from '../../src/chains/evm/operation/prepared-operation.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { listSandboxMessages } from '../../src/providers/messaging/sandbox.ts';
import { type Stack, startStack } from '../harness/stack.ts';

/**
 * A thief who writes the main database, and has beside it what anybody may have: an account of his
 * own with the service, the public client key, a key pair. Wallets hold ten dollars; each attack
 * ends with as many.
 */

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;
const thief = '0x000000000000000000000000000000000000dEaD';
const friend = '0x000000000000000000000000000000000000bEEF';
const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

let stack: Stack;
/** Of a project of the thief's own. */
let thiefKey: string;
let thiefProjectId: string;
beforeAll(async () => {
  stack = await startStack();
  thiefProjectId = (await createProject(stack.ctx, { name: 'Thief' })).id;
  thiefKey = (
    await issueKey(stack.ctx, {
      projectId: thiefProjectId,
      kind: 'server',
      scopes: scopesOf('server'),
    })
  ).key;
});
afterAll(() => stack?.close());

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await stack.ctx.store.query({ text, values })).rows;
const pathOf = (locator: string, rest = '') => `/2025-06-09/wallets/${locator}${rest}`;
const transferOf = (recipient: string, amount: string) => ({ body: { recipient, amount } });

async function balanceOf(address: string): Promise<bigint> {
  const data = encodeFunctionData({
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    args: [address as Hex],
  });
  return BigInt(
    await stack.chainCall<Hex>(chain, 'eth_call', [
      { to: await stack.tokenAddress(chain, 'usdxm'), data },
      'latest',
    ]),
  );
}

/** A wallet with ten dollars. */
async function aFundedWallet(body: object): Promise<string> {
  const created = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      config: { adminSigner: { type: 'api-key' } },
      ...body,
    },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { address } = created.body as { address: string };
  const funded = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
    body: { amount: 10, token: 'usdxm', chain },
  });
  expect(funded.status).toBe(201);
  return address;
}

/** Waits for what was accepted, so that a balance afterwards says how it ended. */
async function settle(
  address: string,
  answer: { status: number; body: { id?: string; status?: string } },
): Promise<void> {
  if (answer.status < 300 && answer.body.id !== undefined && answer.body.status === 'pending')
    await stack.waitForTransaction(address, answer.body.id).catch(() => undefined);
}

/** Nothing left the wallet, and the caller was told so. */
async function expectRefused(
  address: string,
  answer: { status: number; text: string },
  code: string,
): Promise<void> {
  expect(await balanceOf(address)).toBe(10n * 10n ** 6n);
  expect([answer.status >= 400, answer.text]).toEqual([true, expect.stringContaining(code)]);
}

/** The same operation with a call that pays everything to the thief, under its right hash. */
async function swapped(stored: JsonObject): Promise<JsonObject> {
  const data = encodeFunctionData({ abi: erc20, args: [thief, 10n * 10n ** 6n] });
  const to = (await stack.tokenAddress(chain, 'usdxm')) as Hex;
  const { chainId, operation } = readOperation(stored);
  const hash = hashOperation(chainId, { ...operation, calls: [{ to, value: 0n, data }] });
  return { ...stored, calls: [{ to, value: '0', data }], hash };
}

/**
 * What the owner of an e-mail address does who is asked for an approval: has a code sent, types it,
 * signs with the device.
 */
async function signByCode(address: string, email: string, message: string) {
  const base = pathOf(address, `/signers/email:${email}`);
  const device = aDevice();
  const sent = await stack.call('POST', `${base}/codes`, {
    body: { devicePublicKey: device.publicKey, message },
  });
  if (sent.status !== 201) return sent;
  const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
  const [mail] = await listSandboxMessages(
    { store: stack.ctx.store, sealer },
    { to: email, limit: 1 },
  );
  const request = {
    codeId: sent.body.codeId,
    code: /\b\d{6}\b/.exec(mail!.text!)![0],
    nonce: randomBytes(16).toString('base64url'),
    message,
  };
  const deviceSignature = device.sign({
    walletAddress: address,
    signer: `email:${email}`,
    ...request,
  });
  return stack.call('POST', `${base}/signatures`, { body: { ...request, deviceSignature } });
}

const approve = (address: string, id: string, signer: string, signature: string) =>
  stack.call('POST', pathOf(address, `/transactions/${id}/approvals`), {
    body: { approvals: [{ signer, signature }] },
  });

describe('a thief who writes the database moves nothing', () => {
  it('A: with a copy of a wallet’s row under his own project', async () => {
    const address = await aFundedWallet({ owner: 'userId:a' });
    await sql(
      `insert into wallets select (jsonb_populate_record(w, jsonb_build_object('id', $1::uuid, 'project_id', $2::uuid))).*
      from wallets w where address = $3`,
      [randomUUID(), thiefProjectId, address],
    );
    const answer = await stack.call('POST', pathOf(address, `/tokens/${usdxm}/transfers`), {
      key: thiefKey,
      ...transferOf(thief, '10'),
    });
    await settle(address, answer);
    await expectRefused(address, answer, 'internal-error');
  });

  it('B: with an e-mail wallet whose admin he names an api-key signer', async () => {
    const address = await aFundedWallet({
      owner: 'userId:b',
      config: { adminSigner: { type: 'email', email: 'b@example.com' } },
    });
    await sql(
      `update wallets set admin_signer = admin_signer || '{"type": "api-key"}' where address = $1`,
      [address],
    );
    const answer = await stack.call(
      'POST',
      pathOf(address, `/tokens/${usdxm}/transfers`),
      transferOf(thief, '10'),
    );
    await settle(address, answer);
    await expectRefused(address, answer, 'internal-error');
  });

  it('C: with an issuer of his own, the public client key and a token that he signed', async () => {
    const address = await aFundedWallet({ owner: 'userId:c' });
    const pair = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'thief' }] };
    await sql(
      `insert into trusted_issuers (id, project_id, issuer, audiences, algorithm, jwks, rules, created_at)
      values ($1, $2, 'https://thief.example', $3, 'ES256', $4,
        '{"namespace": "", "vouchesForEmail": true, "types": ["jwt"], "ageMaxSeconds": 3600}', now())`,
      [randomUUID(), stack.api.projectId, [stack.ctx.config.serviceDomain], JSON.stringify(jwks)],
    );
    // Issuers are read again after five seconds.
    stack.advanceClock(6_000);
    const jwt = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'thief' })
      .setIssuer('https://thief.example')
      .setAudience(stack.ctx.config.serviceDomain)
      .setSubject('c')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(pair.privateKey);
    const answer = await stack.call('POST', pathOf('me:evm:smart', `/tokens/${usdxm}/transfers`), {
      key: stack.api.clientKey,
      jwt,
      ...transferOf(thief, '10'),
    });
    await settle(address, answer);
    await expectRefused(address, answer, 'internal-error');
  });

  it('D: with another operation and its message where an external wallet is asked for an approval', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const address = await aFundedWallet({
      owner: 'userId:d',
      config: { adminSigner: { type: 'external-wallet', address: owner.address } },
    });
    const { body: created } = await stack.call(
      'POST',
      pathOf(address, `/tokens/${usdxm}/transfers`),
      transferOf(friend, '1'),
    );
    const [row] = (await sql('select operation from transactions where id = $1', [created.id])) as {
      operation: JsonObject;
    }[];
    const operation = await swapped(row!.operation);
    await sql(
      `update transactions set operation = $2, approvals = jsonb_set(approvals, '{pending,0,message}', to_jsonb($3::text)) where id = $1`,
      [created.id, JSON.stringify(operation), operation['hash']],
    );
    const shown = await stack.call('GET', pathOf(address, `/transactions/${created.id}`));
    const message = (shown.body.approvals?.pending[0].message ?? operation['hash']) as Hex;
    const answer = await approve(
      address,
      created.id,
      `external-wallet:${owner.address}`,
      await owner.signMessage({ message: { raw: message } }),
    );
    await settle(address, answer);
    await expectRefused(address, answer, 'internal-error');
  });

  it('E: with another operation under the message that an e-mail signer approves by a code', async () => {
    const address = await aFundedWallet({
      owner: 'userId:e',
      config: { adminSigner: { type: 'email', email: 'e@example.com' } },
    });
    const { body: created } = await stack.call(
      'POST',
      pathOf(address, `/tokens/${usdxm}/transfers`),
      transferOf(friend, '1'),
    );
    const [row] = (await sql('select operation from transactions where id = $1', [created.id])) as {
      operation: JsonObject;
    }[];
    await sql('update transactions set operation = $2 where id = $1', [
      created.id,
      JSON.stringify(await swapped(row!.operation)),
    ]);
    const signed = await signByCode(address, 'e@example.com', created.approvals.pending[0].message);
    const answer =
      signed.status === 201
        ? await approve(address, created.id, 'email:e@example.com', signed.body.signature)
        : signed;
    await settle(address, answer);
    await expectRefused(address, answer, 'internal-error');
  });

  it('F: with another text under the message that an e-mail signer signs', async () => {
    const email = 'f@example.com';
    const address = await aFundedWallet({
      owner: 'userId:f',
      config: { adminSigner: { type: 'email', email } },
    });
    const ask = (message: string) =>
      stack.call('POST', pathOf(address, '/signatures'), {
        body: { type: 'message', params: { chain, message } },
      });
    const [honest, bad] = [
      (await ask('I log in.')).body,
      (await ask('I give everything to the thief.')).body,
    ];
    await sql(
      'update signatures set signable = (select signable from signatures where id = $2) where id = $1',
      [honest.id, bad.id],
    );
    const answer = await signByCode(address, email, honest.approvals.pending[0].message);
    await expectRefused(address, answer, 'internal-error');
  });

  it('G: with an operation, approved for one wallet, in the row of another', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const config = { adminSigner: { type: 'external-wallet', address: owner.address } };
    const [address, other] = [
      await aFundedWallet({ owner: 'userId:g1', config }),
      await aFundedWallet({ owner: 'userId:g2', config }),
    ];
    const { body: created } = await stack.call(
      'POST',
      pathOf(address, `/tokens/${usdxm}/transfers`),
      transferOf(thief, '1'),
    );
    await sql(
      'update transactions set wallet_id = (select id from wallets where address = $2) where id = $1',
      [created.id, other],
    );
    const { message } = created.approvals.pending[0];
    const signature = await owner.signMessage({ message: { raw: message } });
    const answer = await approve(other, created.id, `external-wallet:${owner.address}`, signature);
    await settle(other, answer);
    await expectRefused(address, answer, 'internal-error');
  });

  it('H: with more scopes for a key that has leaked', async () => {
    const { id, key } = await issueKey(stack.ctx, {
      projectId: stack.api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    const address = await aFundedWallet({ owner: 'userId:h' });
    await sql('update api_keys set scopes = $2 where id = $1', [id, scopesOf('server')]);
    const answer = await stack.call('POST', pathOf(address, `/tokens/${usdxm}/transfers`), {
      key,
      ...transferOf(thief, '10'),
    });
    await settle(address, answer);
    await expectRefused(address, answer, 'internal-error');
  });
});
