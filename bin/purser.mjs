#!/usr/bin/env node
// Runs the command line from its sources where they are, and from the built file in an image that
// has only that.
import { existsSync } from 'node:fs';

if (existsSync(new URL('./purser.ts', import.meta.url))) {
  const { runSource } = await import('../scripts/run-source.mjs');
  await runSource('bin/purser.ts');
} else {
  await import(new URL('../dist/bin/purser.js', import.meta.url).href);
}
