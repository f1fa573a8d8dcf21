/* Photos, floor plans and the video of a listing on the whole screen. Swiping is the browser's own scrolling. */
(function () {
  'use strict';

  for (const photos of document.querySelectorAll('.psr-photos')) {
    const links = [...photos.querySelectorAll('a[data-slide]')];
    let viewer = null;
    photos.addEventListener('click', (event) => {
      const link = event.target.closest('a[data-slide]');
      // Leaves clicks that open a tab or a window to the browser.
      if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      viewer ??= viewerOf(links, photos.dataset);
      viewer.open(links.indexOf(link));
    });
  }

  function element(name, members, children = []) {
    const made = Object.assign(document.createElement(name), members);
    made.append(...children);
    return made;
  }

  function viewerOf(links, words) {
    let at = 0;
    const slides = links.map(slideOf);
    const strip = element('div', { className: 'psr-slides', tabIndex: 0 }, slides);
    const position = element('p', { className: 'psr-position' });
    position.setAttribute('aria-live', 'polite');
    const button = (name, text, act) => {
      const made = element('button', {
        type: 'button',
        className: `psr-viewer-${name}`,
        textContent: text,
        onclick: act,
      });
      made.setAttribute('aria-label', words[name]);
      return made;
    };
    const previous = button('previous', '‹', () => show(at - 1));
    const next = button('next', '›', () => show(at + 1));
    const close = button('close', '×', () => dialog.close());
    const dialog = element('dialog', { className: 'psr-viewer' }, [strip, position, previous, next, close]);
    dialog.setAttribute('aria-label', words.viewer);
    document.body.append(dialog);

    /** Fetches a slide and its neighbours only when they are near. */
    function arrive(index) {
      at = index;
      for (const near of [at - 1, at, at + 1]) {
        const picture = slides[near]?.querySelector('img[data-src]');
        if (picture != null) {
          picture.src = picture.dataset.src;
          picture.removeAttribute('data-src');
        }
      }
      slides.forEach((slide, place) => (slide.inert = place !== at));
      position.textContent = words.position.replace('%1$s', String(at + 1)).replace('%2$s', String(slides.length));
      previous.disabled = at === 0;
      next.disabled = at === slides.length - 1;
    }

    function show(index, behavior = 'smooth') {
      const wanted = Math.min(Math.max(index, 0), slides.length - 1);
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      slides[wanted].scrollIntoView({ behavior: isStill ? 'instant' : behavior, block: 'nearest', inline: 'start' });
      arrive(wanted);
    }

    let timer = 0;
    strip.addEventListener('scroll', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const found = Math.round(Math.abs(strip.scrollLeft) / strip.clientWidth);
        if (found !== at) arrive(found);
      }, 100);
    });
    dialog.addEventListener('keydown', (event) => {
      const isReversed = getComputedStyle(strip).direction === 'rtl';
      const [back, on] = isReversed ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
      const target = { [back]: at - 1, [on]: at + 1, Home: 0, End: slides.length - 1 }[event.key];
      if (target === undefined || event.target.closest('video') !== null) return;
      event.preventDefault();
      show(target);
    });
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || event.target.matches('figure')) dialog.close();
    });
    dialog.addEventListener('close', () => {
      for (const film of dialog.querySelectorAll('video')) film.pause();
      document.documentElement.style.removeProperty('overflow');
    });
    return {
      open(index) {
        dialog.showModal();
        document.documentElement.style.overflow = 'hidden';
        show(index, 'instant');
        strip.focus();
      },
    };
  }

  function slideOf(link) {
    const { slide, caption } = link.dataset;
    const shown = {
      photo() {
        const picture = element('img', { alt: caption || (link.querySelector('img')?.alt ?? ''), decoding: 'async' });
        picture.dataset.src = link.href;
        return picture;
      },
      video: () => element('video', { src: link.href, controls: true, preload: 'none', playsInline: true }),
      // Shows a page of another site only on request.
      link: () =>
        element('a', {
          href: link.href,
          target: '_blank',
          rel: 'noopener nofollow',
          className: 'psr-button',
          textContent: caption,
        }),
    }[slide]();
    return element(
      'figure',
      {},
      slide === 'link' || !caption ? [shown] : [shown, element('figcaption', { textContent: caption })],
    );
  }
})();
