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
