import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';
import { walletErrors } from './errors.ts';
import { metaSections } from './meta.ts';

/** `tsx contracts/stellar/build.ts` compiles source/ to wallet.wasm and factory.wasm. */

const folder = dirname(fileURLToPath(import.meta.url));
const contracts = ['wallet', 'factory'] as const;
type ContractName = (typeof contracts)[number];

export const wasmPaths: Readonly<Record<ContractName, string>> = {
  wallet: join(folder, 'wallet.wasm'),
  factory: join(folder, 'factory.wasm'),
};

/** The virtual machine of Soroban knows the first version of WebAssembly. */
const compilerFlags = [
  '-Oz',
  '--converge',
  '--noAssert',
  '--runtime',
  'stub',
  '--initialMemory',
  '1',
  '--maximumMemory',
  '1',
  ...['bulk-memory', 'sign-extension', 'nontrapping-f2i', 'mutable-globals'].flatMap((name) => [
    '--disable',
    name,
  ]),
];

/** By the name that the sources give them. */
const symbols: Readonly<Record<string, string>> = {
  CALL_CONTEXT: 'Contract',
  ARGS: 'args',
  CONTRACT: 'contract',
  FN_NAME: 'fn_name',
  TRANSFER: 'transfer',
  MIGRATE: 'migrate',
  GROUPS: 'groups',
  EPOCH: 'epoch',
  COUNTER: 'counter',
  LOCKED: 'locked',
  ADDED: 'added',
  REMOVED: 'removed',
  RAISED: 'raised',
};
const symbolTag = 14n;
const alphabet = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const clientDataStart = '{"type":"webauthn.get","challenge":"';

export async function buildContracts(): Promise<Record<ContractName, Uint8Array>> {
  const wallet = Buffer.concat([await compile('wallet'), ...metaSections('wallet')]);
  const factory = await compile('factory', createHash('sha256').update(wallet).digest());
  return { wallet, factory: Buffer.concat([factory, ...metaSections('factory')]) };
}

/**
 * @param name of a file in source/ or testing/
 * @param walletCode SHA-256 of the wallet's file, which the factory creates wallets from
 */
export async function compile(name: string, walletCode = new Uint8Array(32)): Promise<Uint8Array> {
  const files: Record<string, string> = { 'constants.ts': constantsOf(walletCode) };
  let made: Uint8Array | undefined;
  const { error, stderr } = await main([`${name}.ts`, '-o', 'out.wasm', ...compilerFlags], {
    readFile: (path) => files[path] ?? readSource(path),
    writeFile: (_, content) => {
      made = typeof content === 'string' ? Buffer.from(content) : content;
    },
    listFiles: () => [],
  });
  if (error || made === undefined)
    throw new Error(`${name} does not compile: ${stderr.toString()}`);
  return made;
}

/** The compiler asks for names in `.ts`; in `.as` they are none of TypeScript's. */
function readSource(path: string): string | null {
  const name = /^(\w+)\.ts$/.exec(path)?.[1];
  const file = ['source', 'testing']
    .map((part) => join(folder, part, `${name}.as`))
    .find(existsSync);
  return file === undefined ? null : readFileSync(file, 'utf8');
}

function constantsOf(walletCode: Uint8Array): string {
  const list = (bytes: Uint8Array) => `memory.data<u8>([${[...bytes].join(', ')}])`;
  return [
    ...Object.entries(symbols).map(
      ([name, text]) => `export const ${name}: u64 = ${symbolValue(text)};`,
    ),
    ...walletErrors.map((text, index) => `export const ${errorName(text)}: u32 = ${index + 1};`),
    `export const CLIENT_DATA_START_LENGTH: u32 = ${clientDataStart.length};`,
    `export const CLIENT_DATA_START: usize = ${list(Buffer.from(clientDataStart))};`,
    `export const WALLET_CODE: usize = ${list(walletCode)};`,
  ].join('\n');
}

/** At most nine signs of six bits each fit into the value itself. */
function symbolValue(text: string): bigint {
  const bits = [...text].reduce(
    (value, sign) => (value << 6n) | BigInt(alphabet.indexOf(sign) + 1),
    0n,
  );
  return (bits << 8n) | symbolTag;
}

function errorName(text: string): string {
  return text === 'locked' ? 'LOCKED_ERROR' : text.toUpperCase().replaceAll(/[ -]/g, '_');
}

if (process.argv[1] !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await buildContracts();
  for (const name of contracts) {
    writeFileSync(wasmPaths[name], built[name]);
    console.log(`${wasmPaths[name]}: ${built[name].length} bytes`);
  }
}
