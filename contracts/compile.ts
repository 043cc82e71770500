/**
 * Compiles contracts/src into the committed artifacts: one JSON per contract (abi, bytecode), and
 * `generated.ts` with what the service reads at start (typed ABIs, addresses).
 * `tsx contracts/compile.ts` writes, `--check` only compares. Digests of sources and results go to
 * `compiled.json`: the ordinary tests compare these, and only the long ones compile.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Abi,
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
} from 'viem';
import { contractsDir, writeCompileRecord } from './compile-record.ts';

const require = createRequire(import.meta.url);

/**
 * Paris is the newest EVM that every network of the interface runs. No metadata: the bytecode
 * depends on the code alone.
 */
const settings = {
  optimizer: { enabled: true, runs: 1_000_000 },
  viaIR: true,
  evmVersion: 'paris',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
} as const;

/**
 * OpenZeppelin's WebAuthn, SignatureChecker and Strings need `mcopy`. Wallets and their admins do
 * without these contracts.
 */
const cancunFiles: ReadonlySet<string> = new Set(['SignerVerifier.sol', 'TestCollectibles.sol']);

/** Deployed by tests and in development alone: the service reads no ABI of theirs at its start. */
const testCollections: ReadonlySet<string> = new Set(['TestPictures', 'TestEditions']);

export interface Artifact {
  readonly contractName: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
  /** Where constructor values stand in the deployed bytecode; absent when it has none. */
  readonly immutableReferences?: Readonly<
    Record<string, readonly { readonly start: number; readonly length: number }[]>
  >;
}

interface SolcContract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string; readonly sourceMap: string };
    readonly deployedBytecode: {
      readonly object: string;
      readonly sourceMap: string;
      readonly immutableReferences: NonNullable<Artifact['immutableReferences']>;
    };
  };
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
  readonly sources?: Readonly<Record<string, { readonly id: number }>>;
}

interface Solc {
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string;
}

/**
 * Contracts that are deployed, in order, with the fixed salt and constructor arguments that decide
 * their addresses.
 */
export const ownContracts = [
  'SignerVerifier',
  'WalletModule',
  'BatchExecutor',
  'SignerOwner',
  'SignerOwnerFactory',
  'WalletSetup',
  'SignatureHandler',
] as const;
export type OwnContract = (typeof ownContracts)[number];

/** Whose addresses the constructor of each takes: contracts before it. */
const constructorContracts: Readonly<Record<OwnContract, readonly OwnContract[]>> = {
  SignerVerifier: [],
  WalletModule: ['SignerVerifier'],
  BatchExecutor: ['WalletModule'],
  SignerOwner: ['SignerVerifier'],
  SignerOwnerFactory: ['SignerOwner'],
  WalletSetup: ['WalletModule', 'SignerOwnerFactory'],
  SignatureHandler: ['WalletModule'],
};

export const singletonFactoryAddress: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';
export const safeSingletonAddress: Address = '0x41675C099F32341bf84BFc5382aF534df5C7461a';
export const safeProxyFactoryAddress: Address = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67';
const salt = pad('0x00');

/**
 * Compiles the Solidity files below `folder`, imports from node_modules.
 * @param pipeline `legacy` takes a third of the time, for contracts that nobody but tests deploys
 * @throws Error with the compiler's messages, warnings included: there are to be none
 */
export function compileFolder(folder: string, pipeline: 'ir' | 'legacy' = 'ir'): Artifact[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sol'))
    .sort();
  const prefix = relative(contractsDir, folder).replaceAll('\\', '/');
  return compileNamed(
    new Map(files.map((file) => [`${prefix}/${file}`, readFileSync(join(folder, file), 'utf8')])),
    { viaIR: pipeline === 'ir' },
  ).map(({ sourceFiles: _, ...artifact }) => artifact);
}

/** An artifact and the files of ours that its code came from. */
export type TracedArtifact = Artifact & { readonly sourceFiles: ReadonlySet<string> };

/**
 * Compiles files of contracts/src, by name, as given; only the contracts `wanted` when said.
 * Warnings are no matter here.
 * @throws Error with the compiler's errors
 */
export function compileSources(
  sources: ReadonlyMap<string, string>,
  wanted?: ReadonlySet<string>,
): TracedArtifact[] {
  return compileNamed(new Map([...sources].map(([file, content]) => [`src/${file}`, content])), {
    wanted,
    refused: ['error'],
  });
}

interface CompileOptions {
  /** By name, as their files are called; all when absent. */
  readonly wanted?: ReadonlySet<string> | undefined;
  /** Which messages of the compiler are errors; all when absent. */
  readonly refused?: readonly string[];
  readonly viaIR?: boolean;
}

function compileNamed(
  sources: ReadonlyMap<string, string>,
  options: CompileOptions = {},
): TracedArtifact[] {
  const isCancun = (path: string) => cancunFiles.has(basename(path));
  return [
    ...compileFiles(
      sources,
      [...sources.keys()].filter((path) => !isCancun(path)),
      settings.evmVersion,
      options,
    ),
    ...compileFiles(sources, [...sources.keys()].filter(isCancun), 'cancun', options),
  ].sort((a, b) => (a.contractName < b.contractName ? -1 : 1));
}

function compileFiles(
  sources: ReadonlyMap<string, string>,
  paths: readonly string[],
  evmVersion: string,
  { wanted, refused, viaIR = settings.viaIR }: CompileOptions,
): TracedArtifact[] {
  const outputs = [
    'abi',
    'evm.bytecode.object',
    'evm.deployedBytecode.object',
    'evm.deployedBytecode.immutableReferences',
  ];
  const maps = ['evm.bytecode.sourceMap', 'evm.deployedBytecode.sourceMap'];
  const asked = paths.filter((path) => wanted === undefined || wanted.has(basename(path, '.sol')));
  if (asked.length === 0) return [];
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(asked.map((path) => [path, { content: sources.get(path) }])),
    settings: {
      ...settings,
      viaIR,
      evmVersion,
      outputSelection: Object.fromEntries(
        asked.map((path) => [path, { '*': [...outputs, ...maps] }]),
      ),
    },
  };
  const solc = require('solc') as Solc;
  const readSource = (path: string) => {
    const content = sources.get(path);
    return content === undefined ? readImport(path) : { contents: content };
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: readSource }),
  ) as SolcOutput;
  const errors = (output.errors ?? []).filter(
    ({ severity }) => refused === undefined || refused.includes(severity),
  );
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const names = new Map(
    Object.entries(output.sources ?? {}).map(([path, { id }]) => [String(id), basename(path)]),
  );
  return asked.flatMap((path) =>
    Object.entries(output.contracts?.[path] ?? {})
      .filter(([, contract]) => contract.evm.bytecode.object.length > 0)
      .map(([contractName, { abi, evm }]) => ({
        contractName,
        abi,
        bytecode: `0x${evm.bytecode.object}` as const,
        deployedBytecode: `0x${evm.deployedBytecode.object}` as const,
        ...(Object.keys(evm.deployedBytecode.immutableReferences).length > 0 && {
          immutableReferences: evm.deployedBytecode.immutableReferences,
        }),
        sourceFiles: filesOfMap(
          `${evm.bytecode.sourceMap};${evm.deployedBytecode.sourceMap}`,
          names,
        ),
      })),
  );
}

/**
 * The files that a source map of the compiler names: `start:length:file:…`, parts that repeat the
 * one before left out.
 */
function filesOfMap(map: string, names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const ids = new Set(map.split(';').map((entry) => entry.split(':')[2] ?? ''));
  return new Set([...ids].flatMap((id) => names.get(id) ?? []));
}

/** The version of the installed compiler. */
export function solcVersion(): string {
  return (require('solc/package.json') as { version: string }).version;
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith('@') ? require.resolve(path) : join(contractsDir, path);
    return { contents: readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: `${path} not found: ${String(error)}` };
  }
}

/** Every generated file, by path below contracts/, with its content. */
export function renderArtifacts(): Map<string, string> {
  return renderArtifactFiles(compileFolder(join(contractsDir, 'src')));
}

/** The files that such artifacts are kept in, by path below contracts/. */
export function renderArtifactFiles(compiled: readonly Artifact[]): Map<string, string> {
  // A library of internal functions compiles to a stub that nobody deploys.
  const libraries = new Set(['AddressSignature', 'BoundedCall', 'SafeWallets']);
  const artifacts = compiled.filter((artifact) => !libraries.has(artifact.contractName));
  const files = new Map(
    artifacts.map(({ contractName, abi, bytecode, deployedBytecode, immutableReferences }) => [
      `artifacts/${contractName}.json`,
      `${JSON.stringify({ contractName, abi, bytecode, deployedBytecode, immutableReferences }, undefined, 2)}\n`,
    ]),
  );
  files.set(
    'generated.ts',
    renderGenerated(artifacts.filter(({ contractName }) => !testCollections.has(contractName))),
  );
  return files;
}

/**
 * Init code and CREATE2 address of each of our contracts; an argument of one may be the address of
 * one before it.
 */
function planOwnContracts(
  artifacts: readonly Artifact[],
): Record<OwnContract, { address: Address; constructorArgs: Hex }> {
  const planned = {} as Record<OwnContract, { address: Address; constructorArgs: Hex }>;
  for (const name of ownContracts) {
    const artifact = artifacts.find((candidate) => candidate.contractName === name);
    if (!artifact) throw new Error(`${name} is not among the compiled contracts.`);
    const args = constructorContracts[name].map((needed) => planned[needed].address);
    const constructorArgs = encodeAbiParameters(
      args.map(() => ({ type: 'address' as const })),
      args,
    );
    planned[name] = {
      constructorArgs,
      address: create2Address(concatHex([artifact.bytecode, constructorArgs])),
    };
  }
  return planned;
}

/** Where the singleton factory puts `initCode` under our salt. */
export function create2Address(initCode: Hex): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: singletonFactoryAddress,
    salt,
    bytecode: initCode,
  });
}

/** The module makes it in its constructor: the first contract of its own. */
function delegatedAccountOf(module: Address): Address {
  return getContractAddress({ from: module, nonce: 1n });
}

/** The code that the proxy factory creates wallets with, as published. */
function safeProxyInitCodeHash(): Hex {
  const proxy = JSON.parse(readFileSync(join(contractsDir, 'safe', 'SafeProxy.json'), 'utf8')) as {
    bytecode: Hex;
  };
  return keccak256(concatHex([proxy.bytecode, pad(safeSingletonAddress)]));
}

function renderGenerated(artifacts: readonly Artifact[]): string {
  const plan = planOwnContracts(artifacts);
  const abis = artifacts.map((artifact) => {
    const name = `${artifact.contractName[0]?.toLowerCase()}${artifact.contractName.slice(1)}Abi`;
    const entries = artifact.abi.map((entry) => `  ${JSON.stringify(entry)},`).join('\n');
    return `export const ${name} = [\n${entries}\n] as const;\n`;
  });
  return [
    '// Written by contracts/compile.ts: change the Solidity and run `tsx contracts/compile.ts`.\n',
    `export const salt = '${salt}';\n`,
    `export const singletonFactoryAddress = '${singletonFactoryAddress}';\n`,
    `export const safeProxyInitCodeHash = '${safeProxyInitCodeHash()}';\n`,
    `export const addresses = {\n  safeSingleton: '${safeSingletonAddress}',\n  safeProxyFactory: '${safeProxyFactoryAddress}',\n${ownContracts.map((name) => `  ${name[0]?.toLowerCase()}${name.slice(1)}: '${plan[name].address}',\n`).join('')}  delegatedAccount: '${delegatedAccountOf(plan.WalletModule.address)}',\n  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',\n} as const;\n`,
    `export const constructorArgs = {\n${ownContracts.map((name) => `  ${name}: '${plan[name].constructorArgs}',\n`).join('')}} as const;\n`,
    ...abis,
  ].join('\n');
}

/** Names of generated files whose committed content differs from what the sources give. */
export function findStaleArtifacts(): string[] {
  const rendered = renderArtifacts();
  const stale = [...rendered]
    .filter(([path, content]) => readOrEmpty(join(contractsDir, path)) !== content)
    .map(([path]) => path);
  const left = readdirSync(join(contractsDir, 'artifacts'))
    .map((file) => `artifacts/${file}`)
    .filter((path) => !rendered.has(path));
  return [...stale, ...left];
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function main(args: readonly string[]): void {
  if (args.includes('--check')) {
    const stale = findStaleArtifacts();
    if (stale.length === 0) return console.log('Artifacts are what the sources give.');
    console.error(`Stale: ${stale.join(', ')}. Run: npx tsx contracts/compile.ts`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(join(contractsDir, 'artifacts'), { recursive: true });
  for (const [path, content] of renderArtifacts()) {
    writeFileSync(join(contractsDir, path), content);
    console.log(`contracts/${path}`);
  }
  writeCompileRecord();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  main(process.argv.slice(2));
