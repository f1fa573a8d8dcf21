const EMAIL = /^[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:.]+$/;

/** An e-mail address, without `mailto:` and blanks around it; the first where there are several. */
export function toEmail(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (EMAIL.test(text)) return text;
  return text
    .replace(/^mailto:/i, '')
    .split(/[\s,;<>]+/)
    .find((word) => EMAIL.test(word));
}
