/** Whether an `Accept` header names WebP. A client that takes anything may still not show it: it gets JPEG. */
export function acceptsWebp(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((entry) => {
    const [type, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return type === 'image/webp' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
