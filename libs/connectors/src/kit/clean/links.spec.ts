import { toEmail, toUrl } from './links';

describe('toUrl', () => {
  it.each([
    ['https://x.example/1.jpg?20240301', 'https://x.example/1.jpg?20240301'],
    ['http://x.example/1.jpg', 'http://x.example/1.jpg'],
    [' https://x.example/1.jpg ', 'https://x.example/1.jpg'],
    ['https://x.example/photo 1.jpg', 'https://x.example/photo%201.jpg'],
    ['https://x.example/Entrée.jpg', 'https://x.example/Entr%C3%A9e.jpg'],
    ['https://x.example/a%20b.jpg', 'https://x.example/a%20b.jpg'],
    ['https://x.example//k/2.jpg', 'https://x.example//k/2.jpg'],
    ['https://x.example/i?a=1&amp;b=2', 'https://x.example/i?a=1&b=2'],
    ['https://x.example/i?a=1&amp;amp;b=2', 'https://x.example/i?a=1&b=2'],
    ['www.x.com/1.jpg', 'https://www.x.com/1.jpg'],
    ['cdn.x.com/1.jpg', 'https://cdn.x.com/1.jpg'],
    ['//cdn.x.com/1.jpg', 'https://cdn.x.com/1.jpg'],
    ['http://127.0.0.1:8080/1.jpg', 'http://127.0.0.1:8080/1.jpg'],
    ['HTTPS://X.example/1.jpg', 'https://x.example/1.jpg'],
    ['https://x.example/"<script>', 'https://x.example/%22%3Cscript%3E'],
  ])('reads %j as %j', (value, expected) => {
    expect(toUrl(value)).toBe(expected);
  });

  it.each([
    '',
    'photo1.jpg',
    'photos/1.jpg',
    '/photos/1.jpg',
    'ftp://x.example/1.jpg',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'http://',
    'https://user:secret@x.example/1.jpg',
    'https://user@x.example/1.jpg',
    '//user:secret@x.example/1.jpg',
    'http:///x',
    'x',
    null,
  ])('returns undefined for %j', (value) => {
    expect(toUrl(value)).toBeUndefined();
  });
});

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

  it.each(['', 'contact', 'a@b', '@b.example', null, 3])('returns undefined for %j', (value) => {
    expect(toEmail(value)).toBeUndefined();
  });
});
