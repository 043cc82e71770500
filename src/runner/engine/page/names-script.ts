/**
 * Part of the page's script: what controls and groups are called. `accessible` is
 * dom-accessibility-api. The order is the standard's (accname 1.2, html-aam): aria-labelledby,
 * aria-label, label, alt, content, title; a placeholder is kept apart, as weaker evidence. What
 * nobody sees names only what has no other name: a label for screen readers alone is one, hidden
 * words beside shown ones are not.
 */
export const namesScript = String.raw`
  const hidden = { getPropertyValue: () => 'none' };
  // What was typed is no name, even where a label holds two fields.
  const holdsValue = (el) => el.matches('input,select,textarea,[role=textbox],[role=combobox],[role=listbox],[role=spinbutton],[role=slider],[contenteditable]');
  const computed = (el, leftOut) => clean(accessible.computeAccessibleName(el, {
    computedStyleSupportsPseudoElements: false,
    getComputedStyle: (node) => leftOut(node) || (node !== el && holdsValue(node)) ? hidden : styleOf(node),
  }));
  const names = new Map();
  const nameOf = (el) => {
    if (!names.has(el)) {
      const seen = computed(el, (node) => isIcon(node) || (node !== el && !isShown(node)));
      names.set(el, (seen || computed(el, () => false).replace(/_/g, ' ')).slice(0, 300));
    }
    return names.get(el);
  };
  const groupNameOf = (el) => el.matches('fieldset,[aria-labelledby],[aria-label]') ? nameOf(el) : '';
  // "Label in name" (WCAG 2.5.3): an attribute does not say something else than the label that a
  // person reads.
  const labelOf = (el) => {
    const name = nameOf(el);
    const read = clean([...(el.labels || [])].map((label) => textOf(label)).join(' '));
    const ownAttribute = attr(el, 'aria-labelledby') || attr(el, 'aria-label');
    return ownAttribute && read && !wordsOf(read).every((word) => wordsOf(name).includes(word)) ? read.slice(0, 300) : name;
  };
  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
  // What is pressed and has no role has no name by the standard: it is called as the picture or the
  // sign that it shows.
  const drawnNameOf = (el) => {
    const sign = [...el.querySelectorAll('i,span,em')].concat(el).find((one) => one.childElementCount === 0 && isIcon(one));
    return [...el.querySelectorAll('img,svg')].map(nameOf).find(Boolean) || (sign ? clean(sign.textContent).replace(/_/g, ' ') : '');
  };
  // Of a button beside its text. What only its title says is its description by the standard, and
  // names it where its text is a sign.
  const buttonLabelOf = (el, text) => {
    const name = nameOf(el) || (text ? '' : drawnNameOf(el));
    return name !== text ? name : clean(attr(el, 'title'));
  };
`;
