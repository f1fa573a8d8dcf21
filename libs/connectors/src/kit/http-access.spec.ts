import { basicAuthorization, documentFetch, splitUserInfo } from './http-access';

describe('splitUserInfo', () => {
  it.each([
    ['https://x.example/feed.xml', { url: 'https://x.example/feed.xml' }],
    ['https://u:p%40ss@x.example/feed.xml', { url: 'https://x.example/feed.xml', user: 'u', password: 'p@ss' }],
    ['file:immo.zip', { url: 'file:immo.zip' }],
    ['sftp://u:p@x.example/immo.zip', { url: 'sftp://u:p@x.example/immo.zip' }],
    ['', { url: '' }],
  ])('%j', (address, expected) => {
    expect(splitUserInfo(address)).toEqual(expected);
  });
});

it('writes the header of Basic authentication', () => {
  expect(basicAuthorization('é', 'b')).toEqual({ authorization: 'Basic w6k6Yg==' });
});

describe('documentFetch', () => {
  it('asks for the address as it is', () => {
    expect(documentFetch().request({ url: 'https://x.example/f', credentials: {}, settings: {} })).toEqual({
      ...{ url: 'https://x.example/f', headers: {} },
    });
  });

  it('takes credentials from the gateway ahead of those in the address', () => {
    const request = documentFetch().request({
      url: 'https://a:b@x.example/f',
      credentials: { user: 'u', password: 'p' },
      settings: {},
    });
    expect(request).toEqual({ url: 'https://x.example/f', headers: basicAuthorization('u', 'p') });
  });

  it('takes credentials out of the address', () => {
    const request = documentFetch().request({ url: 'https://a:b@x.example/f', credentials: {}, settings: {} });
    expect(request).toEqual({ url: 'https://x.example/f', headers: basicAuthorization('a', 'b') });
  });
});
