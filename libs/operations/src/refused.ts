/** The request cannot be carried out now; the message is for the operator. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
