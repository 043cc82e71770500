import { singletonFactory, testCollectionDeployment } from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Json, JsonObject } from '../../../lib/json/json.ts';
import type {
  CollectionStandard,
  Collections,
  MintIntent,
} from '../../family/capabilities/collections.ts';
import { readAbiParam } from '../abi/abi-values.ts';
import { encodeContractCall } from '../abi/contract-call.ts';
import type { Hex } from '../abi/words.ts';
import { readWords } from '../rpc/bulk-read.ts';
import type { EvmConnections } from '../rpc/connections.ts';

/** Collections of ERC-721 and ERC-1155. */

const usualFunctions: Readonly<Record<CollectionStandard, readonly string[]>> = {
  erc721: ['mintTo(address to)', 'safeMint(address to)', 'mint(address to)'],
  erc1155: [
    'mint(address to, uint256 id, uint256 amount, bytes data)',
    'mintTo(address to, uint256 id, uint256 amount)',
    'mint(address to, uint256 id, uint256 amount)',
  ],
};

const erc721Id = '80ac58cd';
const erc1155Id = 'd9b67a26';
/** Each a call in one operation, which has a gas limit. */
const callsMax = 20;
const amountMax = 10_000;
const parametersMax = 16;

export function createEvmCollections(connections: EvmConnections): Collections {
  return {
    async readStandard(chain, address) {
      const [isErc721, isErc1155] = await readWords(await connections.connect(chain), [
        { to: address, data: supportsInterface(erc721Id) },
        { to: address, data: supportsInterface(erc1155Id) },
      ]);
      if (isErc721 === 1n) return 'erc721';
      return isErc1155 === 1n ? 'erc1155' : undefined;
    },
    mintFunctions: (standard) => usualFunctions[standard],
    mintedMax: (mintFunction) =>
      takesQuantity(readMintFunction(mintFunction)) ? amountMax : callsMax,
    mintParams,
    testCollection({ chain, standard, owner }) {
      const { address, salt, initCode } = testCollectionDeployment({
        standard,
        owner: owner as Hex,
      });
      const data = `${salt}${initCode.slice(2)}`;
      return {
        address,
        params: { chain, calls: [{ to: singletonFactory.address, value: '0', data }] },
      };
    },
  };
}

function supportsInterface(interfaceId: string): Hex {
  return `0x01ffc9a7${interfaceId.padEnd(64, '0')}`;
}

interface MintParameter {
  readonly type: string;
  readonly name: string;
  /** What the service fills in; absent: from the call data. */
  readonly role?: 'recipient' | 'id' | 'quantity' | 'data';
}

interface MintFunction {
  readonly name: string;
  readonly parameters: readonly MintParameter[];
}

const takesQuantity = ({ parameters }: MintFunction) =>
  parameters.some(({ role }) => role === 'quantity');

/**
 * `name(type name, …)`; where integers have no names, they are id and amount as ERC-1155 orders
 * them.
 * @throws validation-error
 */
function readMintFunction(text: string): MintFunction {
  const [, name, list] =
    /^\s*(?:function\s+)?([A-Za-z_$][\w$]{0,63})\s*\(([^()]*)\)\s*$/.exec(text) ?? [];
  if (name === undefined || list === undefined)
    throw unreadable(text, 'write it like mintTo(address to)');
  const written = list.trim() === '' ? [] : list.split(',');
  if (written.length > parametersMax)
    throw unreadable(text, `it has more than ${parametersMax} parameters`);
  const named = written.map((one) => {
    const [type = '', ...words] = one.trim().split(/\s+/);
    const canonical = readAbiParam({ type })?.type;
    if (canonical === undefined || canonical.endsWith(']'))
      throw unreadable(text, `"${one.trim()}" is no simple type and name`);
    return {
      type: canonical,
      name: words.filter((word) => !/^(?:memory|calldata)$/.test(word)).join(' '),
    };
  });
  const recipient = named.findIndex(({ type }) => type === 'address');
  if (recipient < 0)
    throw unreadable(text, 'it takes no address: whoever buys is to receive the item');
  const numbers = named.flatMap(({ type, name: called }, index) =>
    called === '' && type === 'uint256' ? [index] : [],
  );
  const parameters = named.map((one, index): MintParameter => {
    const role =
      index === recipient
        ? 'recipient'
        : (roleOf(one) ?? (numbers.length === 2 ? unnamedRole(numbers.indexOf(index)) : undefined));
    if (role === undefined && one.name === '')
      throw unreadable(text, `its parameter ${index + 1} needs a name, e.g. "uint256 quantity"`);
    return { ...one, ...(role && { role }) };
  });
  return { name, parameters };
}

function roleOf({
  type,
  name,
}: {
  readonly type: string;
  readonly name: string;
}): MintParameter['role'] {
  const word = name.replaceAll('_', '').toLowerCase();
  if (type === 'bytes' && (word === '' || word === 'data')) return 'data';
  if (!type.startsWith('uint')) return undefined;
  if (word === 'id' || word === 'tokenid') return 'id';
  return word === 'amount' || word === 'quantity' ? 'quantity' : undefined;
}

const unnamedRole = (index: number): MintParameter['role'] => (['id', 'quantity'] as const)[index];

function mintParams({
  chain,
  address,
  standard,
  mintFunction,
  tokenId,
  quantity,
  recipientAddress,
  callData,
}: MintIntent): JsonObject {
  const read = readMintFunction(mintFunction);
  if (
    standard === 'erc1155' &&
    tokenId === undefined &&
    read.parameters.some(({ role }) => role === 'id')
  )
    throw unreadable(mintFunction, 'which id it mints has to be said');
  const args = read.parameters.map(({ type, name, role }): Json => {
    if (role === 'recipient') return recipientAddress;
    if (role === 'quantity') return quantity.toString();
    if (role === 'id' && tokenId !== undefined) return tokenId;
    const given =
      callData !== undefined && Object.hasOwn(callData, name) ? callData[name] : undefined;
    if (given !== undefined) return given;
    if (role === 'data') return '0x';
    throw new ServiceError('validation-error', {
      message: `callData.${name} is missing: the collection takes it (${type}).`,
    });
  });
  const inputs = read.parameters.map(({ type, name }) => ({ type, name }));
  const abi = [
    { type: 'function', name: read.name, stateMutability: 'nonpayable', inputs, outputs: [] },
  ];
  checkArguments({ functionName: read.name, abi, args });
  const call = { address, functionName: read.name, abi, args };
  const count = takesQuantity(read) ? 1 : Number(quantity);
  return { chain, calls: Array.from({ length: count }, () => call) };
}

/** What a caller sent is their mistake, whatever the encoder calls it. */
function checkArguments(call: {
  readonly functionName: string;
  readonly abi: readonly Json[];
  readonly args: readonly Json[];
}): void {
  try {
    encodeContractCall({ ...call, place: 'callData' });
  } catch (error) {
    if (error instanceof ServiceError)
      throw new ServiceError('validation-error', { message: error.message });
    throw error;
  }
}

function unreadable(text: string, problem: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `The mint function "${text.slice(0, 200)}" cannot be used: ${problem}.`,
  });
}
