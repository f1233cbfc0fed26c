/** A name of one's own among those there are: the second "Linux" is "Linux 2". */
export function numberName(name: string, taken: readonly string[]): string {
  const there = new Set(taken)
  if (name === '' || !there.has(name)) return name
  let number = 2
  while (there.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}
