import { acceptsWebp } from './accepts-webp';

it.each([
  ['image/avif,image/webp,image/apng,*/*;q=0.8', true],
  ['image/png, IMAGE/WebP;q=0.5', true],
  ['image/webp;q=0', false],
  ['image/*', false],
  ['*/*', false],
  [undefined, false],
])('%s takes WebP: %s', (accept, expected) => {
  expect(acceptsWebp(accept)).toBe(expected);
});
