/** Thrown for content that cannot be searched: it could contain an address, so the reply is refused. */
export class UnreadableContent extends Error {
  readonly refusal: 'packed' | 'unreadable'
  constructor(refusal: 'packed' | 'unreadable') {
    super(refusal)
    this.refusal = refusal
  }
}
