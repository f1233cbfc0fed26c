import type { Brand, PictureName } from '#lib/brand/read-brand'

/** Returns the address of a picture of the brand; undefined when the brand has none. */
export function brandPicture({ pictures }: Brand, name: PictureName): string | undefined {
  const picture = pictures[name]
  return picture && `/brand/${name}?v=${picture.version}`
}
