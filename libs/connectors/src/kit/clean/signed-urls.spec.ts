import { unsignedText, unsignedUrl } from './signed-urls';

describe('unsignedUrl', () => {
  it.each([
    ['https://x.example/1.jpg', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?20240301', 'https://x.example/1.jpg?20240301'],
    ['https://x.example/1.jpg?v=3&w=800', 'https://x.example/1.jpg?v=3&w=800'],
    ['https://x.example/1.jpg?expires=1', 'https://x.example/1.jpg?expires=1'],
    ['https://x.example/1.jpg?hash=abc', 'https://x.example/1.jpg?hash=abc'],
    ['https://x.example/1.jpg?w=8&X-Amz-Date=1&X-Amz-Expires=60&X-Amz-Signature=a', 'https://x.example/1.jpg?w=8'],
    ['https://x.example/1.jpg?X-Goog-Date=1&X-Goog-Signature=a', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?Expires=1&Signature=a&Key-Pair-Id=b', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?AWSAccessKeyId=k&Expires=1&Signature=a', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?sv=2020&st=1&se=2&sr=b&sp=r&sig=a&v=2', 'https://x.example/1.jpg?v=2'],
    ['https://x.example/1.jpg?token=a&expires=1&v=2', 'https://x.example/1.jpg?v=2'],
    ['https://x.example/1.jpg?s=9f&expires=1&w=80', 'https://x.example/1.jpg?w=80'],
    ['https://x.example/1.jpg?__token__=exp=1700000000~hmac=ab&w=80', 'https://x.example/1.jpg?w=80'],
    ['https://x.example/1.jpg?hdnea=st=1~exp=1700000000~acl=/*~hmac=ab', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?token=eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2ln', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?alt=media&token=0a1b2c3d', 'https://x.example/1.jpg?alt=media&token=0a1b2c3d'],
    ['https://x.example/1.jpg?s=800', 'https://x.example/1.jpg?s=800'],
    ['https://x.example/token=exp=1700000000~hmac=ab/1.jpg', 'https://x.example/1.jpg'],
  ])('keeps the parts of %j that identify the photo', (url, expected) => {
    expect(unsignedUrl(url)).toBe(expected);
  });
});

describe('unsignedText', () => {
  const END = 1_700_000_000_000;

  it('removes the signatures of all addresses, and leaves the rest of the text', () => {
    const signed = (name: string): string => `"https://x.example/${name}?w=8&sig=${name}&se=2030-01-01T00:00:00Z"`;
    const text = `{"a":"Vendu ?","photos":[${signed('1.jpg')},${signed('2.jpg')},"https://x.example/3.jpg?v=2"],"b":"?"}`;
    expect(unsignedText(text)).toEqual({
      text: '{"a":"Vendu ?","photos":["https://x.example/1.jpg?w=8","https://x.example/2.jpg?w=8","https://x.example/3.jpg?v=2"],"b":"?"}',
      ends: [Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 1)],
    });
  });

  it('reads an address whose ampersands are written as entities', () => {
    expect(unsignedText('"https://x.example/1.jpg?token=a&amp;expires=1700000000"')).toEqual({
      text: '"https://x.example/1.jpg"',
      ends: [END],
    });
  });

  it.each([
    ['X-Amz-Date=20231114T221000Z&X-Amz-Expires=200&X-Amz-Signature=a', END],
    ['Expires=1700000000&Signature=a&Key-Pair-Id=b', END],
    ['sig=a&se=2023-11-14T22%3A13%3A20Z', END],
    ['token=a&exp=1700000000000', END],
    ['__token__=exp=1700000000~hmac=ab', END],
    ['hdnea=st=1600000000~exp=1700000000~acl=/*~hmac=ab', END],
    ['token=eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2ln', END],
    ['token=a&ttl=3600', undefined],
    ['token=a&expires=3600', undefined],
  ])('reads from %j when the address ends', (query, end) => {
    expect(unsignedText(`"https://x.example/1.jpg?${query}"`).ends).toEqual([end]);
  });

  it('reads the end of a signature in the path', () => {
    expect(unsignedText('"https://x.example/token=exp=1700000000~hmac=ab/1.jpg"').ends).toEqual([END]);
  });

  it('takes linear time', () => {
    const took = (count: number): number => {
      const text = '?a=1&/token='.repeat(count);
      const before = process.cpuUsage();
      unsignedText(text);
      return process.cpuUsage(before).user;
    };
    took(1_000);
    expect(took(80_000)).toBeLessThan(40 * Math.max(took(10_000), 5_000));
  });
});
