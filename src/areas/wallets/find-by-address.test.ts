import { afterAll, beforeAll, expect, it } from 'vitest';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { walletRoutes } from './routes.ts';

const wallets = '/2025-06-09/wallets';
const config = {
  adminSigner: { type: 'external-wallet', address: '0xabCDeF0123456789AbcdEf0123456789aBCDEF01' },
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: walletRoutes, ...evmParts });
});
afterAll(() => api.close());

it('wallets that many ask for at once are each found by their own address, and what is not there is not', async () => {
  const owners = Array.from({ length: 70 }, (_, index) => `userId:many-${index}`);
  const made = await Promise.all(
    owners.map((owner) =>
      api.call('POST', wallets, { body: { chainType: 'evm', type: 'smart', owner, config } }),
    ),
  );
  const unknown = `0x${'9'.repeat(40)}`;
  const asked = made.flatMap(({ body }, index) =>
    index % 7 === 0 ? [unknown, body.address] : [body.address],
  );
  const read = await Promise.all(asked.map((address) => api.call('GET', `${wallets}/${address}`)));
  expect(read.map(({ status, body }) => (status === 200 ? body.address : status))).toEqual(
    asked.map((address) => (address === unknown ? 404 : address)),
  );
  expect(
    new Set(read.filter(({ status }) => status === 200).map(({ body }) => body.owner)),
  ).toEqual(new Set(owners));
});
