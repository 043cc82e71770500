/** @module-tag slow */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { browsersHere } from '../testing/browsers-here.ts';
import { aBypassingBrowser, aForgetfulBrowser } from '../testing/forgetful-browser.ts';
import { type BrowserExecutable, proveBrowser } from './index.ts';
import { findNamespace } from './namespace.ts';
import { unprivilegedId } from './process.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-proof-test-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

const namespace = await findNamespace(unprivilegedId);
const hasNamespaces = !('missing' in namespace);
if ('missing' in namespace)
  console.warn(
    `No network namespaces on this system (${namespace.missing}): what needs them is skipped.`,
  );

const without = (flags: string, executable: BrowserExecutable) =>
  aForgetfulBrowser(folder, flags, executable);

describe.each(await browsersHere())(
  'before it works, a runner proves its browser ($source): it',
  (executable) => {
    it('lets nothing out, and is named with its version', async () => {
      expect(await proveBrowser(executable)).toEqual({
        version: expect.stringMatching(/Chrome\/\d+\./),
        tried: ['loopback', 'file', 'popup', 'WebRTC', 'WebTransport'],
        isNamespaced: hasNamespaces,
      });
    });

    it('is refused by name and version when its pages send packets past the proxy', async () => {
      await expect(
        proveBrowser(without('*webrtc-ip-handling-policy*', executable), { namespace: 'none' }),
      ).rejects.toThrow(
        /^Pages get out of the browser \S+ \(.*Chrome\/\d+\.\S+\), past the proxy: .*UDP/,
      );
    });

    it('is refused when loopback, also in a popup, is an exception from its proxy', async () => {
      await expect(
        proveBrowser(aBypassingBrowser(folder, '127.0.0.1', executable), { namespace: 'none' }),
      ).rejects.toThrow(
        /^Pages get out of the browser \S+ \(.*Chrome\/\d+\.\S+\), past the proxy: (?=.*TCP to 127\.0\.0\.1)(?=.*a popup)/,
      );
    });

    it.skipIf(!hasNamespaces)(
      'lets nothing out in a network namespace, even a version that forgets every policy',
      async () => {
        const forgetful = without(
          '*webrtc-ip-handling-policy*|--disable-quic|--host-resolver-rules*',
          executable,
        );
        expect((await proveBrowser(forgetful)).isNamespaced).toBe(true);
      },
    );
  },
);

it('a browser that does not start proves nothing', async () => {
  await expect(proveBrowser({ path: '/bin/false', source: 'named' })).rejects.toThrow(
    'It cannot be proven that nothing gets out of the browser /bin/false (of unknown version): Chromium does not start',
  );
});
