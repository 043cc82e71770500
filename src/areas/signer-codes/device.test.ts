import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type DeviceRequest, deviceRequestText, isSignedByDevice, readDeviceKey } from './device.ts';
import { aDevice } from './test-kit.ts';

const request: DeviceRequest = {
  walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  signer: 'email:ada@example.com',
  codeId: '3f0c2f0e-6f0e-4b5e-9d7b-0d8a2f4c1b11',
  code: '048213',
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
  message: `0x${'12'.repeat(32)}`,
};

interface GuideExample {
  readonly devicePublicKey: { readonly x: string; readonly y: string };
  signRequest(request: DeviceRequest): Promise<{ readonly r: string; readonly s: string }>;
}

test('the example of the guide signs what the service checks', async () => {
  const guide = readFileSync(new URL('../../../docs/guides/email-and-phone-signers.md', import.meta.url), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(guide)![1]!;
  const run = new Function(`return (async () => { ${code}; return { devicePublicKey, signRequest }; })()`) as () => Promise<GuideExample>;
  const { devicePublicKey, signRequest } = await run();
  const key = readDeviceKey(devicePublicKey);
  expect(isSignedByDevice(key, request, await signRequest(request))).toBe(true);
  const { code: _, ...later } = request;
  expect(isSignedByDevice(key, later, await signRequest(later))).toBe(true);
  expect(isSignedByDevice(key, request, await signRequest(later))).toBe(false);
});

test('what a device signs is seven lines, and no field can slip into another one', () => {
  expect(deviceRequestText(request).split('\n')).toEqual([
    'purser signer request 1',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    'email:ada@example.com',
    '3f0c2f0e-6f0e-4b5e-9d7b-0d8a2f4c1b11',
    '048213',
    'AAECAwQFBgcICQoLDA0ODw',
    '92b9141a75c0c1ea313306dd4a1bda24680f57690b852692c0e9e472424d2e57',
  ]);
  const device = aDevice();
  const key = readDeviceKey(device.publicKey);
  const signature = device.sign(request);
  const changes: Partial<DeviceRequest>[] = [
    { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' },
    { signer: 'phone:+14155550123' },
    { codeId: '3f0c2f0e-6f0e-4b5e-9d7b-0d8a2f4c1b12' },
    { code: '048214' },
    { nonce: 'AAECAwQFBgcICQoLDA0ODx' },
    { message: `0x${'12'.repeat(31)}13` },
  ];
  expect(isSignedByDevice(key, request, signature)).toBe(true);
  for (const change of changes) expect(isSignedByDevice(key, { ...request, ...change }, signature)).toBe(false);
});

test('numbers that are no signature are false, short ones are read', () => {
  const device = aDevice();
  const key = readDeviceKey(device.publicKey);
  for (const scalar of ['0x0', '0x1', `0x${'f'.repeat(64)}`]) expect(isSignedByDevice(key, request, { r: scalar, s: scalar })).toBe(false);
  for (let tries = 0; tries < 2_000; tries++) {
    const signature = device.sign({ ...request, nonce: String(tries).padStart(16, '0') });
    if (!signature.r.startsWith('0x00')) continue;
    const short = { ...signature, r: signature.r.replace(/^0x0+/, '0x') };
    return expect(isSignedByDevice(key, { ...request, nonce: String(tries).padStart(16, '0') }, short)).toBe(true);
  }
  throw new Error('no signature of 2,000 had a short r');
});
