/**
 * A file or stream packed in a file, with its name if it has one. `isWithoutSpaces` marks text whose spaces were
 * removed.
 */
export type Piece = { name: string; bytes: Buffer; isWithoutSpaces?: boolean }

/** The pieces opened at a place, and the end of the packed data. */
export type Opened = { pieces?: Piece[]; end: number }
