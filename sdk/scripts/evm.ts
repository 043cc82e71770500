import { fileURLToPath } from 'node:url';
import {
  addresses,
  safeProxyInitCodeHash,
  walletModuleAbi,
  walletSetupAbi,
} from '../../contracts/generated.ts';
import { operationTypedData, safeAbi } from '../../contracts/index.ts';
import { testToken } from '../../src/chains/evm/config/networks.ts';
import { evmNetworkRows } from '../../src/chains/evm/config/networks-data.ts';

export const evmConstantsFile = fileURLToPath(new URL('../src/evm/constants.ts', import.meta.url));

interface Parameter {
  readonly type: string;
  readonly components?: readonly Parameter[];
}

/** The signature of a function of one of our ABIs, e.g. `removeSigner(bytes32)`. */
function signatureOf(abi: readonly unknown[], name: string): string {
  const entry = (
    abi as readonly { type: string; name?: string; inputs?: readonly Parameter[] }[]
  ).find((one) => one.type === 'function' && one.name === name);
  if (!entry) throw new Error(`There is no function ${name}.`);
  const typeOf = ({ type, components }: Parameter): string =>
    components ? `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}` : type;
  return `${name}(${(entry.inputs ?? []).map(typeOf).join(',')})`;
}

const { domain, types } = operationTypedData(1, {
  wallet: '0x',
  calls: [],
  nonce: 0n,
  epoch: 0n,
  validAfter: 0,
  validUntil: 0,
  callGas: 0n,
});

/** What the client needs of contracts and networks to check what it signs. */
export function renderEvmConstants(): string {
  const {
    walletModule,
    safeProxyFactory,
    walletSetup,
    signatureHandler,
    signerOwner,
    signerOwnerFactory,
  } = addresses;
  const used = {
    walletModule,
    safeProxyFactory,
    walletSetup,
    signatureHandler,
    signerOwner,
    signerOwnerFactory,
  };
  const functions = {
    setup: signatureOf(safeAbi, 'setup'),
    setUp: signatureOf(walletSetupAbi, 'setUp'),
    ...Object.fromEntries(
      ['addSigner', 'removeSigner', 'bumpEpoch', 'cancelNonce'].map((name) => [
        name,
        signatureOf(walletModuleAbi, name),
      ]),
    ),
  };
  const chains = evmNetworkRows.flatMap(
    ({ name, chainId, native, usdc = '', testName = '', testnet }) =>
      chainId === undefined
        ? []
        : [
            [
              name,
              chainId,
              native.symbol,
              native.decimals,
              usdc,
              testName,
              ...(testnet ? ['t'] : []),
            ].join(),
          ],
  );
  return `// Generated from contracts/ and the service's networks by \`npm run docs\`: do not edit.

/** Where our contracts and those of Safe 1.4.1 stand on every chain. */
export const contracts = ${json(used)} as const;

export const proxyInitCodeHash = '${safeProxyInitCodeHash}';

/** Functions that a wallet is set up with, and those of its module that the admin calls. */
export const functions = ${json(functions)} as const;

/** Domain and types of an operation (EIP-712), but for the chain id. */
export const operationDomain = ${json({ name: domain.name, version: domain.version })} as const;
export const operationTypes = ${json(types)} as const;

/** The stablecoin of test networks, whose address each instance has its own. */
export const testTokenSymbol = '${testToken.symbol}';

/**
 * Name, chain id, symbol and decimals of the native money, USDC, the network that takes its place
 * outside production, \`t\` for test.
 */
export const chainRows =
  '${chains.join(';')}';
`;
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
