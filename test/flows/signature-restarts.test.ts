/** @module-tag slow */

import { setTimeout as delay } from 'node:timers/promises';
import { createPublicClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Anvil, prepareGenesis, startAnvil } from '../../devnet/index.ts';
import { issueKey } from '../../src/areas/api-keys/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/id.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import { startTestDatabase, type TestDatabase } from '../harness/database.ts';
import { sendCall } from '../harness/http.ts';
import { freeze } from '../harness/processes.ts';
import { makeProductionSecrets, planMainNetwork } from '../harness/production.ts';
import {
  createProductionParts,
  type Part,
  type ProductionParts,
} from '../harness/production-parts.ts';

const chain = 'base';
const secrets = makeProductionSecrets(1);
const owner = privateKeyToAccount(generatePrivateKey());
const { chainId, genesis } = planMainNetwork(chain, secrets, [owner.address]);
const waitMaxMs = 60_000;

let database: TestDatabase;
let node: Anvil;
let key: string;
let parts: ProductionParts;

beforeAll(async () => {
  database = await startTestDatabase({ poolSize: 2 });
  node = await startAnvil({ chainId, log: () => undefined });
  await prepareGenesis(node.url, genesis);
  parts = createProductionParts({
    databaseUrl: database.url,
    secrets,
    rpcUrls: { [chain]: node.url },
  });
  const config = loadConfig(parts.environment('purser'), { process: 'purser' });
  const store = { ...database.store, rowMacs: createRowMacs(config.keyEncryptionKeys) };
  const ctx = { store, clock: systemClock, ids: systemIds, config };
  const { id: projectId } = await createProject(ctx, { name: 'Shop' });
  const scopes = ['wallets.create', 'wallets:signatures.create', 'wallets:signatures.read'];
  ({ key } = await issueKey(ctx, { projectId, kind: 'server', scopes }));
});
afterAll(async () => {
  await parts?.stop('SIGKILL');
  await node?.stop();
  await database?.close();
});

const walletsOf = ({ origin }: Part) => `${origin}/api/2025-06-09/wallets`;

async function call(method: string, url: string, body?: object) {
  const answer = await sendCall(url, method, { key, ...(body === undefined ? {} : { body }) });
  expect([answer.status, answer.text]).toEqual([method === 'GET' ? 200 : 201, expect.any(String)]);
  return answer.body;
}

const verify = (address: Hex, message: string, signature: Hex) =>
  createPublicClient({ transport: http(node.url) }).verifyMessage({ address, message, signature });

it('a signature request outlives the process that took it, before its approval and after', async () => {
  const first = await parts.start('api');
  const adminSigner = { type: 'external-wallet', address: owner.address };
  const { address } = await call('POST', walletsOf(first), {
    chainType: 'evm',
    type: 'smart',
    config: { adminSigner },
  });
  const ask = async (message: string) =>
    call('POST', `${walletsOf(first)}/${address}/signatures`, {
      type: 'message',
      params: { chain, message },
    });
  const [one, two] = [await ask('one'), await ask('two')];
  const approvalOf = async (request: typeof one) => {
    const [{ message, signer }] = request.approvals.pending;
    return {
      approvals: [
        {
          signer: signer.locator,
          signature: await owner.signMessage({ message: { raw: message } }),
        },
      ],
    };
  };
  await first.process.stop('SIGKILL');

  const second = await parts.start('api');
  const pathOf = (part: Part, request: typeof one) =>
    `${walletsOf(part)}/${address}/signatures/${request.id}`;
  const approved = await call('POST', `${pathOf(second, one)}/approvals`, await approvalOf(one));
  expect([approved.status, await verify(address, 'one', approved.outputSignature)]).toEqual([
    'success',
    true,
  ]);

  // The node holds its answer back: the approval is durable, the signature not made, when the
  // process is killed.
  await freeze(node.pid);
  const lost = call('POST', `${pathOf(second, two)}/approvals`, await approvalOf(two)).catch(
    () => 'lost',
  );
  for (const endAt = Date.now() + waitMaxMs; ; await delay(50)) {
    const { rows } = await database.store.query<{ status: string }>({
      text: 'select status from signatures where id = $1',
      values: [two.id],
    });
    if (rows[0]?.status === 'pending') break;
    if (Date.now() > endAt) throw new Error(`the approval is not stored: ${rows[0]?.status}`);
  }
  await second.process.stop('SIGKILL');
  expect(await lost).toBe('lost');
  process.kill(node.pid, 'SIGCONT');

  const third = await parts.start('api');
  expect(await call('GET', pathOf(third, two))).toMatchObject({
    status: 'pending',
    approvals: { pending: [] },
  });
  await parts.start('worker');
  for (const endAt = Date.now() + waitMaxMs; ; await delay(100)) {
    const { status, outputSignature } = await call('GET', pathOf(third, two));
    if (status !== 'pending') {
      expect([status, await verify(address, 'two', outputSignature)]).toEqual(['success', true]);
      break;
    }
    if (Date.now() > endAt) throw new Error('no worker has finished the signature');
  }
}, 180_000);
