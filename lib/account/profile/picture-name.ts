/** A file name nobody can guess, so that an old address stops working (spec §2.7). */
export const pictureName = (extension: string, random: (bytes: number) => Buffer) =>
  `${random(24).toString('base64url')}.${extension}`
