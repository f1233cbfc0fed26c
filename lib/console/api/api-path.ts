/** The path of the API on the account host. */
export const apiPath = '/console/api/v1'
