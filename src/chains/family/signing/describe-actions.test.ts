import { describe, expect, it } from 'vitest';
import { describeActions, type SaidAction } from './describe-actions.ts';

const words = {
  joiner: ', then ',
  more: (count: number) => `make ${count} more calls`,
  nothing: 'make no call',
};
const harmless = (name: string): SaidAction => ({
  text: `call the contract ${name.padEnd(40, '0')}`,
  matters: false,
});
const payment = (name: string): SaidAction => ({
  text: `send 5 USDC to ${name.padEnd(40, '0')}`,
  matters: true,
});

describe('what people read before they approve', () => {
  it('is everything in its order where there is room for it', () => {
    expect(describeActions([], words)).toBe('make no call');
    expect(describeActions([harmless('a'), payment('b')], words)).toBe(
      `${harmless('a').text}, then ${payment('b').text}`,
    );
  });

  it('says a payment that stands behind harmless calls, however many there are', () => {
    const many = Array.from({ length: 30 }, (_, index) => harmless(String(index)));
    const text = describeActions([...many, payment('thief'), ...many], words);
    expect(text).toMatch(/^send 5 USDC to thief0+, then .* 5\d more calls$/);
    expect(text.length).toBeLessThan(250);
  });

  it('counts the payments that there is no room for', () => {
    const text = describeActions(
      [...Array.from({ length: 9 }, (_, index) => payment(String(index))), harmless('a')],
      words,
    );
    expect(text).toMatch(
      /, then make (\d+) more calls, (\d+) of which move money or change the wallet$/,
    );
    const said = text.split('send 5 USDC').length - 1;
    expect(text).toContain(`make ${10 - said} more calls, ${9 - said} of which`);
  });
});
