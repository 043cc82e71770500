import { expect, it } from 'vitest';
import { canonical } from '../../../store/row-mac.ts';
import { solanaOperations } from '../../solana/relay/queue/store.ts';
import { toSealed } from './queue-table.ts';

it('a seal is over the same as ever, whether an operation is handed over or read: what is absent is not in it, and bytes are by their digest', () => {
  const handedOver = {
    operationId: 'id',
    subject: 'transaction',
    projectId: 'project',
    owner: 'owner',
    chain: 'solana',
    wallet: 'wallet',
    lease: 'lease',
    message: Uint8Array.of(1, 2),
    signatures: { key: 'signature' },
    costMax: 123n,
    validUntil: new Date(5),
    walletId: undefined,
  };
  const read = {
    ...handedOver,
    message: Buffer.of(1, 2),
    costMax: '123',
    walletId: null,
    mac: 'seal',
  };
  const [one, other] = [handedOver, read].map((row) => canonical(toSealed(solanaOperations, row)));
  expect(one).toBe(
    '{"fields":{"chain":"solana","costMax":"123","lease":"lease","message":"a12871fee210fb8619291eaea194581cbd2531e4b23759d225f6806923f63222","owner":"owner","projectId":"project","signatures":{"key":"signature"},"subject":"transaction","validUntil":"1970-01-01T00:00:00.005Z","wallet":"wallet"},"id":"id","table":"solana_operations"}',
  );
  expect(other).toBe(one);
});
