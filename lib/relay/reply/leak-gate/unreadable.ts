/** Something in a message that cannot be looked into: an address could stand there, so nothing leaves. */
export class UnreadableContent extends Error {
  readonly refusal: 'packed' | 'unreadable'
  constructor(refusal: 'packed' | 'unreadable') {
    super(refusal)
    this.refusal = refusal
  }
}
