/* Favourites and sharing. Favourites stay in the browser until the visitor opens the list of favourites. */
(function () {
  'use strict';
  const KEY = 'passerelle_favourites';
  const MOST = 100;

  /** The ids of favourite posts, the newest last; null when the browser stores nothing. */
  function kept() {
    try {
      const ids = JSON.parse(localStorage.getItem(KEY) ?? '[]');
      return Array.isArray(ids) ? ids.filter(Number.isSafeInteger) : [];
    } catch {
      return null;
    }
  }

  function keep(id, isKept) {
    const others = (kept() ?? []).filter((one) => one !== id);
    try {
      localStorage.setItem(KEY, JSON.stringify(isKept ? [...others, id].slice(-MOST) : others));
    } catch {
      // Full, or switched off.
    }
  }

  function paint() {
    const ids = kept();
    if (ids === null) return;
    for (const heart of document.querySelectorAll('.psr-heart')) {
      heart.hidden = false;
      heart.setAttribute('aria-pressed', String(ids.includes(Number(heart.dataset.id))));
    }
    for (const link of document.querySelectorAll('.psr-favourites')) {
      const address = new URL(link.dataset.list);
      address.searchParams.set('favoris', ids.join(','));
      link.href = address.href;
      link.querySelector('span').textContent = String(ids.length);
      link.hidden = ids.length === 0;
    }
  }

  document.addEventListener('click', (event) => {
    const heart = event.target.closest('.psr-heart');
    if (heart === null) return;
    keep(Number(heart.dataset.id), heart.getAttribute('aria-pressed') !== 'true');
    paint();
  });
  addEventListener('storage', paint);
  addEventListener('pageshow', paint);

  for (const button of document.querySelectorAll('.psr-copy')) {
    const about = { title: document.title, url: button.dataset.address };
    if (navigator.share === undefined && navigator.clipboard === undefined) continue;
    button.parentElement.hidden = false;
    button.addEventListener('click', async () => {
      try {
        if (navigator.share !== undefined) await navigator.share(about);
        else {
          await navigator.clipboard.writeText(about.url);
          button.textContent = button.dataset.done;
        }
      } catch {
        // The visitor has cancelled sharing.
      }
    });
  }
  for (const button of document.querySelectorAll('.psr-print')) {
    button.parentElement.hidden = false;
    button.addEventListener('click', () => print());
  }
  // The slider has no value of its own: it shows and changes the two fields of the price.
  for (const slider of document.querySelectorAll('.psr-slider')) {
    const steps = JSON.parse(slider.dataset.steps);
    const { kind, rentals, any } = slider.dataset;
    const { elements } = slider.closest('form');
    const ends = [...slider.querySelectorAll('input')];
    const [low, high] = ends;
    const chosen = () => {
      const offer = elements.offre.value;
      const ofOffer = rentals.split(' ').includes(offer) ? 'rent' : 'sale';
      const all = steps[offer === '' ? kind : ofOffer] ?? {};
      const currency = elements.devise?.value || Object.keys(all)[0];
      return { amounts: all[currency] ?? [], currency };
    };
    const tell = () => {
      const { amounts, currency } = chosen();
      const style = { style: 'currency', currency, maximumFractionDigits: 0 };
      const words = new Intl.NumberFormat(document.documentElement.lang || undefined, currency ? style : {});
      for (const end of ends) {
        const isOpen = Number(end.value) === (end === low ? 0 : amounts.length - 1);
        end.setAttribute('aria-valuetext', isOpen ? any : words.format(amounts[end.value]));
        slider.style.setProperty(end === low ? '--from' : '--to', end.value / (amounts.length - 1 || 1));
      }
      // Where both ends meet, the one that can still move is on top.
      low.style.zIndex = Number(low.value) > (amounts.length - 1) / 2 ? 2 : 1;
    };
    const follow = () => {
      const { amounts } = chosen();
      slider.hidden = amounts.length === 0;
      for (const end of ends) {
        const amount = elements[end.dataset.for].value.replace(/\D/g, '');
        const place = amounts.filter((one) => one < Number(amount)).length;
        end.max = amounts.length - 1;
        end.value = amount === '' ? (end === low ? 0 : amounts.length - 1) : place;
      }
      tell();
    };
    slider.addEventListener('input', ({ target }) => {
      const { amounts } = chosen();
      const place = target === low ? Math.min(low.value, high.value) : Math.max(low.value, high.value);
      target.value = place;
      const isOpen = place === (target === low ? 0 : amounts.length - 1);
      elements[target.dataset.for].value = isOpen ? '' : amounts[place];
      tell();
    });
    for (const name of ['offre', 'devise', 'prix_min', 'prix_max']) elements[name]?.addEventListener('change', follow);
    addEventListener('pageshow', follow);
    follow();
  }
  // The browser asks the visitor before it gives the position; three decimals are about 100 m.
  for (const button of document.querySelectorAll('.psr-near button')) {
    if (navigator.geolocation === undefined) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      const search = ({ coords }) => {
        const form = button.closest('form');
        for (const other of form.querySelectorAll('[name="autour"]')) other.remove();
        const value = `${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`;
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'autour', value }));
        form.requestSubmit();
      };
      navigator.geolocation.getCurrentPosition(search, () => (button.textContent = button.dataset.denied), {
        timeout: 10000,
      });
    });
  }
  paint();
})();
