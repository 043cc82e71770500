import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAccount, aWallet, balanceOf, execute, recipient, startTestChain, type TestChain, transferCall } from './test/chain.ts';
import { aDelegateOperation, aDeviceSigner, anEcdsaSigner, aPasskeySigner, aQuorumSigner, signAs } from './test/delegates.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const kinds = {
  'an address (EIP-712)': anEcdsaSigner(anAccount('delegate')),
  'an address (EIP-191)': anEcdsaSigner(anAccount('delegate'), 'eip191'),
  'a device': aDeviceSigner('device'),
  'a passkey': aPasskeySigner('passkey'),
  'a quorum': aQuorumSigner(2, [anEcdsaSigner(anAccount('m1')), aDeviceSigner('m2'), aPasskeySigner('m3')]),
};
describe('delegates', () => {
  test.each(Object.entries(kinds))('%s acts within its scope', async (_, signer) => {
    const wallet = await aWallet(chain, {
      deployed: true,
      delegates: [{ signer: signer.key, scopes: [{ token: chain.token, limit: 10n, interval: 60 }] }],
    });
    const op = aDelegateOperation(chain, wallet, signer, { calls: [transferCall(chain.token, recipient, 10n)] });
    const r = await execute(chain, op, await signAs(chain, signer, op, [0]));
    expect(r).toMatchObject({ success: true });
    const op2 = aDelegateOperation(chain, wallet, signer, { calls: [transferCall(chain.token, recipient, 1n)] });
    expect(await execute(chain, op2, await signAs(chain, signer, op2, [0]))).toMatchObject({ error: 'SpendingLimitExceeded(0,1,0)' });
  });
  test.each(Object.entries(kinds))('%s acts without', async (_, signer) => {
    const wallet = await aWallet(chain, { deployed: true, delegates: [{ signer: signer.key, scopes: [] }] });
    const before = await balanceOf(chain, recipient);
    const op = aDelegateOperation(chain, wallet, signer, { calls: [transferCall(chain.token, recipient, 10n)] });
    const r = await execute(chain, op, await signAs(chain, signer, op));
    expect(r).toMatchObject({ success: true });
    expect(await balanceOf(chain, recipient)).toBe(before + 10n);
  });
});
