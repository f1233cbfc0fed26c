/** Something that was packed in a file, with its name where it has one; squeezed when it is letters without the blanks between them. */
export type Piece = { name: string; bytes: Buffer; isWithoutSpaces?: boolean }

/** What began at a place, and where that ends. */
export type Opened = { pieces?: Piece[]; end: number }
