export function docsPage(_d: unknown): { html: string; contentSecurityPolicy: string } {
  return { html: '', contentSecurityPolicy: '' };
}
