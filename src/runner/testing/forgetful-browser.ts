import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserExecutable } from '../browser/index.ts';

/**
 * The same browser without the flags that match a pattern of the shell: a version that does not
 * know them any more. It is written to `folder`, which the browser's user can read.
 */
export function aForgetfulBrowser(
  folder: string,
  flags: string,
  { path, fontsFolder }: BrowserExecutable,
): BrowserExecutable {
  const file = join(folder, 'chromium');
  const fonts = fontsFolder === undefined ? '' : `export FONTCONFIG_PATH='${fontsFolder}'`;
  writeFileSync(
    file,
    `#!/bin/sh\n${fonts}\nfor one do shift; case "$one" in ${flags}) ;; *) set -- "$@" "$one";; esac; done\nexec '${path}' "$@"\n`,
  );
  chmodSync(file, 0o755);
  return { path: file, source: 'named' };
}

/**
 * The same browser, but that its proxy has exceptions: what the driver says of them is changed on
 * its way. `bypass` is as in `--proxy-bypass-list`; `*` uses no proxy at all.
 */
export function aBypassingBrowser(
  folder: string,
  bypass: string,
  { path, fontsFolder }: BrowserExecutable,
): BrowserExecutable {
  const file = join(folder, 'bypassing-chromium');
  writeFileSync(
    file,
    `#!${process.execPath}
const { spawn } = require('node:child_process');
const { Socket } = require('node:net');
const env = { ...process.env, ...${JSON.stringify(fontsFolder === undefined ? {} : { FONTCONFIG_PATH: fontsFolder })} };
const child = spawn(${JSON.stringify(path)}, process.argv.slice(2), { env, stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] });
const [driver, answers] = [new Socket({ fd: 3 }), new Socket({ fd: 4 })];
let rest = '';
driver.setEncoding('utf8').on('data', (text) => {
  const messages = (rest + text).split('\\0');
  rest = messages.pop();
  for (const message of messages) child.stdio[3].write(message.replace('<-loopback>', ${JSON.stringify(bypass)}) + '\\0');
}).on('end', () => child.stdio[3].end());
child.stdio[4].pipe(answers);
child.on('exit', (code) => process.exit(code ?? 1));
`,
  );
  chmodSync(file, 0o755);
  return { path: file, source: 'named' };
}
