/** The path under which the router knows the page at the root of the issuer; `/` is a page of the account host. */
export const issuerHomePath = '/issuer'
