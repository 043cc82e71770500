import { expect, test } from 'vitest';
import { renderEmail, renderSms } from './kinds.ts';

const code = (values: Partial<Record<'project' | 'what', string>>) =>
  ({
    kind: 'signer-code',
    values: { code: '123456', minutes: '10', project: 'Shop', what: 'send 5 usdc', ...values },
  }) as const;

test('a value that looks like a place for another one is filled once: it stays as it is', () => {
  for (const message of [code({ project: '{code}' }), code({ what: '{code} {minutes}' })]) {
    const { text, subject, html = '' } = renderEmail(message);
    for (const one of [text, html, renderSms(message)].filter((written) => written !== '')) {
      expect(one.match(/123456/g)).toHaveLength(1);
      expect(one).toContain('{code}');
    }
    expect(subject).not.toContain('{minutes}');
  }
});

test('a value is no name of what an object has by birth', () => {
  const { text } = renderEmail(code({ project: '{constructor} $& $1' }));
  expect(text).toContain('{constructor} $& $1');
});
