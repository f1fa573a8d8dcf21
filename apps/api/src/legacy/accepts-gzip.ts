/** Whether an `Accept-Encoding` header lets the answer be gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  let any = false;
  for (const entry of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const isWanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return isWanted;
    if (coding === '*') any = isWanted;
  }
  return any;
}
