// Decides which licences the packages of the lock may have.
import { nameOf, runtimePackages } from './packages.mjs'

/** Licences of packages in a release: use and distribution need no more than the notice, which each package contains. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** Licences that no package may have, not even a tool: their terms reach the work itself, or forbid some uses of it. */
const denied = /^(A?GPL|SSPL|BUSL|Elastic|CC-BY-NC|CC-BY-ND|CC-BY-SA|Commons-Clause|PolyForm|UNLICENSED|SEE LICENSE)/

/** Licences that differ from the lists, each with the reason why the package may stay. */
const exceptions = [
  {
    name: /^@img\/sharp-libvips-/,
    license: 'LGPL-3.0-or-later',
    why: 'A shared library that sharp loads. It is unchanged, and an operator can replace the file.',
  },
  {
    name: /^caniuse-lite$/,
    license: 'CC-BY-4.0',
    why: 'Data about browsers, unchanged; the package names its authors.',
  },
  { name: /^@visx\/vendor$/, license: 'MIT and ISC', why: 'Means "MIT AND ISC", which is allowed.' },
  {
    name: /^@next\/swc-/,
    license: undefined,
    why: 'Next names MIT for its compilers; the lock has no field for them.',
  },
  { name: /^@swc\/core-/, license: undefined, why: '@swc/core has Apache-2.0; the lock has no field for these.' },
  { name: /^@biomejs\/cli-/, license: undefined, why: '@biomejs/biome has MIT OR Apache-2.0; no field for these.' },
  { name: /^seq-queue$/, license: undefined, why: 'Its file LICENSE is MIT; its package.json does not say so.' },
]

/**
 * Returns a sentence for each package of the lock whose licence is denied or unknown, and for each package of a release
 * whose licence is not allowed.
 */
export function licenceProblems(lock) {
  const inRelease = new Set(runtimePackages(lock).packages.map(({ path }) => path))
  return Object.entries(lock.packages).flatMap(([path, { license, version }]) => {
    const name = nameOf(path)
    if (path === '' || isException(name, license)) return []
    const subject = `${name} ${version}: ${license ?? 'no licence'}`
    if (!license || someDenied(license)) return [`${subject} is denied`]
    return inRelease.has(path) && !isAllowed(license) ? [`${subject} is not allowed in a release`] : []
  })
}

/** Returns the exceptions that no package of the lock needs any more. */
export function unusedExceptions(lock) {
  const packages = Object.entries(lock.packages).map(([path, { license }]) => ({ name: nameOf(path), license }))
  return exceptions.filter(
    (one) => !packages.some(({ name, license }) => one.name.test(name) && one.license === license),
  )
}

const isException = (name, license) => exceptions.some((one) => one.name.test(name) && one.license === license)

/** An expression with parentheses is never allowed: it needs an exception, and so a person who reads it. */
const isAllowed = (expression) =>
  expression.split(' OR ').some((choice) => choice.split(' AND ').every((license) => allowed.has(license)))

const someDenied = (expression) =>
  expression
    .split(' OR ')
    .every((choice) => choice.split(' AND ').some((license) => denied.test(license.replace('(', ''))))
