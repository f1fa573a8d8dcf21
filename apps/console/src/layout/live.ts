import { createHash } from 'node:crypto';

/** The header that the script sends, so that an open but unused page does not keep its session alive. */
export const LIVE_HEADER = 'x-live';

/** Reloads the visible page, except parts in which the operator types, selects or has opened something. */
export const LIVE_SCRIPT = `'use strict';
(() => {
  const EVERY_MS = 15000;
  const main = document.querySelector('main');
  const plain = (part) => part.outerHTML.replace(/name="_csrf" value="[^"]*"/g, '');
  const isUsed = (part) => {
    const selection = document.getSelection();
    const isMarked = selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
    const typed = [...part.querySelectorAll('input, textarea')].some((field) =>
      field.type === 'hidden' ? false
        : field.type === 'checkbox' || field.type === 'radio' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
    return isMarked || typed || part.contains(document.activeElement) || part.matches('details[open]') || part.querySelector('details[open]') !== null;
  };
  const renew = (now) => {
    const [old, fresh] = [[...main.children], [...now.children]];
    const isAlike = old.length === fresh.length && old.every((part, at) => part.tagName === fresh[at].tagName);
    if (!isAlike) return old.some(isUsed) || scrollY > 0 ? undefined : main.replaceChildren(...fresh);
    old.forEach((part, at) => {
      if (plain(part) === plain(fresh[at]) || isUsed(part)) return;
      const { top, height } = part.getBoundingClientRect();
      const scrolled = [...part.querySelectorAll('.scrolls')].map(({ scrollLeft }) => scrollLeft);
      part.replaceWith(fresh[at]);
      [...fresh[at].querySelectorAll('.scrolls')].forEach((box, index) => (box.scrollLeft = scrolled[index] ?? 0));
      if (top < 0) scrollBy(0, fresh[at].getBoundingClientRect().height - height);
    });
  };
  const look = async () => {
    if (document.hidden) return true;
    const answer = await fetch(location.href, { headers: { '${LIVE_HEADER}': '1' }, redirect: 'manual' });
    if (answer.type === 'opaqueredirect') return false;
    if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main'));
    return true;
  };
  const wait = (ms) => setTimeout(() => look().then((goesOn) => goesOn && wait(EVERY_MS), () => wait(4 * EVERY_MS)), ms);
  wait(EVERY_MS);
  document.addEventListener('visibilitychange', () => void (document.hidden || look().catch(() => undefined)));
})();
`;

/** The path changes with the content, so that browsers may cache it. */
export const LIVE_PATH = `/live-${createHash('sha256').update(LIVE_SCRIPT).digest('hex').slice(0, 12)}.js`;
