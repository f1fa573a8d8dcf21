import { toEmail } from './email';

describe('toEmail', () => {
  it.each([
    ['contact@agence.example', 'contact@agence.example'],
    [' Contact@Agence.example ', 'Contact@Agence.example'],
    ['mailto:a@b.example', 'a@b.example'],
    ['a@b.example; c@d.example', 'a@b.example'],
    ['Agence <a@b.example>', 'a@b.example'],
  ])('reads %j as %j', (value, expected) => {
    expect(toEmail(value)).toBe(expected);
  });

  it.each(['', 'contact', 'a@b', '@b.example', null, 3])('does not read %j', (value) => {
    expect(toEmail(value)).toBeUndefined();
  });
});
