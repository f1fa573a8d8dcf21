import { Refused } from '@passerelle/operations';

/** A refusal whose sentence is already in the language of the page. */
export class PageRefusal extends Refused {
  constructor(
    sentence: string,
    readonly status: 400 | 409 | 422 = 409,
  ) {
    super(sentence);
  }
}
