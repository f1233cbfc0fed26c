/** Where a stored picture or logo is served: on the issuer, under its random name. */
export const pictureUrl = (issuer: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : `${issuer}/avatars/${file}`
