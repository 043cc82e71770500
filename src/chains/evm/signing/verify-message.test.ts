import { getContractAddress, type Hex, hashMessage, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { singletonFactory } from '../../../../contracts/index.ts';
import { anEvmFamily, type EvmTestBed, startEvmTestBed } from '../testing/chain.ts';

const message =
  'purser.test wants you to sign in with your Ethereum account:\nÜber 3 lines\n\nNonce: 1';
const owner = privateKeyToAccount(generatePrivateKey());
const chain = 'base-sepolia';

let bed: EvmTestBed;
beforeAll(async () => {
  bed = await startEvmTestBed();
});
afterAll(() => bed.close());

/** A contract that accepts any signature over one hash and no other (ERC-1271). */
const acceptor = (hash: Hex): Hex =>
  `0x7f${hash.slice(2)}6004351463${'1626ba7e'}0260e01b60005260206000f3`;
const asCreation = (runtime: Hex): Hex =>
  `0x60${((runtime.length - 2) / 2).toString(16).padStart(2, '0')}80600b6000396000f3${runtime.slice(2)}`;
const salt: Hex = `0x${'11'.repeat(32)}`;

async function deploy(runtime: Hex): Promise<Hex> {
  const bytecode = asCreation(runtime);
  await bed.chain.send({
    to: singletonFactory.address,
    data: `${salt}${bytecode.slice(2)}`,
    gas: 1_000_000n,
  });
  return getContractAddress({ opcode: 'CREATE2', from: singletonFactory.address, salt, bytecode });
}

describe('a message is verified', () => {
  test('when the key of the address signed it, without any node', async () => {
    const family = anEvmFamily({ store: bed.store, rpcUrls: {} });
    const signature = await owner.signMessage({ message });
    expect(
      await family.messages!.verifyMessage({
        address: owner.address,
        message,
        signature,
        chain: 'ethereum',
      }),
    ).toBe('key');
    expect(
      await family.messages!.verifyMessage({
        address: owner.address.toLowerCase(),
        message,
        signature,
        chain: 'ethereum',
      }),
    ).toBe('key');
    await expect(
      family.messages!.verifyMessage({
        address: owner.address,
        message: `${message} `,
        signature,
        chain: 'ethereum',
      }),
    ).rejects.toMatchObject({
      code: 'chain-not-supported',
    });
  });

  test('when a smart wallet accepts it (ERC-1271), and not when it accepts another text', async () => {
    const address = await deploy(acceptor(hashMessage(message)));
    for (const signature of [
      '0x',
      '0x1234',
      await owner.signMessage({ message }),
      `0x${'ab'.repeat(300)}`,
    ]) {
      expect(await bed.family.messages!.verifyMessage({ address, message, signature, chain })).toBe(
        'contract',
      );
      expect(
        await bed.family.messages!.verifyMessage({
          address,
          message: `${message}.`,
          signature,
          chain,
        }),
      ).toBeUndefined();
    }
  });

  test('when a smart wallet that is not deployed yet would accept it (ERC-6492)', async () => {
    const other = `${message} again`;
    const bytecode = asCreation(acceptor(hashMessage(other)));
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: singletonFactory.address,
      salt,
      bytecode,
    });
    const signature = serializeErc6492Signature({
      address: singletonFactory.address,
      data: `${salt}${bytecode.slice(2)}`,
      signature: '0x1234',
    });
    expect(
      await bed.family.messages!.verifyMessage({ address, message: other, signature, chain }),
    ).toBe('contract');
    expect(
      await bed.family.messages!.verifyMessage({ address, message, signature, chain }),
    ).toBeUndefined();
    expect(
      await bed.family.messages!.verifyMessage({
        address: owner.address,
        message: other,
        signature,
        chain,
      }),
    ).toBeUndefined();
  });
});

describe('a message is not verified', () => {
  test.each([
    ['of another key', () => privateKeyToAccount(generatePrivateKey()).signMessage({ message })],
    ['over another text', () => owner.signMessage({ message: 'else' })],
    ['of zeros', async () => `0x${'00'.repeat(65)}`],
    ['of ones', async () => `0x${'ff'.repeat(65)}`],
    ['that is too long', async () => `0x${'ab'.repeat(20_000)}`],
    ['of an odd digit', async () => '0x123'],
    ['that is empty', async () => '0x'],
    ['that is no hex', async () => 'signature'],
  ])('by a signature %s', async (_, make) => {
    expect(
      await bed.family.messages!.verifyMessage({
        address: owner.address,
        message,
        signature: await make(),
        chain,
      }),
    ).toBeUndefined();
  });

  test('by a contract that reverts, or knows no signatures', async () => {
    for (const runtime of ['0x60006000fd', '0x00'] as const) {
      const address = await deploy(runtime);
      expect(
        await bed.family.messages!.verifyMessage({ address, message, signature: '0x1234', chain }),
      ).toBeUndefined();
    }
  });
});

test('a node that is out is no answer', async () => {
  const family = anEvmFamily({
    store: bed.store,
    rpcUrls: { [chain]: 'http://127.0.0.1:9' },
    rpcTimeoutMs: 500,
  });
  const wrapped = serializeErc6492Signature({
    address: singletonFactory.address,
    data: '0x',
    signature: '0x1234',
  });
  for (const signature of ['0x1234', wrapped])
    await expect(
      family.messages!.verifyMessage({ address: owner.address, message, signature, chain }),
    ).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
});
