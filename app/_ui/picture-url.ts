/** Returns the address of a picture or logo: on the issuer, by its random name. */
export const pictureUrl = (issuer: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : `${issuer}/avatars/${file}`
