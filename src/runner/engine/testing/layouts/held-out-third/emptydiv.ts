import { doc, missing, openStall, type Stall, whole } from './desk.ts';

const app = `
const X=document.getElementById('x'),S=sessionStorage,get=()=>JSON.parse(S.getItem('basket')||'[]'),put=b=>S.setItem('basket',JSON.stringify(b)),p=n=>'£'+n;
const el=(t,a={},...k)=>{const e=document.createElement(t);for(const q in a)q.startsWith('on')?e[q]=a[q]:e.setAttribute(q,a[q]);e.append(...k);return e};
let size,colour,n=1;
async function view(){const h=location.hash;
 if(h==='#/basket')return basket();if(h==='#/till')return till();if(h.startsWith('#/ok/'))return X.replaceChildren(el('h1',{},'Cheers!'),el('p',{},'Your order '+h.slice(5)+' has been placed.'));
 const d=await(await fetch('/api/tee')).json();
 const opt=(list,cur,set)=>el('div',{},...list.map(o=>el('button',{class:'b','aria-pressed':String(o===cur),onclick:()=>{set(o);draw()}},o)));
 const gone=()=>size&&colour&&d.gone.includes(size+'/'+colour);
 function draw(){const buy=el('button',{onclick:()=>{if(!size||!colour){X.append(el('p',{role:'alert'},'Pick a size and a colour'));return}const b=get();b.push({id:d.id,size,colour,n});put(b);location.hash='#/basket'}},gone()?'Sold out':'Add to basket');if(gone())buy.disabled=true;
  X.replaceChildren(el('h1',{},d.name),el('div',{},p(d.price)),el('div',{},'Size'),opt(d.sizes,size,o=>size=o),el('div',{},'Colour'),opt(d.colours,colour,o=>colour=o),
  el('div',{},el('button',{'aria-label':'Fewer',onclick:()=>{n=Math.max(1,n-1);draw()}},'−'),el('span',{},String(n)),el('button',{'aria-label':'More',onclick:()=>{n++;draw()}},'+')),buy)}
 draw()}
function basket(){const b=get();X.replaceChildren(el('h1',{},'Basket'),...b.map(l=>el('p',{},l.n+' × Field Tee '+l.size+' '+l.colour+' '+p(24*l.n))),b.length?el('button',{onclick:()=>location.hash='#/till'},'Go to till'):el('p',{},'Nothing here'))}
function till(){const b=get(),f={};const inp=(k,l,a={})=>el('p',{},el('label',{},l+' ',f[k]=el('input',a)));const msg=el('p',{style:'color:red'});
 const n=b.reduce((s,l)=>s+l.n,0),total=24*n+3.5;
 const go=el('button',{onclick:async()=>{msg.textContent='';const who={};for(const k in f)who[k]=f[k].value;const r=await fetch('/api/order',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({lines:b,who})});const a=await r.json();if(!r.ok){msg.textContent=a.message;return}S.clear();location.hash='#/ok/'+a.order}},'Pay '+p(total.toFixed(2)));
 f.country=el('select',{},el('option',{value:''},''),...[['GB','United Kingdom'],['US','United States'],['DE','Germany']].map(c=>el('option',{value:c[0]},c[1])));
 X.replaceChildren(el('h1',{},'Till'),el('p',{},'Goods '+p((24*n).toFixed(2))),el('p',{},'Royal Mail '+p('3.50')),el('p',{},'Total '+p(total.toFixed(2))),inp('email','Email'),inp('name','Name'),inp('line1','Address'),inp('town','Town or city'),inp('postcode','Postcode'),el('p',{},el('label',{},'Country ',f.country)),inp('number','Card number'),inp('until','Expiry date',{placeholder:'MM/YY'}),inp('cvc','Security code'),msg,go)}
addEventListener('hashchange',view);view();`;

/**
 * A page of one empty element: everything is script, the cart lies in sessionStorage, the order is
 * JSON.
 */
export const emptydiv = (): Promise<Stall> =>
  openStall('/tee', (call, sales) => {
    if (call.path === '/tee')
      return { html: doc('Tees', '<div id="x"></div><script src="/a.js"></script>') };
    if (call.path === '/a.js') return { html: app };
    if (call.path === '/api/tee')
      return {
        json: {
          id: 7,
          name: 'Field Tee',
          price: 24,
          sizes: ['S', 'M', 'L'],
          colours: ['Red', 'Blue', 'Ecru'],
          gone: ['S/Red'],
        },
      };
    if (call.path === '/api/order') {
      const b = JSON.parse(call.raw) as {
        lines: { size: string; colour: string; n: number }[];
        who: Record<string, string>;
      };
      const lacking = Object.keys(b.who).filter((k) => !b.who[k]);
      if (lacking.length)
        return { json: { message: `Required: ${lacking.join(', ')}` }, status: 422 };
      const n = b.lines.reduce((s, l) => s + l.n, 0);
      sales.push({
        item: b.lines.map((l) => `tee ${l.size} ${l.colour}`).join(' + '),
        quantity: n,
        total: n * 2400 + 350,
        extras: [],
        card: whole(b.who.number),
        email: b.who.email ?? '',
        address: ['line1', 'postcode', 'town', 'country'].map((k) => b.who[k]).join(' '),
      });
      return { json: { order: `FT-${sales.length + 40}` } };
    }
    return missing;
  });
