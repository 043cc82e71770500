/**
 * Which radio buttons of a page are one choice: `groupOf(el)` gives its number. Part of the script
 * that reads a page.
 */
export const radioGroupsScript = String.raw`
  const radioGroups = [];
  // Without a name in common: the least element around it that holds another one, or that groups
  // what it holds.
  const aroundRadios = (el) => {
    for (let at = parentOf(el); at && at !== document.body; at = parentOf(at)) if (at.matches('fieldset,form,section,[role=group]') || at.querySelector(':scope > h2,:scope > h3,:scope > h4,:scope > h5') || at.querySelectorAll('input[type=radio],[role=radio]').length > 1) return at;
    return parentOf(el);
  };
  // Names that a framework counts up ("ko_unique_1", "ko_unique_2") are of one choice where each is
  // one button's alone.
  const counted = (name) => name.replace(/\d+$/, '');
  const isCounted = (el) => {
    const like = [...document.querySelectorAll('input[type=radio]')].filter((one) => one.form === el.form && counted(one.name) === counted(el.name));
    return /\d$/.test(el.name) && like.length > 1 && like.every((one) => like.every((other) => other === one || other.name !== one.name));
  };
  const groupOf = (el) => {
    const key = el.tagName === 'INPUT' && el.name && !isCounted(el) ? (el.form ? containerOf(el) : 'page') + '/' + el.name : closest(parentOf(el) || el, '[role=radiogroup]') || aroundRadios(el);
    if (!radioGroups.includes(key)) radioGroups.push(key);
    return radioGroups.indexOf(key);
  };
`;
