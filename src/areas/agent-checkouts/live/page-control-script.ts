/**
 * What the user does in the picture: mouse, touch, wheel, keys and text. A part of
 * `page-script.ts`.
 */
export const pageControlScript = `
const place = (event) => {
  // The picture keeps its shape inside of the canvas.
  const box = canvas.getBoundingClientRect();
  const scale = Math.min(box.width / screen.width, box.height / screen.height);
  const x = (event.clientX - box.left - (box.width - screen.width * scale) / 2) / scale;
  const y = (event.clientY - box.top - (box.height - screen.height * scale) / 2) / scale;
  return { x: Math.min(Math.max(x, 0), screen.width - 1), y: Math.min(Math.max(y, 0), screen.height - 1) };
};
const mouse = (type, point) => tell({ kind: 'mouse', type, x: point.x, y: point.y });
const limit = (value) => Math.min(Math.max(value, -2000), 2000);
let moved, movesAtMs = 0, finger, wheelX = 0, wheelY = 0, wheelTimer;
function move(point) {
  moved = point;
  const nowMs = performance.now();
  if (nowMs - movesAtMs < 40) return;
  movesAtMs = nowMs;
  mouse('move', point);
}
function scroll(x, y) {
  wheelX += x; wheelY += y;
  wheelTimer = wheelTimer || setTimeout(() => { tell({ kind: 'wheel', deltaX: limit(wheelX), deltaY: limit(wheelY) }); wheelX = wheelY = 0; wheelTimer = undefined; }, 50);
}
canvas.addEventListener('pointerdown', (event) => {
  if (!mayControl() || event.button !== 0 || !event.isPrimary) return;
  event.preventDefault();
  canvas.focus({ preventScroll: true });
  canvas.setPointerCapture(event.pointerId);
  const point = place(event);
  if (event.pointerType !== 'touch') { mouse('down', point); return; }
  // A tap clicks, a finger that moves scrolls, and one that rests first drags.
  finger = { start: event, last: event, point, mode: 'tap' };
  finger.timer = setTimeout(() => { if (finger && finger.mode === 'tap') { finger.mode = 'drag'; mouse('down', finger.point); } }, 400);
});
canvas.addEventListener('pointermove', (event) => {
  if (!mayControl() || !event.isPrimary) return;
  if (event.pointerType !== 'touch') { move(place(event)); return; }
  if (!finger) return;
  if (finger.mode === 'tap' && Math.hypot(event.clientX - finger.start.clientX, event.clientY - finger.start.clientY) > 8) {
    finger.mode = 'scroll'; clearTimeout(finger.timer); mouse('move', finger.point);
  }
  if (finger.mode === 'drag') move(place(event));
  if (finger.mode === 'scroll') {
    const scale = screen.width / canvas.getBoundingClientRect().width;
    scroll((finger.last.clientX - event.clientX) * scale, (finger.last.clientY - event.clientY) * scale);
  }
  finger.last = event;
});
const letGo = (event) => {
  if (!event.isPrimary) return;
  if (event.pointerType !== 'touch') { if (mayControl() && event.type === 'pointerup') mouse('up', place(event)); return; }
  if (!finger) return;
  clearTimeout(finger.timer);
  if (finger.mode === 'drag') mouse('up', place(event));
  else if (finger.mode === 'tap' && event.type === 'pointerup') { mouse('down', finger.point); mouse('up', finger.point); }
  finger = undefined;
};
canvas.addEventListener('pointerup', letGo);
canvas.addEventListener('pointercancel', letGo);
canvas.addEventListener('contextmenu', (event) => { if (mayControl()) event.preventDefault(); });
canvas.addEventListener('wheel', (event) => {
  if (!mayControl()) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? screen.height : 1;
  mouse('move', place(event));
  scroll(event.deltaX * unit, event.deltaY * unit);
}, { passive: false });
const keys = ['Enter', 'Tab', 'Backspace', 'Delete', 'Escape', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
let escapedAtMs = -Infinity;
canvas.addEventListener('keydown', (event) => {
  if (!mayControl() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'Escape') {
    if (performance.now() - escapedAtMs < 1000) { event.preventDefault(); at('text').focus(); return; }
    escapedAtMs = performance.now();
  }
  if (event.key === 'Tab' && event.shiftKey) tell({ kind: 'key', key: 'Shift+Tab' });
  else if (event.key === ' ') tell({ kind: 'key', key: 'Space' });
  else if (keys.includes(event.key)) tell({ kind: 'key', key: event.key });
  else if ([...event.key].length === 1) tell({ kind: 'text', text: event.key });
  else return;
  event.preventDefault();
});
function typeText(text) {
  const letters = [...text];
  for (let from = 0; from < letters.length; from += 100) tell({ kind: 'text', text: letters.slice(from, from + 100).join('') });
}
canvas.addEventListener('paste', (event) => { if (mayControl()) { event.preventDefault(); typeText(event.clipboardData.getData('text/plain').slice(0, 1000)); } });
at('typing').addEventListener('submit', (event) => {
  event.preventDefault();
  const field = at('text');
  if (!mayControl()) return;
  if (field.value === '') tell({ kind: 'key', key: 'Enter' });
  else typeText(field.value);
  field.value = '';
});
for (const button of document.querySelectorAll('[data-key]')) button.addEventListener('click', () => { if (mayControl()) tell({ kind: 'key', key: button.dataset.key }); });
at('done').addEventListener('click', () => {
  if (!state || !state.question || !socket || socket.readyState !== 1) return;
  doneId = state.question.id;
  tell({ kind: 'done', actionId: doneId });
  redraw();
  // It may not have arrived: then the question is still there.
  setTimeout(() => { doneId = undefined; redraw(); }, 5000);
});
at('hide').addEventListener('change', (event) => { at('text').type = event.target.checked ? 'password' : 'text'; });
`;
