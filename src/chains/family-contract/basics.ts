import { beforeAll, describe, expect, it } from 'vitest';
import { type Signer, signerTypes } from '../family.ts';
import { codeOf, type FamilyWorld, refusalOf, type TestCustodyKey, throughJson } from './world.ts';

/**
 * The base, which every family shows: networks, addresses, plans of wallets, tokens and balances.
 */
export function describeBasics(worldOf: () => FamilyWorld): void {
  let world: FamilyWorld;
  beforeAll(() => {
    world = worldOf();
  });

  describe('networks and addresses', () => {
    it('lists its networks once each, with a native token, and every listed token with its facts', () => {
      expect(world.family.networks.length).toBeGreaterThan(0);
      expect(new Set(world.family.networks.map((network) => network.name)).size).toBe(
        world.family.networks.length,
      );
      for (const network of world.family.networks) {
        expect(network.chainType).toBe(world.family.chainType);
        expect(network.native.symbol).toBe(network.native.symbol.toLowerCase());
        for (const listed of network.tokens) {
          expect(listed.symbol).toBe(listed.symbol.toLowerCase());
          expect(
            (world.isTokenAddress ?? world.family.isAddress)(listed.address!),
            `${network.name}:${listed.symbol}`,
          ).toBe(true);
          expect(Number.isInteger(listed.decimals)).toBe(true);
        }
      }
    });

    it('knows its addresses, and has one form of each for comparison', () => {
      const address = world.freshAddress();
      expect(world.family.isAddress(address)).toBe(true);
      expect(world.family.isRecipient(address)).toBe(true);
      expect(world.family.checkAddress(address)).toBeUndefined();
      for (const text of [
        world.foreignAddress,
        '',
        ' ',
        `${address}0`,
        `${address} `,
        ` ${address}`,
      ]) {
        expect(world.family.isAddress(text), JSON.stringify(text)).toBe(false);
        expect(world.family.isRecipient(text), JSON.stringify(text)).toBe(false);
        expect(world.family.checkAddress(text), JSON.stringify(text)).toMatch(
          /^is not an? (\w+ )?address/,
        );
      }
      const canonical = world.family.canonicalAddress(address);
      expect(world.family.isAddress(canonical)).toBe(true);
      expect(world.family.canonicalAddress(canonical)).toBe(canonical);
      expect(world.family.canonicalAddress(world.freshAddress())).not.toBe(canonical);
    });

    it('serves the network of a name, and refuses unknown names and names without a node', () => {
      expect(world.family.requireNetwork(world.chain).name).toBe(world.chain);
      for (const name of [
        '',
        'nowhere',
        world.chain.toUpperCase(),
        `${world.chain} `,
        ...(world.chainWithoutNode === undefined ? [] : [world.chainWithoutNode]),
        '__proto__',
        'constructor',
      ]) {
        expect(
          codeOf(() => world.family.requireNetwork(name)),
          JSON.stringify(name),
        ).toBe('chain-not-supported');
      }
      // An operator has to find out which setting is missing.
      if (world.chainWithoutNode !== undefined)
        expect(() => world.family.requireNetwork(world.chainWithoutNode!)).toThrow(
          /[A-Z]+(_[A-Z]+)+/,
        );
    });
  });

  describe('plans of wallets', () => {
    it('are a function of type, signer and seed alone', ({ skip }) => {
      if (world.walletType === 'mpc') skip('an mpc wallet has neither signer nor seed');
      const [one, other] = [world.newSigner().signer, world.newSigner().signer];
      const planOf = (signer: Signer, creationSeed: string) =>
        world.family.planWallet({ type: 'smart', adminSigner: signer, creationSeed });
      expect(planOf(one, 'a')).toEqual(planOf(one, 'a'));
      const addresses = [
        planOf(one, 'a'),
        planOf(one, 'b'),
        planOf(one, ''),
        planOf(other, 'a'),
        planOf(one, 'ä€𐍈'),
      ].map((plan) => world.family.canonicalAddress(plan.address));
      expect(new Set(addresses).size).toBe(addresses.length);
      for (const address of addresses) expect(world.family.isRecipient(address)).toBe(true);
    });

    it('are the address of their key where they are one, which anybody can pay', ({ skip }) => {
      if (!world.family.walletTypes.includes('mpc')) skip('the family has no mpc wallets');
      const [one, other] = [world.newCustodyKey(), world.newCustodyKey()];
      const planOf = ({ publicKey }: TestCustodyKey) =>
        world.family.planWallet({ type: 'mpc', publicKey });
      expect(planOf(one)).toEqual(planOf(one));
      expect(planOf(one).address).toBe(world.family.addressOfPublicKey(one.publicKey));
      expect(planOf(other).address).not.toBe(planOf(one).address);
      expect(world.family.isRecipient(planOf(one).address)).toBe(true);
      expect(throughJson(planOf(one).setup)).toEqual(planOf(one).setup);
    });

    it('keep a set-up that survives being stored as JSON', () => {
      const { wallet } = world.aWallet();
      expect(throughJson(wallet.setup)).toEqual(wallet.setup);
    });

    it('take the signer types that the family names, and no others', ({ skip }) => {
      if (world.walletType === 'mpc') skip('an mpc wallet has no signers');
      const signer = world.newSigner().signer;
      for (const type of signerTypes) {
        const plan = () =>
          world.family.planWallet({
            type: 'smart',
            adminSigner: { ...signer, type },
            creationSeed: 'seed',
          });
        if (!world.family.adminSignerTypes.includes(type))
          expect(codeOf(plan), type).toBe('signer-type-not-supported');
      }
      expect(world.family.adminSignerTypes).toContain(signer.type);
    });
  });

  describe('tokens and balances', () => {
    it('resolves symbols in any case, listed addresses and the native token', async () => {
      expect(world.token).toMatchObject({
        chain: world.chain,
        symbol: world.testToken,
        locator: `${world.chain}:${world.testToken}`,
      });
      expect(
        await world.family.resolveToken(world.chain, { symbol: world.testToken.toUpperCase() }),
      ).toEqual(world.token);
      const byAddress = await world.family.resolveToken(world.chain, {
        address: world.token.address!,
      });
      expect(byAddress).toMatchObject({
        address: world.token.address,
        decimals: world.token.decimals,
        symbol: world.token.symbol,
      });
      expect(world.native.address).toBeUndefined();
      expect(world.native.decimals).toBe(world.family.requireNetwork(world.chain).native.decimals);
    });

    it('refuses tokens that do not exist with token-not-supported', async () => {
      expect(await refusalOf(world.family.resolveToken(world.chain, { symbol: 'nonesuch' }))).toBe(
        'token-not-supported',
      );
      expect(
        await refusalOf(world.family.resolveToken(world.chain, { address: world.freshAddress() })),
      ).toBe('token-not-supported');
      expect(
        await refusalOf(world.family.resolveToken(world.chain, { address: world.foreignAddress })),
      ).toBe('token-not-supported');
      expect(
        await refusalOf(world.family.resolveToken('nowhere', { symbol: world.testToken })),
      ).toBe('chain-not-supported');
    });

    it('reads every balance asked for, in the order asked, zeros included', async () => {
      const address = world.aWallet().wallet.address;
      expect(await world.family.readBalances(address, [])).toEqual([]);
      const gift = world.leastNativeMinor ?? 12_345n;
      await world.giveNative(address, gift);
      expect(
        await world.family.readBalances(address, [world.token, world.native, world.token]),
      ).toEqual([
        { token: world.token, amountMinor: 0n },
        { token: world.native, amountMinor: gift },
        { token: world.token, amountMinor: 0n },
      ]);
    });
  });
}
