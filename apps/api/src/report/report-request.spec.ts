import { siteUrlOf } from './report-request';

const REPORT = { crm: 'kyero', client: 'demo', status: 'success' } as const;

describe('siteUrlOf', () => {
  it.each([
    ['WordPress/6.4.2; https://example.com', 'https://example.com'],
    ['WordPress/6.4.2;https://example.com', 'https://example.com'],
    ['WordPress/6.4.2; HTTPS://Example.com/', 'HTTPS://Example.com/'],
    ['WordPress/6.4.2; http://example.com/blog/fr', 'http://example.com/blog/fr'],
    ['WordPress/6.4.2; http://localhost:8080', 'http://localhost:8080'],
    ['WordPress/6.4.2; https://example.com; Importer/1.0', 'https://example.com'],
    ['WordPress/6.4.2; https://example.com Importer/1.0', 'https://example.com'],
    ['WordPress/6.4.2; https://example.com, gzip', 'https://example.com'],
    ['WordPress/6.4.2; https://example.com.', 'https://example.com'],
    ['Importer/1.0 WordPress/6.4.2; https://example.com', 'https://example.com'],
    ['Mozilla/5.0 (compatible WordPress/6.4; https://example.com)', 'https://example.com'],
    ['WordPress/6.5-alpha-57000; https://xn--exmple-cua.com', 'https://xn--exmple-cua.com'],
  ])('finds the site in %s', (userAgent, site) => {
    expect(siteUrlOf(REPORT, userAgent)).toBe(site);
  });

  it.each([
    undefined,
    '',
    'curl/8.1',
    'https://example.com',
    'WordPress; https://example.com',
    'WordPress/6.4.2 https://example.com',
    'WordPress/6.4.2; ftp://example.com',
    'WordPress/6.4.2; javascript:alert(1)',
    'WordPress/6.4.2; https://',
    'WordPress/6.4.2; https://a:99999',
    `WordPress/6.4.2; https://example.com/${'x'.repeat(2_048)}`,
    'Mozilla/5.0 (compatible; Bot/1.0; +https://bot.example)',
  ])('finds no site in %s', (userAgent) => {
    expect(siteUrlOf(REPORT, userAgent)).toBeNull();
  });

  it('prefers site_url, then cms_url, to the User-Agent', () => {
    const both = { ...REPORT, site_url: 'https://site.example', cms_url: 'https://cms.example' };

    expect(siteUrlOf(both, 'W/1; https://agent.example')).toBe('https://site.example');
    expect(siteUrlOf({ ...REPORT, cms_url: both.cms_url }, 'W/1; https://agent.example')).toBe('https://cms.example');
  });

  it('stays fast for a hostile User-Agent', () => {
    // Measure processor time, because other tests run at the same time. A quadratic algorithm takes seconds.
    const before = process.cpuUsage();
    for (const piece of ['a/', ' a/b', '(a/b ;', 'a/b;', ' ;/']) siteUrlOf(REPORT, piece.repeat(40_000));
    siteUrlOf(REPORT, `a/${' '.repeat(160_000)}`);

    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
