/**
 * The contracts as the service sees them: typed ABIs, addresses, and how wallets, operations and
 * their signatures are encoded. Bytecode is read only when something is to be deployed.
 */
import { readFileSync } from 'node:fs';
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  hashTypedData,
  hexToBigInt,
  isAddressEqual,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  zeroAddress,
} from 'viem';
import {
  addresses,
  constructorArgs,
  safeProxyInitCodeHash,
  salt,
  singletonFactoryAddress,
  walletSetupAbi,
} from './generated.ts';
import {
  type DelegateInput,
  delegateArguments,
  ownerAddressOf,
  type SignerKey,
  signerIdOf,
  withRecovery,
} from './signers.ts';

export { batchGasLimit, itemGasLimit } from './gas-limits.ts';
export {
  addresses,
  batchExecutorAbi,
  delegatedAccountAbi,
  signatureHandlerAbi,
  signerOwnerAbi,
  signerOwnerFactoryAbi,
  signerVerifierAbi,
  testTokenAbi,
  walletModuleAbi,
} from './generated.ts';
export * from './signers.ts';

/** The part of Safe 1.4.1 that the service calls or reads. */
export const safeAbi = parseAbi([
  'function setup(address[] _owners, uint256 _threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function getOwners() view returns (address[])',
  'function getThreshold() view returns (uint256)',
  'function isOwner(address owner) view returns (bool)',
  'function isModuleEnabled(address module) view returns (bool)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] array, address next)',
  'function domainSeparator() view returns (bytes32)',
  'function nonce() view returns (uint256)',
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 _nonce) view returns (bytes32)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool success)',
  'function execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation) returns (bool success, bytes returnData)',
  'function checkSignatures(bytes32 dataHash, bytes data, bytes signatures) view',
  'function approveHash(bytes32 hashToApprove)',
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
  'function removeOwner(address prevOwner, address owner, uint256 _threshold)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function changeThreshold(uint256 _threshold)',
  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
  'function setFallbackHandler(address handler)',
  'event ExecutionFromModuleSuccess(address indexed module)',
  'event ExecutionFromModuleFailure(address indexed module)',
  'event SafeReceived(address indexed sender, uint256 value)',
]);

/** The part of SafeProxyFactory 1.4.1 that the service calls or reads. */
export const safeProxyFactoryAbi = parseAbi([
  'function createProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
  'function proxyCreationCode() pure returns (bytes)',
  'event ProxyCreation(address indexed proxy, address singleton)',
]);

/**
 * Answers a transaction whose data is salt ++ initCode with CREATE2; the code stands at this
 * address on public chains.
 */
export const singletonFactory = {
  address: singletonFactoryAddress,
  runtimeCode:
    '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const;

export interface Deployment {
  readonly name: string;
  readonly address: Address;
  readonly salt: Hex;
  /** Creation code with constructor arguments: send salt ++ initCode to the singleton factory. */
  readonly initCode: Hex;
}

/** The admin of a wallet: `threshold` of `owners` together. */
export interface WalletOwners {
  /** The order counts towards the address. */
  readonly owners: readonly Address[];
  readonly threshold: bigint;
}

/** What a wallet is set up with. All of it, order included, counts towards the address. */
export interface WalletSetup extends WalletOwners {
  /**
   * Signers without an address of their own whose {@link ownerAddressOf} is an owner: their
   * contracts are put in place.
   */
  readonly ownerKeys?: readonly SignerKey[];
  /** Registered from the beginning, on every chain. */
  readonly delegates?: readonly DelegateInput[];
}

export interface WalletSetupInput extends WalletSetup {
  readonly saltNonce: bigint;
}

export interface OperationCall {
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
}

/** An operation as `WalletModule.execute` takes it. Times are seconds, both ends inclusive. */
export interface Operation {
  readonly wallet: Address;
  readonly calls: readonly OperationCall[];
  /**
   * Any number the wallet has not used. 256 neighbours (`nonce >> 8`) share a storage slot:
   * neighbours cost 17,100 gas less.
   */
  readonly nonce: bigint;
  /**
   * What `WalletModule.epochOf` says of wallet and signer; 0 for the admin until something ended
   * what was signed.
   */
  readonly epoch: bigint;
  readonly validAfter: number;
  readonly validUntil: number;
  /** Gas of the calls together: what `simulate` reports, and a margin. */
  readonly callGas: bigint;
}

export interface OwnerSignature {
  readonly owner: Address;
  /**
   * 65 bytes r, s, v; for `contract`, what the contract takes: of a {@link SignerKey}'s owner, its
   * proof.
   */
  readonly signature: Hex;
  /**
   * `eip712`: over the operation's typed data; `eip191`: personal_sign over the 32 bytes of its
   * hash; `contract`: ERC-1271.
   */
  readonly scheme: 'eip712' | 'eip191' | 'contract';
}

interface CodeFile {
  readonly bytecode: Hex;
}

function readArtifact(name: string): CodeFile {
  return readCodeFile(`artifacts/${name}.json`);
}

/** LGPL-3.0 bytecode, deployed as published and never changed. */
function readSafeArtifact(name: 'Safe' | 'SafeProxyFactory'): CodeFile {
  return readCodeFile(`safe/${name}.json`);
}

function readCodeFile(path: string): CodeFile {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as CodeFile;
}

/**
 * Everything a chain needs, in order. Reads bytecode from disk: not for the start of the service.
 */
export function coreDeployments(): readonly Deployment[] {
  const own = (name: keyof typeof constructorArgs, address: Address): Deployment => ({
    name,
    address,
    salt,
    initCode: concatHex([readArtifact(name).bytecode, constructorArgs[name]]),
  });
  return [
    {
      name: 'Safe',
      address: addresses.safeSingleton,
      salt,
      initCode: readSafeArtifact('Safe').bytecode,
    },
    {
      name: 'SafeProxyFactory',
      address: addresses.safeProxyFactory,
      salt,
      initCode: readSafeArtifact('SafeProxyFactory').bytecode,
    },
    own('SignerVerifier', addresses.signerVerifier),
    own('WalletModule', addresses.walletModule),
    own('BatchExecutor', addresses.batchExecutor),
    own('SignerOwner', addresses.signerOwner),
    own('SignerOwnerFactory', addresses.signerOwnerFactory),
    own('WalletSetup', addresses.walletSetup),
    own('SignatureHandler', addresses.signatureHandler),
  ];
}

/**
 * A stablecoin for local chains, 6 decimals, minted by `owner`. Its deployed code can be copied to
 * another address and is the same token there, with balances of its own.
 */
export function testTokenDeployment(input: {
  readonly symbol: string;
  readonly name: string;
  readonly owner: Address;
}): Deployment {
  const args = encodeAbiParameters(
    [{ type: 'string' }, { type: 'string' }, { type: 'address' }],
    [input.name, input.symbol, input.owner],
  );
  const initCode = concatHex([readArtifact('TestToken').bytecode, args]);
  return { name: input.symbol, address: create2Address(initCode), salt, initCode };
}

/** A collection for local chains and test networks, minted by `owner`. */
export function testCollectionDeployment(input: {
  readonly standard: 'erc721' | 'erc1155';
  readonly owner: Address;
}): Deployment {
  const name = input.standard === 'erc721' ? 'TestPictures' : 'TestEditions';
  const initCode = concatHex([
    readArtifact(name).bytecode,
    encodeAbiParameters([{ type: 'address' }], [input.owner]),
  ]);
  return { name, address: create2Address(initCode), salt, initCode };
}

function create2Address(initCode: Hex): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: singletonFactory.address,
    salt,
    bytecode: initCode,
  });
}

/**
 * The call of `setup` that makes a new proxy a wallet of these owners with our module and fallback
 * handler.
 * @throws Error when the Safe would refuse the owners, when one of them is a contract that signs
 * for nobody, or when a delegate could not be registered
 */
export function encodeWalletSetup({
  owners,
  threshold,
  ownerKeys = [],
  delegates = [],
}: WalletSetup): Hex {
  requireOwners({ owners, threshold });
  if (ownerKeys.some((key) => !owners.some((owner) => isAddressEqual(owner, ownerAddressOf(key)))))
    throw new Error('The contract of an owner key is not among the owners.');
  const registered = delegates.map(delegateArguments);
  if (new Set(registered.map(({ signerId }) => signerId)).size !== registered.length)
    throw new Error('A delegate is named twice.');
  const setUp = encodeFunctionData({
    abi: walletSetupAbi,
    functionName: 'setUp',
    args: [ownerKeys.map(signerIdOf), registered],
  });
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [
      owners,
      threshold,
      addresses.walletSetup,
      setUp,
      addresses.signatureHandler,
      zeroAddress,
      0n,
      zeroAddress,
    ],
  });
}

/**
 * The module as an owner would let everybody sign: a Safe takes its caller's own approval without a
 * signature.
 */
function requireOwners({ owners, threshold }: WalletOwners): void {
  const forbidden = [zeroAddress, numberToHex(1, { size: 20 }), ...Object.values(addresses)];
  if (owners.some((owner) => forbidden.some((address) => isAddressEqual(owner, address))))
    throw new Error('An owner is not an address that can sign.');
  if (new Set(owners.map((owner) => owner.toLowerCase())).size !== owners.length)
    throw new Error('An owner is named twice.');
  if (threshold < 1n || threshold > BigInt(owners.length))
    throw new Error('The threshold must be between 1 and the number of owners.');
}

/** Where the wallet of this set-up stands, deployed or not, on every chain. */
export function walletAddress({ saltNonce, ...setup }: WalletSetupInput): Address {
  const initializerHash = keccak256(encodeWalletSetup(setup));
  return getContractAddress({
    opcode: 'CREATE2',
    from: addresses.safeProxyFactory,
    bytecodeHash: safeProxyInitCodeHash,
    salt: keccak256(encodePacked(['bytes32', 'uint256'], [initializerHash, saltNonce])),
  });
}

/** `deployment` of a batch item or a simulation: what deploys the wallet if it has no code yet. */
export function encodeDeployment({ saltNonce, ...setup }: WalletSetupInput): Hex {
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint256' }],
    [encodeWalletSetup(setup), saltNonce],
  );
}

const operationTypes = {
  Operation: [
    { name: 'wallet', type: 'address' },
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'epoch', type: 'uint64' },
    { name: 'validAfter', type: 'uint48' },
    { name: 'validUntil', type: 'uint48' },
    { name: 'callGas', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const;

/** EIP-712 typed data of an operation, as viem's `signTypedData` takes it. */
export function operationTypedData(chainId: number, operation: Operation) {
  return {
    domain: {
      name: 'Purser WalletModule',
      version: '1',
      chainId,
      verifyingContract: addresses.walletModule,
    },
    types: operationTypes,
    primaryType: 'Operation',
    message: operation,
  } as const;
}

/** What the signers of an operation sign; `WalletModule.operationHash` gives the same. */
export function hashOperation(chainId: number, operation: Operation): Hex {
  return hashTypedData(operationTypedData(chainId, operation));
}

/**
 * What the owners sign when the wallet signs a message or typed data of this hash (ERC-1271), as
 * EIP-712 typed data.
 */
export function walletMessageTypedData(chainId: number, wallet: Address, hash: Hex) {
  return {
    domain: { chainId, verifyingContract: wallet },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: hash },
  } as const;
}

/** The signer id of the wallet's owners. */
export const adminSignerId: Hex = numberToHex(0, { size: 32 });

/**
 * The signature of the admin, out of those of as many owners as the threshold says, in any order.
 * For `WalletModule.execute`, and for `isValidSignature` of the wallet.
 * @throws Error when the signature of an account is not 65 bytes
 */
export function encodeAdminSignature(signatures: readonly OwnerSignature[]): Hex {
  const ordered = signatures.toSorted((a, b) =>
    hexToBigInt(a.owner) < hexToBigInt(b.owner) ? -1 : 1,
  );
  const heads: Hex[] = [];
  const tails: Hex[] = [];
  let tailAt = 65 * ordered.length;
  for (const { owner, signature, scheme } of ordered) {
    if (scheme !== 'contract') {
      heads.push(withRecovery(signature, scheme));
      continue;
    }
    // Of a contract there is its address, where its signature stands, and v = 0.
    heads.push(
      concatHex([
        numberToHex(hexToBigInt(owner), { size: 32 }),
        numberToHex(tailAt, { size: 32 }),
        '0x00',
      ]),
    );
    tails.push(numberToHex(size(signature), { size: 32 }), signature);
    tailAt += 32 + size(signature);
  }
  return concatHex([adminSignerId, ...heads, ...tails]);
}
