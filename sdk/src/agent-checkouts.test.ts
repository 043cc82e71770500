import { expect, it } from 'vitest';
import { createPurser } from './index.ts';

it('the live page has an address of the service, also in a page of an app; none that runs a script is one', () => {
  const app = createPurser({ baseUrl: 'https://purser.example/api', apiKey: 'ck_development_x' });
  const urlOf = (embedUrl: string) => app.livePageUrl({ browser: { embedUrl } });
  expect(urlOf('/api/live/agent-checkouts/1#token')).toBe(
    'https://purser.example/api/live/agent-checkouts/1#token',
  );
  expect(urlOf('https://live.example/1')).toBe('https://live.example/1');
  expect(urlOf('javascript:parent.taken=1')).toBeUndefined();
  expect(urlOf('https://')).toBeUndefined();
  expect(app.livePageUrl({})).toBeUndefined();
});
