import { expect, test } from 'vitest';
import { findStaleArtifacts } from './compile.ts';

test('the committed artifacts are byte by byte what the sources compile to', () => {
  expect(findStaleArtifacts()).toEqual([]);
});
