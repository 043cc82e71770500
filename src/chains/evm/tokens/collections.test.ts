import { describe, expect, it } from 'vitest';
import type { MintIntent } from '../../family/capabilities/collections.ts';
import { createEvmCollections } from './collections.ts';

// No node is asked for what calls look like.
const collections = createEvmCollections({
  requireNetwork: () => {
    throw new Error('no network is looked up');
  },
} as unknown as Parameters<typeof createEvmCollections>[0]);

const buyer = '0x00000000000000000000000000000000000000b1';
const mint = (mintFunction: string, over: Partial<MintIntent> = {}) =>
  collections.mintParams({
    chain: 'base-sepolia',
    address: '0x00000000000000000000000000000000000000c1',
    standard: 'erc721',
    mintFunction,
    quantity: 2n,
    recipientAddress: buyer,
    ...over,
  }) as { calls: { functionName: string; args: unknown[] }[] };
const argsOf = (...given: Parameters<typeof mint>) => mint(...given).calls.map(({ args }) => args);
const edition = { standard: 'erc1155', tokenId: '7' } as const;

describe('the calls that mint', () => {
  it.each<[string, Partial<MintIntent>, unknown[][]]>([
    ['mintTo(address to)', {}, [[buyer], [buyer]]],
    ['function safeMint(address)', { quantity: 1n }, [[buyer]]],
    ['mint(uint256 quantity, address to)', {}, [['2', buyer]]],
    [
      'mint(address to, uint256 id, uint256 amount, bytes data)',
      edition,
      [[buyer, '7', '2', '0x']],
    ],
    ['mint(address,uint256,uint256,bytes)', edition, [[buyer, '7', '2', '0x']]],
    [
      'mintTo(address to, uint256 _tokenId)',
      edition,
      [
        [buyer, '7'],
        [buyer, '7'],
      ],
    ],
    [
      'mintTo(address to, string memory uri)',
      { quantity: 1n, callData: { uri: 'ipfs://x', other: 1 } },
      [[buyer, 'ipfs://x']],
    ],
    ['mint(address to, uint8 tier)', { quantity: 1n, callData: { tier: 3 } }, [[buyer, 3]]],
  ])('%s', (mintFunction, over, expected) => {
    expect(argsOf(mintFunction, over)).toEqual(expected);
  });

  it.each<[string, Partial<MintIntent>, string]>([
    ['mintTo', {}, 'write it like mintTo(address to)'],
    ['mint(uint256 id)', {}, 'it takes no address'],
    ['mint(address to, house h)', {}, '"house h" is no simple type and name'],
    ['mint(address to, uint256[] ids)', {}, 'is no simple type and name'],
    ['mint(address,uint256)', {}, 'its parameter 2 needs a name'],
    ['mint(address to, uint256 id)', { standard: 'erc1155' }, 'which id it mints has to be said'],
    [
      'mint(address to, uint8 tier)',
      {},
      'callData.tier is missing: the collection takes it (uint8)',
    ],
    ['mint(address to, uint8 tier)', { callData: { tier: 300 } }, 'must be between 0 and 255'],
    ['mint(address to, uint8 toString)', { callData: {} }, 'callData.toString is missing'],
  ])('%s is refused with what is wrong', (mintFunction, over, message) => {
    expect(() => mint(mintFunction, over)).toThrow(message);
  });

  it('are one for each item, unless the function takes how many', () => {
    expect(collections.mintedMax('mintTo(address to)')).toBe(20);
    expect(collections.mintedMax('mint(address to, uint256 id, uint256 amount)')).toBe(10_000);
  });
});
