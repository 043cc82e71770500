#!/usr/bin/env node
// Runs the command line from its sources where they are, and from the built file in an image that has only that.
import { existsSync } from 'node:fs';

const source = new URL('./purser.ts', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import(new URL('../dist/bin/purser.js', import.meta.url).href);
}
