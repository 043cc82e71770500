import { fileURLToPath } from 'node:url';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBigInt,
  keccak256,
  parseAbi,
  stringToHex,
} from 'viem';
import {
  addresses,
  encodeAddSigner,
  encodeBumpEpoch,
  encodeRemoveSigner,
  hashOperation,
  nativeToken,
  type Operation,
  operationTypedData,
  ownerAddressOf,
  type SignerKey,
  signerIdOf,
  walletAddress,
  walletMessageTypedData,
} from '../../contracts/index.ts';
import { findEvmNetwork } from '../../src/chains/evm/config/networks.ts';

/**
 * Test vectors of what users sign, computed with the contracts' own encoders and viem, and with
 * nothing of the client.
 */
export const vectorsFile = fileURLToPath(new URL('../vectors/what-you-sign.json', import.meta.url));

const wallet: Address = '0x1111111111111111111111111111111111111111';
const friend: Address = '0x000000000000000000000000000000000000bEEF';
const usdc: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const owner: Address = '0x2222222222222222222222222222222222222222';
const other: Address = '0x3333333333333333333333333333333333333333';
/** The generator of P-256, and twice it: points that everybody knows. */
const point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};
const secondPoint = {
  x: 0x7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978n,
  y: 0x07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1n,
};
const transfer = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
const payment = (amount: bigint) => ({
  to: usdc,
  value: 0n,
  data: encodeFunctionData({ abi: transfer, args: [friend, amount] }),
});
const ofModule = (data: Hex) => ({ to: addresses.walletModule, value: 0n, data });
const delegate: SignerKey = { kind: 'ecdsa', address: other };

const operation = (calls: Operation['calls'], rest: Partial<Operation> = {}): Operation => ({
  wallet,
  calls,
  nonce: 7n,
  epoch: 0n,
  validAfter: 0,
  validUntil: 1_900_000_000,
  callGas: 120_000n,
  ...rest,
});

function operations() {
  const scopes = [
    { token: usdc, recipients: [friend], limit: 5_000_000n, interval: 86_400 },
    { token: nativeToken, limit: 10n ** 16n },
  ];
  /* One line is one operation. */
  /* biome-ignore format: a table */
  const all: [name: string, chain: string, Operation][] = [
    ['2.5 USDC to a friend', 'base-sepolia', operation([payment(2_500_000n)])],
    ['the same on another chain', 'ethereum-sepolia', operation([payment(2_500_000n)])],
    ['native money and no data', 'base-sepolia', operation([{ to: friend, value: 10n ** 15n, data: '0x' }])],
    ['two payments, the greatest numbers', 'base-sepolia', operation([payment(1n), payment(2n ** 256n - 1n)], { nonce: 2n ** 256n - 1n, epoch: 2n ** 64n - 1n, validAfter: 1, validUntil: 2 ** 48 - 1 })],
    ['a delegated signer with two scopes', 'base-sepolia', operation([ofModule(encodeAddSigner({ signer: delegate, validUntil: 1_900_000_000, scopes }, 3))])],
    ['a delegated signer without scopes', 'base-sepolia', operation([ofModule(encodeAddSigner({ signer: { kind: 'p256', ...point }, scopes: [] }))])],
    ['the removal of a signer', 'base-sepolia', operation([ofModule(encodeRemoveSigner(delegate))])],
    ['the end of all that was signed', 'base-sepolia', operation([ofModule(encodeBumpEpoch())], { epoch: 1n << 32n })],
    ['no call at all', 'base-sepolia', operation([])],
  ];
  return all.map(([name, chain, op]) => {
    const chainId = findEvmNetwork(chain)!.chainId!;
    const { domain, types, primaryType, message } = operationTypedData(chainId, op);
    return {
      name,
      chain,
      typedData: { domain, types, primaryType, message },
      hash: hashOperation(chainId, op),
    };
  });
}

const decimal = ({ x, y }: typeof point) => ({ x: x.toString(), y: y.toString() });
const passkey = { type: 'passkey', id: 'cGFzc2tleQ', publicKey: decimal(point) };
const passkeyKey: SignerKey = { kind: 'webauthn', ...point, requireUserVerification: true };
const device: SignerKey = { kind: 'p256', ...secondPoint };

function walletAddresses() {
  const seed = 'what-you-sign';
  const saltNonce = hexToBigInt(keccak256(stringToHex(seed)));
  const wallets = {
    adminSigner: { type: 'external-wallet', address: owner },
    quorum: {
      type: 'quorum',
      threshold: 2,
      members: [
        { type: 'external-wallet', address: owner },
        passkey,
        { type: 'server', address: other },
      ],
    },
  };
  return [
    {
      name: 'one external wallet',
      config: { adminSigner: wallets.adminSigner, creationSeed: seed },
      address: walletAddress({ owners: [owner], threshold: 1n, saltNonce }),
    },
    {
      name: 'the same with another seed',
      config: { adminSigner: wallets.adminSigner, creationSeed: 'another' },
      address: walletAddress({
        owners: [owner],
        threshold: 1n,
        saltNonce: hexToBigInt(keccak256(stringToHex('another'))),
      }),
    },
    {
      name: 'a passkey',
      config: { adminSigner: passkey, creationSeed: seed },
      address: walletAddress({
        owners: [ownerAddressOf(passkeyKey)],
        threshold: 1n,
        ownerKeys: [passkeyKey],
        saltNonce,
      }),
    },
    {
      name: 'two of three',
      config: { recoveryMethods: [wallets.quorum], creationSeed: seed },
      address: walletAddress({
        owners: [owner, ownerAddressOf(passkeyKey), other],
        threshold: 2n,
        ownerKeys: [passkeyKey],
        saltNonce,
      }),
    },
    {
      name: 'one of two, and a device that is a delegate until 2030',
      config: {
        recoveryMethods: [wallets.adminSigner, passkey],
        delegatedSigners: [
          {
            signer: { type: 'device', publicKey: decimal(secondPoint) },
            expiresAt: new Date(1_900_000_000_999).toISOString(),
          },
          { signer: `server:${other}` },
        ],
        creationSeed: seed,
      },
      address: walletAddress({
        owners: [owner, ownerAddressOf(passkeyKey)],
        threshold: 1n,
        ownerKeys: [passkeyKey],
        delegates: [
          { signer: device, validUntil: 1_900_000_000, scopes: [] },
          { signer: delegate, scopes: [] },
        ],
        saltNonce,
      }),
    },
  ];
}

const permit = {
  domain: { name: 'USD Coin', version: '2', chainId: 84532, verifyingContract: usdc },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'tags', type: 'Tag[]' },
      { name: 'value', type: 'uint256' },
      { name: 'change', type: 'int64' },
      { name: 'proof', type: 'bytes' },
      { name: 'roots', type: 'bytes32[2]' },
      { name: 'open', type: 'bool' },
    ],
    Tag: [
      { name: 'label', type: 'string' },
      { name: 'kind', type: 'bytes4' },
    ],
  },
  primaryType: 'Permit',
  message: {
    owner: wallet,
    tags: [
      { label: 'für Ada', kind: '0x01020304' },
      { label: '', kind: '0xffffffff' },
    ],
    value: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    change: '-3',
    proof: '0xabcdef',
    roots: [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`],
    open: true,
  },
} as const;

function messages() {
  const text = 'I agree to the terms of 2026 ✓';
  const hashOfPermit = hashTypedData(permit as never);
  const hashFor = (hash: Hex) => hashTypedData(walletMessageTypedData(84532, wallet, hash));
  return [
    {
      name: 'a text, signed by the wallet',
      wallet,
      params: { chain: 'base-sepolia', message: text },
      hash: hashFor(hashMessage(text)),
    },
    {
      name: 'an empty text',
      wallet,
      params: { chain: 'base-sepolia', message: '' },
      hash: hashFor(hashMessage('')),
    },
    {
      name: 'typed data, signed by the wallet',
      wallet,
      params: { chain: 'base-sepolia', typedData: permit },
      hash: hashFor(hashOfPermit),
    },
    {
      name: "typed data, the signer's own signature",
      wallet,
      params: { chain: 'base-sepolia', typedData: permit, isSmartWalletSignature: false },
      hash: hashOfPermit,
    },
  ];
}

const signers: readonly (readonly [Record<string, unknown>, SignerKey])[] = [
  [
    { type: 'external-wallet', address: owner },
    { kind: 'ecdsa', address: owner },
  ],
  [passkey, passkeyKey],
  [{ type: 'device', publicKey: decimal(secondPoint) }, device],
];

export function renderVectors(): string {
  const signerIds = signers.map(([signer, key]) => ({
    signer,
    signerId: signerIdOf(key),
    ownerAddress: key.kind === 'ecdsa' ? owner : ownerAddressOf(key),
  }));
  const vectors = {
    operations: operations(),
    messages: messages(),
    walletAddresses: walletAddresses(),
    signerIds,
  };
  return `${JSON.stringify(vectors, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 2)}\n`;
}
