import { plainShop } from '../pages-kit.ts';
import type { Handler } from '../test-shop-kit.ts';
import type { Layout } from './kit.ts';

const fixed = (id: string, style: string, body: string) =>
  `<div id="${id}" style="position:fixed;z-index:99;background:#fff;border:1px solid;${style}">${body}</div>`;
const wall = (id: string, body: string) =>
  fixed(
    `${id}-back`,
    'inset:0;background:#0008',
    fixed(id, 'left:20%;top:20%;width:60%;padding:20px', body),
  );

const inScript = (html: string) => JSON.stringify(html).replaceAll('</', '<\\/');

/**
 * Cookie wall, then a region chooser, then a newsletter after a while; a chat bubble lies over the
 * button that adds.
 */
const layers = `<script>addEventListener('DOMContentLoaded',()=>{
if(!document.querySelector('h1')||location.pathname!=='/mug')return;
const add=(html)=>document.body.insertAdjacentHTML('beforeend',html);
const close=(id,next)=>{document.getElementById(id).remove();if(next)next()};
const region=()=>{add(${inScript(wall('country-switch', '<h3>Choose your shipping destination</h3><p>It looks like you are in Germany. Do you want to shop in the German store?</p><a href="https://de.mugs.example/">Go to Germany</a> <button id="stay">Stay on this store</button>'))});document.getElementById('stay').onclick=()=>close('country-switch-back',()=>setTimeout(news,300))};
const news=()=>{add(${inScript(wall('popup-klv', '<div role="dialog" aria-modal="true" aria-label="POPUP Form"><button aria-label="Close dialog" id="nx">✕</button><h2>Get 10% off your first order</h2><form><input type="email" name="email" placeholder="Enter your email"><button type="button">Claim my discount</button></form><button type="button">No, thanks</button></div>'))});document.getElementById('nx').onclick=()=>close('popup-klv-back')};
add(${inScript(wall('onetrust', '<div id="onetrust-policy-text">By clicking “Accept All Cookies”, you agree to the storing of cookies on your device to enhance site navigation. <a href="/cookie-policy">Cookie policy</a></div><button id="pc">Cookies Settings</button><button id="rej">Reject All</button><button id="acc">Accept All Cookies</button>'))});
document.getElementById('rej').onclick=()=>close('onetrust-back',()=>setTimeout(region,200));document.getElementById('acc').onclick=()=>{document.cookie='tracked=1;path=/';close('onetrust-back',region)};
const b=[...document.querySelectorAll('button')].find((x)=>x.textContent==='Add to cart');const r=b.getBoundingClientRect();
add('<div id="chat" style="position:fixed;z-index:50;background:#06c;border-radius:30px;left:'+(r.left-10)+'px;top:'+(r.top-10)+'px;width:'+(r.width+20)+'px;height:'+(r.height+20)+'px" aria-label="Open chat" role="button"></div>');
})</script>`;

export const modals: Layout = {
  title: 'cookie wall, region chooser, newsletter after a while, and a chat bubble over the button',
  path: '/mug',
  shop: plainShop({ head: layers }),
  buys: { quantity: '1', email: 'ada@example.com', zip: '94105' },
};

const gate = (kind: string) =>
  kind === 'dialog'
    ? wall(
        'age-gate',
        '<div role="dialog" aria-label="Age verification"><h2>Are you 18 or older?</h2><p>You must be of legal age to enter this site.</p><button type="button" id="y">Yes, I am over 18</button><button type="button" id="n">No</button></div>',
      )
    : '';
const aged =
  (inner: Handler): Handler =>
  (request, orders) => {
    const reply = inner(request, orders);
    if (request.path !== '/mug' || reply === undefined || !('html' in reply)) return reply;
    return {
      html: `${reply.html.replace('</body>', '')}${gate('dialog')}<script>document.getElementById('y').onclick=()=>{document.cookie='age=1;path=/';document.getElementById('age-gate-back').remove()};document.getElementById('n').onclick=()=>{location='/sorry'}</script></body></html>`,
    };
  };

export const ageGate: Layout = {
  title: 'an age gate is answered by the user',
  path: '/mug',
  shop: aged(plainShop({ product: 'Dry Gin' })),
  answer: (request) =>
    request.kind === 'option-choice'
      ? { choice: request.options.find((one) => /yes/i.test(one.title))!.value }
      : undefined,
  asks: ['option-choice'],
  buys: { quantity: '1' },
};

export const ageGateRefused: Layout = {
  ...ageGate,
  title: 'an age gate that the user declines ends the run',
  answer: () => undefined,
  buys: undefined,
  fails: /declined/,
};
