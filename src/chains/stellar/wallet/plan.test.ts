import { StrKey } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { setupValue } from '../../../../contracts/stellar/index.ts';
import { contractAddress, World } from '../../../../contracts/stellar/testing/world.ts';
import type { ErrorCode } from '../../../lib/errors.ts';
import { completeSigner } from '../../family/signing/quorums.ts';
import { isSameRegistration, requireUnexpired } from '../../family/smart-wallets/registrations.ts';
import type { Delegate, SmartWalletInput, TransferScope } from '../../family.ts';
import { stellarNetwork } from '../config/networks.ts';
import { ed25519Signer, p256Signer, quorumOf } from '../testing/smart.ts';
import { addressOfPublicKey, planAccount, planSmartWallet, readSmartSetup } from './plan.ts';
import { registrationOf } from './registration.ts';
import { limitsOf } from './state.ts';

const network = stellarNetwork('development');
const world = new World();
const at = { network, factory: world.factory };
const [owner, other] = [ed25519Signer(), ed25519Signer('server')];
const token = { chain: 'stellar', locator: 'stellar:xlm', symbol: 'xlm', decimals: 7 };
const scope: TransferScope = {
  type: 'transfer',
  token,
  spendingLimit: { amountMinor: 10n, intervalSeconds: 60 },
};

const planOf = (input: Partial<SmartWalletInput> = {}) =>
  planSmartWallet(at, { type: 'smart', adminSigner: owner.signer, creationSeed: 'one', ...input });

function refusalOf(run: () => unknown): { readonly code?: ErrorCode; readonly message: string } {
  try {
    run();
  } catch (error) {
    return error as { readonly code: ErrorCode; readonly message: string };
  }
  throw new Error('It was accepted.');
}

describe('the plan of a smart wallet on Stellar', () => {
  it('is where the factory would create it, before anything is there', () => {
    const delegates: Delegate[] = [
      { signer: other.signer, scopes: [scope], expiresAt: new Date(1_900_000_000_999) },
    ];
    const plan = planOf({ delegates });
    const { setup, address } = readSmartSetup(JSON.parse(JSON.stringify(plan)));
    const said = world.ask({
      contract: world.factory,
      method: 'address_of',
      args: [setupValue(setup)],
    });
    expect([plan.address, address]).toEqual([said, said]);
    expect(setup.delegates).toMatchObject([
      {
        expiresAt: 1_900_000_001n,
        scopes: [{ token: network.nativeContract, limit: 10n, interval: 60n }],
      },
    ]);
  });

  it('is another for another seed, signer, quorum, delegate and network', () => {
    const quorum = quorumOf(2, [owner, other, p256Signer('passkey')]);
    const addresses = [
      planOf(),
      planOf({ creationSeed: 'two' }),
      planOf({ adminSigner: other.signer }),
      planOf({ adminSigner: quorum }),
      planOf({ adminSigner: owner.signer, recoveryMethods: [owner.signer, quorum] }),
      planOf({ delegates: [{ signer: other.signer, scopes: [] }] }),
      planSmartWallet(
        { ...at, network: stellarNetwork('staging') },
        { type: 'smart', adminSigner: owner.signer, creationSeed: 'one' },
      ),
    ].map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses[0]).toBe(planOf().address);
  });

  it('whose stored set-up was changed is refused', () => {
    const { address, setup } = planOf({ creationSeed: 'changed' });
    expect(() =>
      readSmartSetup({ address, setup: { ...setup, factory: contractAddress('another') } }),
    ).toThrow('it was changed');
    expect(() => readSmartSetup({ address: contractAddress('nobody'), setup })).toThrow(
      'it was changed',
    );
  });

  it('takes signers that can sign, as many as the contract holds', () => {
    const many = (count: number) => Array.from({ length: count }, () => ed25519Signer());
    const contract = { ...owner.signer, address: world.factory };
    expect(refusalOf(() => planOf({ adminSigner: p256Signer('device').signer })).code).toBe(
      'signer-type-not-supported',
    );
    expect(refusalOf(() => planOf({ adminSigner: contract })).message).toContain(
      'belongs to a contract',
    );
    expect(
      refusalOf(() => planOf({ adminSigner: { ...owner.signer, address: 'G1' } })).message,
    ).toContain('config.adminSigner.address');
    expect(refusalOf(() => planOf({ adminSigner: quorumOf(3, many(2)) })).message).toContain(
      'threshold',
    );
    expect(refusalOf(() => planOf({ adminSigner: quorumOf(1, [owner, owner]) })).message).toContain(
      'is the same signer',
    );
    expect(
      refusalOf(() => planOf({ recoveryMethods: many(9).map(({ signer }) => signer) })).message,
    ).toContain('at most 8');
    const delegates = many(9).map(({ signer }) => ({ signer, scopes: [] }));
    expect(refusalOf(() => planOf({ delegates })).message).toContain('at most 8');
    expect(
      refusalOf(() => planOf({ delegates: [delegates[0]!, delegates[0]!] })).message,
    ).toContain('is the same signer');
  });

  it('completes passkeys, those of a quorum too, once and for all', () => {
    const { signer } = p256Signer('passkey');
    const completed = completeSigner(signer);
    expect(completed).toEqual({ ...signer, validatorContractVersion: '1' });
    expect(completeSigner(completed)).toEqual(completed);
    expect(completeSigner(owner.signer)).toEqual(owner.signer);
  });

  it('of an account is its key', () => {
    const key = StrKey.decodeEd25519PublicKey(owner.signer.address!);
    expect(planAccount(key)).toEqual({ address: owner.signer.address, setup: {} });
    expect(() => addressOfPublicKey(key.subarray(1))).toThrow('has 32 bytes');
  });
});

describe('a delegated signer on Stellar', () => {
  const registered = (scopes: TransferScope[]) =>
    registrationOf(network, { signer: other.signer, scopes });

  it('is refused with scopes that the contract could not hold, naming the place', () => {
    const of = (change: Partial<TransferScope>) =>
      refusalOf(() => registered([{ ...scope, ...change }])).message;
    expect(of({ recipients: [] })).toContain('scopes[0].recipients: is empty');
    expect(of({ recipients: Array.from({ length: 17 }, () => world.factory) })).toContain(
      'more than 16',
    );
    expect(of({ recipients: ['GA'] })).toContain(
      'scopes[0].recipients[0]: is not a Stellar address',
    );
    expect(of({ spendingLimit: { amountMinor: 0n } })).toContain('must be above 0');
    expect(of({ spendingLimit: { amountMinor: 1n, intervalSeconds: 0.5 } })).toContain('interval');
    expect(of({ token: { ...token, chain: 'solana' } })).toContain('the signer is for "stellar"');
    expect(of({ token: { ...token, tokenId: '1' } })).toContain('fungible');
    expect(refusalOf(() => registered(Array.from({ length: 9 }, () => scope))).message).toContain(
      'more than 8',
    );
  });

  it('is the same whatever the order of its recipients, and has its limit anew when its interval is over', () => {
    const recipients = [world.factory, world.token];
    const [one, turned] = [
      registered([{ ...scope, recipients }]),
      registered([{ ...scope, recipients: recipients.toReversed() }]),
    ];
    expect([isSameRegistration(one, turned), isSameRegistration(one, registered([scope]))]).toEqual(
      [true, false],
    );
    const state = { generation: 1, registration: one, spent: [{ spent: 7n, since: 100n }] };
    expect([limitsOf(state, 159n), limitsOf(state, 160n)]).toEqual([
      [{ limitMinor: 10n, usedMinor: 7n, renewsAt: new Date(160_000) }],
      [{ limitMinor: 10n, usedMinor: 0n }],
    ]);
  });

  it('that has expired is signer-expired', () => {
    const delegate = { signer: other.signer, scopes: [], expiresAt: new Date(1_000) };
    expect(refusalOf(() => requireUnexpired(delegate, new Date(1_000))).code).toBe(
      'signer-expired',
    );
    expect(() => requireUnexpired(delegate, new Date(999))).not.toThrow();
  });
});
