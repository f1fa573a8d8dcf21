/* The map of a list. Without scripts the map stays hidden, and the list remains visible. */
(function () {
  'use strict';
  function load(tag, attributes) {
    return new Promise(function (done, failed) {
      const element = document.createElement(tag);
      Object.assign(element, attributes);
      element.onload = done;
      element.onerror = failed;
      document.head.append(element);
    });
  }

  async function leaflet(base, version) {
    const file = (name) => base + name + '?ver=' + version;
    await Promise.all(
      ['leaflet.css', 'MarkerCluster.css', 'MarkerCluster.Default.css'].map((name) =>
        load('link', { rel: 'stylesheet', href: file(name) }),
      ),
    );
    if (window.L === undefined) await load('script', { src: file('leaflet.js') });
    if (window.L.MarkerClusterGroup === undefined) await load('script', { src: file('leaflet.markercluster.js') });
    return window.L;
  }

  async function show(place) {
    const { pins, card, tiles, credit, leaflet: base, version, none } = place.dataset;
    const [L, points] = await Promise.all([
      leaflet(base, version),
      fetch(pins).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status))))),
    ]);
    place.replaceChildren();
    if (points.length === 0) {
      place.textContent = none;
      return;
    }
    const canvas = document.createElement('div');
    canvas.className = 'psr-canvas';
    place.append(canvas);
    const map = L.map(canvas, { scrollWheelZoom: false });
    L.tileLayer(tiles, { attribution: credit, maxZoom: 19 }).addTo(map);
    const group = L.markerClusterGroup({ chunkedLoading: true, showCoverageOnHover: false });
    const dot = (isExact) =>
      L.divIcon({ className: isExact ? 'psr-pin' : 'psr-pin psr-about', iconSize: [44, 44], html: '<span></span>' });
    for (const [id, lat, lon, isExact] of points) {
      const marker = L.marker([lat, lon], { icon: dot(isExact === 1), keyboard: true });
      marker.on('click', async () => {
        const address = card + (card.includes('?') ? '&' : '?') + 'id=' + id;
        const answer = await fetch(address).then((found) => (found.ok ? found.json() : { html: '' }));
        const box = document.createElement('ul');
        box.className = 'psr-cards psr-on-map';
        // The HTML is safe, because the site renders it like the cards of the list.
        box.innerHTML = answer.html;
        marker.unbindPopup().bindPopup(box, { minWidth: 220, maxWidth: 280 }).openPopup();
        // The circle shows the district when the exact position is not public.
        if (isExact !== 1) {
          const area = L.circle([lat, lon], { radius: 700, weight: 1 }).addTo(map);
          marker.once('popupclose', () => area.remove());
        }
      });
      group.addLayer(marker);
    }
    map.addLayer(group);
    map.fitBounds(group.getBounds(), { padding: [30, 30], maxZoom: 14 });
    canvas.focus({ preventScroll: true });
  }

  for (const place of document.querySelectorAll('.psr-map[data-pins]')) {
    place.hidden = false;
    const button = place.querySelector('button');
    button.addEventListener('click', () => {
      button.disabled = true;
      show(place).catch(() => {
        place.textContent = place.dataset.failed;
      });
    });
  }
})();
