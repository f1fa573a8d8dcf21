/** What was asked for cannot be done now; the message is for the operator. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
