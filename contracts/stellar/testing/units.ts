import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  addSigner,
  bumpEpoch,
  type ContractCall,
  deploy,
  deployAndCall,
  migrate,
  removeSigner,
  transfer,
  upgrade,
} from '../index.ts';
import { ed25519Key, p256Key, type TestKey } from './keys.ts';
import { contractAddress, type Signing, type TestWallet, World, walletWasm } from './world.ts';

/**
 * What each operation costs: instructions by the local host's own count, an estimate (one for each
 * of WebAssembly's, prices of its own for host functions), and the bytes of the signed entry.
 * `tsx contracts/stellar/testing/units.ts --update` writes them down.
 */

export interface Units {
  readonly instructions: number;
  readonly bytes: number;
}

const recordPath = fileURLToPath(new URL('units.json', import.meta.url));
const [one, two, three] = ['one', 'two', 'three'].map(ed25519Key) as [TestKey, TestKey, TestKey];
const passkey = p256Key('passkey', 'one');
const device = p256Key('device', 'one');
const friend = contractAddress('friend');

export function readUnitsRecord(): Record<string, Units> {
  return JSON.parse(readFileSync(recordPath, 'utf8')) as Record<string, Units>;
}

export function measureUnits(): Record<string, Units> {
  const world = new World();
  const measured: Record<string, Units> = {};
  const run = (
    name: string,
    wallet: TestWallet,
    call: ContractCall,
    signing: Signing,
    outer = call,
  ) => {
    const entry = world.sign(wallet, call, signing);
    const { answer, instructions, reason } = world.try(outer, [entry]);
    if (answer !== 'done' || instructions === undefined)
      throw new Error(`${name}: ${answer}, ${reason}`);
    measured[name] = { instructions, bytes: entry.toXDR().length };
  };
  const pay = ({ address }: TestWallet) =>
    transfer(world.token, { from: address, to: friend, amount: 1n });
  const walletOf = (members: TestKey[], threshold = 1) => world.wallet([{ threshold, members }]);

  const single = walletOf([one]);
  run(
    'first transfer, with the wallet',
    single,
    pay(single),
    { by: [one] },
    deployAndCall(world.factory, single.setup, pay(single)),
  );
  run('transfer by the admin', single, pay(single), { by: [one] });
  run(
    'transfer by the admin, through the factory',
    single,
    pay(single),
    { by: [one] },
    deployAndCall(world.factory, single.setup, pay(single)),
  );
  const quorum = world.deploy(walletOf([one, two, three], 2));
  run('transfer by two of three', quorum, pay(quorum), { by: [one, two] });
  const webAuthn = world.deploy(walletOf([passkey]));
  run('transfer by a passkey as the admin', webAuthn, pay(webAuthn), { by: [passkey] });

  const scope = { token: world.token, limit: 1_000n, interval: 60n, recipients: [] };
  const listed = { ...scope, recipients: [friend, ...['a', 'b', 'c'].map(contractAddress)] };
  const kinds = [
    ['without scopes', two, []],
    ['with a limit', three, [scope]],
    ['with a limit and four recipients', ed25519Key('four'), [listed]],
    ['a device, with a limit', device, [scope]],
    ['a passkey, with a limit', passkey, [scope]],
  ] as const;
  for (const [name, { key }, scopes] of kinds)
    run(
      `registration, ${name}`,
      single,
      addSigner(single.address, 0, { key, expiresAt: 0n, scopes }),
      { by: [one] },
    );
  for (const [name, signer] of kinds)
    run(`transfer by a delegate, ${name}`, single, pay(single), {
      by: [signer],
      as: { delegate: signer.key },
    });
  run('removal', single, removeSigner(single.address, two.key), { by: [one] });
  run('epoch raised', single, bumpEpoch(single.address), { by: [one] });
  run('upgrade', single, upgrade(single.address, world.upload(walletWasm)), { by: [one] });
  run('migration', single, migrate(single.address), { by: [one] });
  const { instructions } = world.try(deploy(world.factory, walletOf([two]).setup));
  measured.deployment = { instructions: instructions!, bytes: 0 };
  return measured;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--update')) {
  writeFileSync(recordPath, `${JSON.stringify(measureUnits(), null, 2)}\n`);
}
