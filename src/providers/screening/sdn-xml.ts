import { type AddEntry, ListError, type ListReader } from './list-reader.ts';
import { createXmlScanner, type XmlTag } from './xml-scanner.ts';

/**
 * The digital-currency addresses of `sdn_advanced.xml`, as the US Treasury publishes it: feature
 * types named "Digital Currency Address - <asset>", and in the parties features of such a type
 * whose version detail is the address.
 */

const addressFeaturePattern = /^Digital Currency Address - (\S{1,20})$/;
const rootName = 'Sanctions';

interface State {
  /** Assets by the id of their feature type. */
  readonly assets: Map<string, string>;
  readonly issued: Map<string, string>;
  featureTypeId?: string | undefined;
  asset?: string | undefined;
  party: string;
  sawRoot: boolean;
}

export function createSdnReader(add: AddEntry): ListReader {
  const state: State = { assets: new Map(), issued: new Map(), party: '', sawRoot: false };
  const scanner = createXmlScanner({
    onOpen: (tag) => open(state, tag),
    onClose: (name, path, text) => close(state, { name, parent: path.at(-1), text, add }),
    wantsText: (name) =>
      name === 'FeatureType' ||
      name === 'VersionDetail' ||
      name === 'Year' ||
      name === 'Month' ||
      name === 'Day',
  });
  return {
    take: (text) => scanner.take(text),
    finish() {
      scanner.finish();
      if (state.assets.size === 0)
        throw new ListError('The list names no feature type "Digital Currency Address".');
      const version = readDate(state.issued);
      return version === undefined ? {} : { version };
    },
  };
}

function open(state: State, { name, attributes, depth }: XmlTag): void {
  if (depth === 1) {
    if (name !== rootName)
      throw new ListError(
        `The XML is no sanctions list: it begins with <${name.slice(0, 40)}>, not <${rootName}>.`,
      );
    state.sawRoot = true;
  }
  if (name === 'FeatureType') state.featureTypeId = attributes('ID');
  if (name === 'DistinctParty') state.party = attributes('FixedRef') ?? '';
  if (name === 'Feature') state.asset = state.assets.get(attributes('FeatureTypeID') ?? '');
}

function close(
  state: State,
  element: { name: string; parent: string | undefined; text: string; add: AddEntry },
): void {
  const { name, parent, add } = element;
  const text = element.text.trim();
  if (name === 'FeatureType') {
    const [, asset] = addressFeaturePattern.exec(text) ?? [];
    if (asset !== undefined && state.featureTypeId !== undefined)
      state.assets.set(state.featureTypeId, asset);
  }
  // An empty detail carries its text elsewhere, and an address has no elsewhere.
  if (name === 'VersionDetail' && state.asset !== undefined && text !== '')
    add(text, `SDN ${state.party} (${state.asset})`);
  if (name === 'Feature') state.asset = undefined;
  if (parent === 'DateOfIssue') state.issued.set(name, text);
}

function readDate(issued: ReadonlyMap<string, string>): string | undefined {
  const [year, month, day] = ['Year', 'Month', 'Day'].map((part) => issued.get(part));
  if (!/^\d{4}$/.test(year ?? '') || !/^\d{1,2}$/.test(month ?? '') || !/^\d{1,2}$/.test(day ?? ''))
    return undefined;
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}
