/** Returns the name that RFC 7591 gives to a field of an app: `name#ja` is `client_name#ja` there (§2.2). */
export function metadataName(field: string): string {
  const [bare = '', ...tag] = field.split('#')
  return [names[bare] ?? bare, ...tag].join('#')
}

const names: Record<string, string> = { name: 'client_name', homepage: 'client_uri', scopes: 'scope' }
