import { createHash } from 'node:crypto';
import { evmNetworks, type SpendingBounds, starOf } from '../../chains/evm/config/networks.ts';
import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { EvmConfig } from '../config.ts';
import type { ProcessKind } from '../load-config.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

const executorsMax = 32;
const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * SHA-256 of the first ten private keys of the mnemonic that every local EVM node starts with.
 * Anybody knows them, and what is sent to their accounts on a public network is gone within a
 * second.
 */
const publicKeyHashes = new Set([
  '60a09e4357868c1e9b801052726d061c370429f723db84523ed58ac354f6eb8a',
  '095101cf732c298a0ce0320b9de704209cdd8640b70d8fdf4e5be51aa2eb272e',
  'bb4978fbe7638de8e6ee13d9a59a5fb047beb0f0ee059fe166541b1f96b6af63',
  'f02322197a196ceb746aa52cee2a869abf0fe231c4d6d050a8a5f02c6625a1d4',
  '5de22089c247b9b2722ec5c33498e6bc481b1faba85f4da957f8b84679fcf88c',
  '59feecfa04eb096ba44eed297e4239fa32d8840cbc1ffb8ff2f7fd8e8e0edd38',
  'b69d88ff1ad5834ab1d8ed45f20d72b6ccf3429c9ccc75b93d14ca0ee00dec16',
  'b6b9ee08c38f62da71fa150a8ada4a7a09c7d3c4a9f6445e51e5a4b2c6395368',
  'be394de37f9d6cf6682434e9f15a4f891eca9b614bf79da2da22a8e48a658fcd',
  'dd0102d1cd0c6ac702573e3e7551fc6cec26596b6287348804c1b0f9544b5bf9',
]);

/** What the relay and the watcher of EVM need, from the variables that begin with `EVM_`. */
export function readEvmConfig(
  reader: SettingReader,
  input: { readonly environment: Environment; readonly process: ProcessKind },
): EvmConfig {
  const rpcUrls = readRpcUrls(reader, 'EVM_RPC_URL_*', input.environment);
  const secondRpcUrls = readRpcUrls(reader, 'EVM_RPC_SECOND_URL_*', input.environment);
  for (const [chain, url] of secondRpcUrls)
    if (new URL(url).host === new URL(rpcUrls.get(chain) ?? 'http://none').host)
      reader.problems.push(
        `EVM_RPC_SECOND_URL_${starOf(chain)} is the node of EVM_RPC_URL_${starOf(chain)}: name one of somebody else.`,
      );
  const executorKeys = readKeys(reader, 'EVM_EXECUTOR_KEYS', input.environment);
  const treasuryKeys = readKeys(reader, 'EVM_TREASURY_KEY', input.environment);
  if (executorKeys.length === 0 && input.process === 'worker' && rpcUrls.size > 0)
    reader.problems.push(
      'EVM_EXECUTOR_KEYS is not set: the worker needs at least one account to send from.',
    );
  if (executorKeys.length > executorsMax)
    reader.problems.push(`EVM_EXECUTOR_KEYS names more than ${executorsMax} accounts.`);
  if (treasuryKeys.length > 1) reader.problems.push('EVM_TREASURY_KEY is one private key.');
  const all = [...executorKeys, ...treasuryKeys].map((key) => key.reveal());
  if (new Set(all).size < all.length)
    reader.problems.push(
      'EVM_EXECUTOR_KEYS and EVM_TREASURY_KEY name an account twice: each has its own counter and needs its own key.',
    );
  return {
    rpcUrls,
    secondRpcUrls,
    ...readDepositAloneMax(reader, input.environment),
    executorKeys,
    treasuryKey: treasuryKeys[0],
    treasuryAddress: readTestAddress(reader, 'EVM_TREASURY_ADDRESS', input.environment),
    bounds: readBounds(reader),
    withoutDelegation: readWithoutDelegation(reader),
    testTokenAddress: readTestAddress(reader, 'EVM_TEST_TOKEN_ADDRESS', input.environment),
    relay: {
      batchSizeMax: reader.integer('EVM_RELAY_BATCH_SIZE_MAX'),
      flushAfterMs: reader.integer('EVM_RELAY_FLUSH_AFTER_MS'),
      inFlightMax: reader.integer('EVM_RELAY_IN_FLIGHT_MAX'),
      bumpAfterMs: reader.integer('EVM_RELAY_BUMP_AFTER_MS'),
      executorBalanceMinWei: readWei(reader),
      leaseMs: reader.integer('EVM_RELAY_LEASE_MS'),
    },
    watcher: {
      pollMs: reader.integer('EVM_WATCHER_POLL_MS'),
      blockRangeMax: reader.integer('EVM_WATCHER_BLOCK_RANGE_MAX'),
      startHeights: readStartHeights(reader),
    },
    rpcTimeoutMs: reader.integer('EVM_RPC_TIMEOUT_MS'),
  };
}

function readDepositAloneMax(
  reader: SettingReader,
  environment: Environment,
): Pick<EvmConfig, 'depositAloneMaxUsd'> {
  const text =
    reader.text('EVM_DEPOSIT_ALONE_MAX_USD') ?? (environment === 'production' ? '1000' : undefined);
  if (text === undefined) return {};
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text))
    reader.problems.push('EVM_DEPOSIT_ALONE_MAX_USD is a number of US dollars, e.g. 1000.');
  return { depositAloneMaxUsd: text };
}

function readRpcUrls(
  reader: SettingReader,
  setting: 'EVM_RPC_URL_*' | 'EVM_RPC_SECOND_URL_*',
  environment: Environment,
): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  for (const { name, star, value } of reader.perChain(setting)) {
    const network = findNetwork(star);
    if (!network) reader.problems.push(`${name} names no chain of the interface.`);
    else if (network.testnet === (environment === 'production'))
      reader.problems.push(
        `${name} names a ${network.testnet ? 'test' : 'main'} network, and ${environment} serves ${environment === 'production' ? 'main' : 'test'} networks.`,
      );
    else if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
      reader.problems.push(`${name} is an http or https address.`);
    else urls.set(network.name, value);
  }
  return urls;
}

function readStartHeights(reader: SettingReader): ReadonlyMap<string, bigint> {
  const heights = new Map<string, bigint>();
  for (const { name, star, value } of reader.perChain('EVM_START_BLOCK_*')) {
    const network = findNetwork(star);
    if (!network) reader.problems.push(`${name} names no chain of the interface.`);
    else if (!/^\d{1,18}$/.test(value)) reader.problems.push(`${name} is the number of a block.`);
    else heights.set(network.name, BigInt(value));
  }
  return heights;
}

function readWithoutDelegation(reader: SettingReader): ReadonlySet<string> {
  const names = (reader.text('EVM_WITHOUT_DELEGATION') ?? '').split(/[\s,]+/).filter(Boolean);
  for (const name of names)
    if (!evmNetworks.some((network) => network.name === name))
      reader.problems.push(
        `EVM_WITHOUT_DELEGATION names "${name.slice(0, 64)}", which is no chain of the interface.`,
      );
  return new Set(names);
}

const boundSettings = [
  ['EVM_FEE_MAX_WEI_*', 'feeMaxWei'],
  ['EVM_TIP_MAX_WEI_*', 'tipMaxWei'],
  ['EVM_SPENDING_ALARM_WEI_*', 'spendingAlarmWei'],
  ['EVM_TOP_UP_DAY_MAX_WEI_*', 'topUpDayMaxWei'],
  ['EVM_ACCOUNT_TOP_UP_MAX_WEI_*', 'accountTopUpMaxWei'],
  ['EVM_GAS_PROJECT_DAY_MAX_WEI_*', 'projectDayMaxWei'],
  ['EVM_GAS_OWNER_DAY_MAX_WEI_*', 'ownerDayMaxWei'],
] as const satisfies readonly (readonly [SettingName, keyof SpendingBounds])[];

function readBounds(reader: SettingReader): ReadonlyMap<string, Partial<SpendingBounds>> {
  const bounds = new Map<string, Partial<SpendingBounds>>();
  for (const [setting, bound] of boundSettings)
    for (const { name, star, value } of reader.perChain(setting)) {
      const network = findNetwork(star);
      if (!network) reader.problems.push(`${name} names no chain of the interface.`);
      else if (!/^\d{1,30}$/.test(value)) reader.problems.push(`${name} is a whole number of wei.`);
      else bounds.set(network.name, { ...bounds.get(network.name), [bound]: BigInt(value) });
    }
  return bounds;
}

function findNetwork(star: string) {
  return evmNetworks.find((network) => starOf(network.name) === star);
}

function readKeys(
  reader: SettingReader,
  name: 'EVM_EXECUTOR_KEYS' | 'EVM_TREASURY_KEY',
  environment: Environment,
): Secret<`0x${string}`>[] {
  const texts = (reader.secret(name) ?? '')
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map((text) => text.toLowerCase());
  const wrong = texts.filter((text) => !isPrivateKey(text));
  if (wrong.length > 0)
    reader.problems.push(`${name}: a private key is 0x and 64 hexadecimal digits.`);
  if (
    environment !== 'development' &&
    texts.some((text) => publicKeyHashes.has(createHash('sha256').update(text).digest('hex')))
  ) {
    reader.problems.push(
      `${name} holds a private key of local test nodes, which everybody knows: make a new one.`,
    );
  }
  return texts.filter(isPrivateKey).map((text) => new Secret(text));
}

function isPrivateKey(text: string): text is `0x${string}` {
  return /^0x[0-9a-f]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < secp256k1Order;
}

function readTestAddress(
  reader: SettingReader,
  name: 'EVM_TEST_TOKEN_ADDRESS' | 'EVM_TREASURY_ADDRESS',
  environment: Environment,
): `0x${string}` | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  if (environment === 'production')
    reader.problems.push(`${name} is for development and staging: production has no test token.`);
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    reader.problems.push(`${name} is an address: 0x and 40 hexadecimal digits.`);
  return text as `0x${string}`;
}

function readWei(reader: SettingReader): bigint {
  const text = reader.textOrFallback('EVM_EXECUTOR_BALANCE_MIN_WEI');
  if (/^\d{1,30}$/.test(text)) return BigInt(text);
  reader.problems.push('EVM_EXECUTOR_BALANCE_MIN_WEI is a whole number of wei.');
  return 0n;
}
