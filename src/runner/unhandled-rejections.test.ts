import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = (hears: boolean) => `
  import { logUnhandledRejections } from ${JSON.stringify(new URL('unhandled-rejections.ts', import.meta.url).href)};
  const log = { error: (fields, message) => console.log(JSON.stringify({ ...fields, message })) };
  if (${hears}) logUnhandledRejections(log);
  void Promise.reject(new Error('the card 4242 4242 4242 4242 was refused\\nby a page'));
  setTimeout(() => console.log('still here'), 50);`;
const run = (hears: boolean) =>
  promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    program(hears),
  ]).then(
    ({ stdout }) => stdout,
    ({ code }: { code: number }) => code,
  );

test('a rejection that nobody hears is written down, without secrets, and the other runs of the process go on', async () => {
  const [line = '', rest] = String(await run(true)).split('\n');
  expect(rest).toBe('still here');
  const { why, stack, message } = JSON.parse(line) as {
    why: string;
    stack: string[];
    message: string;
  };
  expect(why).toMatch(/^Error: the card .* was refused$/);
  expect(line).not.toContain('4242');
  expect(stack[0]).toMatch(/^at /);
  expect(message).toContain('nobody heard');
});

test('it would end a process that does not listen', async () => {
  expect(await run(false)).toBe(1);
});
