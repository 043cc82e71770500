import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { transferRoutes } from './routes.ts';

const chain = 'base-sepolia';
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const collectible = '0x00000000000000000000000000000000000000fe';

let api: TestApi;
let address: string;
beforeAll(async () => {
  // No node is asked: what a locator means is known without one.
  const rpcUrls = new Map([
    [chain, 'http://127.0.0.1:9'],
    ['optimism-sepolia', 'http://127.0.0.1:9'],
  ]);
  api = await startTestApi({
    routes: [...walletRoutes, ...transferRoutes],
    ...evmParts,
    config: { evm: { ...testConfig().evm, rpcUrls } },
  });
  const { body } = await api.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      config: { adminSigner: { type: 'external-wallet', address: collectible } },
    },
  });
  address = body.address;
});
afterAll(() => api?.close());

async function aTransfer(token: string): Promise<string> {
  const id = api.ctx.ids.uuid();
  const approvals = { pending: [], submitted: [] };
  const params = { chain, calls: [] };
  await api.ctx.store.query({
    text: `insert into transactions (id, project_id, wallet_id, chain_type, wallet_type, chain, status, params, operation, on_chain, approvals, send_params, token_locator, fees, created_at, valid_until)
      select $1, project_id, id, 'evm', 'smart', $3, 'pending', $5, '{}', '{}', $6, $7, $4, $8, now(), now() from wallets where address = $2`,
    values: [
      id,
      address,
      chain,
      token,
      JSON.stringify(params),
      JSON.stringify(approvals),
      JSON.stringify({
        token,
        params: { amount: '1', recipient: collectible, recipientAddress: collectible },
      }),
      JSON.stringify({ mode: 'project' }),
    ],
  });
  return id;
}

const statusOf = async (id: string, token: string) => {
  const { status, body } = await api.call(
    'GET',
    `/2025-06-09/wallets/${address}/tokens/${token}/transfers/${id}`,
  );
  return status === 200 ? status : `${status} ${body.code}`;
};

describe('a transfer', () => {
  it.each([
    [
      'base:usdc',
      [`${chain}:usdc`, `${chain}:USDC`, `${chain}:${usdc}`, `base:${usdc.toLowerCase()}`],
    ],
    [`${chain}:${usdc}`, ['base:usdc']],
    ['base:eth', [`${chain}:eth`]],
    [`base:${collectible}:7`, [`${chain}:${collectible.toUpperCase().replace('0X', '0x')}:7`]],
  ])('of %s is found by every locator of that token', async (sent, others) => {
    const id = await aTransfer(sent);
    for (const locator of [sent, ...others])
      expect([locator, await statusOf(id, locator)]).toEqual([locator, 200]);
  });

  it.each([
    [
      `${chain}:usdc`,
      [
        'optimism-sepolia:usdc',
        `${chain}:eth`,
        `${chain}:usdxm`,
        `${chain}:doge`,
        'moon:usdc',
        `${chain}:${collectible}`,
        `${chain}:${usdc}:0`,
      ],
    ],
    [`${chain}:eth`, [`${chain}:usdc`, 'optimism-sepolia:eth']],
    [`${chain}:${collectible}:7`, [`${chain}:${collectible}:8`, `${chain}:${collectible}`]],
  ])('of %s is none of another token', async (sent, others) => {
    const id = await aTransfer(sent);
    for (const locator of others)
      expect([locator, await statusOf(id, locator)]).toEqual([locator, '404 transfer-not-found']);
  });
});
