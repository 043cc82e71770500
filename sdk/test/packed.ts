import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const root = fileURLToPath(new URL('../..', import.meta.url));
const npmTimeoutMs = 120_000;

export interface Tarball {
  readonly path: string;
  readonly files: readonly string[];
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

/** What `npm pack` makes of a package of this repository. */
export async function packPackage(folder: string, destination: string): Promise<Tarball> {
  const { stdout } = await npm(
    ['pack', '--json', '--pack-destination', destination],
    join(root, folder),
  );
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  return {
    path: join(destination, packed.filename),
    files: packed.files.map(({ path }) => path),
    packedBytes: packed.size,
    unpackedBytes: packed.unpackedSize,
  };
}

export interface EmptyProject {
  readonly folder: string;
  readonly tarball: Tarball;
  write(name: string, text: string): Promise<void>;
  /**
   * Packs packages, of this repository or installed here, and installs them without the network;
   * others are linked as they are here.
   */
  install(folders: readonly string[], linked?: readonly string[]): Promise<Tarball[]>;
  npm(args: readonly string[]): Promise<{ stdout: string }>;
  /** Runs a program in it. @throws with its output when it fails */
  run(program: string, args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * A project with nothing but the packed client in it, installed by npm without the network: what it
 * depends on is packed here too.
 */
export async function startEmptyProject(): Promise<EmptyProject> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-sdk-'));
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'shop', private: true, type: 'module' }),
  );
  async function install(
    folders: readonly string[],
    linked: readonly string[] = [],
  ): Promise<Tarball[]> {
    const packed: Tarball[] = [];
    // One after the other: a package of this repository is built first, and with it what it is
    // built upon.
    for (const one of folders) packed.push(await packPackage(one, tarballs));
    await npm(
      [
        'install',
        '--offline',
        '--no-audit',
        '--no-fund',
        ...packed.map(({ path }) => path),
        ...linked.map((name) => join(root, 'node_modules', name)),
      ],
      folder,
    );
    return packed;
  }
  const [tarball] = await install([
    'sdk',
    'node_modules/openapi-fetch',
    'node_modules/openapi-typescript-helpers',
    'node_modules/@noble/hashes',
  ]);
  return {
    folder,
    tarball: tarball!,
    install,
    write: (name, text) => writeFile(join(folder, name), text),
    npm: (args) => npm(args, folder),
    async run(program, args) {
      try {
        return (await run(program, args, { cwd: folder, timeout: npmTimeoutMs })).stdout;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, {
          cause: error,
        });
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * The program of somebody who has read the first lines of README.md. It needs no package but this
 * one.
 */
export const program = `
import { createPurser, NotFoundError, serverSigner, type Wallet } from '@purser/sdk';

declare const process: { argv: string[] };
const purser = createPurser({ baseUrl: process.argv[2]!, apiKey: 'sk_development_x' });

const wallet: Wallet = await purser.createWallet({ chainType: 'evm', config: { adminSigner: { type: 'api-key' } } });
console.log('wallet', wallet.address);
try {
  await purser.getWallet('userId:nobody:evm');
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log('error', error.code);
}
try {
  await serverSigner({ secret: '11'.repeat(32), projectId: 'p', environment: 'development', chain: 'base-sepolia' });
} catch (error) {
  console.log('signer', error instanceof Error ? error.message : error);
}
`;

/** What it prints. */
export const printed =
  'wallet 0x1\nerror wallet-not-found\nsigner A server signer needs the package viem: npm install viem\n';

/** A page of somebody who has read README.md of the components. */
export const page = `
import { Balance, PurserProvider, TransferForm, useWallet, WalletCard } from '@purser/react';
import '@purser/react/styles.css';
import { createPurser } from '@purser/sdk';
import { createRoot } from 'react-dom/client';

const purser = createPurser({ baseUrl: 'https://purser.example/api', apiKey: 'ck_development_x', userJwt: () => 'jwt' });

function App() {
  const wallet = useWallet();
  return (
    <>
      <WalletCard wallet={wallet} />
      {wallet.value && <Balance locator={wallet.value.address} tokens="usdxm" />}
      <TransferForm token="base-sepolia:usdxm" onSent={(sent) => console.log(sent.onChain.txId)} />
    </>
  );
}

createRoot(document.body).render(<PurserProvider client={purser}><App /></PurserProvider>);
`;

/** A service that makes one wallet and knows no other. */
export async function startTinyService(): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isCreate = request.method === 'POST';
    response.writeHead(isCreate ? 201 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isCreate
          ? { address: '0x1' }
          : { error: true, message: 'Wallet not found.', code: 'wallet-not-found' },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  // What npm run gave to this process is not what a user's shell has.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
  );
  return run('npm', args, {
    cwd,
    timeout: npmTimeoutMs,
    env,
    maxBuffer: 16 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
}
