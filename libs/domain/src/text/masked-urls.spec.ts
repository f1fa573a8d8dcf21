import { maskUrl } from './url';

describe('maskUrl', () => {
  it.each([
    ['https://feeds.example/kyero.xml', 'https://feeds.example/kyero.xml'],
    ['https://user:secret@feeds.example:8443/a', 'https://***@feeds.example:8443/a'],
    ['https://feeds.example/f?partner=x&password=secret', 'https://feeds.example/f?partner=***&password=***'],
    ['https://feeds.example/f?limit=10&offset=20&key=secret', 'https://feeds.example/f?limit=10&offset=20&key=***'],
    ['https://feeds.example/f?%24top=5&token=a%26b#secret', 'https://feeds.example/f?$top=5&token=***'],
    ['https://feeds.example/export/secret/feed.xml', 'https://feeds.example/export/***/feed.xml'],
    ['https://feeds.example/export/s%65cret', 'https://feeds.example/export/***'],
    ['https://feeds.example/f?page=secret', 'https://feeds.example/f?page=***'],
    ['https://feeds.example/export/9d2f7c/my-agency.xml', 'https://feeds.example/export/***/***.xml'],
    ['https://feeds.example/Listings/v1/kyero.XML', 'https://feeds.example/Listings/v1/kyero.XML'],
    ['https://feeds.example/correct-horse', 'https://feeds.example/***'],
    ['https://***@feeds.example/***/feed.xml?key=***', 'https://***@feeds.example/***/feed.xml?key=***'],
    ['sftp://u:secret@feeds.example/export/agency_*.zip', 'sftp://***@feeds.example/export/agency_*.zip'],
    ['file:feed.zip', 'file:feed.zip'],
    ['file:///inbox/feed.zip', 'file:///inbox/feed.zip'],
    ['https://us er:secret@', 'https:***'],
    ['secret', '***'],
  ])('shows %s as %s', (url, shown) => {
    expect(maskUrl(url, ['secret', ''])).toBe(shown);
  });
});
