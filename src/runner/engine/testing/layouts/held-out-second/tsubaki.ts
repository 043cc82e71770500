import {
  type Answer,
  cardFault,
  type HeldOutShop,
  html,
  options,
  serve,
  to,
} from '../held-out-first/kit.ts';

/*
 * A Japanese shop: amounts in full-width digits, family name first with its reading beneath, a
 * postcode in two boxes and a telephone number in three, the time of delivery as a list, and a
 * confirmation page before the order.
 */
const wide = (text: string) =>
  text.replaceAll(/[0-9,]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
const yen = (amount: number) => `${wide(amount.toLocaleString('en'))}円`;
const unit = 3980;
const PREFS = { 13: '東京都', 14: '神奈川県', 27: '大阪府' };
const page = (title: string, main: string): Answer =>
  html(
    'ja',
    `${title}｜椿茶舗`,
    `<div id="head"><a href="/">椿茶舗</a> <a href="/mypage">マイページ</a> <a href="/cart">カートを見る</a></div>${main}`,
    '<style>.req{color:#c00}th{text-align:left}</style>',
  );
const must = '<span class="req">【必須】</span>';

/** Starts the Japanese shop. */
export function tsubaki(): Promise<HeldOutShop> {
  return serve(
    ['/order/confirm', '/order/complete'],
    ({ method, path, form, session, query }, shop) => {
      const count = Number(session.get('kazu') ?? 0);
      const ship = 660;
      if (path === '/item/sencha')
        return page(
          '深蒸し煎茶',
          `<h1>深蒸し煎茶　三本入り</h1><p>販売価格：${yen(unit)}（税込）</p><form method="post" action="/cart/in"><p>数量 <input name="kazu" value="1" size="2"></p><input type="submit" value="カートに入れる"></form>`,
        );
      if (path === '/cart/in') {
        session.set('kazu', (form.get('kazu') ?? '1').normalize('NFKC'));
        return to('/cart');
      }
      if (path === '/cart')
        return page(
          'カート',
          count === 0
            ? '<p>カートは空です。</p>'
            : `<h1>ショッピングカート</h1><table><tr><td>深蒸し煎茶　三本入り</td><td>${wide(String(count))}点</td><td>${yen(count * unit)}</td></tr></table><p>小計：${yen(count * unit)}</p><form action="/order/guest"><input type="submit" value="会員登録せずに購入手続きへ進む"></form><a href="/">お買い物を続ける</a>`,
        );
      if (path === '/order/guest')
        return page(
          'お客様情報',
          `<h1>お客様情報の入力</h1><p class="error" style="color:red">${query.get('e') ?? ''}</p><form method="post" action="/order/confirm"><table>
<tr><th>お名前${must}</th><td><input name="n1" placeholder="姓" required> <input name="n2" placeholder="名" required></td></tr><tr><th>お名前(カナ)${must}</th><td><input name="k1" placeholder="セイ" required> <input name="k2" placeholder="メイ" required></td></tr>
<tr><th>郵便番号${must}</th><td>〒<input name="z1" size="3" maxlength="3"> - <input name="z2" size="4" maxlength="4"></td></tr><tr><th>都道府県${must}</th><td><select name="pref"><option value="">選択してください</option>${options(PREFS)}</select></td></tr><tr><th>市区町村${must}</th><td><input name="a1"></td></tr><tr><th>番地・建物名${must}</th><td><input name="a2" size="40"></td></tr>
<tr><th>電話番号${must}</th><td><input name="t1" size="4" maxlength="5"> - <input name="t2" size="4" maxlength="4"> - <input name="t3" size="4" maxlength="4"></td></tr><tr><th>メールアドレス${must}</th><td><input name="em" size="30"></td></tr><tr><th>生年月日</th><td><input name="birth" placeholder="19800101"></td></tr>
<tr><th>お届け時間帯</th><td><select name="jikan"><option value="">指定なし</option><option>午前中</option><option>14～16時</option></select></td></tr></table><h2>お支払い方法</h2><p><label><input type="radio" name="pay" value="daibiki" checked>代金引換（手数料${yen(330)}）</label></p><p><label><input type="radio" name="pay" value="card">クレジットカード</label></p>
<table><tr><th>カード番号</th><td><input name="cn" size="20"></td></tr><tr><th>有効期限</th><td><input name="mm" size="2" maxlength="2">月 ／ 20<input name="yy" size="2" maxlength="2">年</td></tr><tr><th>セキュリティコード</th><td><input name="cv" size="4"></td></tr></table><p>商品合計 ${yen(count * unit)}　送料 ${yen(ship)}</p><p>お支払い合計：<b>${yen(count * unit + ship)}</b></p><input type="submit" value="入力内容を確認する"></form>`,
        );
      if (path === '/order/confirm' && method === 'POST') {
        const missing = [
          'n1',
          'n2',
          'k1',
          'k2',
          'z1',
          'z2',
          'pref',
          'a1',
          'a2',
          't1',
          't2',
          't3',
          'em',
        ].filter((name) => (form.get(name) ?? '') === '');
        if (missing.length > 0)
          return to(
            `/order/guest?e=${encodeURIComponent(`必須項目が入力されていません：${missing.join()}`)}`,
          );
        if (!/^\d{3}-\d{4}$/.test(`${form.get('z1')}-${form.get('z2')}`))
          return to(`/order/guest?e=${encodeURIComponent('郵便番号が正しくありません')}`);
        if (form.get('pay') !== 'card')
          return to(`/order/guest?e=${encodeURIComponent('お支払い方法を選択してください')}`);
        if (
          cardFault(
            form.get('cn') ?? '',
            `${form.get('mm')}/${form.get('yy')}`,
            form.get('cv') ?? '',
          ) !== undefined
        )
          return to(`/order/guest?e=${encodeURIComponent('カード情報が正しくありません')}`);
        for (const [name, value] of form) session.set(name, value);
        return page(
          'ご注文内容の確認',
          `<h1>ご注文内容の確認</h1><table><tr><th>商品</th><td>深蒸し煎茶　三本入り × ${wide(String(count))}</td></tr><tr><th>小計</th><td>${yen(count * unit)}</td></tr><tr><th>送料</th><td>${yen(ship)}</td></tr><tr><th>お支払い合計（税込）</th><td><b>${yen(count * unit + ship)}</b></td></tr></table><form method="post" action="/order/complete"><input type="submit" name="back" value="入力画面に戻る"> <input type="submit" name="ok" value="この内容で注文する"></form>`,
        );
      }
      if (path === '/order/complete' && method === 'POST') {
        if (form.has('back')) return to('/order/guest');
        shop.book.push({
          number: `T${shop.book.length + 90_001}`,
          item: '煎茶',
          quantity: count,
          total: count * unit + ship,
          currency: 'JPY',
          email: session.get('em') ?? '',
          address: ['n1', 'n2', 'k1', 'k2', 'z1', 'z2', 'pref', 'a1', 'a2', 't1', 't2', 't3']
            .map((name) => session.get(name))
            .join(' '),
          extras: session.get('birth') === '' ? [] : ['生年月日'],
          card: (session.get('cn') ?? '').slice(-4),
        });
        return to('/order/thanks');
      }
      if (path === '/order/thanks')
        return shop.book.length === 0
          ? to('/cart')
          : page(
              'ご注文完了',
              `<h1>ご注文ありがとうございました</h1><p>ご注文番号：T${90_000 + shop.book.length}</p>`,
            );
      return path === '/' ? page('椿茶舗', '<a href="/item/sencha">深蒸し煎茶</a>') : undefined;
    },
  );
}
