import { turning } from '../../../../sdk-react/src/visible.ts';
import { pageControlScript } from './page-control-script.ts';
import { pageReplayScript } from './page-replay-script.ts';

/**
 * The script of the live page, for browsers of the last four years. It is text because nothing
 * builds it: what it does is tested in a browser. The token stays behind the `#` and in memory.
 */
export const pageScript = `'use strict';
(() => {
const at = (id) => document.getElementById(id);
const show = (element, isShown) => { element.hidden = !isShown; };
const token = location.hash.slice(1);
const base = location.pathname.replace(/\\/$/, '');
const words = { queued: 'Waiting for a browser', running: 'Running', awaiting_user_action: 'Waiting for you', succeeded: 'Bought', failed: 'Failed', cancelled: 'Cancelled' };
// Texts of shops and their pages: none may turn what stands beside it.
const visible = (text) => text.replace(${turning}, (one, seen) => seen || '\\\\u{' + one.codePointAt(0).toString(16) + '}');
const read = (text) => JSON.parse(text, (_, value) => typeof value === 'string' ? visible(value) : value);
const canvas = at('picture');
let socket, screen = { width: 1280, height: 900, isInputPermitted: false }, state, pauseMs = 500, hasPicture = false, wasShown = false, isMasked = false, isOver = false, doneId;
const tell = (message) => { if (socket && socket.readyState === 1) socket.send(JSON.stringify(message)); };
const mayControl = () => Boolean(state && state.permissions.includes('control') && screen.isInputPermitted && hasPicture && !isMasked);

function veil(text) { at('veil').textContent = text; show(at('veil'), text !== ''); }
function redraw() {
  at('status').textContent = state ? words[state.status] || state.status : 'Connecting';
  const question = state && state.question;
  show(at('question'), Boolean(question));
  if (question) {
    at('asked').textContent = question.message;
    at('how').textContent = question.canTakeOver
      ? 'Answer in the app that started this checkout, or do it here: use the picture below, then press “Done, go on”.'
      : 'Answer in the app that started this checkout.';
  }
  show(at('ready'), Boolean(question && question.canTakeOver));
  at('done').disabled = Boolean(question) && question.id === doneId;
  const isMine = mayControl();
  canvas.classList.toggle('mine', isMine);
  canvas.tabIndex = isMine ? 0 : -1;
  canvas.setAttribute('role', isMine ? 'application' : 'img');
  canvas.setAttribute('aria-label', isMine ? 'The shop’s page. Mouse and keys go to it; press Escape twice to leave it.' : 'Live picture of the shop’s page');
  show(at('typing'), isMine);
  // The last picture stays when the shop's page is gone.
  if (isOver) return veil(wasShown ? '' : 'This checkout is over');
  if (isMasked) veil('Hidden while a secret is typed');
  else if (hasPicture || wasShown) veil('');
  else veil(state && state.status === 'queued' ? 'Waiting for a browser' : 'Waiting for a picture');
}
function listProgress(items) {
  const list = at('progress');
  show(at('doing'), items.length > 0);
  // What is asked now stands above already.
  const asked = state.question && state.question.message;
  const texts = items.map((item) => item.message && item.message !== asked ? item.title + ': ' + item.message : item.title);
  if (list.childElementCount === texts.length && [...list.children].every((child, index) => child.textContent === texts[index])) return;
  list.replaceChildren(...texts.map((text) => { const line = document.createElement('li'); line.textContent = text; return line; }));
  list.scrollTop = list.scrollHeight;
  at('now').textContent = texts.length ? texts[texts.length - 1] : '';
}
async function draw(buffer) {
  const bytes = new Uint8Array(buffer);
  isMasked = bytes[0] === 1;
  try {
    const picture = await createImageBitmap(new Blob([bytes.subarray(1)], { type: 'image/jpeg' }));
    if (!isMasked) {
      if (canvas.width !== picture.width || canvas.height !== picture.height) { canvas.width = picture.width; canvas.height = picture.height; }
      canvas.getContext('2d').drawImage(picture, 0, 0);
    } else canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);
    picture.close();
    hasPicture = true; wasShown = !isMasked;
  } catch { /* the next one comes */ }
  tell({ kind: 'seen' });
  redraw();
}
function take(message) {
  if (message.kind === 'state') { state = message; listProgress(message.progress); }
  if (message.kind === 'screen') { screen = message; canvas.parentElement.style.aspectRatio = message.width + '/' + message.height; }
  if (message.kind === 'no-picture') { hasPicture = false; isMasked = false; }
  if (message.kind === 'over') { isOver = true; replay(); }
  redraw();
}
function connect() {
  socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + base + '/stream');
  socket.binaryType = 'arraybuffer';
  let pictures = Promise.resolve();
  socket.onopen = () => { pauseMs = 500; at('trouble').textContent = ''; tell({ kind: 'hello', token }); };
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') take(read(data));
    else pictures = pictures.then(() => draw(data));
  };
  socket.onclose = ({ code }) => {
    hasPicture = false; isMasked = false;
    if (isOver || code === 1000) return;
    if (code === 4401) return stop('This link does not work. Open it again from the app that started the checkout.');
    at('trouble').textContent = code === 4503 ? 'Too many are watching already. Trying again.' : 'The connection is lost. Trying again.';
    redraw();
    setTimeout(connect, pauseMs * (0.75 + Math.random() / 2));
    pauseMs = Math.min(pauseMs * 2, 10000);
  };
}
function stop(text) { isOver = true; state = undefined; show(at('doing'), false); redraw(); at('status').textContent = 'Not available'; veil(text); at('trouble').textContent = ''; }
${pageControlScript}
${pageReplayScript}
addEventListener('hashchange', () => location.reload());
if (token === '') stop('This link is not complete: open it from the app that started the checkout.');
else connect();
})();
`;
