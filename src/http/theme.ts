/**
 * The design of every page that the service shows: console, approval page, pages of the sandbox,
 * live page and documentation. Colours, type, buttons, badges and lists of names and values; what
 * is a page's own stands beside it.
 */
export const theme = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f7f6, #101415);
  --card: light-dark(#ffffff, #181e1f);
  --ink: light-dark(#1a2221, #e7eceb);
  --faint: light-dark(#586462, #9aa8a5);
  --line: light-dark(#dfe4e2, #2b3435);
  --soft: light-dark(#eef1f0, #212829);
  --accent: light-dark(#0a6b57, #5fd3b5);
  --on-accent: light-dark(#ffffff, #06231c);
  --good: light-dark(#176b3a, #7fd8a2);
  --good-soft: light-dark(#e0f3e7, #15321f);
  --warn: light-dark(#7a4b00, #f0c36b);
  --warn-soft: light-dark(#fdf0d5, #382a0e);
  --bad: light-dark(#a3211f, #ff9e98);
  --bad-soft: light-dark(#fde7e5, #401a19);
  --radius: 10px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
* {
  box-sizing: border-box;
}
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font:
    15px/1.5 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "Liberation Sans",
    sans-serif;
}
h1,
h2,
p,
ul,
ol,
dl,
dd {
  margin: 0;
  padding: 0;
}
ul,
ol {
  list-style: none;
}
h1 {
  overflow-wrap: anywhere;
  font-size: 1.6rem;
  line-height: 1.25;
  letter-spacing: -0.015em;
}
h2 {
  font-size: 1rem;
  line-height: 1.4;
}
a {
  color: var(--accent);
  text-underline-offset: 0.15em;
}
code {
  font-family: var(--mono);
  font-size: 0.86em;
}
.faint {
  color: var(--faint);
}
.under {
  display: block;
}
.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
button,
select,
input,
textarea {
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 7px;
  padding: 0.4rem 0.8rem;
}
button {
  cursor: pointer;
  font-weight: 500;
}
button:hover:not(:disabled) {
  border-color: var(--accent);
}
button:disabled {
  cursor: not-allowed;
  color: var(--faint);
}
button.primary {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
}
button.primary:disabled {
  background: var(--soft);
  border-color: var(--line);
  color: var(--faint);
}
button.big {
  width: 100%;
  padding: 0.75rem;
  font-size: 1.05rem;
}
label {
  display: grid;
  gap: 0.3rem;
  font-weight: 500;
}
label.check {
  display: flex;
  align-items: center;
  gap: 0.5rem;
}
.badge {
  display: inline-block;
  border-radius: 6px;
  padding: 0.05rem 0.5rem;
  font-size: 0.82rem;
  font-weight: 500;
  background: var(--soft);
  color: var(--ink);
  white-space: nowrap;
}
.badge.good {
  background: var(--good-soft);
  color: var(--good);
}
.badge.warn {
  background: var(--warn-soft);
  color: var(--warn);
}
.badge.bad {
  background: var(--bad-soft);
  color: var(--bad);
}
.problem p {
  min-width: 0;
  overflow-wrap: anywhere;
}
.problem {
  display: flex;
  flex-wrap: wrap;
  gap: 0.8rem;
  align-items: center;
  justify-content: space-between;
  margin: 0.8rem 0;
  padding: 0.7rem 1rem;
  border-radius: var(--radius);
  background: var(--bad-soft);
  color: var(--bad);
}
dl {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.35rem 1.2rem;
  margin-bottom: 1.4rem;
}
dt {
  color: var(--faint);
}
dd {
  text-align: right;
  overflow-wrap: anywhere;
}
main.page {
  max-width: 32rem;
  margin: 0 auto;
  padding: clamp(0.8rem, 4vw, 2.5rem) 1rem 3rem;
}
.sheet {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.1rem;
  padding: clamp(1.1rem, 4vw, 1.8rem);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 16px;
}
.sheet > [role="status"] {
  display: grid;
  gap: 0.8rem;
}
.warning {
  padding: 0.7rem 1rem;
  border-left: 3px solid var(--warn);
  border-radius: 0 var(--radius) var(--radius) 0;
  background: var(--warn-soft);
}
.warning.bad {
  border-color: var(--bad);
  background: var(--bad-soft);
}
`;
