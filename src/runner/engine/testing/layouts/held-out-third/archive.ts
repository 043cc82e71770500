import {
  type Answer,
  doc,
  missing,
  money,
  openStall,
  type Sale,
  type Stall,
  whole,
} from './desk.ts';

/** What a known customer of the archive types; the code is the one its letter holds. */
export const member = { email: 'ada@example.com', password: 'print-room-7', code: '402917' };

/**
 * Three steps behind a login that cannot be passed by: sign in or register, a code by e-mail, then
 * address, delivery, payment. Tax only in the last.
 */
export const archive = (): Promise<Stall> =>
  openStall('/prints/12', (call, sales: Sale[]): Answer => {
    const v = call.visitor;
    const f = call.form;
    const post = call.method === 'POST';
    const net = Number(v.q ?? 0) * 1800;
    const ship = v.way === 'x' ? 1500 : 600;
    const tax = Math.round((net + ship) * 0.08);
    const head = `<div><b>The Archive</b> · <a href="/bag">Bag: ${v.q ?? 0}</a></div>`;
    const out = (title: string, body: string): Answer => ({ html: doc(title, head + body) });
    if (call.path === '/prints/12')
      return out(
        'Harbour, 1931',
        `<h2>Harbour, 1931</h2><p class="x1">USD 18.00</p><form method="post" action="/bag"><div>Paper size</div>${[
          'A4',
          'A3',
          'A2',
        ]
          .map(
            (s) =>
              `<input type="radio" name="s" id="s${s}" value="${s}"${s === 'A4' ? ' checked' : ''}><label for="s${s}">${s}</label>`,
          )
          .join(
            '',
          )}<div>Copies <select name="q"><option>1</option><option>2</option><option>3</option></select></div><input type="submit" value="Add to bag"></form>`,
      );
    if (call.path === '/bag' && post) {
      Object.assign(v, { s: f.get('s') ?? '', q: f.get('q') ?? '1' });
      return { to: '/bag' };
    }
    if (call.path === '/bag')
      return out(
        'Bag',
        `<h2>Bag</h2><p>Harbour, 1931 – ${v.s} – ${v.q} pc. – USD ${money(net)}</p><a href="/1">Check out</a>`,
      );
    if (call.path === '/1' && !v.in)
      return out(
        'Who are you?',
        `<h2>Sign in or register</h2><p>You need an account to order.</p><p>${call.query.get('bad') ? 'E-mail or password is wrong.' : ''}</p>
        <form method="post" action="/login"><h3>I have an account</h3>E-mail <input name="u" type="email"><br>Password <input name="p" type="password"><br><button>Sign in</button></form>
        <form method="post" action="/register"><h3>I am new here</h3>E-mail <input name="u" type="email"><br>Password <input name="p" type="password"><br>Repeat password <input name="p2" type="password"><br><button>Register</button></form>`,
      );
    if (call.path === '/login') {
      if (f.get('u') !== member.email || f.get('p') !== member.password) return { to: '/1?bad=1' };
      v.half = 'yes';
      return { to: '/code' };
    }
    if (call.path === '/register')
      return out(
        'Register',
        '<p>This e-mail address already has an account. <a href="/1">Sign in</a></p>',
      );
    if (call.path === '/code' && post && v.half && f.get('c') === member.code) {
      v.in = 'yes';
      return { to: '/1' };
    }
    if (call.path === '/code')
      return out(
        'One more thing',
        `<p>${post ? 'That code is not right.' : ''}</p><p>We have sent a six-digit code to ad•••@example.com. Please enter it here.</p><form method="post"><input name="c" autocomplete="one-time-code" maxlength="6"><button>Continue</button></form>`,
      );
    if (!v.in) return call.path === '/orders' ? { to: '/1' } : missing;
    if (call.path === '/1' && post) {
      if (!f.get('street') || !f.get('zip')) return { to: '/1' };
      v.addr = ['street', 'zip', 'city', 'country'].map((k) => f.get(k)).join(' ');
      return { to: '/2' };
    }
    if (call.path === '/1')
      return out(
        'Step 1 of 3',
        `<h2>1. Where to?</h2><form method="post">${['Name', 'Street', 'Zip', 'City'].map((l) => `<p>${l}<br><input name="${l.toLowerCase()}"></p>`).join('')}<p>Country<br><select name="country"><option value="us">USA</option><option value="gb">Great Britain</option><option value="de">Germany</option></select></p><button>Next</button></form>`,
      );
    if (call.path === '/2' && post) {
      v.way = f.get('way') ?? '';
      return { to: v.way ? '/3' : '/2' };
    }
    if (call.path === '/2')
      return out(
        'Step 2 of 3',
        `<h2>2. How?</h2><form method="post"><p><label><input type="radio" name="way" value="t"> Tube, by post – USD 6.00</label></p><p><label><input type="radio" name="way" value="x"> Flat, express – USD 15.00</label></p><button>Next</button></form>`,
      );
    if (call.path === '/3' && post) {
      if (!whole(f.get('n'))) return { to: '/3' };
      sales.push({
        item: `harbour ${v.s} ${v.way}`,
        quantity: Number(v.q),
        total: net + ship + tax,
        extras: [],
        card: true,
        email: member.email,
        address: v.addr ?? '',
      });
      v.last = `AR/${2026}/${sales.length}`;
      return { to: '/done' };
    }
    if (call.path === '/3')
      return out(
        'Step 3 of 3',
        `<h2>3. Payment</h2><dl><dt>Prints</dt><dd>USD ${money(net)}</dd><dt>Delivery</dt><dd>USD ${money(ship)}</dd><dt>Sales tax 8%</dt><dd>USD ${money(tax)}</dd><dt>To pay</dt><dd>USD ${money(net + ship + tax)}</dd></dl>
        <form method="post"><p>Card<br><input name="n" autocomplete="cc-number"></p><p>Expiry<br><input name="e" autocomplete="cc-exp" placeholder="MM/YY"></p><p>CVV<br><input name="v" autocomplete="cc-csc"></p><button>Buy now</button></form>`,
      );
    if (call.path === '/done')
      return out(
        'Done',
        `<h2>Your order is confirmed</h2><p>Reference: ${v.last}</p><p>USD ${money(net + ship + tax)}</p>`,
      );
    return missing;
  });
