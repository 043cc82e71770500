import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignerKey } from '../../../../contracts/index.ts';
import {
  localNetwork,
  startWatchedChain,
  type WatchedChain,
} from '../../../../test/harness/watched-chain.ts';
import type { EvmConnection } from '../rpc/connections.ts';
import { RpcError, type RpcResult } from '../rpc/rpc.ts';
import { createP256Precompiles } from '../signing/p256-precompile.ts';
import { authorityGas, needsP256 } from './gas.ts';

const account: SignerKey = { kind: 'ecdsa', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' };
const device: SignerKey = { kind: 'p256', x: 1n, y: 2n };
const passkey: SignerKey = { kind: 'webauthn', x: 1n, y: 2n, requireUserVerification: true };
const quorum: SignerKey = { kind: 'quorum', threshold: 2, members: [account, passkey, device] };
const gasOf = (key: SignerKey, hasPrecompile: boolean) =>
  authorityGas({ kind: 'delegate', key, scopeIndexes: [] }, { callCount: 1, hasPrecompile }).proof;

describe('the gas planned for signatures', () => {
  it('suffices for what the verifier takes, with the precompile and in Solidity', () => {
    // Measured with anvil as osaka and as prague; the latter varies with the signature, up to
    // 330,000.
    for (const [key, precompiled, solidity] of [
      [account, 5_300n, 5_300n],
      [device, 9_800n, 330_000n],
      [passkey, 16_100n, 340_000n],
    ] as const) {
      expect(gasOf(key, true)).toBeGreaterThan(precompiled);
      expect(gasOf(key, false)).toBeGreaterThan(solidity);
    }
  });

  it('is that of the dearest members who may sign', () => {
    expect(gasOf(quorum, false)).toBeGreaterThan(gasOf(passkey, false) + gasOf(device, false));
    const owners = [account, passkey, account];
    const ownersGas = (threshold: number) =>
      authorityGas({ kind: 'owners', owners, threshold }, { callCount: 1, hasPrecompile: true })
        .proof;
    expect(ownersGas(1)).toBeGreaterThan(gasOf(passkey, true));
    expect(ownersGas(3)).toBe(ownersGas(1) + 2n * gasOf(account, true));
  });

  it('asks for the precompile only where a P-256 key may sign', () => {
    expect(needsP256(undefined)).toBe(false);
    expect(needsP256({ kind: 'delegate', key: account, scopeIndexes: [] })).toBe(false);
    expect(needsP256({ kind: 'delegate', key: quorum, scopeIndexes: [] })).toBe(true);
    expect(needsP256({ kind: 'owners', owners: [account, device], threshold: 1 })).toBe(true);
  });
});

describe('the P-256 precompile', () => {
  let chain: WatchedChain;
  beforeAll(async () => {
    chain = await startWatchedChain();
  });
  afterAll(() => chain?.stop());

  function connectionOf(answer: () => Promise<RpcResult>): {
    connection: EvmConnection;
    asked(): number;
  } {
    let asked = 0;
    const ask: EvmConnection['ask'] = async () => {
      asked++;
      return [await answer()];
    };
    return { connection: { network: localNetwork(), chainId: 84_532, ask }, asked: () => asked };
  }

  it('is found where it is, once per chain', async () => {
    const precompiles = createP256Precompiles();
    const connection: EvmConnection = {
      network: localNetwork(),
      chainId: 84_532,
      ask: async (calls) =>
        Promise.all(
          calls.map(
            async ({ method, params }): Promise<RpcResult> => ({
              ok: true,
              value: await chain.call(method, params),
            }),
          ),
        ),
    };
    expect(await precompiles.has(connection)).toBe(true);
    const { connection: again, asked } = connectionOf(() =>
      Promise.reject(new Error('not to be asked')),
    );
    expect(await precompiles.has(again)).toBe(true);
    expect(asked()).toBe(0);
  });

  it('is missing where nothing answers, and asked for again only when the node failed', async () => {
    const absent = connectionOf(async () => ({ ok: true, value: '0x' }));
    const precompiles = createP256Precompiles();
    for (let round = 0; round < 3; round++)
      expect(await precompiles.has(absent.connection)).toBe(false);
    expect(absent.asked()).toBe(1);
    const failing = connectionOf(async () => ({
      ok: false,
      error: new RpcError('eth_call', -32_000, 'busy'),
    }));
    const others = createP256Precompiles();
    for (let round = 0; round < 2; round++)
      expect(await others.has(failing.connection)).toBe(false);
    expect(failing.asked()).toBe(2);
  });
});
