import { nameOf } from './origins.ts';
import type { EgressDecision } from './proxy.ts';
import type { EgressRefusal } from './rules.ts';

/** For users: whether a name exists inside of our network is told to nobody. */
const inside = 'is not allowed, or does not exist';
const sentences: Readonly<Partial<Record<EgressRefusal, string>>> = {
  blocked: 'is not allowed: the operator has excluded it',
  'not-allowed':
    'is not allowed: the operator has listed the shops that may be visited, and it is none of them',
  port: 'is not allowed: only the usual ports of the web are',
  'bytes-used-up': 'was not opened: the run has loaded as much as a run may',
  'connections-used-up': 'was not opened: the run has opened as many connections as a run may',
};

const ownNetwork =
  'a shop on your own network is named in RUNNER_ALLOWED_PRIVATE_ORIGINS, as npm start -- --shop <origin> does';
/** For developers, who may change it. */
const settings: Readonly<Partial<Record<EgressRefusal, string>>> = {
  blocked: 'RUNNER_BLOCKED_ORIGINS names it',
  port: ownNetwork,
  'private-name': ownNetwork,
  'private-address': ownNetwork,
};

/**
 * Why the proxy itself did not lead to an address, by what it decided about it last. A browser sees
 * an answer of the proxy as if the shop had given it.
 * @param options.namesSettings says which setting would let it through
 * @returns a sentence; undefined when the proxy did lead there, or was not asked
 */
export function explainRefusal(
  decisions: readonly EgressDecision[],
  address: string,
  { namesSettings = false } = {},
): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const last = decisions.findLast((one) => one.host === nameOf(url) && one.port === port);
  if (last === undefined || last.reason === 'allowed') return undefined;
  if (last.reason === 'not-reached')
    return `The shop cannot be reached: nothing answers at ${url.host}.`;
  const hint = namesSettings && settings[last.reason];
  return `The page’s address (${url.host}) ${sentences[last.reason] ?? inside}${hint ? `; ${hint}` : ''}.`;
}
