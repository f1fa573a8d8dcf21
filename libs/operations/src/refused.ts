/** The request cannot be carried out now. The message is for the operator. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
