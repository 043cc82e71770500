import { Keypair, xdr } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addressValue,
  bumpEpoch,
  type ContractCall,
  invocationOf,
  transfer,
} from '../../../../contracts/stellar/index.ts';
import { compileContract } from '../../../../devnet/stellar/testing/compile.ts';
import type { ErrorCode, ServiceError } from '../../../lib/errors.ts';
import type { Delegate, FamilyWallet } from '../../family.ts';
import { assembleProbe } from '../operation/simulate.ts';
import { simulate } from '../rpc/calls.ts';
import { custodySigner } from '../testing/custody.ts';
import { ed25519Signer, p256Signer, quorumOf, type TestSigner } from '../testing/smart.ts';
import { openWorld, type World } from '../testing/world.ts';
import { checkStellarApproval } from './approvals.ts';
import { completeAuthEntries, prepareAuthEntries } from './auth-entries.ts';

let world: World;
let verifier: string;
let wallet: FamilyWallet;
const owner = ed25519Signer();
const members = [ed25519Signer('server'), p256Signer('passkey')] as const;
const quorum = quorumOf(2, members);
const actor = ed25519Signer();
const delegate: Delegate = { signer: actor.signer, scopes: [] };

beforeAll(async () => {
  world = await openWorld();
  const relay = await world.start();
  verifier = await world.chain.deploy(
    await compileContract(`export function verify(who: u64): u64 { requireAuth(who); return U32(7); }
      export function _(): void {}`),
  );
  wallet = await world.aWallet(
    { adminSigner: owner.signer, recoveryMethods: [owner.signer, quorum], delegates: [delegate] },
    { tokens: 5n },
  );
  await world.run(
    wallet,
    await world.prepareTransfer(wallet, owner, { amount: 1n, to: world.freshAddress() }),
    [owner],
  );
  await relay.stop();
});
afterAll(() => world?.close());

const verifyCall = (who: string): ContractCall => ({
  contract: verifier,
  method: 'verify',
  args: [addressValue(who)],
});

function entryOf(who: string, call: ContractCall = verifyCall(who)): xdr.SorobanAuthorizationEntry {
  const credentials = new xdr.SorobanAddressCredentials({
    address: xdr.ScAddress.fromXdr(addressValue(who).toXdr().slice(4)),
    nonce: 5n,
    signatureExpirationLedger: 0,
    signature: xdr.ScVal.scvVoid(),
  });
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(credentials),
    rootInvocation: invocationOf(call),
  });
}

function write(...entries: readonly xdr.SorobanAuthorizationEntry[]): string {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(entries.length);
  return Buffer.concat([head, ...entries.map((entry) => entry.toXdr())]).toString('base64');
}

const prepare = (
  authorizationEntries: string,
  by: { signer: TestSigner['signer']; delegate?: Delegate } = owner,
  of = wallet,
) =>
  prepareAuthEntries(world.deps, {
    wallet: of,
    type: 'auth-entries',
    params: { authorizationEntries },
    now: new Date(),
    ...by,
  });

async function refusalOf(run: Promise<unknown>): Promise<ErrorCode> {
  return run.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: ServiceError) => error.code,
  );
}

describe('entries that others made for a wallet on Stellar', () => {
  it.each([
    ['the admin', { signer: owner.signer }, [owner]],
    ['a quorum', { signer: quorum }, [...members]],
    ['a delegated signer without scopes', { signer: actor.signer, delegate }, [actor]],
  ] as const)('are signed by %s, and hold where the wallet is asked', async (_, by, signers) => {
    const stranger = Keypair.random().publicKey();
    const prepared = await prepare(write(entryOf(stranger), entryOf(wallet.address)), by);
    const request = JSON.parse(JSON.stringify(prepared.request));
    const approvals = signers.map((signer) => signer.approve(prepared));
    expect(approvals.map((approval) => checkStellarApproval(request, approval))).toEqual(
      signers.map(() => true),
    );
    const output = Buffer.from(completeAuthEntries(request, approvals), 'base64');
    expect(output.readUInt32BE(0)).toBe(2);
    const first = entryOf(stranger).toXdr();
    expect(output.subarray(4, 4 + first.length)).toEqual(Buffer.from(first));
    const signed = xdr.SorobanAuthorizationEntry.fromXdr(output.subarray(4 + first.length));
    const held = await simulate(
      world.connection,
      assembleProbe(world.network, verifyCall(wallet.address), [signed]),
      'enforce',
    );
    expect(held.error ?? undefined).toBeUndefined();
    const unsigned = await simulate(
      world.connection,
      assembleProbe(world.network, verifyCall(wallet.address), [entryOf(wallet.address)]),
      'enforce',
    );
    expect(unsigned.error).toContain('HostError');
  });

  it('are signed by the key of a wallet that is one, once its account is there, and by no other', async () => {
    const relay = await world.start();
    const account = world.aKeyWallet();
    const [key, stranger] = [custodySigner(account), custodySigner({ id: 'another wallet' })];
    const asked = () => prepare(write(entryOf(account.address)), key, account);
    expect(await refusalOf(asked())).toBe('validation-error');
    await world.deps.makeReady(world.connection, {
      recipient: (await world.finderOf(account)())!,
      token: world.native,
      now: new Date(),
    });
    const prepared = await asked();
    const request = JSON.parse(JSON.stringify(prepared.request));
    const approval = key.approve(prepared);
    expect(checkStellarApproval(request, approval)).toBe(true);
    expect(
      checkStellarApproval(request, { ...stranger.approve(prepared), signer: key.signer }),
    ).toBe(false);
    const output = Buffer.from(completeAuthEntries(request, [approval]), 'base64');
    const held = (call: ContractCall) =>
      simulate(
        world.connection,
        assembleProbe(world.network, call, [
          xdr.SorobanAuthorizationEntry.fromXdr(output.subarray(4)),
        ]),
        'enforce',
      );
    expect((await held(verifyCall(account.address))).error ?? undefined).toBeUndefined();
    expect((await held(verifyCall(stranger.signer.address!))).error).toContain('HostError');
    const moving = transfer(world.chain.token, { from: account.address, to: verifier, amount: 1n });
    expect(await refusalOf(prepare(write(entryOf(account.address, moving)), key, account))).toBe(
      'validation-error',
    );
    await relay.stop();
  });

  it('hold nobody up, however long they are and wherever they end', async () => {
    const many = xdr.ScVal.scvVec(Array.from({ length: 3_600 }, () => xdr.ScVal.scvVoid()));
    const long = write(
      entryOf(wallet.address, { contract: verifier, method: 'verify', args: [many] }),
    );
    expect(long.length).toBeGreaterThan(19_000);
    const begun = performance.now();
    expect(await refusalOf(prepare(long.slice(0, -8)))).toBe('validation-error');
    expect(performance.now() - begun).toBeLessThan(500);
    await expect(prepare(long)).resolves.toBeDefined();
  });

  it('are refused when they move money, change the wallet, or are of nobody here', async () => {
    const moving = transfer(world.chain.token, { from: wallet.address, to: verifier, amount: 1n });
    for (const text of [
      write(entryOf(wallet.address, moving)),
      write(entryOf(wallet.address, bumpEpoch(wallet.address))),
      write(entryOf(verifier)),
      write(entryOf(wallet.address), entryOf(wallet.address)),
      `${write(entryOf(wallet.address)).slice(0, -8)}`,
      'AAAA',
      '',
    ])
      expect(await refusalOf(prepare(text)), text).toBe('validation-error');
    const scoped: Delegate = { ...delegate, scopes: [{ type: 'transfer', token: world.token }] };
    expect(
      await refusalOf(
        prepare(write(entryOf(wallet.address)), { signer: actor.signer, delegate: scoped }),
      ),
    ).toBe('signer-scope-violation');
    const young = await world.aWallet({ adminSigner: owner.signer });
    expect(await refusalOf(prepare(write(entryOf(young.address)), owner, young))).toBe(
      'validation-error',
    );
    const message = prepareAuthEntries(world.deps, {
      wallet,
      type: 'message',
      params: { message: 'hi' },
      signer: owner.signer,
      now: new Date(),
    });
    expect(await refusalOf(message)).toBe('signature-type-not-supported');
  });
});
