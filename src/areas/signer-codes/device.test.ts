import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type DeviceRequest,
  deviceRequestText,
  isSignedByDevice,
  readDeviceKey,
} from './device.ts';
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
  const guide = readFileSync(
    new URL('../../../docs/guides/email-and-phone-signers.md', import.meta.url),
    'utf8',
  );
  const code = /```js\n([\s\S]*?)```/.exec(guide)![1]!;
  const run = new Function(
    `return (async () => { ${code}; return { devicePublicKey, signRequest }; })()`,
  ) as () => Promise<GuideExample>;
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
  for (const change of changes)
    expect(isSignedByDevice(key, { ...request, ...change }, signature)).toBe(false);
});

test('numbers that are no signature are false, short ones are read', () => {
  const device = aDevice();
  const key = readDeviceKey(device.publicKey);
  for (const scalar of ['0x0', '0x1', `0x${'f'.repeat(64)}`])
    expect(isSignedByDevice(key, request, { r: scalar, s: scalar })).toBe(false);
  const otherKey = readDeviceKey({
    x: '59102040229978163166806843975365478983212714131145702329539552104928989574509',
    y: '84186901134510220474218089177600523705520165981785420122019233043523299142317',
  });
  // One of some 256 signatures has an r whose first byte is 0, and many libraries write it without
  // that byte.
  const short = {
    r: '0x446188ad97e5acc6a13f5b6ba4a6f32d0426d788cff9a638724db8c9a19199',
    s: '0xf258d14ff8b20f3513d9cd54b3e134830d8253f6d3224fa57958cfdfb9a8e289',
  };
  expect(isSignedByDevice(otherKey, request, short)).toBe(true);
  expect(isSignedByDevice(key, request, short)).toBe(false);
});
