/** The style sheet of the live page: no fonts, no pictures, dark and light. */
export const pageStyle = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0a6b57;--onaccent:#fff;--warn:#8a4b00;--back:#fff;--text:#1a1a1a}
@media(prefers-color-scheme:dark){:root{--accent:#5fd3b5;--onaccent:#06231c;--warn:#ffb45c;--back:#15181a;--text:#eceff0}}
*{box-sizing:border-box}[hidden]{display:none!important}
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:var(--back);color:var(--text)}
main{max-width:84rem;margin:0 auto;padding:.75rem}
header{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;margin-bottom:.5rem}
h1{font-size:1.15rem;margin:0}h2{font-size:1rem;margin:1rem 0 .35rem}
@media(min-width:60rem){.columns h2:first-child{margin-top:0}}
#asked,#progress{white-space:pre-line}
.badge{border:1px solid var(--line);border-radius:1rem;padding:0 .6rem;font-size:.85rem}
.note{border-left:.25rem solid var(--warn);background:var(--soft);padding:.5rem .75rem;margin:.5rem 0;border-radius:0 .3rem .3rem 0;overflow-wrap:anywhere}
.muted{opacity:.75;font-size:.9rem}.note p{margin:.15rem 0}
.columns{display:grid;gap:.75rem}
@media(min-width:60rem){.columns{grid-template-columns:minmax(0,1fr) 18rem}}
figure{margin:0;position:relative;border:1px solid var(--line);border-radius:.4rem;overflow:hidden;background:var(--soft);aspect-ratio:1280/900}
canvas,#old{display:block;width:100%;height:100%;object-fit:contain}
canvas.mine{cursor:crosshair;touch-action:pinch-zoom;outline-offset:-3px}
figure:has(canvas.mine){border:2px solid var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
#veil{position:absolute;inset:0;display:grid;place-content:center;text-align:center;padding:1rem;background:#d9dedd;color:#1a1a1a;font-size:1.05rem}
@media(prefers-color-scheme:dark){#veil{background:#2b3133;color:#eceff0}}
ol{margin:0;padding-left:2.4rem;overflow-wrap:anywhere}ol li{margin:.15rem 0}
#progress{max-height:22rem;overflow:auto}
#progress li:last-child{font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.6rem 0 .2rem}
form label{flex-basis:100%;font-size:.9rem}
input[type=text],input[type=password]{font:inherit;flex:1 1 12rem;min-width:0;padding:.45rem .6rem;border:1px solid var(--line);border-radius:.35rem;background:transparent;color:inherit}
button{font:inherit;padding:.45rem .8rem;border:1px solid var(--line);border-radius:.35rem;background:var(--soft);color:inherit;cursor:pointer;min-height:2.5rem}
button.main{background:var(--accent);color:var(--onaccent);border-color:var(--accent)}
button:disabled{opacity:.5;cursor:default}
.row{display:flex;gap:.4rem;align-items:center;flex-wrap:wrap;margin:.5rem 0}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem .75rem;margin:0}dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}
@media(max-width:30rem){dl{grid-template-columns:minmax(0,1fr)}dt{margin-top:.35rem}}
#detail{margin-top:.5rem}
#list li[aria-current]{font-weight:600}
#list button{background:none;border:0;padding:.1rem .2rem;min-height:0;text-align:left;font-weight:inherit;text-decoration:underline;color:var(--accent)}
`;
