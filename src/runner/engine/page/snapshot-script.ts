import { words } from '../words/words.ts';
import { namesScript } from './names-script.ts';
import { radioGroupsScript } from './radio-groups-script.ts';

/**
 * Runs inside the page (a string: nothing of the compiler's may come along), and gives a function
 * that reads what a person would see: fields, buttons, prices and text. Hidden text is left out.
 * Its result: `{ info, elements }`, where `info` is JSON and `elements[ref]` is the element of
 * `ref`.
 * @param accessible script that declares the library of accessible names
 */
export const snapshotScript = (accessible: string): string => String.raw`(() => {
  ${accessible}
  // A page may give its lists and objects a toJSON of its own, as Prototype.js does.
  const json = (value) => {
    if (Array.isArray(value)) return '[' + value.map(json).join(',') + ']';
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
    if (Object.getPrototypeOf(value) !== Object.prototype) return JSON.stringify(String(value));
    return '{' + Object.entries(value).map(([key, one]) => JSON.stringify(key) + ':' + json(one)).join(',') + '}';
  };
  return () => {
  const elements = [];
  const limits = { elements: 6000, text: 24000, fields: 150, buttons: 250, prices: 120 };
  const refOf = (el) => elements.push(el) - 1;
  // Whatever stands in one row names the same row.
  const rowRefs = new Map();
  const rowRefOf = (row) => {
    if (!rowRefs.has(row)) rowRefs.set(row, refOf(row));
    return rowRefs.get(row);
  };
  // Digits as wide as the signs of East Asian scripts are digits.
  const narrow = (text) => text.replace(/[０-９，．]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).replace(/￥/g, '¥');
  const clean = (text) => narrow(text).replace(/[ \s\u00a0\u202f]+/g, ' ').trim();
  const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  const childrenOf = (el) => el.shadowRoot ? [...el.shadowRoot.children] : el.tagName === 'SLOT' && el.assignedElements().length ? el.assignedElements() : [...el.children];
  const nodesOf = (el) => el.shadowRoot ? [...el.shadowRoot.childNodes] : el.tagName === 'SLOT' && el.assignedNodes().length ? el.assignedNodes() : [...el.childNodes];
  const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'SVG', 'svg', 'OPTION', 'OPTGROUP', 'DATALIST', 'IFRAME', 'OBJECT']);
  const styles = new Map();
  const styleOf = (el) => {
    if (!styles.has(el)) styles.set(el, getComputedStyle(el));
    return styles.get(el);
  };
  const seen = new Map();
  // Not seen by a person: not rendered, transparent, clipped away, too small, or outside of the
  // page to the left or above.
  const isShown = (el) => {
    if (!el || el === document.documentElement || el === document.body) return true;
    if (seen.has(el)) return seen.get(el);
    let shown = isShown(parentOf(el));
    if (shown && styleOf(el).display !== 'contents') {
      const style = styleOf(el);
      const box = el.getBoundingClientRect();
      const clipped = style.clipPath === 'inset(50%)' || style.clipPath === 'inset(100%)' || /rect\(0(px)?,? 0(px)?,? 0(px)?,? 0(px)?\)|rect\(1px,? 1px,? 1px,? 1px\)/.test(style.clip);
      const outside = box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || box.left + scrollX > Math.max(document.documentElement.scrollWidth, innerWidth);
      const tiny = (box.width <= 1 || box.height <= 1) && style.overflow !== 'visible';
      shown = el.checkVisibility() && Number(style.opacity) > 0.05 && !clipped && !tiny && !(outside && box.width > 0) && parseFloat(style.fontSize) > 2 ;
      if (shown && style.color === 'rgba(0, 0, 0, 0)') shown = childrenOf(el).length > 0;
    }
    seen.set(el, shown);
    return shown;
  };
  const isVisible = (el) => styleOf(el).visibility === 'visible' && isShown(el) && el.getBoundingClientRect().width > 1 && el.getBoundingClientRect().height > 1;
  // Fonts that draw a picture for a word ("delete", "shopping_cart"): nobody reads it.
  const icons = new Map();
  const isIcon = (el) => {
    if (!icons.has(el)) icons.set(el, /icons?\b|Icons?[A-Z]?|symbols|awesome|icomoon|fontello/.test(styleOf(el).fontFamily.split(',')[0]));
    return icons.get(el);
  };
  const texts = new Map();
  const textOf = (el, max = 400) => {
    if (!el) return '';
    const known = texts.get(el);
    if (known !== undefined) return known.slice(0, max);
    let out = '';
    const add = (node, depth) => {
      if (out.length > 2000 || depth > 40) return;
      if (node.nodeType === 3) {
        const around = node.parentElement || el;
        if (styleOf(around).visibility === 'visible' && styleOf(around).color !== 'rgba(0, 0, 0, 0)' && !(/[\p{L}\p{Co}]/u.test(node.data) && isIcon(around))) out += node.data;
      }
      else if (node.nodeType === 1 && !skipped.has(node.tagName) && node.tagName !== 'SELECT' && node.tagName !== 'TEXTAREA' && isShown(node)) {
        const style = styleOf(node);
        if (node.tagName === 'SUP' && /\d$/.test(out)) out += '.';
        else if (style.display !== 'inline' && node !== el) out += ' ';
        for (const child of nodesOf(node)) add(child, depth + 1);
        if (style.display !== 'inline' || node.tagName === 'BR') out += ' ';
      }
    };
    if (isShown(el)) add(el, 0);
    out = clean(out);
    texts.set(el, out);
    return out.slice(0, max);
  };
  const attr = (el, name) => el.getAttribute(name) || '';
  const byIds = (el, name) => attr(el, name).split(/\s+/).filter(Boolean).map((id) => el.getRootNode().getElementById ? el.getRootNode().getElementById(id) : null).filter(Boolean).map((one) => textOf(one)).join(' ');
  const closest = (el, selector) => { for (let at = el; at; at = parentOf(at)) if (at.matches && at.matches(selector)) return at; return null; };
  ${namesScript.trim()}
  const containers = [];
  const containerOf = (el) => {
    const box = el.form || closest(el, 'form,[role=form],[role=search]') || closest(el, 'dialog,[role=dialog],aside,footer,header,nav,main') || document.body;
    if (!containers.includes(box)) containers.push(box);
    return containers.indexOf(box);
  };
  // What lies over the page without saying so: fixed, over a good part of the window, in front,
  // with less than half of what can be pressed.
  const pressable = 'a,button,input,select,[role=button]';
  const pressables = document.querySelectorAll(pressable).length;
  const layers = new Map();
  const isLayer = (el) => {
    if (layers.has(el)) return layers.get(el);
    let found = false;
    const box = el.getBoundingClientRect();
    if (styleOf(el).position === 'fixed' && box.width * box.height > innerWidth * innerHeight * 0.12 && box.height > innerHeight * 0.25 && !el.matches('header,footer,nav,main')) {
      const front = document.elementFromPoint(Math.min(innerWidth - 2, Math.max(1, box.left + box.width / 2)), Math.min(innerHeight - 2, Math.max(1, box.top + box.height / 2)));
      found = Boolean(front) && el.contains(front) && el.querySelectorAll(pressable).length * 2 < pressables;
    }
    layers.set(el, found);
    return found;
  };
  // Each thing that lies over the page has its own buttons: the outermost element of it.
  const overs = [];
  const overOf = (el) => {
    let over = null;
    for (let at = el; at && at !== document.body; at = parentOf(at)) if (isLayer(at) || at.matches('dialog,[role=dialog],[role=alertdialog]')) over = at;
    if (over && !overs.includes(over)) overs.push(over);
    return over ? overs.indexOf(over) : -1;
  };
  const regionOf = (el) => {
    for (let at = el; at && at !== document.body; at = parentOf(at)) if (isLayer(at)) return 'dialog';
    const box = closest(el, 'dialog,[role=dialog],[role=alertdialog],header,footer,nav,aside,main,[role=banner],[role=contentinfo],[role=navigation]');
    return !box ? 'body' : (attr(box, 'role') || box.tagName).toLowerCase().replace('banner', 'header').replace('contentinfo', 'footer').replace('navigation', 'nav').replace('alertdialog', 'dialog');
  };
  const hintOf = (el) => clean([el.id, attr(el, 'name'), typeof el.className === 'string' ? el.className : '', attr(el, 'data-testid'), attr(el, 'data-test'), attr(el, 'data-action')].join(' ')).slice(0, 200);
  const groupLabelOf = (el) => {
    for (let at = parentOf(el), depth = 0; at && depth < 5 && at !== document.body; at = parentOf(at), depth += 1) {
      if (groupNameOf(at)) return groupNameOf(at);
      const head = at.querySelector(':scope > label:not([for]), :scope > h2, :scope > h3, :scope > h4, :scope > h5, :scope > strong, :scope > dt');
      if (head && !head.contains(el) && !head.querySelector('input,select,button,textarea') && isShown(head)) return textOf(head, 120);
      // Plain text before the first of them: Size: ( ) S ( ) M
      const first = at.tagName === 'LABEL' ? null : [...at.childNodes].find((one) => one.nodeType !== 3 || clean(one.data).length > 1);
      if (first && first.nodeType === 3 && clean(first.data).length < 40) return clean(first.data);
      const before = at.previousElementSibling;
      if (before && /^(LABEL|LEGEND|H[1-6]|STRONG|DT|TH|TD|P|SPAN|DIV)$/.test(before.tagName) && !before.querySelector('input,select,button,textarea') && textOf(before).length > 1 && textOf(before).length < 60) return textOf(before, 120);
    }
    return '';
  };
  const sectionOf = (el) => {
    const parts = [];
    for (let at = parentOf(el), depth = 0; at && depth < 12 && at !== document.body; at = parentOf(at), depth += 1) {
      const head = at.querySelector(':scope > h1, :scope > h2, :scope > h3, :scope > h4, :scope > header, :scope > summary');
      if (head && isShown(head)) parts.push(textOf(head, 80));
      if (groupNameOf(at)) parts.push(groupNameOf(at).slice(0, 80));
      if (at.tagName === 'FIELDSET' || at.tagName === 'SECTION' || at.tagName === 'FORM') parts.push(hintOf(at).slice(0, 80));
      if (parts.length > 3 || at.tagName === 'FORM') break;
    }
    return parts.join(' | ').slice(0, 300);
  };
  const controls = 'input:not([type=hidden]),select,textarea,[role=combobox],[role=listbox],[role=radio],[role=checkbox],[role=switch],[role=spinbutton],[contenteditable=true],[contenteditable=""]';
  // Controls inside of web components count too.
  const holdsControl = (el) => el.matches(controls) || Boolean(el.querySelector(controls)) || (el.shadowRoot ? Boolean(el.shadowRoot.querySelector(controls)) : [...el.querySelectorAll('*')].slice(0, 60).some((one) => one.shadowRoot && one.shadowRoot.querySelector(controls)));
  const nearOf = (el) => {
    for (let at = el, depth = 0; at && depth < 4; at = parentOf(at), depth += 1) {
      for (let before = at.previousSibling; before; before = before.previousSibling) {
        if (before.nodeType === 3 && clean(before.data)) return clean(before.data).slice(0, 120);
        if (before.nodeType !== 1) continue;
        if (holdsControl(before)) return '';
        if (textOf(before)) return textOf(before, 120);
      }
    }
    return '';
  };
  const removes = new RegExp(${JSON.stringify(words.remove.source)}, 'iu');
  // Words beside amounts, labels and what can be pressed: what a row is about.
  const saysWhat = (node) => {
    let text = textOf(node, 600);
    const isAction = (one) => !one.matches('a[href]') || (textOf(one).length < 24 && removes.test(textOf(one)));
    for (const one of node.querySelectorAll('button,label,select,[role=button],a')) if (textOf(one) && isAction(one)) text = text.replace(textOf(one), ' ');
    return /\p{L}{3}/u.test(text.replace(/\b[A-Z]{3}\b/g, ' '));
  };
  const isRow = (el) => /^(TR|LI|ARTICLE)$/.test(el.tagName) || attr(el, 'role') === 'row' || attr(el, 'role') === 'listitem';
  const rows = new Map();
  // An amount with its buttons alone is half a line of a cart: it grows until it says what it is
  // about.
  const grown = (node) => {
    if (rows.has(node)) return rows.get(node);
    let row = node;
    for (let depth = 0; depth < 3 && !saysWhat(row); depth += 1) {
      const around = parentOf(row);
      if (!around || around === document.body || around.matches('main,form,table,tbody,ul,ol,section,fieldset,nav,header,footer') || around.querySelector('h1,nav,header,tr,article') || textOf(around, 600).length > 300) break;
      row = around;
    }
    row = saysWhat(row) ? row : node;
    rows.set(node, row);
    return row;
  };
  const rowOf = (el) => {
    for (let at = parentOf(el), depth = 0; at && depth < 8 && at !== document.body; at = parentOf(at), depth += 1) {
      if (isRow(at)) return { node: at, text: textOf(at, 300) };
      const text = textOf(at, 600);
      if (!(/\d[.,]\d\d|[€$£¥]/.test(text) || hasPrice(text)) || text.length <= 8) continue;
      const row = el.matches('a[href]') ? at : grown(at);
      return { node: row, text: textOf(row, 300) };
    }
    return { node: null, text: '' };
  };
  const afterOf = (el) => {
    for (let next = el.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === 3 && clean(next.data)) return clean(next.data).slice(0, 200);
      if (next.nodeType === 1 && (next.matches(controls) || next.querySelector(controls))) return '';
      if (next.nodeType === 1 && textOf(next)) return textOf(next, 200);
    }
    return '';
  };
  const optionRow = (option) => ({ value: option.value ?? '', text: clean(option.text ?? option.textContent ?? ''), disabled: Boolean(option.disabled) || attr(option, 'aria-disabled') === 'true', selected: Boolean(option.selected) });
  ${radioGroupsScript.trim()}
  // Stars that a style sheet draws, and wrappers of one control that are called required.
  const isMarked = (el) => {
    const star = (one) => ['::before', '::after'].some((part) => /[*＊]/.test(getComputedStyle(one, part).content));
    if ([...(el.labels || [])].some(star)) return true;
    for (let at = parentOf(el), depth = 0; at && depth < 3 && at !== document.body; at = parentOf(at), depth += 1) {
      if (at.querySelectorAll('input:not([type=hidden]),select,textarea').length > 1 || at.tagName === 'FORM') return false;
      if (/(^|[\s_-])(is-)?required(\s|$)/i.test(typeof at.className === 'string' ? at.className : '')) return true;
      const label = at.querySelector('label');
      if (label && star(label)) return true;
    }
    return false;
  };
  // The number that a stepper shows: beside its plus and minus, in a field or as text.
  const countOf = (el, caption) => {
    if (!/^[+＋−–-]$/.test(caption) && !/increase|decrease|\bplus\b|\bminus\b|one more|one less|erhöhen|verringern|augmenter|diminuer|aumentar|disminuir|reduce/i.test(caption + ' ' + hintOf(el))) return '';
    // In a line without a box for it the number stands between the two.
    const beside = [el.previousElementSibling, el.nextElementSibling].map((one) => one && isShown(one) ? textOf(one, 20) : '').find((text) => /^\d{1,3}$/.test(text));
    if (beside) return beside;
    for (let at = parentOf(el), depth = 0; at && depth < 3 && at !== document.body; at = parentOf(at), depth += 1) {
      const input = at.querySelector('input:not([type=hidden]):not([type=radio]):not([type=checkbox])');
      if (input && /^\d{1,3}([.,]0{1,3})?$/.test(input.value)) return String(parseInt(input.value, 10));
      const digits = textOf(at, 60).replace(/[+＋−–-]/g, ' ').match(/\d+/g) || [];
      if (digits.length === 1 && digits[0].length < 4 && !/[.,€$£¥%]/.test(textOf(at, 60))) return digits[0];
      if (digits.length > 1) return '';
    }
    return '';
  };
  const fields = [];
  const buttons = [];
  // A drawn control and the input behind it are one, and the drawn one is what a person presses.
  const isBehind = (el) => {
    if (el.tagName !== 'INPUT' || !/^(radio|checkbox)$/.test(el.type) || !(el.tabIndex < 0 || attr(el, 'aria-hidden') === 'true')) return false;
    const drawn = el.type === 'radio' ? '[role=radio]' : '[role=checkbox],[role=switch]';
    return [el.previousElementSibling, el.nextElementSibling, parentOf(el)].some((one) => one && one.matches(drawn) && isVisible(one));
  };
  const addField = (el) => {
    const role = attr(el, 'role');
    const type = el.tagName === 'INPUT' ? el.type : el.tagName === 'SELECT' ? 'select' : el.tagName === 'TEXTAREA' ? 'textarea' : role || 'text';
    if (/^(hidden|submit|button|image|reset|file|color|range)$/.test(type)) return false;
    const isChoice = /^(radio|checkbox|switch)$/.test(type);
    if (isBehind(el)) return true;
    const proxy = isChoice ? [...(el.labels || [])].find(isVisible) || (closest(el, 'label') && isVisible(closest(el, 'label')) ? closest(el, 'label') : null) : null;
    if (!isVisible(el) && !proxy) return true;
    const box = (isVisible(el) ? el : proxy).getBoundingClientRect();
    const small = !isChoice && (box.width < 16 || box.height < 8);
    if (small || (closest(el, '[aria-hidden=true]') && !isChoice)) return true;
    if (fields.length >= limits.fields) return true;
    const row = rowOf(el);
    const isNative = /^(INPUT|SELECT|TEXTAREA)$/.test(el.tagName) && typeof el.value === 'string';
    fields.push({
      ref: refOf(el), proxy: !isVisible(el) && proxy ? refOf(proxy) : null, tag: el.tagName.toLowerCase(), type, role, name: attr(el, 'name'), id: el.id, hint: hintOf(el),
      autocomplete: attr(el, 'autocomplete').toLowerCase(), inputMode: attr(el, 'inputmode'), pattern: attr(el, 'pattern'), maxLength: el.maxLength > 0 ? el.maxLength : 0,
      placeholder: attr(el, 'placeholder'), label: labelOf(el) || (isChoice ? (el.tagName === 'INPUT' ? afterOf(el) : textOf(el, 200) || textOf(closest(el, 'label'), 200)) : ''), near: nearOf(el), group: type === 'radio' ? groupOf(el) : -1, groupLabel: isChoice ? groupLabelOf(el) : '', section: sectionOf(el),
      itemprop: attr(el, 'itemprop'), required: Boolean(el.required) || attr(el, 'aria-required') === 'true' || (!isChoice && isMarked(el)), disabled: Boolean(el.disabled) || attr(el, 'aria-disabled') === 'true', readOnly: Boolean(el.readOnly),
      value: isNative ? el.value : textOf(el, 200) || clean(el.textContent || ''), checked: isChoice ? (typeof el.checked === 'boolean' ? el.checked : attr(el, 'aria-checked') === 'true') : false,
      options: el.tagName === 'SELECT' ? [...el.options].slice(0, 400).map(optionRow) : [], invalid: attr(el, 'aria-invalid') === 'true' || Boolean(el.willValidate && !el.validity.valid), message: clean([el.validationMessage || '', byIds(el, 'aria-errormessage'), byIds(el, 'aria-describedby')].join(' ')).slice(0, 200),
      hasPopup: attr(el, 'aria-haspopup') || (attr(el, 'aria-autocomplete') ? 'listbox' : '') || (role === 'combobox' ? 'listbox' : ''), datalist: Boolean(el.list), container: containerOf(el), region: regionOf(el), over: overOf(el), rowText: row.text, rowRef: row.node ? rowRefOf(row.node) : null,
      x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY), width: Math.round(box.width), height: Math.round(box.height),
    });
    return true;
  };
  const parents = [];
  const addButton = (el) => {
    if (!isVisible(el) || buttons.length >= limits.buttons) return;
    const box = el.getBoundingClientRect();
    const text = clean(el.tagName === 'INPUT' ? el.value || attr(el, 'alt') : textOf(el, 160));
    const parent = /^(LI|SPAN|DIV)$/.test(parentOf(el).tagName) && childrenOf(parentOf(el)).length === 1 ? parentOf(parentOf(el)) : parentOf(el);
    if (!parents.includes(parent)) parents.push(parent);
    const row = rowOf(el);
    const picture = el.querySelector('img[alt],svg[aria-label]');
    const label = buttonLabelOf(el, text);
    const drawn = picture ? ' ' + clean([attr(picture, 'alt'), attr(picture, 'aria-label'), (attr(picture, 'src').startsWith('data:') ? '' : attr(picture, 'src')).slice(-60)].join(' ')) : '';
    buttons.push({
      ref: refOf(el), tag: el.tagName.toLowerCase(), role: attr(el, 'role'), type: el.type || '', text, label, hint: hintOf(el) + drawn,
      value: attr(el, 'data-value') || attr(el, 'value'), href: el.tagName === 'A' && attr(el, 'href') ? el.href : '', action: el.form ? el.formAction || '' : '', target: attr(el, 'target'), disabled: Boolean(el.disabled) || attr(el, 'aria-disabled') === 'true' || styleOf(el).cursor === 'not-allowed' || (text.length < 40 && /(^|\s)(is-|swatch-)?(disabled|unavailable|sold-?out|out-of-stock)(\s|$)/i.test(typeof el.className === 'string' ? el.className : '')),
      pressed: attr(el, 'aria-pressed') || attr(el, 'aria-checked') || attr(el, 'aria-selected') || attr(el, 'aria-current') || (/(^|[ _-])(on|active|selected|checked)( |$)/.test(typeof el.className === 'string' ? el.className : '') ? 'true' : ''), expanded: el.tagName === 'SUMMARY' && parentOf(el).tagName === 'DETAILS' ? String(parentOf(el).open) : attr(el, 'aria-expanded'), count: text.length < 30 ? countOf(el, text || label) : '', hasPopup: attr(el, 'aria-haspopup'), container: containerOf(el), parent: parents.indexOf(parent), groupLabel: text.length < 40 ? groupLabelOf(el) : '', region: regionOf(el), over: overOf(el), rowText: row.text, rowRef: row.node ? rowRefOf(row.node) : null,
      x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY), width: Math.round(box.width), height: Math.round(box.height),
    });
  };
  const money = /(?:[€$£¥円元₹₩₽₺₪฿₫]|zł|Kč|\d:[-–—]|(?<![a-z])(?:kr|Ft|lei|Fr)(?![a-z])|\b(?:EUR|USD|GBP|CHF|JPY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|MXN|BRL|INR|CNY|SGD|HKD|KRW|TRY|ZAR|ILS|THB)\b)/i;
  const hasPrice = (text) => /\d/.test(text) && (money.test(text) || /(^|[^\d.,])\d{1,3}([.,' ]?\d{3})*[.,]\d{2}($|[^\d.,%])/.test(text));
  // A bare number whose sign stands around it alone, "$ <span>24.00</span>": the amount is what
  // holds both.
  const isUnsigned = (el) => {
    const text = textOf(el, 101);
    const around = parentOf(el);
    if (money.test(text) || !around || around === document.body) return false;
    const rest = clean(textOf(around, 101).replace(text, ''));
    return rest.length > 0 && rest.length <= 4 && money.test(rest);
  };
  const prices = [];
  const addPrice = (el, text) => {
    if (prices.length >= limits.prices) return;
    let label = '';
    const before = el.previousElementSibling;
    const own = clean(text.replace(/[-−+]?\s*(?:[A-Z]{0,3}[€$£¥₹]|[A-Z]{3})?\s*\d[\d.,'’  ]*\s*(?:[€£$¥]|[A-Z]{3}\b|kr\b|zł|Kč|Ft)?/g, ' '));
    if (/\p{L}{3}/u.test(own) && !/^[A-Z]{3}$/.test(own)) label = own;
    else if (before && isShown(before) && /\p{L}{2}/u.test(textOf(before)) && !/^[A-Z]{3}$/.test(textOf(before)) && !hasPrice(textOf(before))) label = textOf(before, 120);
    for (let at = parentOf(el), depth = 0; !label && at && depth < 4 && at !== document.body; at = parentOf(at), depth += 1) {
      const whole = textOf(at, 300);
      const rest = clean(whole.split(text).join(' '));
      if (/\p{L}{2}/u.test(rest) && rest.length < 160 && !/^[A-Z]{3}$/.test(rest)) label = rest;
      // Alone in its cell, perhaps beside a code: the cell before it says what it is.
      const cell = rest === '' || /^[A-Z]{3}$/.test(rest) ? at.previousElementSibling : null;
      if (!label && cell && isShown(cell) && /\p{L}{2}/u.test(textOf(cell)) && textOf(cell).length < 60 && !/^[A-Z]{3}$/.test(textOf(cell)) && !hasPrice(textOf(cell))) label = textOf(cell, 120);
    }
    const row = closest(el, 'tr,li,dl>div,[role=row]');
    const box = el.getBoundingClientRect();
    const line = rowOf(el);
    prices.push({ text, label, row: row ? textOf(row, 200) : line.text.slice(0, 200), struck: Boolean(closest(el, 's,del,strike')) || /line-through/.test(styleOf(el).textDecorationLine), hint: hintOf(el) + ' ' + hintOf(parentOf(el)), itemprop: attr(el, 'itemprop'), region: regionOf(el), inButton: Boolean(closest(el, 'button,a,[role=button],label,option')), heading: sectionOf(el).slice(0, 120), x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY), size: parseFloat(styleOf(el).fontSize) });
  };
  // A button without a role: what shows the hand and holds nothing else that can be pressed.
  const isDrawnButton = (el) => {
    if (!/^(SPAN|DIV|LI|P|A|B|IMG)$/.test(el.tagName) || el.matches('[role]')) return false;
    const cursor = styleOf(el).cursor;
    if (cursor !== 'pointer' && cursor !== 'not-allowed') return false;
    const parent = parentOf(el);
    return parent && styleOf(parent).cursor !== cursor && !el.querySelector('a,button,input,select,textarea,[role],label') && !closest(el, 'label,a,button,[role=button],[role=option],[role=radio],[role=checkbox],summary') && textOf(el, 80).length <= 60;
  };
  let count = 0;
  let heading = '';
  const alerts = [];
  const walk = (el) => {
    if (count > limits.elements || skipped.has(el.tagName)) return;
    count += 1;
    if (el.tagName === 'H1' && heading === '' && isVisible(el)) heading = textOf(el, 200);
    const isButton = el.matches('button,a[href],summary,input[type=submit],input[type=button],input[type=image],[role=button],[role=link],[role=tab],[role=menuitem]') || (el.matches('[role=option]') && Boolean(closest(el, '[role=listbox]')));
    if (el.matches(controls) && !(isButton && attr(el, 'role') !== 'combobox') && el.tagName !== 'OPTION') { if (addField(el)) { if (el.tagName !== 'DIV' && el.tagName !== 'BUTTON' && attr(el,'role') !== 'listbox') return; } }
    else if (el.matches('button[role=combobox],button[aria-haspopup=listbox],[role=button][aria-haspopup=listbox]')) addField(el);
    const isDrawn = !isButton && isDrawnButton(el);
    if (isButton || isDrawn || (el.tagName === 'INPUT' && /^(submit|button|image)$/.test(el.type))) addButton(el);
    if (el.matches('[role=alert],[aria-live=assertive],[class*=error i],[class*=invalid-feedback i],[class*=text-danger i],[class*=alert-danger i],[class*=alert-warning i]') && isVisible(el) && textOf(el) && alerts.length < 12) alerts.push(textOf(el, 200));
    if (el !== document.body && el.tagName !== 'INPUT' && isShown(el)) {
      const text = textOf(el, 101);
      if (text.length > 0 && text.length <= 100 && hasPrice(text) && !isUnsigned(el) && !childrenOf(el).some((child) => isShown(child) && hasPrice(textOf(child, 101)) && !isUnsigned(child))) addPrice(el, text);
    }
    for (const child of childrenOf(el)) walk(child);
  };
  if (document.body) walk(document.body);
  let whole = '';
  const blocks = (el, depth) => {
    if (whole.length > limits.text || depth > 60) return;
    for (const node of nodesOf(el)) {
      if (node.nodeType === 3) { if ((clean(node.data) || (whole.at(-1) !== '\n' && whole.at(-1) !== ' ')) && styleOf(el).visibility === 'visible' && styleOf(el).color !== 'rgba(0, 0, 0, 0)' && !(/[\p{L}\p{Co}]/u.test(node.data) && isIcon(el))) whole += narrow(node.data).replace(/\s+/g, ' '); }
      else if (node.nodeType === 1 && !skipped.has(node.tagName) && node.tagName !== 'SELECT' && isShown(node)) {
        const block = node.tagName === 'BR' || !/^(inline|contents)/.test(styleOf(node).display);
        if (block && whole.at(-1) !== '\n') whole += '\n';
        blocks(node, depth + 1);
        if (block && whole.at(-1) !== '\n') whole += '\n';
      }
    }
  };
  if (document.body) blocks(document.body, 0);
  // What groups the controls: elements that hold some of them in several branches, and forms. A
  // chain of elements around the same controls is one box.
  const boxes = [];
  const boxOf = (() => {
    const held = new Map();
    const listed = [...fields, ...buttons].map((one) => elements[one.ref]);
    for (const el of listed) for (let at = parentOf(el); at && at !== document.documentElement; at = parentOf(at)) held.set(at, (held.get(at) || 0) + 1);
    const isForm = (el) => el.matches('form,[role=form],[role=search]');
    const headOf = (el) => {
      const own = [...el.children].find((one) => one.matches('h1,h2,h3,h4,h5,h6,summary,header') && isShown(one));
      const before = el.previousElementSibling;
      const above = before && before.matches('h1,h2,h3,h4,h5,h6') && isShown(before) ? textOf(before, 80) : '';
      return clean([own ? textOf(own, 80) : '', above, groupNameOf(el)].join(' ')).slice(0, 160);
    };
    const known = new Map();
    const indexOf = (el) => {
      if (!el || el === document.documentElement) return -1;
      if (known.has(el)) return known.get(el);
      const chain = [];
      let top = el;
      for (; top && top !== document.documentElement && held.get(top) === held.get(el); top = parentOf(top)) chain.push(top);
      const outer = indexOf(top);
      const form = chain.find(isForm);
      let index = outer;
      if (held.get(el) > 1 || form) {
        const heads = [...new Set(chain.map(headOf).filter(Boolean))];
        boxes.push({ parent: outer, size: held.get(el), isForm: Boolean(form), ref: refOf(chain[0]), hint: clean(chain.filter((one) => one !== document.body).map(hintOf).join(' ')).slice(0, 300), role: form ? attr(form, 'role') : '', heading: heads.join(' ').slice(0, 200), action: form && form.tagName === 'FORM' && typeof form.action === 'string' ? form.action : '', method: form && form.tagName === 'FORM' ? attr(form, 'method').toLowerCase() : '', tag: chain.some((one) => one.tagName === 'FIELDSET') ? 'fieldset' : chain[0].tagName.toLowerCase(), region: regionOf(chain[0]), text: textOf(chain[0], 160) });
        index = boxes.length - 1;
      }
      for (const one of chain) known.set(one, index);
      return index;
    };
    return (el) => indexOf(parentOf(el));
  })();
  for (const one of [...fields, ...buttons]) one.box = boxOf(elements[one.ref]);
  // The name in a line that has grown stands in the same line.
  const lines = [...new Set([...rows].filter(([node, row]) => row !== node).map(([, row]) => row))];
  for (const one of buttons) {
    const line = one.href === '' || one.rowRef === null || isRow(elements[one.rowRef]) ? undefined : lines.find((row) => row !== elements[one.rowRef] && row.contains(elements[one.rowRef]));
    if (line) [one.rowText, one.rowRef] = [textOf(line, 300), rowRefOf(line)];
  }
  const forms = containers.map((box) => ({ tag: box.tagName.toLowerCase(), hint: hintOf(box), role: attr(box, 'role'), action: box.tagName === 'FORM' ? box.action && typeof box.action === 'string' ? box.action : '' : '', method: box.tagName === 'FORM' ? attr(box, 'method').toLowerCase() : '', heading: (box === document.body ? '' : textOf(box, 160)), region: regionOf(box) }));
  const meta = (selector) => { const one = document.querySelector(selector); return one ? attr(one, 'content') || clean(one.textContent || '').slice(0, 60) : ''; };
  // Amounts without any sign: what the page tells programs names the currency, when it names one
  // only.
  const ld = [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 10).flatMap((one) => [...(one.textContent || '').slice(0, 20000).matchAll(/"(?:priceCurrency|currency)"\s*:\s*"([A-Z]{3})"/g)].map((found) => found[1]));
  const told = () => prices.some((price) => money.test(price.text)) ? '' : meta('meta[name="currency" i],meta[name="currencyCode" i],meta[property="og:currency"]') || (new Set(ld).size === 1 ? ld[0] : '');
  const info = {
    url: location.href, title: document.title.slice(0, 200), lang: document.documentElement.lang || '', heading, text: whole.slice(0, limits.text), fields, buttons, prices, forms, boxes, alerts,
    structured: [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 10).map((one) => (one.textContent || '').slice(0, 20000)), priceCurrency: meta('[itemprop=priceCurrency]') || meta('meta[property="og:price:currency"],meta[property="product:price:currency"]') || told(),
  };
  return { info: json(info), elements };
  };
})()`;
