/** One property of a Kyero feed, with plausible values for fields that the test does not give. */
export function aProperty(id: string, fields: Record<string, string> = {}): string {
  const all = {
    ref: `R-${id}`,
    price: '250000',
    price_freq: 'sale',
    type: 'villa',
    town: 'Villeneuve',
    beds: '3',
    ...fields,
  };
  const elements = Object.entries(all).map(([name, value]) => `<${name}>${value}</${name}>`);
  const photo = `<images><image id="1"><url>https://photos.example.org/${id}/1.jpg</url></image></images>`;
  return `<property><id>${id}</id><date>2026-01-01 10:00:00</date>${elements.join('')}${photo}</property>`;
}

export function aKyeroFeed(properties: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<root><kyero><feed_version>3</feed_version></kyero>\n${properties.join('\n')}\n</root>`;
}

/** Ids from `1` to `count`. */
export function ids(count: number): string[] {
  return Array.from({ length: count }, (_, n) => String(n + 1));
}
