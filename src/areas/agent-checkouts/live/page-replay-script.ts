/**
 * What is shown when the checkout is over: receipt, step log and its pictures. A part of
 * `page-script.ts`.
 */
export const pageReplayScript = `
const ask = (path) => fetch(base + path, { headers: { authorization: 'Bearer ' + token }, cache: 'no-store' });
const stepNames = { accepted: 'Accepted', open: 'Product page', login: 'Sign in', select: 'Options chosen', 'add-to-cart': 'Cart', contact: 'Contact', shipping: 'Delivery', payment: 'Payment', quote: 'Total read', approve: 'Approved by you', authorise: 'Card issued', 'fill-card': 'Card entered', armed: 'About to pay', placed: 'Order placed', confirm: 'Confirmation', settled: 'Done' };
const nameOf = (step) => stepNames[step] || step;
function entry(list, name, value) {
  if (value === undefined || value === null || value === '') return;
  const term = document.createElement('dt'), detail = document.createElement('dd');
  term.textContent = name;
  detail.textContent = Array.isArray(value) ? value.join(', ') : value.amount && value.currency ? money(value) : typeof value === 'object' ? JSON.stringify(value) : String(value);
  list.append(term, detail);
}
// A total is written in the smallest unit, beside its currency.
function found({ total, currency, ...rest }) {
  const format = /^[A-Z]{3}$/i.test(currency) && /^\\d{1,15}$/.test(total) && new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  if (!format) return Object.entries({ total, currency, ...rest });
  return [['total', format.format(Number(total) / 10 ** format.resolvedOptions().maximumFractionDigits)], ...Object.entries(rest)];
}
const money = (value) => value && (typeof value === 'string' ? value : value.amount + ' ' + value.currency);
function showReceipt(log) {
  const list = at('receipt');
  const { receipt, failure } = log;
  const evidence = (receipt && receipt.evidence) || {};
  if (receipt) {
    entry(list, 'Total', money(receipt.total));
    entry(list, 'Order number', receipt.merchantOrderId);
    entry(list, 'Bought at', receipt.capturedAt && new Date(receipt.capturedAt).toLocaleString());
    entry(list, 'Confirmation', evidence.confirmationText);
    entry(list, 'Page', evidence.confirmationUrl);
    entry(list, 'Last picture', evidence.screenshotSha256 && 'SHA-256 ' + evidence.screenshotSha256);
  }
  if (failure) { entry(list, 'Why', failure.message || failure.reason); entry(list, 'When', failure.failedAt && new Date(failure.failedAt).toLocaleString()); }
  show(at('receipts'), list.childElementCount > 0);
}
// What a step did and its picture are written one after the other, often with others between: they
// are one line here.
function joined(entries) {
  const lines = [];
  for (const entry of entries) {
    const line = entry.hasPicture && lines.findLast((one) => one.step === entry.step && !one.pictureNr);
    if (line) line.pictureNr = entry.nr;
    else lines.push({ ...entry, pictureNr: entry.hasPicture ? entry.nr : undefined });
  }
  return lines;
}
async function replay() {
  show(at('typing'), false); show(at('live'), false); show(at('over'), true);
  const answer = await ask('/replay').catch(() => undefined);
  if (!answer) { at('trouble').textContent = 'The connection is lost. Trying again.'; setTimeout(replay, 5000); return; }
  at('trouble').textContent = '';
  veil('');
  if (!answer.ok) { at('gone').textContent = 'What was seen of it is no longer kept.'; return; }
  const log = read(await answer.text());
  at('status').textContent = words[log.status] || log.status;
  showReceipt(log);
  const steps = joined(log.steps), list = at('list'), pictures = new Map();
  if (steps.length === 0) { at('gone').textContent = 'It has no steps to show.'; return; }
  show(at('player'), true);
  let current = -1;
  // A step without a picture of its own shows the last one before it.
  const pictureOf = (index) => { for (let back = index; back >= 0; back--) if (steps[back].pictureNr) return steps[back].pictureNr; };
  async function load(nr) {
    if (!pictures.has(nr)) pictures.set(nr, ask('/replay/' + nr).then(async (got) => got.ok ? URL.createObjectURL(await got.blob()) : undefined, () => undefined));
    return pictures.get(nr);
  }
  async function go(index) {
    if (index < 0 || index >= steps.length) return;
    current = index;
    const step = steps[index], nr = pictureOf(index), details = at('detail');
    at('which').textContent = 'Step ' + (index + 1) + ' of ' + steps.length + ': ' + nameOf(step.step);
    at('before').disabled = index === 0; at('after').disabled = index === steps.length - 1;
    [...list.children].forEach((line, nth) => { if (nth === index) line.setAttribute('aria-current', 'step'); else line.removeAttribute('aria-current'); });
    details.replaceChildren();
    entry(details, 'When', new Date(step.at).toLocaleString());
    entry(details, 'Page', step.url);
    for (const [name, value] of found(step.detail || {})) entry(details, name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), value);
    const url = nr === undefined ? undefined : await load(nr);
    if (current !== index) return;
    show(at('old'), Boolean(url)); show(at('none'), !url);
    if (url) { at('old').src = url; at('old').alt = 'The shop’s page at the step “' + nameOf(step.step) + '”'; }
  }
  list.replaceChildren(...steps.map((step, index) => {
    const line = document.createElement('li'), button = document.createElement('button');
    button.type = 'button'; button.textContent = nameOf(step.step); button.addEventListener('click', () => go(index));
    line.append(button);
    return line;
  }));
  at('before').addEventListener('click', () => go(current - 1));
  at('after').addEventListener('click', () => go(current + 1));
  await go(steps.length - 1);
}
`;
