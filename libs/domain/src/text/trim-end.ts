/** Linear, whereas an expression such as `/\/+$/` takes quadratic time. @param character one UTF-16 unit */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
