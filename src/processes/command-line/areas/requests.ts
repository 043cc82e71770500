import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { CommandError, type Print, parseCommand } from '../../../lib/command.ts';
import type { Command } from '../command.ts';
import { untilInterrupted } from '../interrupt.ts';
import { dataDirOf } from '../place.ts';

const pollMs = 250;
const lastBytesMax = 1_024 * 1_024;

export const requests: Command = {
  usage: `purser requests tail                the requests to a local instance as they come, until Ctrl-C
Options: [--last 20] [--no-follow] [--json]`,
  async run({ argv, env, dataDir, print }) {
    const { values, positionals } = parseCommand(argv, { texts: ['last'], flags: ['no-follow'] });
    const [verb = 'tail'] = positionals;
    if (verb !== 'tail')
      throw new CommandError(`Unknown command "requests ${verb}": it is purser requests tail.`);
    const last = readLast(values.last);
    const path = join(dataDirOf(env, dataDir), 'purser.log');
    const show = (line: string) => printRequest(line, { print, isJson: values.json === true });
    let position = await printLast(path, last, show);
    if (values['no-follow']) return;
    await untilInterrupted(async (signal) => {
      let rest = '';
      while (!signal.aborted) {
        const { size } = await stat(path);
        // A log that was made anew is read from its beginning.
        if (size < position) [position, rest] = [0, ''];
        if (size > position) {
          for await (const chunk of createReadStream(path, {
            start: position,
            end: size - 1,
            encoding: 'utf8',
          }))
            rest += chunk;
          position = size;
          const lines = rest.split('\n');
          rest = lines.pop()!;
          lines.forEach(show);
        }
        await delay(pollMs, undefined, { signal }).catch(() => undefined);
      }
    });
  },
};

function readLast(text = '20'): number {
  if (!/^\d{1,4}$/.test(text)) throw new CommandError('--last is a number from 0 to 9999.');
  return Number(text);
}

/** @returns how far the log was read */
async function printLast(
  path: string,
  count: number,
  show: (line: string) => boolean,
): Promise<number> {
  const file = await open(path).catch(() => {
    throw new CommandError(
      `There is no log ${path}: start a local instance with npm start, or name its folder with --data.`,
    );
  });
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - lastBytesMax);
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    const text = buffer.toString('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (count > 0) whole.split('\n').filter(isRequest).slice(-count).forEach(show);
    return start + Buffer.byteLength(whole);
  } finally {
    await file.close();
  }
}

const isRequest = (line: string) => line.includes('"msg":"request"');

const requestSchema = z.looseObject({
  time: z.string(),
  method: z.string(),
  route: z.string(),
  status: z.number(),
  durationMs: z.number(),
  code: z.string().optional(),
  requestId: z.string().optional(),
});

/** One line of the log, if it is that of a request. @returns whether it was */
function printRequest(
  line: string,
  { print, isJson }: { readonly print: Print; readonly isJson: boolean },
): boolean {
  if (!isRequest(line)) return false;
  const { data } = requestSchema.safeParse(JSON.parse(line));
  if (!data) return false;
  if (isJson) print(line);
  else {
    const { time, method, route, status, durationMs, code = '', requestId = '' } = data;
    print(
      `${time.slice(11, 19)}  ${status}  ${method.padEnd(6)} ${route}  ${durationMs} ms  ${code}${code && '  '}${requestId}`,
    );
  }
  return true;
}
