import { expect, it } from 'vitest';
import { pictureOf } from './view.ts';

const svgOf = (name: string) => {
  const [head, data] = pictureOf(name).split(',') as [string, string];
  expect(head).toBe('data:image/svg+xml;base64');
  return Buffer.from(data, 'base64').toString('utf8');
};

it('the picture of a line item shows its symbol, the same in any case', () => {
  expect(svgOf('usdc')).toContain('>USDC</text></svg>');
  expect(pictureOf('usdc')).toBe(pictureOf('USDC'));
  expect(pictureOf('usdc')).not.toBe(pictureOf('eth'));
});

it('the picture of a stranger’s token has none of its markup', () => {
  expect(svgOf('<script>alert(1)</script>')).toContain('>SCRIP</text></svg>');
  expect(svgOf('')).toContain('></text></svg>');
});
