/** An HTTP answer as tests compare it. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Parsed when the answer is JSON. Each test says what it expects of it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the program answers
  body: any;
}
