import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import http from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DevnetError } from '../errors.ts';

/**
 * Keeps the state of a local chain in a file. anvil can do that itself (`--state`), but rewrites
 * the file in place every second, whole and uncompressed, whether anything happened or not, and not
 * at all together with `--prune-history`. Here the node's dump goes into a new file that replaces
 * the old one when it is complete; the one before stays as `.bak`.
 */

const dumpTimeoutMs = 120_000;

/**
 * Writes the node's present state to `file`. Memory does not grow with the chain: the dump is never
 * held whole.
 */
export async function saveState(nodeUrl: string, file: string): Promise<void> {
  const draft = `${file}.new`;
  await pipeline(
    await requestDump(nodeUrl),
    takeHexResult(),
    createWriteStream(draft, { mode: 0o600 }),
  );
  await syncFile(draft);
  if (existsSync(file)) renameSync(file, `${file}.bak`);
  renameSync(draft, file);
}

/**
 * Unpacks the newest readable state for anvil's `--load-state`.
 * @returns the unpacked file, and whether it is the one before the last; undefined when there is no
 * saved state
 * @throws DevnetError when there are states and none can be read
 */
export async function unpackState(
  file: string,
): Promise<{ path: string; isBackup: boolean } | undefined> {
  const candidates = [file, `${file}.bak`].filter((path) => existsSync(path));
  const path = `${file}.load`;
  for (const candidate of candidates) {
    try {
      // A cut or damaged file fails here: gzip ends with a checksum.
      await pipeline(
        createReadStream(candidate),
        createGunzip(),
        createWriteStream(path, { mode: 0o600 }),
      );
      return { path, isBackup: candidate !== file };
    } catch {
      rmSync(path, { force: true });
    }
  }
  if (candidates.length === 0) return undefined;
  throw new DevnetError(
    `The saved state of the local chain in ${file} cannot be read: delete it and its .bak to start that chain empty, or start everything empty with \`npm start -- --reset\`.`,
  );
}

function requestDump(nodeUrl: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const request = http.request(
      nodeUrl,
      { method: 'POST', headers, timeout: dumpTimeoutMs },
      resolve,
    );
    request.on('timeout', () => request.destroy(new Error('The node did not answer in time.')));
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * Turns `{"jsonrpc":"2.0","id":1,"result":"0x1f8b…"}` into the bytes of its result, chunk by chunk.
 */
function takeHexResult(): Transform {
  const marker = '"result":"0x';
  let head: string | undefined = '';
  let odd = '';
  let isComplete = false;

  function decode(text: string): Buffer {
    const end = text.indexOf('"');
    if (end >= 0) isComplete = true;
    const digits = odd + (end < 0 ? text : text.slice(0, end));
    odd = digits.length % 2 === 1 ? digits.slice(-1) : '';
    return Buffer.from(odd === '' ? digits : digits.slice(0, -1), 'hex');
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isComplete) return done();
      const text = chunk.toString('latin1');
      if (head === undefined) return done(null, decode(text));
      head += text;
      const start = head.replace(/\s/g, '').indexOf(marker);
      if (start < 0)
        return head.length > 65_536 ? done(new Error('The node answered no state.')) : done();
      const rest = head.slice(head.indexOf('"0x', head.indexOf('"result"')) + 3);
      head = undefined;
      done(null, decode(rest));
    },
    flush(done) {
      done(
        isComplete && odd === ''
          ? null
          : new Error(`The node answered no whole state${head ? `: ${head.slice(0, 200)}` : ''}.`),
      );
    },
  });
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
