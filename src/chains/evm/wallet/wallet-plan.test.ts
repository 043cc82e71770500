import fc from 'fast-check';
import { type Address, decodeFunctionData, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  addresses,
  encodeDeployment,
  ownerAddressOf,
  safeProxyFactoryAbi,
  type WalletSetupInput,
  walletAddress,
} from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { completeSigner } from '../../family/signing/quorums.ts';
import type { Delegate, Signer, SmartWalletInput } from '../../family.ts';
import { keccakOfText } from '../abi/keccak.ts';
import { aDevice, anAccount, aPasskey, aQuorum } from '../testing/signers.ts';
import { signerKeyOf } from './signer-keys.ts';
import {
  encodeFactoryCall,
  encodeWalletDeployment,
  planEvmWallet,
  readSafeSetup,
  readWalletSetup,
} from './wallet-plan.ts';

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const aSigner = (address: string, type: Signer['type'] = 'external-wallet'): Signer => ({
  type,
  locator: `${type}:${address}`,
  address,
});
const plan = (signer: Signer, creationSeed = 'seed') =>
  planEvmWallet({ type: 'smart', adminSigner: signer, creationSeed });

const anAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Address)
  .filter((address) => BigInt(address) > 1n);

describe('the plan of an evm wallet', () => {
  it('has the address and the deployment that the generic encoders give', () => {
    fc.assert(
      fc.property(anAddress, fc.string(), (address, seed) => {
        const planned = plan(aSigner(address), seed);
        const input = {
          owners: [address],
          threshold: 1n,
          saltNonce: BigInt(`0x${keccakOfText(seed)}`),
        };
        expect(planned.address).toBe(walletAddress(input));
        expect(encodeWalletDeployment(readWalletSetup(planned.setup))).toBe(
          encodeDeployment(input),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('names the factory call that deploys it', () => {
    const setup = readSafeSetup(plan(aSigner(owner)).setup);
    const { factory, factoryData } = encodeFactoryCall(setup)!;
    expect(factory).toBe(addresses.safeProxyFactory);
    const call = decodeFunctionData({ abi: safeProxyFactoryAbi, data: factoryData });
    expect(call.functionName).toBe('createProxyWithNonce');
    expect(call.args?.[0]).toBe(addresses.safeSingleton);
    expect(call.args?.[2]).toBe(BigInt(setup.saltNonce));
    expect(encodeWalletDeployment(setup)).toContain((call.args?.[1] as Hex).slice(2));
  });

  it('does not depend on the case of the signer address, and depends on signer and seed', () => {
    expect(plan(aSigner(owner.toLowerCase())).address).toBe(plan(aSigner(owner)).address);
    expect(plan(aSigner(owner), 'other').address).not.toBe(plan(aSigner(owner)).address);
    expect(plan(aSigner('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')).address).not.toBe(
      plan(aSigner(owner)).address,
    );
  });

  it('is the same for every type of signer that has the same address', () => {
    const expected = plan(aSigner(owner)).address;
    for (const type of ['server', 'api-key', 'email', 'phone'] as const)
      expect(plan(aSigner(owner, type)).address).toBe(expected);
  });

  it('refuses device signers with signer-type-not-supported', () => {
    expect(codeOf(() => plan(aSigner(owner, 'device')))).toBe('signer-type-not-supported');
  });

  it('refuses owners that nobody holds a key of', () => {
    const unusable = [
      '0x0000000000000000000000000000000000000000',
      '0x0000000000000000000000000000000000000001',
      addresses.walletModule,
      addresses.safeSingleton,
      '0x12',
      '',
    ];
    for (const address of unusable)
      expect(
        codeOf(() => plan(aSigner(address))),
        address,
      ).toBe('validation-error');
  });
});

describe('the plan of a wallet of other signers', () => {
  const [account, passkey, device] = [anAccount().signer, aPasskey().signer, aDevice().signer];
  const quorum = aQuorum(2, [anAccount(), aPasskey(), anAccount()]).signer;
  const planOf = (input: Partial<SmartWalletInput>) =>
    planEvmWallet({ type: 'smart', adminSigner: account, creationSeed: 'seed', ...input });
  const delegate = (signer: Signer, rest: Partial<Delegate> = {}): Delegate => ({
    signer,
    scopes: [],
    ...rest,
  });

  it('has the address and the deployment that the generic encoders give', () => {
    const cases: [Partial<SmartWalletInput>, Omit<WalletSetupInput, 'saltNonce'>][] = [
      [
        { adminSigner: passkey },
        {
          owners: [ownerAddressOf(signerKeyOf(passkey))],
          threshold: 1n,
          ownerKeys: [signerKeyOf(passkey)],
        },
      ],
      [
        { recoveryMethods: [account, quorum, passkey] },
        {
          owners: [
            account.address as Address,
            ownerAddressOf(signerKeyOf(quorum)),
            ownerAddressOf(signerKeyOf(passkey)),
          ],
          threshold: 1n,
          ownerKeys: [signerKeyOf(quorum), signerKeyOf(passkey)],
        },
      ],
      [
        {
          delegates: [
            delegate(device),
            delegate(passkey, { expiresAt: new Date(1_800_000_000_999) }),
          ],
        },
        {
          owners: [account.address as Address],
          threshold: 1n,
          delegates: [
            { signer: signerKeyOf(device), scopes: [] },
            { signer: signerKeyOf(passkey), validUntil: 1_800_000_000, scopes: [] },
          ],
        },
      ],
    ];
    for (const [input, setup] of cases) {
      const planned = planOf(input);
      const expected = { ...setup, saltNonce: BigInt(`0x${keccakOfText('seed')}`) };
      expect(planned.address).toBe(walletAddress(expected));
      const stored = JSON.parse(JSON.stringify(planned.setup));
      expect(encodeWalletDeployment(readWalletSetup(stored))).toBe(encodeDeployment(expected));
    }
  });

  it('of one quorum is m of its members, of several methods one of any', () => {
    expect(planOf({ adminSigner: quorum }).setup).toMatchObject({
      threshold: 2,
      owners: [{ kind: 'ecdsa' }, { kind: 'webauthn' }, { kind: 'ecdsa' }],
    });
    expect(planOf({ recoveryMethods: [quorum, account] }).setup).toMatchObject({
      threshold: 1,
      owners: [{ kind: 'quorum' }, { kind: 'ecdsa' }],
    });
  });

  it('differs with every signer and every expiry', () => {
    const inputs: Partial<SmartWalletInput>[] = [
      {},
      { adminSigner: passkey },
      { adminSigner: quorum },
      { recoveryMethods: [account, passkey] },
      { recoveryMethods: [passkey, account] },
      { delegates: [delegate(passkey)] },
      { delegates: [delegate(passkey, { expiresAt: new Date(1_800_000_000_000) })] },
      { delegates: [delegate(device)] },
      { delegates: [delegate(device), delegate(passkey)] },
    ];
    expect(new Set(inputs.map((input) => planOf(input).address)).size).toBe(inputs.length);
    expect(planOf({ recoveryMethods: [account], delegates: [] }).address).toBe(planOf({}).address);
  });

  it('is refused where a signer stands twice or could not sign, with its place', () => {
    const badPasskey: Signer = {
      type: 'passkey',
      locator: 'passkey:a',
      publicKey: { x: '1', y: '2' },
    };
    const member = anAccount();
    const cases: [Partial<SmartWalletInput>, RegExp][] = [
      [
        { recoveryMethods: [account, passkey, { ...account, type: 'server' }] },
        /config\.recoveryMethods\[2\]: is the same signer as \[0\]/,
      ],
      [{ delegates: [delegate(device), delegate(device)] }, /config\.delegatedSigners\[1\]/],
      [{ adminSigner: badPasskey }, /config\.adminSigner\.publicKey/],
      [{ delegates: [delegate(badPasskey)] }, /config\.delegatedSigners\[0\]\.publicKey/],
      [
        { recoveryMethods: [aQuorum(2, [member, member]).signer] },
        /recoveryMethods\[0\]\.members\[1\]: has the same key/,
      ],
      [
        { recoveryMethods: [aQuorum(3, [member, aPasskey()]).signer] },
        /recoveryMethods\[0\]\.threshold/,
      ],
      [
        { recoveryMethods: [aQuorum(1, [member]).signer] },
        /recoveryMethods\[0\]\.members: a quorum has 2 to 10/,
      ],
      [
        {
          recoveryMethods: [
            aQuorum(
              1,
              Array.from({ length: 11 }, () => anAccount()),
            ).signer,
          ],
        },
        /members: a quorum has 2 to 10/,
      ],
      [
        { recoveryMethods: [aQuorum(1, [member, aDevice()]).signer] },
        /"device" cannot be a member/,
      ],
      [
        {
          delegates: [
            delegate(passkey, {
              scopes: [{ type: 'transfer', token: { chain: 'c', locator: 'l', decimals: 6 } }],
            }),
          ],
        },
        /POST signers/,
      ],
    ];
    for (const [input, expected] of cases) {
      expect(codeOf(() => planOf(input))).toBe('validation-error');
      expect(() => planOf(input)).toThrow(expected);
    }
  });

  it('of an earlier generation of contracts is told from a broken one', () => {
    const { setup } = planOf({});
    const earlier = { ...setup, module: '0x1111111111111111111111111111111111111111' };
    expect(codeOf(() => readWalletSetup(earlier))).toBe('transaction-invalid');
    expect(() => readWalletSetup(earlier)).toThrow(/earlier version \(module 0x1111/);
    expect(codeOf(() => readWalletSetup({ ...setup, owner: '0x12' }))).not.toBe(
      'transaction-invalid',
    );
  });

  it('carries what the verifier of passkeys needs to be known by', () => {
    expect(completeSigner(passkey)).toEqual({ ...passkey, validatorContractVersion: '1' });
    expect(completeSigner(quorum)).toMatchObject({
      members: [{}, { validatorContractVersion: '1' }, {}],
    });
    expect(completeSigner(device)).toEqual(device);
  });
});

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
  return undefined;
}
