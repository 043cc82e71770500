import { theme } from '../../../http/theme.ts';

/** The live page and its replay: the design of all pages, and what is theirs. */
export const pageStyle = `
${theme}
[hidden]{display:none!important}
main{max-width:84rem;margin:0 auto;padding:clamp(.75rem,2vw,1.5rem)}
header{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;margin-bottom:.5rem}
h1{font-size:1.25rem}h2{margin:1rem 0 .35rem}
@media(min-width:60rem){.columns h2:first-child{margin-top:0}}
#asked,#progress{white-space:pre-line}
.note{border-left:.25rem solid var(--warn);background:var(--warn-soft);padding:.6rem .9rem;margin:.5rem 0;border-radius:0 var(--radius) var(--radius) 0;overflow-wrap:anywhere}
.muted{color:var(--faint);font-size:.9rem}.note p{margin:.15rem 0}
.columns{display:grid;gap:.75rem}
@media(min-width:60rem){.columns{grid-template-columns:minmax(0,1fr) 18rem}}
figure{margin:0;position:relative;border:1px solid var(--line);border-radius:var(--radius);overflow:hidden;background:var(--soft);aspect-ratio:1280/900}
canvas,#old{display:block;width:100%;height:100%;object-fit:contain}
canvas.mine{cursor:crosshair;touch-action:pinch-zoom;outline-offset:-3px}
figure:has(canvas.mine){border:2px solid var(--accent)}
#veil{position:absolute;inset:0;display:grid;place-content:center;text-align:center;padding:1rem;background:var(--soft);color:var(--ink);font-size:1.05rem}
ol{list-style:decimal;padding-left:2.4rem;overflow-wrap:anywhere}ol li{margin:.15rem 0}
#progress{max-height:22rem;overflow:auto}
#progress li:last-child{font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.6rem 0 .2rem}
form label{flex-basis:100%;font-size:.9rem}
input[type=text],input[type=password]{flex:1 1 12rem;min-width:0}
form label:has([type=checkbox]){display:flex;gap:.5rem;align-items:baseline;font-weight:400}
button{min-height:2.5rem}
button.main{background:var(--accent);color:var(--on-accent);border-color:var(--accent)}
.row{display:flex;gap:.4rem;align-items:center;flex-wrap:wrap;margin:.5rem 0}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem .75rem;margin:0}dd{text-align:left}
@media(max-width:30rem){dl{grid-template-columns:minmax(0,1fr)}dt{margin-top:.35rem}}
#detail{margin-top:.5rem}
#list li[aria-current]{font-weight:600}
#list button{background:none;border:0;padding:.1rem .2rem;min-height:0;font-weight:inherit;text-align:left;font-weight:inherit;text-decoration:underline;color:var(--accent)}
`;
