const dots = '•••'

/**
 * Returns an address by which its owner recognizes it and others cannot guess it: the first characters of its
 * parts, and the last label of its domain.
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : ''
  return `${firstOf(local)}${dots}@${firstOf(domain)}${dots}${end}`
}

const firstOf = (text: string) => [...text][0] ?? ''
