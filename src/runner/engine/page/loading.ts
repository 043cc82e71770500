import { words } from '../words/words.ts';

/** A page that holds nothing but its header, or only says that it loads, is waited for so long. */
const emptyMsMax = 8_000;
/** A spinner beside other content may turn for ever: so long it is believed, in each document. */
const spinnerMsMax = 3_000;

/**
 * An expression that runs inside the page: `isLoading` says whether a person would still wait there
 * (what never ends is believed only for a time), `sign` what shows it now, however long: the words,
 * or nothing where the page is empty; undefined when it is there. Reads shadow trees too, changes
 * nothing.
 */
export const loadingScript = String.raw`(() => {
  const loading = new RegExp(${JSON.stringify(words.loading.source)}, ${JSON.stringify(words.loading.flags)});
  const frame = 'header,footer,nav,[role=banner],[role=contentinfo],[role=navigation]';
  const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'LINK', 'META']);
  const controls = 'a[href],button,input:not([type=hidden]),select,textarea,iframe,frame,object,embed,video,summary,[role=button],[role=radio],[role=checkbox],[role=combobox],[role=link],[contenteditable=true]';
  const working = '[aria-busy=true],[role=progressbar]:not([aria-valuenow]),[class*=spinner i],[class*=skeleton i],[class*=shimmer i],[class*=placeholder-glow i],[class*=loader i],[class~=loading i],[class*=is-loading i]';
  const clean = (text) => text.replace(/[\s\u00a0]+/g, ' ').trim();
  const isSeen = (el) => {
    const box = el.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const nodesOf = (el) => el.shadowRoot ? el.shadowRoot.childNodes : el.tagName === 'SLOT' && el.assignedNodes().length ? el.assignedNodes() : el.childNodes;
  // Anything that a person could read or use, but for words that only say that it loads.
  const holds = (el, depth) => {
    if (depth > 60 || skipped.has(el.tagName) || el.matches(frame)) return false;
    if (el.tagName === 'IMG' || el.tagName === 'CANVAS') return el.getBoundingClientRect().width > 150 && isSeen(el);
    if (el.matches(controls) && isSeen(el) && !loading.test(clean(el.textContent || ''))) return true;
    for (const node of nodesOf(el)) {
      if (node.nodeType === 1 && holds(node, depth + 1)) return true;
      if (node.nodeType !== 3 || !/[\p{L}\p{N}]/u.test(node.data)) continue;
      const whole = clean(el.textContent || '');
      if (loading.test(whole.length < 100 ? whole : clean(node.data)) || !isSeen(el)) continue;
      return true;
    }
    return false;
  };
  const roots = () => {
    const found = [document];
    for (let at = 0; at < found.length && at < 50; at += 1) for (const el of found[at].querySelectorAll('*')) if (el.shadowRoot) found.push(el.shadowRoot);
    return found;
  };
  const isWorking = (el) => {
    const text = clean(el.textContent || '');
    if (el === document.body || el === document.documentElement || el.closest('a[href]') || !isSeen(el)) return false;
    if (loading.test(text)) return true;
    if (el.getAttribute('aria-busy') === 'true') return true;
    // Some call their plus and minus a spinner, and a picture that loads late a loader.
    return text === '' && el.getBoundingClientRect().width > 7 && !el.querySelector('input,button,a,select') && ![...el.querySelectorAll('img')].some((image) => image.naturalWidth > 100);
  };
  const saying = (root) => [...root.querySelectorAll('*')].filter((el) => el.childElementCount < 3 && (el.textContent || '').length < 80 && !el.matches('option,title') && !skipped.has(el.tagName) && loading.test(clean(el.textContent || '')) && isWorking(el));
  const emptied = (root) => [...root.querySelectorAll('main,[role=main]')].filter((el) => el.checkVisibility() && !holds(el, 0));
  const workers = () => roots().flatMap((root) => [...emptied(root), ...saying(root), ...[...root.querySelectorAll(working)].filter(isWorking)]);
  const isEmpty = () => !document.body || !holds(document.body, 0);
  let emptySince;
  const since = new WeakMap();
  return {
    isLoading: () => {
      const now = performance.now();
      if (isEmpty()) {
        if (emptySince === undefined) emptySince = now;
        return now - emptySince < ${emptyMsMax};
      }
      emptySince = undefined;
      return workers().some((el) => {
        if (!since.has(el)) since.set(el, now);
        return now - since.get(el) < ${spinnerMsMax};
      });
    },
    sign: () => {
      const said = roots().flatMap(saying)[0];
      return said ? clean(said.textContent || '') : isEmpty() || roots().flatMap(emptied).length > 0 ? '' : undefined;
    },
  };
})()`;
