/**
 * The content of a file or stream that is packed in another file. The name of a stream is empty. `isWithoutSpaces`
 * marks text whose spaces were removed.
 */
export type Piece = { name: string; bytes: Buffer; isWithoutSpaces?: boolean }

/** The content unpacked at one position of a file, and the index at which the scan of the file continues. */
export type Opened = { pieces?: Piece[]; end: number }
